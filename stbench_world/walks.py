"""Walks with a purpose: people go from one piece of furniture to another, stay there a while, and go on.

The robot's way is fixed before theirs. A person never comes nearer to its body than `PERSON_GAP_M`: a stay ends in time,
and a walk is not begun where it would. People keep `PEOPLE_GAP_M` from each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stbench_scoring.errors import StbenchError
from stbench_scoring.records import TrackPoint
from stbench_world.jobs.stances import room_of
from stbench_world.plan.floor import Floor, Point
from stbench_world.plan.motion import SECOND_NS
from stbench_world.scene import Place

PERSON_GAP_M = 0.45
PEOPLE_GAP_M = 0.30
WALK_MPS = (0.75, 1.05)
STAY_S = (4.0, 18.0)
TURN_S = 0.4
TICK_NS = SECOND_NS // 10
# Between two ticks a walker and the robot come nearer by at most this.
_BETWEEN_TICKS_M = 0.07
_ATTEMPTS = 80
_LINGER_S = 2.0

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Mover:
    """Something that moves already: its places (n, 2) at ticks from a start on, and the distance kept from its middle."""

    places: Floats
    keep_m: float


@dataclass(frozen=True)
class Goal:
    """Somewhere to be: where one stands, which way one looks, and in which room."""

    place: Point
    yaw_rad: float
    room: str


def goals(place: Place, floor: Floor) -> list[Goal]:
    """A free standing place beside every piece of furniture that has one."""
    found: list[Goal] = []
    for thing in place.things:
        if thing.structure or thing.movable or not thing.surface_m or thing.surface_m[0][0] < 0.3:
            continue
        half = max(abs(v) for v in thing.surface_m[0][1:])
        for bearing in (0.0, math.pi, math.pi / 2, -math.pi / 2):
            angle, reach = thing.pose.yaw_rad + bearing, half + floor.radius_m + 0.15
            at = (round(thing.pose.x_m + reach * math.cos(angle), 2), round(thing.pose.y_m + reach * math.sin(angle), 2))
            room = room_of(place.rooms, at)
            if room is not None and floor.room_m(at) >= 0.06:
                found.append(Goal(at, math.remainder(angle + math.pi, math.tau), room.id))
                break
    return found


def _free(points: Sequence[TrackPoint], start_ns: int, movers: Sequence[Mover]) -> bool:
    """Whether a stretch of a track keeps off everything that moves."""
    first = max(0, math.floor((points[0].stamp_ns - start_ns) / TICK_NS))
    last = math.ceil((points[-1].stamp_ns - start_ns) / TICK_NS)
    stamps = [p.stamp_ns for p in points]
    ticks = start_ns + np.arange(first, last + 1) * TICK_NS
    own = np.column_stack([np.interp(ticks, stamps, [getattr(p, n) for p in points]) for n in ("x_m", "y_m")])
    for mover in movers:
        other = mover.places[first : last + 1]
        if len(other) and bool((np.hypot(*(own[: len(other)] - other).T) < mover.keep_m + _BETWEEN_TICKS_M).any()):
            return False
    return True


def _turned(last: TrackPoint, yaw_rad: float) -> list[TrackPoint]:
    """Turns on the spot the short way; the yaw runs on, so that it can be interpolated."""
    by = math.remainder(yaw_rad - last.yaw_rad, math.tau)
    if abs(by) < math.radians(3):
        return []
    stamp = last.stamp_ns + round(TURN_S * SECOND_NS)
    return [_later(last, stamp, last.x_m, last.y_m, last.yaw_rad + by)]


def _later(last: TrackPoint, stamp_ns: int, x_m: float, y_m: float, yaw_rad: float) -> TrackPoint:
    """A later point of a track; its time must be later."""
    if stamp_ns <= last.stamp_ns:
        raise StbenchError(f"a track's times must rise: {stamp_ns} after {last.stamp_ns}")
    return TrackPoint(stamp_ns=stamp_ns, x_m=round(x_m, 4), y_m=round(y_m, 4), yaw_rad=round(yaw_rad, 5))


def _walk(last: TrackPoint, corners: Sequence[Point], speed_mps: float, yaw_rad: float) -> list[TrackPoint]:
    """Walks along corners from the last point, turning at each, and faces a heading at the end."""
    points = [last]
    for x, y in corners[1:]:
        here = points[-1]
        length = math.hypot(x - here.x_m, y - here.y_m)
        if length < 0.01:
            continue
        points += _turned(here, math.atan2(y - here.y_m, x - here.x_m))
        stamp = points[-1].stamp_ns + round(length / speed_mps * SECOND_NS)
        points.append(_later(points[-1], stamp, x, y, points[-1].yaw_rad))
    return points + _turned(points[-1], yaw_rad)


def _stay(last: TrackPoint, seconds: float) -> TrackPoint:
    return _later(last, last.stamp_ns + round(seconds * SECOND_NS), last.x_m, last.y_m, last.yaw_rad)


@dataclass(frozen=True)
class Walk:
    """What a person's track is drawn from.

    Attributes:
        floor: For this person's body.
        goals: Where there is something to do.
        movers: What to keep off.
        start_ns, end_ns: The track's first and last moment.
        company: Room in which the robot is at each tick, "" between rooms; half of the errands go there.
    """

    floor: Floor
    goals: tuple[Goal, ...]
    movers: tuple[Mover, ...]
    start_ns: int
    end_ns: int
    company: tuple[str, ...]


def track(walk: Walk, draw: np.random.Generator) -> tuple[TrackPoint, ...]:
    """Draws a person's track; empty where none keeps off everything."""
    for _ in range(_ATTEMPTS):
        start = walk.goals[int(draw.integers(len(walk.goals)))]
        first = TrackPoint(stamp_ns=walk.start_ns, x_m=start.place[0], y_m=start.place[1], yaw_rad=round(start.yaw_rad, 5))
        points = [first, _stay(first, float(draw.uniform(0.5, 5.0)))]
        if not _free(points, walk.start_ns, walk.movers):
            continue
        speed = float(draw.uniform(*WALK_MPS))
        while points[-1].stamp_ns < walk.end_ns:
            more = _next(walk, points[-1], speed, draw)
            if more is None:
                break
            points += more
        else:
            return _cut(points, walk.end_ns)
    return ()


def _next(walk: Walk, last: TrackPoint, speed: float, draw: np.random.Generator) -> list[TrackPoint] | None:
    """The next errand and a stay there, or a little more of the present stay; None where nothing is possible."""
    index = min(len(walk.company) - 1, (last.stamp_ns - walk.start_ns) // TICK_NS + 100)
    company = walk.company[index]
    order = [walk.goals[int(i)] for i in draw.permutation(len(walk.goals))]
    if draw.random() < 0.6:
        order.sort(key=lambda goal: goal.room != company)
    for goal in order[:8]:
        corners = walk.floor.route((last.x_m, last.y_m), goal.place)
        if corners is None or math.dist((last.x_m, last.y_m), goal.place) < 0.8:
            continue
        points = _walk(last, corners, speed, goal.yaw_rad)
        if not _free(points, walk.start_ns, walk.movers):
            continue
        seconds = float(draw.uniform(*STAY_S))
        while seconds >= 1.0:
            end = _stay(points[-1], seconds)
            if _free([points[-1], end], walk.start_ns, walk.movers):
                return [*points[1:], end]
            seconds -= _LINGER_S
    end = _stay(last, _LINGER_S)
    return [end] if _free([last, end], walk.start_ns, walk.movers) else None


def _cut(points: list[TrackPoint], end_ns: int) -> tuple[TrackPoint, ...]:
    """The track up to its last moment."""
    kept = [p for p in points if p.stamp_ns < end_ns]
    after = points[len(kept)]
    share = (end_ns - kept[-1].stamp_ns) / (after.stamp_ns - kept[-1].stamp_ns)
    x, y, yaw = (
        getattr(kept[-1], n) + share * (getattr(after, n) - getattr(kept[-1], n)) for n in ("x_m", "y_m", "yaw_rad")
    )
    return (*kept, _later(kept[-1], end_ns, x, y, yaw))
