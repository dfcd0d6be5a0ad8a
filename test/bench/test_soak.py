"""The soak finds no loss in a short run; the long one is bench/soak.py itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("rclpy", reason="no ROS 2 here")

ROOT = Path(__file__).resolve().parents[2]


def test_a_brain_of_random_speed_with_recorder_and_viewer_loses_nothing() -> None:
    command = [sys.executable, str(ROOT / "bench" / "soak.py"), "--steps", "150"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["frames_in_bag"] == told["steps"] == 150
    assert told["answers_in_bag"] == told["questions"] > 0
    assert "viewer subscribes to /camera/image_raw/compressed with reliability BEST_EFFORT" in done.stderr
