"""The things of a place as records: slabs, extents, and where they stand over time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np
import shapely
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from stbench_scoring.records import Body, Part, PoseSpan, ThingRecord
from stbench_world.outline import slabs
from stbench_world.scene import Mesh, Place, Pose, Thing

_SLABS: dict[bytes, tuple[Part, ...]] = {}
# A mesh's digest by its identity; the mesh is kept, so that no other can take its number.
_DIGESTS: dict[int, tuple[Mesh, bytes]] = {}


def _digest(mesh: Mesh) -> bytes:
    if id(mesh) not in _DIGESTS:
        data = mesh.vertices.tobytes() + b"|" + mesh.faces.tobytes()
        _DIGESTS[id(mesh)] = (mesh, hashlib.sha256(data).digest())
    return _DIGESTS[id(mesh)][1]


def cached_slabs(mesh: Mesh) -> tuple[Part, ...]:
    """The slabs of a mesh, computed once a process for meshes of the same vertices and faces."""
    key = _digest(mesh)
    if key not in _SLABS:
        _SLABS[key] = slabs(mesh)
    return _SLABS[key]


def extent(mesh: Mesh) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Lower and upper corner of a mesh's bounding box in its own frame, metres."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    return (float(low[0]), float(low[1]), float(low[2])), (float(high[0]), float(high[1]), float(high[2]))


def span_of(pose: Pose, from_ns: int = 0, carried: bool = False) -> PoseSpan:
    """A pose that holds from a time on."""
    return PoseSpan(
        from_ns=from_ns,
        x_m=round(pose.x_m, 5),
        y_m=round(pose.y_m, 5),
        z_m=round(pose.z_m, 5),
        yaw_rad=round(pose.yaw_rad, 6),
        carried=carried,
    )


def record(thing: Thing, mesh: Mesh, spans: tuple[PoseSpan, ...]) -> ThingRecord:
    """A thing's record. Structure is never named, so it has no words."""
    low, high = extent(mesh)
    return ThingRecord(
        id=thing.id,
        kind=thing.kind,
        colour=thing.colour,
        words="" if thing.structure else thing.words,
        structure=thing.structure,
        hazard=thing.hazard,
        support=thing.support,
        length_m=round(max(high[0] - low[0], high[1] - low[1]), 4),
        parts=cached_slabs(mesh),
        poses=spans,
    )


def records(place: Place, spans: Mapping[str, tuple[PoseSpan, ...]]) -> tuple[ThingRecord, ...]:
    """Every thing's record; one without spans stands where the place has it."""
    return tuple(
        record(thing, place.meshes[thing.mesh], spans.get(thing.id) or (span_of(thing.pose),)) for thing in place.things
    )


def middle_m(mesh: Mesh, pose: Pose) -> tuple[float, float, float]:
    """The middle of a placed mesh's own bounding box, in `map`, metres."""
    low, high = extent(mesh)
    x, y, z = ((a + b) / 2 for a, b in zip(low, high, strict=True))
    c, s = np.cos(pose.yaw_rad), np.sin(pose.yaw_rad)
    return float(pose.x_m + c * x - s * y), float(pose.y_m + s * x + c * y), pose.z_m + z


@lru_cache(maxsize=4096)
def _flat(digest: bytes, z_m: float, bottom_m: float, top_m: float) -> BaseGeometry:
    shapes = [
        shapely.Polygon(part.rings[0], part.rings[1:])
        for part in _SLABS[digest]
        if part.bottom_m + z_m < top_m and part.top_m + z_m > bottom_m
    ]
    return shapely.union_all(shapes) if shapes else shapely.Polygon()


def footprint(mesh: Mesh, pose: Pose, bottom_m: float, top_m: float) -> BaseGeometry:
    """What a placed mesh holds between two heights over the floor, put down on it, in `map`; may be empty."""
    cached_slabs(mesh)
    shape = _flat(_digest(mesh), round(pose.z_m, 5), bottom_m, top_m)
    turned = affinity.rotate(shape, pose.yaw_rad, origin=(0, 0), use_radians=True)
    return affinity.translate(turned, pose.x_m, pose.y_m)


def obstacles(place: Place, poses: Mapping[str, Pose], body: Body, absent: Iterable[str] = ()) -> list[BaseGeometry]:
    """Every thing's outline at a body's height where it stands, in `map`."""
    gone = set(absent)
    shapes = [
        footprint(place.meshes[thing.mesh], poses.get(thing.id, thing.pose), body.bottom_m, body.top_m)
        for thing in place.things
        if thing.id not in gone
    ]
    return [shape for shape in shapes if not shape.is_empty]
