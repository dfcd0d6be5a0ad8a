"""The commands `compile` and `validate`."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click


@click.command("compile")
@click.argument("root", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--name", default=None, help="The release's name; else its folder's.")
@click.option("--version", default="0", show_default=True, help="The release's version.")
@click.option("--seed", default=0, show_default=True, help="Enters every question id.")
def compile(root: Path, name: str | None, version: str, seed: int) -> None:
    """Writes the cases, questions, gold and index of the scripts under ROOT, and release.json."""
    from stbench_scoring.release import compile_release

    release = compile_release(root, name=name or root.resolve().name, version=version, seed=seed)
    lengths = Counter(case.length for case in release.cases)
    shown = ", ".join(f"{count} {length}" for length, count in lengths.items())
    click.echo(f"{len(release.scripts)} scripts, {len(release.cases)} cases: {shown}")
    for cell in release.cells:
        click.echo(f"{cell.job} {cell.layout} {cell.ability} {cell.column}: {cell.questions} questions")


@click.command("validate")
@click.argument("root", type=click.Path(path_type=Path, exists=True, file_okay=False))
def validate(root: Path) -> None:
    """Checks files, counts, references and gold of the release under ROOT. Exit 1 where something is wrong."""
    from stbench_scoring.validate import validate_release

    problems = validate_release(root)
    for problem in problems:
        click.echo(str(problem))
    click.echo(f"{root}: {'sound' if not problems else f'{len(problems)} problems'}")
    if problems:
        sys.exit(1)
