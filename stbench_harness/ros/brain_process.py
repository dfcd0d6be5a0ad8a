"""A brain's process: started in a group of its own, ended with all it started, and never left behind."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

GRACE_S = 3.0
_PR_SET_PDEATHSIG = 1


def scripted_brain(system: str) -> list[str]:
    """The command of a scripted system as a brain node."""
    return [sys.executable, "-m", "stbench_harness.ros.brain_node", system]


def _die_with_parent() -> None:
    """The kernel ends the brain when the harness is killed (Linux; prctl(2))."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class BrainProcess:
    """Runs a command as the brain on a domain; a context manager that always ends it."""

    def __init__(self, command: Sequence[str], domain_id: int, log: Path) -> None:
        env = dict(os.environ, ROS_DOMAIN_ID=str(domain_id), ROS_AUTOMATIC_DISCOVERY_RANGE="LOCALHOST")
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as file:
            self.process = subprocess.Popen(
                command, env=env, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                start_new_session=True, preexec_fn=_die_with_parent,
            )  # fmt: skip

    def __enter__(self) -> BrainProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """Ends the whole group: SIGINT, then after a grace SIGKILL."""
        for number in (signal.SIGINT, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                break
            try:
                self.process.wait(GRACE_S)
            except subprocess.TimeoutExpired:
                continue
        self.process.wait(GRACE_S)
