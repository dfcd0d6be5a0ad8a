"""Builds many scripts, a process each, with a progress bar; the bytes do not depend on the number of processes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from stbench_scoring.errors import StbenchError
from stbench_scoring.records import ReleaseTree, Robot, Timeline, read_json
from stbench_world.build import build_script
from stbench_world.picture_run import bpy_python, render
from stbench_world.validate_world import world_problems


@dataclass(frozen=True)
class BuildOrder:
    """What to build; fields as `build_script`'s. `seeds`: one a script."""

    job: str
    seeds: tuple[int, ...]
    variant_seed: int
    tasks: int
    frames_per_task: int | None
    root: Path
    scenes: Path | None


@dataclass
class Built:
    """What came of it: script ids in the seeds' order, keyframes and pictures' folders by id, and what failed."""

    sids: list[str] = field(default_factory=list)
    frames: dict[str, int] = field(default_factory=dict)
    pictures: dict[str, Path] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)


def build_one(order: BuildOrder, seed: int) -> str:
    """Builds one script and checks its world. Raises StbenchError naming its seed where something is wrong."""
    sid = build_script(
        order.job,
        seed,
        order.root,
        variant_seed=order.variant_seed,
        tasks=order.tasks,
        frames_per_task=order.frames_per_task,
        scenes=order.scenes,
    )
    tree = ReleaseTree(order.root)
    problems = world_problems(read_json(tree.timeline_json(sid), Timeline), read_json(tree.robot_json(sid), Robot))
    if problems:
        raise StbenchError(f"script {sid} of seed {seed}: " + "; ".join(problems))
    return sid


def build_many(order: BuildOrder, workers: int, pictures: str, python: str | None) -> Built:
    """Builds the scripts of an order, then renders their pictures one after the other.

    Args:
        order: What to build.
        workers: Processes at a time.
        pictures: `none`, `preview` or `blender`.
        python: A Python with Blender's module, or None to look for one.
    """
    blender = bpy_python(python) if pictures != "none" else ""
    built = Built()
    with _progress() as bar:
        line = bar.add_task("scripts", total=len(order.seeds))
        done: dict[int, str] = {}
        for seed, sid, problem in _results(order, workers):
            bar.advance(line)
            if problem:
                built.failed.append(problem)
            else:
                done[seed] = sid
        built.sids = [done[seed] for seed in order.seeds if seed in done]
        tree = ReleaseTree(order.root)
        for sid in built.sids:
            built.frames[sid] = len(read_json(tree.timeline_json(sid), Timeline).frames)
        if blender and order.scenes is not None:
            _render(order, built, blender, pictures == "preview", bar)
    return built


def _progress() -> Progress:
    return Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())


def _attempt(order: BuildOrder, seed: int) -> tuple[str, str]:
    """(script id, "") or ("", what went wrong): plain texts, which cross the border of a process whole."""
    try:
        return build_one(order, seed), ""
    except StbenchError as error:
        return "", str(error)


def _results(order: BuildOrder, workers: int) -> Iterator[tuple[int, str, str]]:
    """(seed, script id, what went wrong) in the order in which they end."""
    if workers == 1 or len(order.seeds) == 1:
        for seed in order.seeds:
            yield seed, *_attempt(order, seed)
        return
    with ProcessPoolExecutor(max_workers=workers) as pool:
        futures = {pool.submit(_attempt, order, seed): seed for seed in order.seeds}
        for future in as_completed(futures):
            yield futures[future], *future.result()


def _render(order: BuildOrder, built: Built, python: str, preview: bool, bar: Progress) -> None:
    assert order.scenes is not None
    line = bar.add_task("pictures", total=sum(built.frames.values()))
    before = 0
    for sid in built.sids:

        def told(text: str) -> None:
            if " in " in text and text.startswith("render: "):
                bar.advance(line)

        scene = order.scenes / sid
        try:
            count = render(order.root, sid, scene, python, preview=preview, told=told)
        except StbenchError as error:
            built.failed.append(str(error))
            continue
        before += count
        bar.update(line, completed=before)
        built.pictures[sid] = scene / "preview" if preview else ReleaseTree(order.root).rgb(sid, 0).parent
