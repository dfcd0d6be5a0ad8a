"""What stands solid at the body's height: things' slabs put down on the floor, and people as discs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import shapely
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from stbench_scoring.records import Person, PoseSpan, ThingRecord


@dataclass(frozen=True)
class Solid:
    """A thing's or person's outline at the body's height, in `map`, metres."""

    id: str
    person: bool
    shape: BaseGeometry


def pose_at(thing: ThingRecord, stamp_ns: int) -> PoseSpan:
    """The pose that holds at a time: that of the last span begun."""
    held = thing.poses[0]
    for span in thing.poses:
        if span.from_ns <= stamp_ns:
            held = span
    return held


def thing_solid(thing: ThingRecord, span: PoseSpan, bottom_m: float, top_m: float) -> Solid | None:
    """A thing's outline between two heights over the floor; None where it has nothing there or is carried."""
    if span.carried:
        return None
    slabs = [
        shapely.Polygon(part.rings[0], part.rings[1:])
        for part in thing.parts
        if part.bottom_m + span.z_m < top_m and part.top_m + span.z_m > bottom_m
    ]
    if not slabs:
        return None
    shape = affinity.rotate(shapely.union_all(slabs), span.yaw_rad, origin=(0, 0), use_radians=True)
    return Solid(thing.id, False, affinity.translate(shape, span.x_m, span.y_m))


def base_z_m(thing: ThingRecord, span: PoseSpan) -> float:
    """Height of the surface that a thing rests on."""
    return span.z_m + min((part.bottom_m for part in thing.parts), default=0.0)


def person_at(person: Person, stamp_ns: int) -> tuple[float, float] | None:
    """Where a person stands at a time, or None while absent."""
    for track in person.tracks:
        if not track or not track[0].stamp_ns <= stamp_ns <= track[-1].stamp_ns:
            continue
        for a, b in itertools.pairwise(track):
            if a.stamp_ns <= stamp_ns <= b.stamp_ns:
                t = (stamp_ns - a.stamp_ns) / max(1, b.stamp_ns - a.stamp_ns)
                return a.x_m + t * (b.x_m - a.x_m), a.y_m + t * (b.y_m - a.y_m)
        return track[0].x_m, track[0].y_m
    return None


def person_solid(person: Person, x_m: float, y_m: float) -> Solid:
    """A person as a disc of 64 corners."""
    return Solid(person.id, True, shapely.Point(x_m, y_m).buffer(person.radius_m, quad_segs=16))


def rings(shape: BaseGeometry) -> Sequence[list[tuple[float, float]]]:
    """Every closed ring of a polygon or of several."""
    found = []
    for polygon in shapely.get_parts(shape):
        if polygon.geom_type == "Polygon":
            found += [[(p[0], p[1]) for p in ring.coords] for ring in (polygon.exterior, *polygon.interiors)]
    return found
