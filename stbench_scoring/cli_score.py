"""The commands `explain` and `report`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from stbench_scoring.errors import StbenchError
from stbench_scoring.explain import ByHand, as_json, as_text, explain_by_hand, find_rows, row_judgement, show
from stbench_scoring.records import ReleaseTree
from stbench_scoring.report import text_table, write_page
from stbench_scoring.results import Results, read_results


def _results(run: Path) -> Results:
    return read_results(run if run.is_file() else run / "results.json")


@click.command()
@click.argument("run", required=False, type=click.Path(path_type=Path))
@click.argument("question", required=False)
@click.option("--family", help="By hand: the family asked, e.g. clear_path.")
@click.option("--job", default="helper/1", show_default=True, help="By hand: whose needs count.")
@click.option("--gold", help="By hand: the right answer as JSON.")
@click.option("--answer", help="By hand: the answer as JSON.")
@click.option("--focal-px", type=float, help="The camera's focal length in pixels; a pixel resolves D / f.")
@click.option("--resolution", type=float, help="What a pixel resolves, metres, where it is not D / f.")
@click.option("--half-width", type=float, default=0.0, help="Half the thing's width, metres, for an offset.")
@click.option("--contact", type=click.Choice(["seen", "person", "hazard", "none"]), default="seen", show_default=True,
              help="What a corridor ends at.")  # fmt: skip
@click.option("--runs", help="By hand, of a heading: the run of each heading as JSON, degrees and metres.")
@click.option("--ignored", help="By hand, of a list: the don't-care circles' middles as JSON, like an answer.")
@click.option("--json", "as_json_", is_flag=True, help="One JSON object (a line each for a run).")
def explain(
    run: Path | None, question: str | None, family: str | None, job: str, gold: str | None, answer: str | None,
    focal_px: float | None, resolution: float | None, half_width: float, contact: str, runs: str | None,
    ignored: str | None, as_json_: bool,
) -> None:  # fmt: skip
    """Show how a score came about: of a run's answers (RUN, and QUESTION for one), or of one given by hand."""
    if run is not None:
        if any(value is not None for value in (family, gold, answer)):
            raise StbenchError("RUN excludes --family, --gold and --answer: give a run, or an answer by hand")
        _explain_run(run, question, as_json_)
        return
    if family is None or gold is None or answer is None:
        missing = [f"--{n}" for n, v in (("family", family), ("gold", gold), ("answer", answer)) if v is None]
        raise StbenchError(f"{', '.join(missing)} missing: give RUN, or --family, --gold and --answer by hand")
    given = ByHand(family, job, gold, answer, focal_px, resolution, half_width, contact, runs, ignored)  # type: ignore[arg-type]
    judged = explain_by_hand(given)
    click.echo(json.dumps(as_json(judged)) if as_json_ else as_text(judged))


def _explain_run(run: Path, question: str | None, as_lines: bool) -> None:
    for row in find_rows(_results(run), question):
        judged = row_judgement(row)
        if as_lines:
            named = {"question": row.qid, "family": row.family, "outcome": row.outcome}
            click.echo(json.dumps({**named, **as_json(judged)}))
            continue
        click.echo(f"{row.qid} {row.family}: {row.outcome}, answered {show(row.answer)}, right is {show(row.gold)}")
        click.echo("".join(f"  {line}\n" for line in as_text(judged).splitlines()))


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), help="The release, for texts, maps and pictures.")
@click.option("--out", type=click.Path(path_type=Path), help="Where the page goes; RUN/results.html if not given.")
def report(run: Path, data: Path | None, out: Path | None) -> None:
    """Print a run's results and write its page."""
    results = _results(run)
    page = out or (run.parent if run.is_file() else run) / "results.html"
    write_page(page, None if data is None else ReleaseTree(data), results)
    click.echo(text_table(results))
    click.echo(f"page: {page}")
