"""Says that nothing can be known: what abstaining alone earns."""

from __future__ import annotations

from stbench_harness.protocol import Ask, Finish, Start, Step, TaskStart


class AllUnknown:
    """Answers every question with unknown."""

    def start(self, start: Start) -> None:
        """Takes the start."""

    def task(self, task: TaskStart) -> None:
        """Takes a brief."""

    def observe(self, step: Step) -> None:
        """Takes a frame."""

    def ask(self, ask: Ask) -> object:
        """Abstains."""
        return {"unknown": True}

    def finish(self, finish: Finish) -> None:
        """Takes the end."""
