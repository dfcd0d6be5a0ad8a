"""`stbench score`: the results of a run's folder, computed again from its ledgers."""

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
@click.argument("root", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), help="The release that was run on; the sample if not given.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def score(root: Path, data: Path | None, as_json: bool) -> None:
    """Score a run's folder again from its ledgers."""
    if not (root / "run.json").is_file():
        raise StbenchError(f"{root} is not a run's folder: it holds no run.json")
    results = _score_run(root, ReleaseTree(data or sample_dir()))
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
