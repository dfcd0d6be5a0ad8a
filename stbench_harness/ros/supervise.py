"""Runs one case over ROS 2 as processes of its own, on a domain of its own, and leaves none behind."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from stbench_harness.processes import CaseOrder, NodeProcess, case_processes
from stbench_harness.ros.brain_process import BrainProcess
from stbench_harness.ros.commands import command_of, source_environment
from stbench_harness.ros.domain import take_domain

POLL_S = 0.1
FINISHING_S = 25.0  # for scoring node and recorder, after the harness has ended
FAILING_S = 8.0  # and where it has failed, perhaps before it could tell them anything
CANCELLING_S = 15.0


@dataclass(frozen=True)
class Ended:
    """How the processes of a case ended.

    Attributes:
        code: Exit code of the harness.
        problems: What went wrong with the others, for people.
    """

    code: int
    problems: tuple[str, ...]


def run_processes(order: CaseOrder, stop: threading.Event, warn: Callable[[str], None]) -> Ended:
    """Starts the processes of a case, waits for its end, and ends them all.

    Args:
        order: What to run.
        stop: Set it to cancel the case in order.
        warn: Told who ended before the harness.

    Raises:
        StbenchError: A process cannot be started, or no domain is free.
    """
    described = case_processes(order)
    commands = [(process, command_of(process)) for process in described]  # every error before anything starts
    folder = order.out / "cases" / order.case
    with ExitStack() as stack:
        domain = stack.enter_context(take_domain())
        children: list[tuple[str, BrainProcess]] = []
        for process, command in commands:
            name = process.name if isinstance(process, NodeProcess) else process.package
            required = isinstance(process, NodeProcess) and process.required
            child = BrainProcess(
                command, domain, None if required else folder / f"{name}.log", source_environment(),
                signal.SIGTERM if isinstance(process, NodeProcess) and process.name != "brain" else signal.SIGKILL,
            )  # fmt: skip
            children.append((name, stack.enter_context(child)))
        (_, harness), *others = children
        early = _wait(harness, others, stop)
        problems = [f"{name} ended before the case had, exit code {code}" for name, code in early.items() if code]
        if stop.is_set():
            return Ended(harness.process.returncode, ())  # a cancelled case is not scored: no fault of anybody's
        for problem in problems:
            warn(problem)
        seconds = FAILING_S if harness.process.returncode else FINISHING_S
        problems += _finish([(name, child) for name, child in others if name not in early], folder.as_posix(), seconds)
        return Ended(harness.process.returncode, tuple(problems))


def _wait(harness: BrainProcess, others: list[tuple[str, BrainProcess]], stop: threading.Event) -> dict[str, int]:
    """Waits for the harness; on `stop` asks it to end, and after a while makes it. Returns who ended before it."""
    early: dict[str, int] = {}
    cancelled: float | None = None
    while harness.process.poll() is None:
        time.sleep(POLL_S)
        ended = {name: child.process.poll() for name, child in others}
        if harness.process.poll() is None:
            early |= {name: code for name, code in ended.items() if code is not None}
        if stop.is_set():
            if cancelled is None:
                cancelled = time.monotonic()
                harness.interrupt()
            elif time.monotonic() - cancelled > CANCELLING_S:
                harness.end()
    return early


def _finish(others: list[tuple[str, BrainProcess]], folder: str, seconds: float) -> list[str]:
    """Lets scoring node and recorder end by themselves; returns what went wrong."""
    problems = []
    end = time.monotonic() + seconds
    for name, child in others:
        if name not in ("stbench_scorer", "stbench_recorder"):
            continue
        while child.process.poll() is None and time.monotonic() < end:
            time.sleep(POLL_S)
        if child.process.poll() is None:
            problems.append(f"{name} did not end in {seconds:g} s and was ended: see {folder}/{name}.log")
        elif child.process.returncode:
            problems.append(f"{name} ended with exit code {child.process.returncode}: see {folder}/{name}.log")
    return problems
