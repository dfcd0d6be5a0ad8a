"""The sample release: sound, as large as it says, answerable from the stream alone, and by a brain that cannot see it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import defaultdict
from pathlib import Path

import cv2
import pytest

from stbench_harness.data import sample_dir
from stbench_harness.runs import finish_run, open_run, run_cases
from stbench_harness.session import Options
from stbench_harness.systems import channel_for, make_system
from stbench_harness.transports.in_process import InProcessTransport
from stbench_scoring.records import Gold, Release, ReleaseTree, Timeline, read_json, read_jsonl
from stbench_scoring.records.results import RunLabel
from stbench_scoring.results import Results, read_results
from stbench_scoring.validate import validate_release

TREE = ReleaseTree(sample_dir())
RELEASE = read_json(TREE.release_json, Release)
ROOT = Path(__file__).resolve().parent.parent


def played(system: str, out: Path) -> Results:
    label = RunLabel(
        system=system, channel=channel_for(system, None), pace="lockstep", transport="local", sandbox="in_process"
    )
    cases = [entry.cid for entry in RELEASE.cases]
    folder = open_run(out, TREE, label, cases)
    run_cases(folder, cases, lambda cid: InProcessTransport(lambda: make_system(system)), Options(label=label))
    return finish_run(folder, 0.0)


def test_it_is_sound_and_small() -> None:
    assert validate_release(TREE.root) == []
    assert sum(path.stat().st_size for path in TREE.root.rglob("*") if path.is_file()) < 40e6


def test_it_is_a_home_with_somebody_in_it() -> None:
    for sid in RELEASE.scripts:
        timeline = read_json(TREE.timeline_json(sid), Timeline)
        assert len(timeline.tasks) == 2 and len(timeline.rooms) >= 3 and timeline.people
        frames = defaultdict(int)
        for frame in timeline.frames:
            frames[frame.task] += 1
            picture = cv2.imread(str(TREE.rgb(sid, frame.step)))
            assert picture is not None and picture.shape == (480, 640, 3)
            assert 20 < picture.mean() < 235  # neither black nor blown out
        assert max(frames.values()) <= 40 and sum(frames.values()) >= 40


def test_every_family_is_asked_and_some_gold_is_unknown() -> None:
    golds = [gold for entry in RELEASE.cases for gold in read_jsonl(TREE.gold_jsonl(entry.cid), Gold)]
    assert {gold.family for gold in golds} == {"clear_path", "ego_now", "ego_mem", "object_where"}
    unknown = {gold.family for gold in golds if gold.answer.unknown}
    assert unknown == {"clear_path", "ego_mem", "object_where"}  # what is in view is never unknown
    assert {gold.column for gold in golds} == {"now", "memory"}
    assert all(gold.column == "memory" for gold in golds if gold.answer.unknown)


def test_perfect_memory_answers_from_the_stream(tmp_path: Path) -> None:
    results = played("perfect_memory", tmp_path)
    for aggregate in results.aggregates:
        assert aggregate.headline >= 0.9 and aggregate.now is not None and aggregate.now >= 0.9
        assert aggregate.memory is not None and aggregate.memory >= 0.9
    assert all((row.outcome == "unknown") == row.gold.unknown for row in results.rows)


def test_all_unknown_scores_the_share_of_unknown_gold(tmp_path: Path) -> None:
    results = played("all_unknown", tmp_path)
    cells: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for entry in RELEASE.cases:
        for gold in read_jsonl(TREE.gold_jsonl(entry.cid), Gold):
            cells[gold.column, gold.ability].append(gold.answer.unknown)
    (aggregate,) = results.aggregates
    for column, scored in (("now", aggregate.now), ("memory", aggregate.memory)):
        # A cell weighs 1 from 20 questions on and n / 20 below; a column is the weighted mean of its cells.
        shares = {key: (min(len(u), 20) / 20, sum(u) / len(u)) for key, u in cells.items() if key[0] == column}
        weight = sum(w for w, _ in shares.values())
        assert scored == pytest.approx(sum(w * share for w, share in shares.values()) / weight, abs=1e-9)


HIDDEN_BY_MOUNT = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs tmpfs "$0" && exec "$@"', str(TREE.root)]
# Dies at the first look into the release's folder, by whatever path Python opens or lists it.
HIDDEN_BY_AUDIT = """
import os, sys
ROOT = os.path.realpath({root!r})
def watch(event, args):
    if event in ("open", "os.listdir", "os.scandir") and args and isinstance(args[0], (str, bytes, os.PathLike)):
        if os.path.realpath(os.fsdecode(args[0])).startswith(ROOT): os._exit(77)
sys.addaudithook(watch)
"""


def may_mount() -> bool:
    probe = ["unshare", "--mount", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
    try:
        return subprocess.run(probe, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@pytest.mark.parametrize("way", ["mount", "audit"])
def test_a_brain_that_cannot_see_the_release_answers_from_topics(way: str, tmp_path: Path) -> None:
    pytest.importorskip("rclpy", reason="no ROS 2 here")
    if way == "mount" and not may_mount():
        pytest.skip("no permission to mount here; the audit hook stands in")
    from stbench_harness.processes import CaseOrder, ros_label
    from stbench_harness.ros import supervise

    case = min(RELEASE.cases, key=lambda entry: entry.questions)
    order = CaseOrder(
        data=TREE.root, case=case.cid, system="perfect_memory", channel="detections", out=tmp_path / "run"
    )
    open_run(order.out, TREE, ros_label(order.system, order.channel), [case.cid])
    plain = supervise.command_of

    def hidden(process: object, namespace: str = "") -> list[str]:
        command = plain(process, namespace)  # type: ignore[arg-type]
        if getattr(process, "executable", "") != "brain_node":
            return command
        if way == "mount":
            return [*HIDDEN_BY_MOUNT, *command]
        script = HIDDEN_BY_AUDIT.format(root=str(TREE.root))
        run = f"{script}\nimport runpy\nsys.argv = {command[1:]!r}\nrunpy.run_path({command[1]!r}, run_name='__main__')"
        return [sys.executable, "-c", run]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervise, "command_of", hidden)
        ended = supervise.run_processes(order, threading.Event(), print)
    assert (ended.code, ended.problems) == (0, ())
    (aggregate,) = read_results(order.out / "results.json").aggregates
    assert aggregate.headline >= 0.9


def test_the_audit_hook_catches_a_look() -> None:
    script = HIDDEN_BY_AUDIT.format(root=str(TREE.root)) + f"open({str(TREE.release_json)!r}).read()"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 77
