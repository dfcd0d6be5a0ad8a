"""A whole run over ROS 2 with a bag: the bag gives the results of the ledger to the byte, however the system fared."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("rclpy", reason="no ROS 2 here")

from stbench_scoring.records import ReleaseTree
from stbench_scoring.results import read_results

ROOT = Path(__file__).resolve().parents[4]
# Malformed, too late, then right; dies at the third frame, so that the rest is never put to it.
FAILING = """
import os, time
class Failing:
    seen = asked = 0
    def start(self, start): pass
    def task(self, task): pass
    def finish(self, finish): pass
    def observe(self, step):
        self.seen += 1
        if self.seen == 3:
            os._exit(3)
    def ask(self, ask):
        self.asked += 1
        if self.asked == 1:
            return {"prose": "about 2 m"}
        if self.asked == 2:
            time.sleep(4.5)
        return {"ahead_m": 0.85, "left_m": 0.65} if ask.expected == "offset" else {"unknown": True}
"""


def stbench(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "stbench_harness.cli", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("failing", [False, True], ids=["perfect_memory", "a system that fails"])
def test_the_bag_gives_the_results_of_the_ledger(failing: bool, hand_release: ReleaseTree, tmp_path: Path) -> None:
    system, code = "perfect_memory", 0
    if failing:
        (tmp_path / "own.py").write_text(FAILING)
        system, code = f"{tmp_path / 'own.py'}:Failing", 1
    out = tmp_path / "run"
    ran = stbench(
        "run", system, "all", "--data", hand_release.root, "--out", out, "--transport", "ros", "--record", "--local",
        "--deadline", "4",
    )  # fmt: skip
    assert ran.returncode == code, ran.stderr
    (bag,) = out.glob("cases/*/bag")
    scored = stbench("score", bag, "--data", hand_release.root, "--out", tmp_path / "score")
    assert (scored.returncode, scored.stderr) == (0, "")
    assert (tmp_path / "score" / "results.json").read_bytes() == (out / "results.json").read_bytes()
    outcomes = [row.outcome for row in read_results(tmp_path / "score" / "results.json").rows]
    if failing:
        assert outcomes == ["malformed", "timed_out", "answered", "crashed", "crashed", "crashed"]
    else:
        assert set(outcomes) == {"answered", "unknown"}
