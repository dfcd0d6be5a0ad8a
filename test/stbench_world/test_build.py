"""Scripts as files: whole, the same bytes every time, and resumable."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from stbench_scoring.errors import StbenchError
from stbench_scoring.records import (
    OracleRow,
    PerceptionIds,
    PoseRow,
    ReleaseTree,
    RenderLog,
    Timeline,
    VisibilityRow,
    read_json,
    read_jsonl,
)
from stbench_scoring.release import compile_release
from stbench_world.build import build_script
from stbench_world.build_many import BuildOrder, build_many
from stbench_world.cli import build
from stbench_world.picture_run import bpy_python, check_pictures, keep_log
from stbench_world.scene import Place

pytestmark = pytest.mark.usefixtures("flat_apartment")


def digests(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def order(root: Path, seeds: tuple[int, ...]) -> BuildOrder:
    return BuildOrder("helper/1", seeds, 0, 2, 12, root, None)


def test_a_script_has_every_file_and_a_row_a_keyframe(tmp_path: Path) -> None:
    sid = build_script("helper/1", 1, tmp_path, tasks=2, frames_per_task=12, scenes=tmp_path / "scenes")
    tree = ReleaseTree(tmp_path)
    timeline = read_json(tree.timeline_json(sid), Timeline)
    steps = [f.step for f in timeline.frames]
    assert steps == list(range(len(steps))) and 16 <= len(steps) <= 24
    oracle = read_jsonl(tree.oracle_jsonl(sid), OracleRow)
    ids = read_jsonl(tree.perception_ids_jsonl(sid), PerceptionIds)
    views = read_jsonl(tree.visibility_jsonl(sid), VisibilityRow)
    assert [r.step for r in read_jsonl(tree.pose_jsonl(sid), PoseRow)] == steps
    known = {t.id: t.words for t in timeline.things} | {p.id: p.words for p in timeline.people}
    for row, listed, seen in zip(oracle, ids, views, strict=True):
        assert [d.words for d in row.detections] == [known[i] for i in listed.ids]
        assert listed.ids == tuple(v.id for v in (*seen.things, *seen.people))
    depth = cv2.imread(str(tree.depth(sid, 0)), cv2.IMREAD_UNCHANGED)
    assert depth is not None and depth.shape == (480, 640) and depth.dtype == "uint16"
    frames = json.loads((tmp_path / "scenes" / sid / "scene.json").read_text())["frames"]
    assert [f["name"] for f in frames] == [f"{n:06d}" for n in steps]


def test_the_same_bytes_for_any_number_of_workers(tmp_path: Path) -> None:
    one = build_many(order(tmp_path / "one", (1, 2)), 1, "none", None)
    two = build_many(order(tmp_path / "two", (1, 2)), 2, "none", None)
    assert one.sids == two.sids and len(one.sids) == 2 and not one.failed + two.failed
    assert digests(tmp_path / "one") == digests(tmp_path / "two")


def test_a_script_that_was_cut_off_is_built_again_and_a_whole_one_left_alone(tmp_path: Path) -> None:
    sid = build_script("helper/1", 1, tmp_path, tasks=1, frames_per_task=12)
    tree, before = ReleaseTree(tmp_path), digests(tmp_path)
    stamp = tree.depth(sid, 0).stat().st_mtime_ns
    assert build_script("helper/1", 1, tmp_path, tasks=1, frames_per_task=12) == sid
    assert tree.depth(sid, 0).stat().st_mtime_ns == stamp
    tree.timeline_json(sid).unlink()
    tree.depth(sid, 3).write_bytes(b"cut off")
    build_script("helper/1", 1, tmp_path, tasks=1, frames_per_task=12)
    assert digests(tmp_path) == before


def test_a_script_compiles_into_cases(tmp_path: Path) -> None:
    build_script("helper/1", 1, tmp_path, tasks=2, frames_per_task=20)
    release = compile_release(tmp_path, name="flat", version="0", seed=0)
    assert len(release.cases) == 3 and all(case.questions for case in release.cases)


def test_a_seed_or_a_task_more_is_another_script(tmp_path: Path) -> None:
    def sid(seed: int, tasks: int) -> str:
        return build_script("helper/1", seed, tmp_path, tasks=tasks, frames_per_task=12)

    assert len({sid(1, 1), sid(2, 1), sid(1, 2)}) == 3


def test_unknown_job_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(StbenchError, match="helper/1"):
        build_script("cook/1", 0, tmp_path)


def test_without_blender_the_remedy_is_named(tmp_path: Path, flat_apartment: Callable[[int], Place]) -> None:
    with pytest.raises(StbenchError, match="make setup-render"):
        bpy_python("/bin/false")
    with pytest.raises(StbenchError, match="cannot be started"):
        bpy_python(str(tmp_path / "no_python"))


def test_missing_and_broken_pictures_are_named(tmp_path: Path) -> None:
    sid = build_script("helper/1", 1, tmp_path, tasks=1, frames_per_task=12)
    pictures = ReleaseTree(tmp_path).rgb(sid, 0).parent
    with pytest.raises(StbenchError, match=r"000000.jpg: the picture is missing"):
        check_pictures(tmp_path, sid, pictures)
    pictures.mkdir(parents=True)
    (pictures / "000000.jpg").write_bytes(b"not a picture")
    with pytest.raises(StbenchError, match=r"000000.jpg cannot be decoded"):
        check_pictures(tmp_path, sid, pictures)


def test_the_command_builds_and_says_what_is_next(tmp_path: Path) -> None:
    arguments = ["--job", "helper/1", "--tasks", "1", "--frames", "12", "--seed", "1", "--out", str(tmp_path)]
    result = CliRunner().invoke(build, arguments)
    assert result.exit_code == 0, result.output
    assert "1 scripts in" in result.output and "stbench compile" in result.output


def test_the_render_log_keeps_earlier_pictures(tmp_path: Path) -> None:
    tree, lines = ReleaseTree(tmp_path), tmp_path / "render_log.jsonl"
    line = '{{"frame": "{:06d}", "engine": "CYCLES", "blender": "5.0.1", "samples": 4, "seed": 0, "seconds": {}}}\n'
    lines.write_text(line.format(0, 1.5) + line.format(1, 2.5))
    keep_log(tree, "aa", lines)
    lines.write_text(line.format(1, 3.5))  # the second picture was deleted and rendered again
    keep_log(tree, "aa", lines)
    log = read_json(tree.render_log_json("aa"), RenderLog)
    assert [(p.step, p.seconds) for p in log.pictures] == [(0, 1.5), (1, 3.5)]
    assert not lines.exists()
