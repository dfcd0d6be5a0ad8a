"""A ROS transport with its own brain: takes a domain, starts the brain on it, and ends both with the case."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from stbench_harness.ros.brain_process import BrainProcess
from stbench_harness.ros.domain import take_domain
from stbench_harness.ros.transport import RosTransport, Timing


class LaunchedTransport(RosTransport):
    """As `RosTransport`, on a fresh domain, with a brain process that lives as long as the case."""

    def __init__(self, command: Sequence[str], log: Path, timing: Timing | None = None) -> None:
        super().__init__(timing)
        self._command = command
        self._log = log
        self._stack = ExitStack()

    def open(self) -> None:
        """Takes a domain, starts the brain, then does the preflight."""
        self._domain_id = self._stack.enter_context(take_domain())
        self._stack.enter_context(BrainProcess(self._command, self._domain_id, self._log))
        super().open()

    def close(self) -> None:
        """Leaves the domain and ends the brain."""
        with self._stack:
            super().close()
