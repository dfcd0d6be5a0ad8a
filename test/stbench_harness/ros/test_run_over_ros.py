"""`stbench run --transport ros` as a user has it: processes of its own, results, signals, and nothing left behind."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rclpy", reason="no ROS 2 here")

from stbench_harness.runs import Run
from stbench_scoring.records import ReleaseTree, read_json
from stbench_scoring.results import read_results

MARK = "STBENCH_TEST_MARK"
ROOT = Path(__file__).resolve().parents[3]


def command(tree: ReleaseTree, out: Path, system: str, *more: str) -> list[str]:
    fixed = ["--data", str(tree.root), "--out", str(out), "--transport", "ros", "--deadline", "5"]
    return [sys.executable, "-m", "stbench_harness.cli", "run", system, "all", *fixed, *more]


def stbench(tree: ReleaseTree, out: Path, system: str, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(tree, out, system, *more), cwd=ROOT, capture_output=True, text=True, timeout=120)


def alive(mark: str) -> list[str]:
    """Command lines of the processes that bear the mark in their environment: ours and all they started."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


def system_file(folder: Path, observe: str = "pass", ask: str = "return {'unknown': True}") -> str:
    path = folder / "own.py"
    path.write_text(
        "import os, sys, time\n"
        "class Own:\n"
        "    seen = 0\n"
        "    def start(self, start): pass\n"
        "    def task(self, task): pass\n"
        f"    def observe(self, step):\n        self.seen += 1\n        {observe}\n"
        f"    def ask(self, ask):\n        {ask}\n"
        "    def finish(self, finish): pass\n"
    )
    return f"{path}:Own"


def test_results_over_ros_are_those_in_process(hand_release: ReleaseTree, tmp_path: Path) -> None:
    over_ros = stbench(hand_release, tmp_path / "ros", "perfect_memory")
    assert over_ros.returncode == 0, over_ros.stderr
    local = [*command(hand_release, tmp_path / "local", "perfect_memory")]
    local[local.index("ros")] = "local"
    assert subprocess.run(local, cwd=ROOT, capture_output=True, timeout=120).returncode == 0
    ours, theirs = (read_results(tmp_path / name / "results.json") for name in ("ros", "local"))
    assert ours.rows == theirs.rows and ours.aggregates == theirs.aggregates
    assert ours.label.transport == ours.label.sandbox == "ros"
    assert read_json(tmp_path / "ros" / "run.json", Run).costs[0].asks == 6


def test_a_finished_case_is_not_run_again(hand_release: ReleaseTree, tmp_path: Path) -> None:
    assert stbench(hand_release, tmp_path / "run", "all_unknown").returncode == 0
    before = {p: p.read_bytes() for p in (tmp_path / "run").rglob("*.jsonl")}
    results = (tmp_path / "run" / "results.json").read_bytes()
    again = stbench(hand_release, tmp_path / "run", "all_unknown")
    assert again.returncode == 0 and "completed before" in again.stderr
    assert {p: p.read_bytes() for p in (tmp_path / "run").rglob("*.jsonl")} == before
    assert (tmp_path / "run" / "results.json").read_bytes() == results


def test_a_users_class_runs_as_a_brain(hand_release: ReleaseTree, tmp_path: Path) -> None:
    system = system_file(tmp_path)
    refused = stbench(hand_release, tmp_path / "run", system)
    assert refused.returncode == 2 and "allow it with --local" in refused.stderr
    allowed = stbench(hand_release, tmp_path / "run", system, "--local")
    assert allowed.returncode == 0, allowed.stderr
    assert {row.outcome for row in read_results(tmp_path / "run" / "results.json").rows} == {"unknown"}


@pytest.mark.parametrize(
    ("end", "code"), [("os._exit(3)", 3), ("sys.exit(3)", 1), ("os.kill(os.getpid(), 11)", -11), ("raise KeyError", 1)]
)
def test_a_brain_that_dies_is_told_and_the_exit_is_not_0(
    hand_release: ReleaseTree, tmp_path: Path, end: str, code: int
) -> None:
    system = system_file(tmp_path, observe=f"if self.seen == 2: {end}")
    began = time.monotonic()
    ended = stbench(hand_release, tmp_path / "run", system, "--local")
    assert ended.returncode == 1
    errors = [line for line in ended.stderr.splitlines() if line.startswith("error: ")]
    cid = releases(hand_release)[0].cid
    assert errors == [f"error: {cid}: brain ended before the case had, exit code {code}"]
    rows = read_results(tmp_path / "run" / "results.json").rows
    # One question is asked before the second frame; the rest have no answer, and say why.
    assert [row.outcome for row in rows] == ["unknown", *["crashed"] * 5]
    assert all(row.score == 0 for row in rows[1:])
    assert time.monotonic() - began < 60  # a brain that the kernel ended stays matched for 20 s


def test_a_system_that_is_not_there_is_named(hand_release: ReleaseTree, tmp_path: Path) -> None:
    missing = stbench(hand_release, tmp_path / "run", "no_such_package/brain")
    assert missing.returncode == 2 and "no executable brain of package no_such_package" in missing.stderr
    odd = stbench(hand_release, tmp_path / "run2", "nobody")
    assert odd.returncode == 2 and "nobody" in odd.stderr and "perfect_memory" in odd.stderr


def test_an_executable_of_a_package_is_a_brain(hand_release: ReleaseTree, tmp_path: Path) -> None:
    executable = tmp_path / "ws" / "lib" / "my_package" / "my_brain"
    executable.parent.mkdir(parents=True)
    text = (ROOT / "docs" / "brain_template.py").read_text()
    executable.write_text(text.replace("/usr/bin/env python3", sys.executable))
    executable.chmod(0o755)
    prefixes = os.pathsep.join(filter(None, (str(tmp_path / "ws"), os.environ.get("AMENT_PREFIX_PATH", ""))))
    for system in ("my_package/my_brain", "ros:my_package/my_brain"):
        done = subprocess.run(
            command(hand_release, tmp_path / "run", system), cwd=ROOT, capture_output=True, text=True, timeout=120,
            env=dict(os.environ, AMENT_PREFIX_PATH=prefixes),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    results = read_results(tmp_path / "run" / "results.json")
    assert results.label.system == "my_package/my_brain"
    assert {row.outcome for row in results.rows} == {"unknown"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_leaves_no_process(hand_release: ReleaseTree, tmp_path: Path, number: int) -> None:
    mark, out = secrets.token_hex(8), tmp_path / "run"
    system = system_file(tmp_path, ask="time.sleep(600)")
    env = dict(os.environ, **{MARK: mark})
    process = subprocess.Popen(
        command(hand_release, out, system, "--local", "--deadline", "300"), cwd=ROOT, env=env, stderr=subprocess.PIPE
    )
    ledger = next(iter([out / "cases" / entry.cid / "ledger.jsonl" for entry in releases(hand_release)]))
    end = time.monotonic() + 60
    while not (ledger.exists() and '"ask"' in ledger.read_text()) and time.monotonic() < end:
        time.sleep(0.1)
    assert len(alive(mark)) >= 4  # the command, harness, scoring node and brain
    process.send_signal(number)
    process.wait(timeout=30)
    time.sleep(0 if number != signal.SIGKILL else 3)
    assert process.returncode != 0
    deadline = time.monotonic() + 10
    while alive(mark) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert alive(mark) == []
    if number != signal.SIGKILL:
        assert process.returncode == 130
        assert read_results(out / "results.json").coverage.unscored[0].outcome == "cancelled"


def releases(tree: ReleaseTree) -> tuple[Any, ...]:
    from stbench_scoring.records import Release

    return read_json(tree.release_json, Release).cases
