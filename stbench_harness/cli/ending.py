"""What a run or a scoring prints at its end."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from stbench_scoring.report import text_table
from stbench_scoring.results import Results


def show_end(results: Results, root: Path, *, as_json: bool) -> None:
    """Prints headline and coverage and where the outputs are, bags too; as one JSON object with `as_json`."""
    paths = {"results": root / "results.json", "page": root / "results.html"}
    bags = sorted(root.glob("cases/*/bag*"))
    if as_json:
        told = {
            "aggregates": results.aggregates,
            "coverage": results.coverage,
            **{name: str(path) for name, path in paths.items()},
            "bags": [str(bag) for bag in bags],
        }
        click.echo(msgspec.json.encode(told).decode())
        return
    click.echo(text_table(results))
    for name, path in (*paths.items(), *(("bag", bag) for bag in bags)):
        click.echo(f"{name}: {path}")
