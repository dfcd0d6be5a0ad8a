"""Checks a planned script against the rules of its world, with exact geometry of its own; names every breach."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from stbench_scoring.geometry.solids import person_at, thing_solid
from stbench_scoring.records import Body, Path2D, PoseSpan, Robot, ThingRecord, Timeline
from stbench_world.walks import PERSON_GAP_M

TOUCH_M = 0.002
REST_GAP_M = 0.005
ROUNDED = 4e-5
"""What the file's rounding of coordinates to 0.01 mm may add to a stretch between two samples."""


def world_problems(timeline: Timeline, robot: Robot) -> list[str]:
    """What is wrong with a script's world; empty where all is well."""
    return [
        *_collisions(timeline, robot),
        *_limits(timeline.path, robot),
        *_stacked(timeline),
        *_crowded(timeline, robot),
        *_clocks(timeline),
    ]


def body_at(body: Body, x_m: float, y_m: float, yaw_rad: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The body's corners (n, 2) in `map`."""
    c, s = math.cos(yaw_rad), math.sin(yaw_rad)
    return np.asarray(np.array(body.outline) @ np.array([[c, s], [-s, c]]) + np.array([x_m, y_m]))


def swept_areas(path: Path2D, body: Body) -> list[BaseGeometry]:
    """The area that the body covers between each two samples: the hull of both, with a little turn of a corner's bow.

    A convex body that moves straight covers exactly the hull; one that turns by a small angle leaves it by the bow of its
    farthest corner, reach · (1 - cos(angle / 2)), by which the hull is widened.
    """
    reach = max(math.hypot(x, y) for x, y in body.outline)
    columns = list(zip(path.x_m, path.y_m, path.yaw_rad, strict=True))
    areas: list[BaseGeometry] = []
    for a, b in itertools.pairwise(columns):
        turn = abs(math.remainder(b[2] - a[2], math.tau))
        hull = shapely.MultiPoint(np.vstack([body_at(body, *a), body_at(body, *b)])).convex_hull
        areas.append(hull.buffer(reach * (1 - math.cos(turn / 2))) if turn > 1e-9 else hull)
    return areas


def _spans(thing: ThingRecord) -> Iterator[tuple[PoseSpan, int, int]]:
    """A thing's poses with when each begins and ends."""
    ends = [*(span.from_ns for span in thing.poses[1:]), 2**63 - 1]
    yield from ((span, span.from_ns, end) for span, end in zip(thing.poses, ends, strict=True))


def _collisions(timeline: Timeline, robot: Robot) -> list[str]:
    areas = swept_areas(timeline.path, robot.body)
    tree = shapely.STRtree(areas)
    stamps = timeline.path.stamp_ns
    found = []
    for thing in timeline.things:
        for span, start, end in _spans(thing):
            solid = thing_solid(thing, span, robot.body.bottom_m, robot.body.top_m)
            if solid is None:
                continue
            hit = [i for i in tree.query(solid.shape, predicate="intersects") if stamps[i + 1] > start and stamps[i] < end]
            if hit:
                found.append(f"the body touches {thing.id} at {stamps[min(hit)] / 1e9:.1f} s")
    return found


def _limits(path: Path2D, robot: Robot) -> list[str]:
    seconds = np.diff(np.array(path.stamp_ns)) / 1e9
    way = np.hypot(np.diff(path.x_m), np.diff(path.y_m))
    turn = np.abs(np.diff(np.unwrap(path.yaw_rad)))
    found = []
    for name, moved, limit in (("drives", way, robot.max_speed_mps), ("turns", turn, robot.max_turn_radps)):
        fast = np.flatnonzero(moved > limit * seconds + ROUNDED)
        if len(fast):
            stamp = path.stamp_ns[int(fast[0])] / 1e9
            rate = float((moved / seconds)[fast[0]])
            found.append(f"{name} at {rate:.3f} a second at {stamp:.1f} s; its limit is {limit}")
    return found


def _slab_shapes(thing: ThingRecord, span: PoseSpan) -> list[tuple[float, float, BaseGeometry]]:
    """A placed thing's slabs: bottom, top, and shape in `map`."""
    shapes = []
    for part in thing.parts:
        shape = shapely.affinity.rotate(
            shapely.Polygon(part.rings[0], part.rings[1:]), span.yaw_rad, origin=(0, 0), use_radians=True
        )
        moved = shapely.affinity.translate(shape, span.x_m, span.y_m)
        shapes.append((part.bottom_m + span.z_m, part.top_m + span.z_m, moved))
    return shapes


def _stacked(timeline: Timeline) -> list[str]:
    """Things that were put down during the script: none stands inside another, none hangs in the air."""
    moved = [t for t in timeline.things if len(t.poses) > 1]
    found = []
    for thing in moved:
        for span, start, end in _spans(thing):
            if span.carried or not span.from_ns:
                continue
            others = [(o, s) for o in timeline.things if o.id != thing.id for s, a, b in _spans(o) if a < end and b > start]
            found += _put_down(thing, span, [(o, s) for o, s in others if not s.carried])
    return found


def _put_down(thing: ThingRecord, span: PoseSpan, others: Sequence[tuple[ThingRecord, PoseSpan]]) -> list[str]:
    own = _slab_shapes(thing, span)
    bottom, held, found = min(b for b, _, _ in own), False, []
    area = shapely.union_all([shape for _, _, shape in own])
    for other, where in others:
        for low, high, shape in _slab_shapes(other, where):
            if not shapely.intersects(area, shape):
                continue
            held |= -REST_GAP_M <= bottom - high <= REST_GAP_M
            overlap = [s for b, t, s in own if b + TOUCH_M < high and t - TOUCH_M > low and shapely.intersects(s, shape)]
            if overlap and other.id != thing.id and low < bottom + REST_GAP_M < high - REST_GAP_M:
                found.append(f"{thing.id} stands inside {other.id} from {span.from_ns / 1e9:.1f} s on")
    if not held:
        found.append(f"{thing.id} hangs in the air from {span.from_ns / 1e9:.1f} s on")
    return found


def _crowded(timeline: Timeline, robot: Robot) -> list[str]:
    reach = max(math.hypot(x, y) for x, y in robot.body.outline)
    found = []
    for person in timeline.people:
        keep = reach + person.radius_m + PERSON_GAP_M
        for stamp, x, y in zip(timeline.path.stamp_ns, timeline.path.x_m, timeline.path.y_m, strict=True):
            place = person_at(person, stamp)
            if place is not None and math.dist(place, (x, y)) < keep - 1e-3:
                found.append(f"{person.id} comes within {math.dist(place, (x, y)):.2f} m of the body at {stamp / 1e9:.1f} s")
                break
        found += _walls(timeline, person.id)
    return found


def _walls(timeline: Timeline, person_id: str) -> list[str]:
    """A person's cylinder never reaches into a thing that stands on the floor."""
    person = next(p for p in timeline.people if p.id == person_id)
    ways = [
        shapely.LineString([(p.x_m, p.y_m) for p in track]).buffer(person.radius_m - TOUCH_M)
        for track in person.tracks
        if len(track) > 1
    ]
    found = []
    for track, way in zip([t for t in person.tracks if len(t) > 1], ways, strict=True):
        for thing in timeline.things:
            for span, start, end in _spans(thing):
                if start > track[0].stamp_ns or end < track[-1].stamp_ns:
                    continue
                solid = thing_solid(thing, span, 0.02, person.height_m)
                if solid is not None and shapely.intersects(way, solid.shape):
                    found.append(f"{person.id} walks through {thing.id}")
    return found


def _clocks(timeline: Timeline) -> list[str]:
    found = []
    for name, stamps in (
        ("the path", timeline.path.stamp_ns),
        ("keyframes", [f.stamp_ns for f in timeline.frames]),
        *((f"{p.id}'s track", [q.stamp_ns for q in track]) for p in timeline.people for track in p.tracks),
        *((f"{t.id}'s poses", [s.from_ns for s in t.poses]) for t in timeline.things),
    ):
        if any(b <= a for a, b in itertools.pairwise(stamps)):
            found.append(f"the times of {name} do not rise")
    return found
