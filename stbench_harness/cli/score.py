"""`stbench score`: the results of a run's folder, again, or of a bag."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click
import msgspec

from stbench_harness.cli.ending import show_end
from stbench_harness.data import sample_dir
from stbench_harness.runs import Run, RunFolder, finish_run
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Release, ReleaseTree, read_json, write_json
from stbench_scoring.results import Results


@click.command()
@click.argument("what", metavar="BAG_OR_RUN", type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), help="The release that was run on; the sample if not given.")
@click.option("--out", type=click.Path(path_type=Path), help="Of a bag: where the results go; beside it if not given.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def score(what: Path, data: Path | None, out: Path | None, as_json: bool) -> None:
    """Score a run's folder from its ledgers, or a bag from what was recorded."""
    tree = ReleaseTree(data or sample_dir())
    if not what.exists():
        raise StbenchError(f"{what}: no such run or bag")
    if (what / "run.json").is_file():
        root, results = what, _score_run(what, tree)
    else:
        root = out or what.parent / f"{what.stem}-scored"
        results = _score_bag(what, root, tree)
    show_end(results, root, as_json=as_json)
    sys.exit(1 if results.coverage.unscored else 0)


def _score_run(root: Path, tree: ReleaseTree) -> Results:
    run = read_json(root / "run.json", Run)
    release = read_json(tree.release_json, Release)
    if run.release_digest != release.digest:
        raise StbenchError(f"{root / 'run.json'}: release_digest is another than that of {tree.root}: give its --data")
    wall_s = run.wall_s
    results = finish_run(RunFolder(root, tree, release, run), time.monotonic())
    write_json(root / "run.json", msgspec.structs.replace(read_json(root / "run.json", Run), wall_s=wall_s))
    return results


def _score_bag(bag: Path, root: Path, tree: ReleaseTree) -> Results:
    from stbench_harness.ros.bag_reader import read_responses
    from stbench_scoring.report import write_page
    from stbench_scoring.results import make_results, write_results

    case = read_responses(bag, tree)
    results = make_results(read_json(tree.release_json, Release), case.label, [case], tree)
    root.mkdir(parents=True, exist_ok=True)
    write_results(root / "results.json", results)
    write_page(root / "results.html", tree, results)
    return results
