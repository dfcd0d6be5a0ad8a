"""Run folders and the command line: results to the byte, resume after SIGKILL, refusals, exits."""

from __future__ import annotations

import ast
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stbench_harness.ledger import read_lines
from stbench_scoring.records import ReleaseTree

ROOT = Path(__file__).resolve().parents[2]
CID = "cc" * 8
SLOW = """
import time
class Slow:
    def start(self, start): pass
    def task(self, task): pass
    def observe(self, step): time.sleep(0.05)
    def ask(self, ask):
        time.sleep(0.05)
        return {"unknown": True} if ask.expected != "number" else {"distance_m": 1.0}
    def finish(self, finish): pass
"""


def command(*args: object) -> list[str]:
    return [sys.executable, "-m", "stbench_harness.cli", *map(str, args)]


def stbench(*args: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command(*args), capture_output=True, text=True, cwd=cwd or ROOT, env=env, timeout=120)


def start(*args: object) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command(*args), env=env, cwd=ROOT, text=True, stdout=-1, stderr=-1)


def test_run_ends_with_where_everything_is(hand_release, tmp_path):
    out = tmp_path / "run"
    done = stbench("run", "perfect_memory", CID, "--data", hand_release.root, "--out", out)
    assert done.returncode == 0, done.stderr
    assert str(out / "results.json") in done.stdout and str(out / "results.html") in done.stdout
    assert (out / "results.html").is_file()
    rows = json.loads((out / "results.json").read_bytes())["rows"]
    assert len(rows) == 6 and min(row["score"] for row in rows) >= 0.9


def test_same_bytes_twice_and_from_score(hand_release, tmp_path):
    for name in ("a", "b"):
        assert stbench("run", "perfect_memory", CID, "--data", hand_release.root, "--out", tmp_path / name).returncode == 0
    first = (tmp_path / "a" / "results.json").read_bytes()
    assert (tmp_path / "b" / "results.json").read_bytes() == first
    (tmp_path / "a" / "results.json").unlink()
    assert stbench("score", tmp_path / "a", "--data", hand_release.root).returncode == 0
    assert (tmp_path / "a" / "results.json").read_bytes() == first


def test_killed_at_random_and_resumed_gives_the_same_bytes(hand_release, tmp_path):
    system = tmp_path / "slow.py"
    system.write_text(SLOW)
    args = ("run", f"{system}:Slow", CID, "--local", "--data", hand_release.root, "--out")
    assert stbench(*args, tmp_path / "whole").returncode == 0
    draw = random.Random(7)
    ledger = tmp_path / "killed" / "cases" / CID / "ledger.jsonl"
    for _ in range(3):
        process = start(*args, tmp_path / "killed")
        end = time.monotonic() + 30
        size = ledger.stat().st_size if ledger.exists() else 0
        while (not ledger.exists() or ledger.stat().st_size == size) and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(draw.uniform(0.0, 0.3))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert stbench(*args, tmp_path / "killed").returncode == 0
    assert sum(line.kind == "case" for line in read_lines(ledger)) >= 2
    killed, whole = (tmp_path / n / "results.json" for n in ("killed", "whole"))
    assert killed.read_bytes() == whole.read_bytes()
    count = len(read_lines(ledger))
    assert stbench(*args, tmp_path / "killed").returncode == 0
    assert len(read_lines(ledger)) == count  # a completed case is never run again


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_in_order(hand_release, tmp_path, number):
    system = tmp_path / "hangs.py"
    system.write_text(SLOW.replace("time.sleep(0.05)\n        return", "time.sleep(60)\n        return"))
    out = tmp_path / "run"
    process = start("run", f"{system}:Slow", CID, "--local", "--data", hand_release.root, "--out", out)
    ledger = out / "cases" / CID / "ledger.jsonl"
    end = time.monotonic() + 30
    while (not ledger.exists() or b'"ask"' not in ledger.read_bytes()) and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130 and "Traceback" not in errors
    results = json.loads((out / "results.json").read_bytes())
    assert results["coverage"]["unscored"] == [{"cid": CID, "outcome": "cancelled", "questions": 6}]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("no_such_system", CID), "all_unknown"),
        (("all_unknown", "no_such_case"), CID),
        (("all_unknown",), CID),
        (("perfect_memory", CID, "--channel", "rgb_pose"), "--channel detections"),
        (("all_unknown", CID, "--channel", "rgbd_pose"), "rgbd_pose is not offered"),
        (("nowhere.py:Class", CID, "--transport", "ros"), "allow it with --local"),
        (("nowhere.py:Class", CID, "--local"), "no such file nowhere.py"),
        (("all_unknown", CID, "--record"), "add --transport ros"),
        (("nowhere.py:Class", CID, "--local"), "no such file"),
        (("nowhere.py:Class", CID), "--local"),
    ],
)
def test_refusals_exit_2_without_a_traceback(hand_release, tmp_path, args, says):
    done = stbench("run", *args, "--data", hand_release.root, "--out", tmp_path / "run")
    assert done.returncode == 2
    assert says in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "run" / "cases").exists()


def test_an_out_of_another_run_is_refused(hand_release, tmp_path):
    out = tmp_path / "run"
    assert stbench("run", "all_unknown", CID, "--data", hand_release.root, "--out", out).returncode == 0
    done = stbench("run", "perfect_memory", CID, "--data", hand_release.root, "--out", out)
    assert done.returncode == 2 and "system is 'all_unknown'" in done.stderr
    done = stbench("run", "all_unknown", CID, "--during", "off", "--data", hand_release.root, "--out", out)
    assert done.returncode == 2 and "during" in done.stderr
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("mine")
    done = stbench("run", "all_unknown", CID, "--data", hand_release.root, "--out", tmp_path / "other")
    assert done.returncode == 2 and "not empty" in done.stderr


def test_a_case_by_its_folder(hand_release, tmp_path):
    case = hand_release.private(CID)
    done = stbench("run", "all_unknown", case, "--out", tmp_path / "run", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["coverage"]["questions_scored"] == 6


def test_scripted_systems_import_nothing_of_the_gold():
    forbidden = ("families", "seen", "geometry", "compile", "score", "release", "credit")
    for path in (ROOT / "stbench_harness" / "systems").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert not any(name.startswith(f"stbench_scoring.{part}") for part in forbidden), (path, name)


def spoil(path: Path, how: str) -> None:
    path.unlink()
    if how == "dangling link":
        path.symlink_to(path.parent / "nothing.jpg")
    elif how == "link out":
        path.symlink_to("/etc/passwd")
    elif how == "pointer":
        path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 12\n")
    elif how != "missing":
        path.write_bytes(b"" if how == "empty" else b"\xff\xd8 cut off")


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("missing", "missing; render or fetch"),
        ("empty", "0 bytes"),
        ("dangling link", "leads nowhere"),
        ("link out", "leads out of the release, to /etc/passwd"),
        ("pointer", "a Git LFS pointer; fetch the content"),
        ("cut off", "not a whole JPEG"),
    ],
)
def test_a_picture_that_is_none_is_named_before_anything_is_shown(
    hand_release: ReleaseTree, tmp_path: Path, how: str, says: str
) -> None:
    picture = hand_release.rgb("aa" * 8, 2)
    spoil(picture, how)
    done = stbench("run", "all_unknown", CID, "--data", str(hand_release.root), "--out", str(tmp_path / "run"))
    assert done.returncode == 2
    assert "000002.jpg" in done.stderr and says in done.stderr and "Traceback" not in done.stderr
    assert '"step"' not in (tmp_path / "run" / "cases" / CID / "ledger.jsonl").read_text()


@pytest.mark.parametrize(("field", "value"), [("fx", "0"), ("fy", "-554.0"), ("cx", "4000.0")])
def test_a_camera_that_cannot_be_one_is_named_before_anything_is_shown(
    hand_release: ReleaseTree, tmp_path: Path, field: str, value: str
) -> None:
    path = hand_release.camera_json("aa" * 8)
    path.write_text(re.sub(rf'"{field}": ?[0-9.]+', f'"{field}": {value}', path.read_text()))
    done = stbench("run", "all_unknown", CID, "--data", str(hand_release.root), "--out", str(tmp_path / "run"))
    assert done.returncode == 2 and f"camera.json: {field} must" in done.stderr


def test_a_folder_that_cannot_be_written_is_named(hand_release: ReleaseTree) -> None:
    done = stbench("run", "all_unknown", CID, "--data", str(hand_release.root), "--out", "/proc/run")
    assert done.returncode == 2 and done.stderr.startswith("error: /proc/run") and "Traceback" not in done.stderr
