"""A process whose launcher is gone does not begin."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("rclpy", reason="no ROS 2 here")

SCRIPT = "from stbench_harness.ros.spinning import ros_process\nwith ros_process([]): print('began')"


def began(parent: int) -> bool:
    env = dict(os.environ, STBENCH_END_WITH_PARENT=str(parent))
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=False, timeout=60)
    return "began" in done.stdout and done.returncode == 0


def test_a_launcher_that_ended_before_the_node_could_ask_is_noticed() -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    assert not began(gone.pid)
    assert began(os.getpid())
