"""`stbench score`: the results of a run's folder, computed again from its ledgers, or those of a bag."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from stbench_harness.cli.ending import show_end
from stbench_harness.data import sample_dir
from stbench_harness.runs import Run, RunFolder, score_run
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Release, ReleaseTree, read_json
from stbench_scoring.report import write_page
from stbench_scoring.results import Results, make_results, write_results


@click.command()
@click.argument("root", metavar="BAG_OR_RUN", type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), help="The release that was run on; the sample if not given.")
@click.option("--out", type=click.Path(path_type=Path), help="Of a bag: where results go; BAG-score if not given.")
@click.option("--case", "case", help="Of a bag: the case it must be of; needed where it holds no question.")
@click.option("--session", type=click.IntRange(min=1), help="Of a bag with several runs: which, from 1.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def score(
    root: Path, data: Path | None, out: Path | None, case: str | None, session: int | None, as_json: bool
) -> None:  # fmt: skip
    """Score a run's folder again from its ledgers, or a bag: a rosbag2 folder, a .mcap or a .db3 file.

    Exit code 1 where a case is not scored.
    """
    tree = ReleaseTree(data or sample_dir())
    if (root / "run.json").is_file():
        if out is not None or case is not None or session is not None:
            raise StbenchError(f"{root} is a run's folder: --out, --case and --session are for bags")
        results, where = _score_run(root, tree), root
    else:
        where = _out_of(root, out)
        results = _score_bag(root, tree, where, case, session)
    show_end(results, where, as_json=as_json)
    sys.exit(1 if results.coverage.unscored else 0)


def _score_run(root: Path, tree: ReleaseTree) -> Results:
    run = read_json(root / "run.json", Run)
    release = read_json(tree.release_json, Release)
    if run.release_digest != release.digest:
        raise StbenchError(f"{root / 'run.json'}: release_digest is another than that of {tree.root}: give its --data")
    return score_run(RunFolder(root, tree, release, run), {})


def _out_of(bag: Path, out: Path | None) -> Path:
    """Where a bag's results go: never into the bag, never over a run's."""
    if not bag.exists():
        raise StbenchError(f"{bag} does not exist: give a run's folder, a rosbag2 folder, a .mcap or a .db3 file")
    whole = bag.resolve()
    out = out or whole.parent / f"{whole.stem if whole.is_file() else whole.name}-score"
    if whole == out.resolve() or whole in out.resolve().parents:
        raise StbenchError(f"--out {out} lies in the bag: give another folder")
    if (out / "run.json").exists() or (out / "metadata.yaml").exists():
        raise StbenchError(f"--out {out} holds a run or a bag: give another folder")
    return out


def _score_bag(bag: Path, tree: ReleaseTree, out: Path, case: str | None, session: int | None) -> Results:
    try:
        from stbench_harness.ros.bag_reader import read_bag
    except ImportError as error:
        raise StbenchError(f"reading a bag needs the Python packages rosbags and mcap: {error}") from None
    release = read_json(tree.release_json, Release)
    reading = read_bag(bag, tree, case, session)
    for note in reading.notes:
        click.echo(f"warning: {bag.name}: {note}", err=True)
    if reading.detail:
        told = reading.responses
        click.echo(f"{told.cid} is {told.outcome} and not scored: {reading.detail}", err=True)
    results = make_results(release, reading.responses.label, [reading.responses], tree)
    write_results(out / "results.json", results)
    write_page(out / "results.html", tree, results)
    return results
