"""Checks a whole release and goes on after a fault, so that one report names every one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from stbench_scoring.compile import CompiledCase, compile_script
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import (
    Camera,
    Case,
    Gold,
    OracleRow,
    PoseRow,
    Question,
    Release,
    ReleaseTree,
    Robot,
    Timeline,
    VisibilityRow,
    read_json,
    read_jsonl,
)
from stbench_scoring.records.case import Ability, Column
from stbench_scoring.release import digest
from stbench_scoring.release_files import Problem, content_problem, depth_problem, picture_problem, walk
from stbench_scoring.score import SCORER_VERSION

__all__ = ["Problem", "validate_release"]


def validate_release(root: Path) -> list[Problem]:
    """Checks every file, count and reference of a release, and computes its gold again.

    Args:
        root: The release's folder. Unknown files and fields are no fault.

    Returns:
        What is wrong, in the order found; empty for a sound release.

    Raises:
        StbenchError: There is no such folder.
    """
    if not root.is_dir():
        raise StbenchError(f"{root}: no such folder; name the folder of a release")
    tree = ReleaseTree(root)
    problems = [p for path in walk(root) if (p := content_problem(root, path)) is not None]
    try:
        release = read_json(tree.release_json, Release)
    except StbenchError as error:
        return [*problems, Problem("release.json", "content", str(error), "compile the release again")]
    for sid in release.scripts:
        problems += _guarded(root, f"scripts/{sid}", _script(tree, sid))
        problems += _guarded(root, f"private/{sid}", _cases(tree, release, sid))
    problems += _guarded(root, "release.json", _counts(tree, release))
    return problems


def _guarded(root: Path, place: str, checks: Iterator[Problem]) -> list[Problem]:
    """Collects checks until one meets a file that it cannot read, and names that as the last problem."""
    found: list[Problem] = []
    try:
        for problem in checks:
            found.append(problem)
    except StbenchError as error:
        found.append(Problem(place, "content", str(error).replace(f"{root}/", ""), "mend the file, or fetch it again"))
    return found


def _script(tree: ReleaseTree, sid: str) -> Iterator[Problem]:
    camera, robot = read_json(tree.camera_json(sid), Camera), read_json(tree.robot_json(sid), Robot)
    name = tree.camera_json(sid).relative_to(tree.root).as_posix()
    wrong = camera.problem()
    if wrong is not None:
        yield Problem(name, wrong.split()[0], wrong, "write the camera's true intrinsics")
        return
    for field in ("depth_unit_m", "near_m", "far_m"):
        if getattr(camera, field) != getattr(robot, field):
            yield Problem(name, field, str(getattr(camera, field)), f"robot.json says {getattr(robot, field)}")
    timeline = read_json(tree.timeline_json(sid), Timeline)
    yield from _stamps(tree, sid, timeline)
    for frame in timeline.frames:
        found = (
            picture_problem(tree.root, tree.rgb(sid, frame.step), camera),
            depth_problem(tree.root, tree.depth(sid, frame.step), camera),
        )
        yield from (p for p in found if p is not None)


def _stamps(tree: ReleaseTree, sid: str, timeline: Timeline) -> Iterator[Problem]:
    name = tree.timeline_json(sid).relative_to(tree.root).as_posix()
    if timeline.sid != sid:
        yield Problem(name, "sid", timeline.sid, f"must be {sid}, the folder's name")
    columns = {"frames.stamp_ns": tuple(f.stamp_ns for f in timeline.frames), "path.stamp_ns": timeline.path.stamp_ns}
    for field, stamps in columns.items():
        for index, (a, b) in enumerate(pairwise(stamps)):
            if b <= a:
                yield Problem(name, f"{field}[{index + 1}]", f"{b} after {a}", "stamps must rise")
                break
    steps = [f.step for f in timeline.frames]
    if steps != list(range(len(steps))):
        yield Problem(name, "frames.step", "not 0, 1, 2 …", "number the keyframes without a gap")
    rows = {
        tree.pose_jsonl(sid): [r.step for r in read_jsonl(tree.pose_jsonl(sid), PoseRow)],
        tree.oracle_jsonl(sid): [r.step for r in read_jsonl(tree.oracle_jsonl(sid), OracleRow)],
        tree.visibility_jsonl(sid): [r.step for r in read_jsonl(tree.visibility_jsonl(sid), VisibilityRow)],
    }
    for path, found in rows.items():
        if found != steps:
            place = path.relative_to(tree.root).as_posix()
            yield Problem(place, "step", f"{len(found)} rows", f"one row a keyframe in order: {len(steps)}")
    for row, frame in zip(read_jsonl(tree.pose_jsonl(sid), PoseRow), timeline.frames, strict=False):
        if row.stamp_ns != frame.stamp_ns:
            place = tree.pose_jsonl(sid).relative_to(tree.root).as_posix()
            yield Problem(
                place, f"stamp_ns of step {row.step}", str(row.stamp_ns), f"timeline.json says {frame.stamp_ns}"
            )


def _cases(tree: ReleaseTree, release: Release, sid: str) -> Iterator[Problem]:
    """Compares what lies in the release with what its script compiles to now."""
    if release.scorer_version != SCORER_VERSION:
        yield Problem(
            "release.json", "scorer_version", release.scorer_version, f"this package's rules are {SCORER_VERSION}"
        )
        return
    listed = {c.cid for c in release.cases if c.sid == sid}
    for compiled in compile_script(tree, sid, seed=release.seed):
        cid = compiled.case.cid
        if cid not in listed:
            yield Problem("release.json", "cases", f"{cid} of script {sid} is missing", "compile the release again")
            continue
        yield from _case(tree, compiled)


def _case(tree: ReleaseTree, compiled: CompiledCase) -> Iterator[Problem]:
    cid, remedy = compiled.case.cid, "compile the release again, or fetch the file again"
    if read_json(tree.case_json(cid), Case) != compiled.case:
        yield Problem(f"private/{cid}/case.json", "record", "not what the script gives", remedy)
    pairs = (
        ("questions.jsonl", read_jsonl(tree.questions_jsonl(cid), Question), compiled.questions),
        ("gold.jsonl", read_jsonl(tree.gold_jsonl(cid), Gold), compiled.gold),
    )
    for name, found, right in pairs:
        if len(found) != len(right):
            yield Problem(f"private/{cid}/{name}", "rows", f"{len(found)}, the script gives {len(right)}", remedy)
            continue
        for line, (have, want) in enumerate(zip(found, right, strict=True), start=1):
            if have == want:
                continue
            field = next(f for f in have.__struct_fields__ if getattr(have, f) != getattr(want, f))
            shown = f"{getattr(have, field)!r}, computed again {getattr(want, field)!r}"
            yield Problem(f"private/{cid}/{name}:{line}", field, shown, remedy)


def _counts(tree: ReleaseTree, release: Release) -> Iterator[Problem]:
    cells: Counter[tuple[str, str, Ability, Column]] = Counter()
    for entry in release.cases:
        if entry.sid not in release.scripts:
            yield Problem("release.json", f"cases.{entry.cid}.sid", entry.sid, "is not among scripts")
        gold = read_jsonl(tree.gold_jsonl(entry.cid), Gold)
        if len(gold) != entry.questions:
            yield Problem(
                "release.json", f"cases.{entry.cid}.questions", str(entry.questions), f"gold.jsonl has {len(gold)}"
            )
        cells.update((entry.job, entry.layout, g.ability, g.column) for g in gold)
    counted = {(c.job, c.layout, c.ability, c.column): c.questions for c in release.cells}
    for key in sorted(set(cells) | set(counted)):
        if cells[key] != counted.get(key, 0):
            yield Problem(
                "release.json", f"cells.{'/'.join(key)}", str(counted.get(key, 0)), f"the cases have {cells[key]}"
            )
    found = digest(tree, [c.cid for c in release.cases])
    if found != release.digest:
        yield Problem("release.json", "digest", release.digest, f"questions and gold digest to {found}")
    for identity in (*release.scripts, *(c.cid for c in release.cases)):
        if not tree.index_json(identity).is_file():
            yield Problem(f"private/index/{identity}.json", "file", "missing", "compile the release again")
