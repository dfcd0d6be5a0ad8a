"""A process of a case: started in a group of its own, ended with all it started, and never left behind."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType

from stbench_harness.ros.domain import lock_of

GRACE_S = 5.0
_PR_SET_PDEATHSIG = 1


def scripted_brain(system: str) -> list[str]:
    """The command of a scripted system as a brain node."""
    return [sys.executable, "-m", "stbench_harness.ros.brain_node", system]


def _die_with_parent(number: int) -> None:
    """The kernel signals the process when its parent ends, however it does (Linux; prctl(2))."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number)


class BrainProcess:
    """Runs a command on a domain; a context manager that always ends it.

    Args:
        command: Program and arguments.
        domain_id: Its ROS domain; discovery stays on this machine.
        log: Where its output is appended; None lets its errors through to ours.
        env: Further variables of its environment.
        parent_death: The signal it gets when we end; to the kernel that is the thread that started it.
    """

    def __init__(
        self, command: Sequence[str], domain_id: int, log: Path | None, env: Mapping[str, str] | None = None,
        parent_death: int = signal.SIGKILL,
    ) -> None:  # fmt: skip
        whole = dict(os.environ, **(env or {}))
        whole.update(ROS_DOMAIN_ID=str(domain_id), ROS_AUTOMATIC_DISCOVERY_RANGE="LOCALHOST")
        output = None
        if log is not None:
            log.parent.mkdir(parents=True, exist_ok=True)
            output = log.open("ab")
        try:
            self.process = subprocess.Popen(
                command, env=whole, stdin=subprocess.DEVNULL, stdout=output, stderr=output and subprocess.STDOUT,
                start_new_session=True, preexec_fn=partial(_die_with_parent, parent_death), pass_fds=lock_of(domain_id),
            )  # fmt: skip
        finally:
            if output is not None:
                output.close()

    def __enter__(self) -> BrainProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()

    def interrupt(self) -> None:
        """Asks it to end in order."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)

    def end(self, grace_s: float = GRACE_S) -> None:
        """Ends the whole group: SIGINT, then after a grace SIGKILL, which also takes what it left behind."""
        for number in (signal.SIGINT, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                break
            try:
                self.process.wait(grace_s)
            except subprocess.TimeoutExpired:
                continue
        self.process.wait(grace_s)
