"""The stream protocol: what a session sends to a system and what comes back, whatever carries it.

Read by language models, so angles are degrees and say so. Steps and times are the case's own, from 0. Lengths are
metres; positions are in `map`. No message names a case, a script, a room or an id of a thing.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Literal, Protocol

import msgspec

from stbench_scoring.records.answer import Answer, AnswerKind
from stbench_scoring.records.case import Params
from stbench_scoring.records.io import Record
from stbench_scoring.records.results import CaseOutcome
from stbench_scoring.records.robot import Camera, Robot
from stbench_scoring.records.sensors import Detection

PROTOCOL_VERSION = 1
Channel = Literal["rgb_pose", "detections"]
Pace = Literal["lockstep", "real_time"]


class Start(Record, frozen=True, kw_only=True):
    """First message of a case."""

    protocol_version: int
    channel: Channel
    pace: Pace
    robot: Robot
    camera: Camera


class TaskStart(Record, frozen=True, kw_only=True):
    """A task begins. `task` counts from 0 in the case."""

    task: int
    brief: str


class StepPose(Record, frozen=True, kw_only=True):
    """`base_link` in `map`: metres, degrees from +x, left positive."""

    x_m: float
    y_m: float
    z_m: float
    yaw_deg: float


class StepVelocity(Record, frozen=True, kw_only=True):
    """Own velocity in `base_link`."""

    forward_mps: float
    left_mps: float
    up_mps: float
    yaw_rate_degps: float


class StepStatus(Record, frozen=True, kw_only=True):
    """The robot's own status."""

    phase: str
    task: int
    battery_pct: float


class Step(Record, frozen=True, kw_only=True):
    """One keyframe.

    Attributes:
        step: From 0 in the case.
        stamp_ns: Since the case's start.
        image: JPEG bytes as in the release.
        depth: 16-bit PNG bytes, z in `robot.depth_unit_m`, 0 where nothing was in range; channel `detections` only.
        detections: Everything nameable in view, without ids; channel `detections` only.
    """

    step: int
    stamp_ns: int
    pose: StepPose
    velocity: StepVelocity
    status: StepStatus
    image: bytes
    depth: bytes | None = None
    detections: tuple[Detection, ...] | None = None


class Ask(Record, frozen=True, kw_only=True):
    """A question, right after the frame it is about, or after the last one. "Now" is `stamp_ns`."""

    qid: str
    text: str
    family: str
    expected: AnswerKind
    params: Params
    step: int
    stamp_ns: int
    deadline_s: float


class Finish(Record, frozen=True, kw_only=True):
    """Last message of a case."""

    reason: Literal["done", "cancelled"] = "done"


class System(Protocol):
    """A system under test, as a Python class: a scripted system, or `FILE.py:Class`. One object a case.

    Any exception it raises is the system's crash. `ask` returns an answer as plain data (`{"distance_m": 1.2}`,
    `{"unknown": True}`), strictly of the asked kind.
    """

    def start(self, start: Start) -> None: ...

    def task(self, task: TaskStart) -> None: ...

    def observe(self, step: Step) -> None: ...

    def ask(self, ask: Ask) -> object: ...

    def finish(self, finish: Finish) -> None: ...


class Outcome(enum.StrEnum):
    """How a question ended: exactly one of these. All but `harness_fault` are the system's."""

    ANSWERED = "answered"
    UNKNOWN = "unknown"
    MALFORMED = "malformed"
    REFUSED = "refused"
    TIMED_OUT = "timed_out"
    CRASHED = "crashed"
    OVER_BUDGET = "over_budget"
    HARNESS_FAULT = "harness_fault"


@dataclass(frozen=True)
class Reply:
    """What came back for an ask.

    Attributes:
        payload: Plain data for `parse_answer`, or None where nothing usable came.
        outcome: Set by the transport where it knows better (`timed_out`, `refused`, `crashed`, `malformed`); else None.
        detail: For people: what was wrong.
        latency_s: From sending to the reply, steady clock. Never part of results.
    """

    payload: object
    outcome: Outcome | None = None
    detail: str = ""
    latency_s: float = 0.0


class SystemCrashed(Exception):
    """The system ended or broke: remaining questions end as `crashed`, the case stays valid."""


class SystemTimedOut(Exception):
    """The system did not take a frame in time: remaining questions end as `timed_out`, the case stays valid."""


class HarnessFault(Exception):
    """Our own fault or the infrastructure's: the case is invalid, to be run again, never scored."""


class Transport(Protocol):
    """What carries a session to a system. The only thing in which runs differ.

    Order: `open`, `start`, then `task`, `observe` and `ask` as the session goes, `finish`, `ended` and `close` (both
    always). Each call returns once the system has taken the message. All but `settled`, `ended` and `close` raise
    SystemCrashed, SystemTimedOut or HarnessFault.
    """

    def open(self) -> None:
        """Brings the system up and proves that it listens (preflight). Raises HarnessFault with what to do."""

    def start(self, start: Start) -> None: ...

    def task(self, task: TaskStart) -> None: ...

    def observe(self, step: Step) -> None: ...

    def ask(self, ask: Ask) -> Reply: ...

    def settled(self, ask: Ask, outcome: Outcome, answer: Answer | None, detail: str, latency_s: float) -> None:
        """Tells how a question ended, also one that was never put to a system that had died; not for the system."""

    def finish(self, finish: Finish) -> None: ...

    def ended(self, outcome: CaseOutcome, detail: str) -> None:
        """Tells how the case ended; not for the system's ears alone, and nothing follows."""

    def close(self) -> None: ...


def encode(message: Record) -> bytes:
    """A message as JSON bytes; pictures as base64. The ledger keeps its SHA-256."""
    return msgspec.json.encode(message)
