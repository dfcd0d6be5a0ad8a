"""`stbench build`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

SHEETS = Path("build") / "contact_sheets"


@click.command()
@click.option("--job", required=True, help="E.g. helper/1.")
@click.option("--scripts", default=1, show_default=True, type=click.IntRange(min=1), help="How many scripts.")
@click.option("--seed", default=0, show_default=True, help="Every draw derives from it.")
@click.option("--variant", default=0, show_default=True, help="Variant of the layout; 0 is the pinned one.")
@click.option("--tasks", default=2, show_default=True, type=click.IntRange(min=1), help="Tasks a script.")
@click.option("--frames", default=None, type=click.IntRange(min=10), help="At most so many keyframes a task.")
@click.option("--render", "pictures", type=click.Choice(["none", "preview", "blender"]), default="none",
              show_default=True, help="Preview renders at half size, beside the scene.")  # fmt: skip
@click.option("--workers", default=1, show_default=True, type=click.IntRange(min=1), help="Scripts built at a time.")
@click.option("--contact-sheet", "sheets", is_flag=True, help="Put each script's pictures on sheets, to be looked at.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The release's folder.")
@click.option("--scenes", type=click.Path(path_type=Path), help="Scene folders; build/scenes if not given.")
@click.option("--bpy-python", help="A Python with Blender's module; STBENCH_BPY_PYTHON, or this one, if not given.")
def build(
    job: str, scripts: int, seed: int, variant: int, tasks: int, frames: int | None, pictures: str, workers: int,
    sheets: bool, out: Path, scenes: Path | None, bpy_python: str | None,
) -> None:  # fmt: skip
    """Build scripts: plan the job, sense every keyframe, render the pictures. Run again to go on where it stopped."""
    from stbench_world.build import known_job
    from stbench_world.build_many import BuildOrder, build_many
    from stbench_world.contact_sheet import contact_sheets

    known_job(job)
    order = BuildOrder(
        job=job, seeds=tuple(range(seed, seed + scripts)), variant_seed=variant, tasks=tasks, frames_per_task=frames,
        root=out, scenes=(scenes or Path("build") / "scenes") if pictures != "none" or scenes else None,
    )  # fmt: skip
    built = build_many(order, workers, pictures, bpy_python)
    for sid in built.sids:
        where = f", pictures in {built.pictures[sid]}" if sid in built.pictures else ""
        click.echo(f"{sid}: {built.frames[sid]} keyframes{where}")
        for sheet in contact_sheets(out, sid, SHEETS) if sheets else ():
            click.echo(f"{sid}: contact sheet {sheet}")
    click.echo(f"{len(built.sids)} scripts in {out}" + (f"; next: stbench compile {out}" if built.sids else ""))
    if built.failed:
        for problem in built.failed:
            click.echo(f"failed: {problem}", err=True)
        sys.exit(1)
