"""Results for the terminal."""

from __future__ import annotations

import io

from rich.console import Console
from rich.table import Table
from rich.text import Text

from stbench_scoring.aggregate import Aggregate
from stbench_scoring.report.words import coverage_words, interval_words, percent, signed
from stbench_scoring.results import Results

WIDTH = 110


def text_table(results: Results) -> str:
    """Coverage, headlines with their intervals, and cells, as plain text."""
    buffer = io.StringIO()
    console = Console(file=buffer, width=WIDTH, color_system=None, highlight=False)
    console.print(Text(f"{results.label.system} on {results.release_name} {results.release_version}"))
    console.print(Text(coverage_words(results)))
    for case in results.coverage.unscored:
        console.print(Text(f"not scored: case {case.cid} is {case.outcome} ({case.questions} questions)"))
    for one in results.aggregates:
        console.print(Text(_headline(one)))
        console.print(_cells(one))
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines())


def _headline(one: Aggregate) -> str:
    abstention = one.abstention
    lines = [
        "",
        f"{one.job} in {one.layout}: headline {signed(one.headline)} {interval_words(one, 'headline')}",
        f"  now {signed(one.now)} {interval_words(one, 'now')} · memory {signed(one.memory)} "
        f"{interval_words(one, 'memory')}",
        f"  gate score {signed(one.gate_score)} · mean of cells {signed(one.mean_of_cells)} · "
        f"pooled {signed(one.pooled_mean)}",
        f"  catastrophes {one.catastrophes} of {one.harm_answers} harm answers ({percent(one.catastrophe_rate)})",
        f"  unknown: {abstention.right} of {abstention.unknowable} found (recall {percent(abstention.recall)}, "
        f"precision {percent(abstention.precision)}); on answerable {percent(abstention.unknown_on_answerable)}",
    ]
    if one.no_answer:
        lines.append("  no answer: " + ", ".join(f"{cause} {n}" for cause, n in one.no_answer.items()))
    return "\n".join(lines)


def _cells(one: Aggregate) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for name in ("ability", "column", "questions", "in release", "weight", "score", "gate score"):
        table.add_column(name, justify="left" if name in ("ability", "column") else "right")
    for c in one.cells:
        table.add_row(
            c.ability, c.column, str(c.questions), str(c.release_questions), f"{c.weight:.2f}",
            signed(c.score), signed(c.score_gate),
        )  # fmt: skip
    return table
