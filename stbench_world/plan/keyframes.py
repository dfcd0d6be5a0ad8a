"""Which moments of a task become keyframes: every stretch of motion, and where the robot decides something."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from stbench_world.plan.motion import Leg

STEP_M = 0.6
STEP_RAD = math.radians(22.0)
_APART_NS = 50_000_000  # two stops of one motion that rounding sets moments apart are one frame
_GROWTH = 1.06


@dataclass(frozen=True)
class Key:
    """A keyframe to be: its time, phase, task, and whether a decision falls on it."""

    stamp_ns: int
    phase: str
    task: int
    decision: bool


def keyframes(legs: Sequence[Leg], most: int | None = None) -> list[Key]:
    """Keyframes of one task's legs, in time order.

    A frame comes with every 0.6 m or 22 degrees of motion since the last one, before each decision, and at the task's
    start and end. Where that makes more than `most`, motion between frames grows until it fits; decisions stay.
    """
    scale = 1.0
    while True:
        keys = _spaced(legs, scale)
        if most is None or len(keys) <= most or scale > 50:
            return keys if most is None else _thinned(keys, most)
        scale *= _GROWTH


def _spaced(legs: Sequence[Leg], scale: float) -> list[Key]:
    keys = [Key(legs[0].start_ns, legs[0].phase, legs[0].task, legs[0].decides)]
    since = 0.0
    for leg in legs:
        if leg.decides:
            _put(keys, Key(leg.start_ns, leg.phase, leg.task, True))
            since = 0.0
        metres, radians = leg.quantity
        total = metres / STEP_M + radians / STEP_RAD
        done = 0.0
        while total - done >= scale - since:
            done += scale - since
            since = 0.0
            share = min(done / total, 1.0)
            stamp = leg.stamp_after(share * metres, share * radians)
            if stamp >= keys[-1].stamp_ns + _APART_NS:
                keys.append(Key(stamp, leg.phase, leg.task, False))
        since += total - done
    last = legs[-1]
    _put(keys, Key(last.end_ns, last.phase, last.task, keys[-1].decision and keys[-1].stamp_ns == last.end_ns))
    return keys


def _put(keys: list[Key], key: Key) -> None:
    """Appends a frame that must be; a plain one just before it gives way."""
    if keys[-1].stamp_ns > key.stamp_ns - _APART_NS and not (keys[-1].decision and not key.decision):
        keys.pop()
    if not keys or keys[-1].stamp_ns < key.stamp_ns:
        keys.append(key)


def _thinned(keys: list[Key], most: int) -> list[Key]:
    """Leaves out the plainest frames, evenly, where decisions alone are too many."""
    kept = list(keys)
    while len(kept) > most:
        gaps = [kept[n + 1].stamp_ns - kept[n - 1].stamp_ns for n in range(1, len(kept) - 1)]
        del kept[1 + min(range(len(gaps)), key=gaps.__getitem__)]
    return kept
