"""Runs a Python class as the system, in a thread of its own, so that one that hangs cannot hang the run.

A thread cannot be killed: one that hangs is left behind as a daemon, and the case ends in bounded time without it. There is
no sandbox here; only scripted systems and, stamped so, a user's own class run this way.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable

from stbench_harness.outcomes import Cancelled
from stbench_harness.protocol import (
    Ask,
    Finish,
    Outcome,
    Reply,
    Start,
    Step,
    System,
    SystemCrashed,
    SystemTimedOut,
    TaskStart,
)
from stbench_scoring.records.answer import Answer
from stbench_scoring.records.results import CaseOutcome

FRAME_DEADLINE_S = 60.0
_POLL_S = 0.1
_MOST_ITEMS = 1000  # as `parse_answer` allows; told before a list of a million is copied


class _Job:
    """One call, with its result."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.work = work
        self.done = threading.Event()
        self.value: object = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.value = self.work()
        except BaseException as error:  # SystemExit in the worker too is the system's crash
            self.error = error
        self.done.set()


class _NotPlain(Exception):
    """The answer is not plain JSON data."""


def _plain(value: object) -> object:
    """A copy as plain data. Made in the system's thread, so that an odd object can hurt the system alone."""
    if isinstance(value, str | bytes):
        return value
    if isinstance(value, dict):
        for name, item in value.items():
            if isinstance(item, list | tuple | str) and len(item) > _MOST_ITEMS:
                raise _NotPlain(f"{name!r} holds {len(item)} items; an answer has {_MOST_ITEMS} at most")
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise _NotPlain(f"not plain JSON data: {error}") from None


class InProcessTransport:
    """Carries a session to a System object made by `factory`, in lockstep.

    Args:
        factory: Makes a fresh system; called in the system's thread.
        frame_deadline_s: Time to take any message but an ask, seconds.
        stop: Set it to leave a wait at once.
    """

    def __init__(
        self,
        factory: Callable[[], System],
        *,
        frame_deadline_s: float = FRAME_DEADLINE_S,
        stop: threading.Event | None = None,
    ) -> None:
        self._factory = factory
        self._deadline_s = frame_deadline_s
        self._stop = stop or threading.Event()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._system: System | None = None

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job.run()

    def _call(self, name: str, work: Callable[[], object], deadline_s: float) -> object:
        job = _Job(work)
        self._jobs.put(job)
        end = time.monotonic() + deadline_s
        while not job.done.wait(max(0.0, min(_POLL_S, end - time.monotonic()))):
            if self._stop.is_set():
                raise Cancelled
            if time.monotonic() >= end:
                raise SystemTimedOut(f"{name} took more than {deadline_s:g} s")
        if isinstance(job.error, _NotPlain):
            raise job.error
        if job.error is not None:
            raise SystemCrashed(f"{name} raised {type(job.error).__name__}: {job.error}")
        return job.value

    def _living(self) -> System:
        if self._system is None:
            raise SystemCrashed("the system was never made")
        return self._system

    def open(self) -> None:
        """Makes the system. Its constructor failing is its crash."""
        threading.Thread(target=self._work, name="system", daemon=True).start()
        made = self._call("the constructor", self._factory, self._deadline_s)
        self._system = made  # type: ignore[assignment]

    def start(self, start: Start) -> None:
        self._call("start", lambda: self._living().start(start), self._deadline_s)

    def task(self, task: TaskStart) -> None:
        self._call("task", lambda: self._living().task(task), self._deadline_s)

    def observe(self, step: Step) -> None:
        self._call("observe", lambda: self._living().observe(step), self._deadline_s)

    def ask(self, ask: Ask) -> Reply:
        """Asks; one that is late leaves the system busy, and the next message waits for it within its own deadline."""
        begun = time.monotonic()
        try:
            payload = self._call("ask", lambda: _plain(self._living().ask(ask)), ask.deadline_s)
        except SystemTimedOut as error:
            return Reply(None, Outcome.TIMED_OUT, str(error), time.monotonic() - begun)
        except _NotPlain as error:
            return Reply(None, Outcome.MALFORMED, str(error), time.monotonic() - begun)
        return Reply(payload, latency_s=time.monotonic() - begun)

    def settled(self, ask: Ask, outcome: Outcome, answer: Answer | None, detail: str, latency_s: float) -> None:
        """Nobody listens."""

    def ended(self, outcome: CaseOutcome, detail: str) -> None:
        """Nobody listens."""

    def finish(self, finish: Finish) -> None:
        self._call("finish", lambda: self._living().finish(finish), self._deadline_s)

    def close(self) -> None:
        """Lets the thread end once it is idle."""
        self._jobs.put(None)
