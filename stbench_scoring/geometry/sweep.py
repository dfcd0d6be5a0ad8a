"""How far a convex body moves straight before it first touches a solid, exactly; and turning in place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from stbench_scoring.geometry.camera import Pose2D
from stbench_scoring.geometry.solids import Solid, rings

Array = NDArray[np.float64]
_TURN_STEP_RAD = math.radians(1.0)
# Penetration that placing a body against something leaves through rounding.
_OVERLAP_M2 = 1e-6


@dataclass(frozen=True)
class Touch:
    """First contact: distance moved, the touched point in `map`, and what was touched."""

    distance_m: float
    point: tuple[float, float]
    solid: Solid


def outline_at(outline: Sequence[tuple[float, float]], pose: Pose2D, widen_m: float = 0.0) -> Array:
    """The body's corners (n, 2) in `map`, counter-clockwise, widened evenly by `widen_m`."""
    corners = np.array(outline, dtype=np.float64)
    if widen_m:
        wide = shapely.Polygon(corners).buffer(widen_m, join_style="mitre")
        corners = np.array(shapely.geometry.polygon.orient(wide).exterior.coords[:-1])
    cos, sin = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
    turn = np.array([[cos, sin], [-sin, cos]])
    return np.asarray(corners @ turn + np.array([pose.x_m, pose.y_m]))


def rays(starts: Array, way: Array, a: Array, b: Array) -> tuple[float, int]:
    """Least distance along `way` from any start (n, 2) to any segment a–b (m, 2), and the start's index."""
    edge = b - a
    across = way[0] * edge[:, 1] - way[1] * edge[:, 0]
    delta = a[None, :, :] - starts[:, None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        run = (delta[..., 0] * edge[:, 1] - delta[..., 1] * edge[:, 0]) / across
        share = (delta[..., 0] * way[1] - delta[..., 1] * way[0]) / across
    hit = (np.abs(across) > 1e-12) & (run >= -1e-9) & (share >= -1e-12) & (share <= 1 + 1e-12)
    runs = np.where(hit, np.maximum(run, 0.0), np.inf)
    best = int(np.argmin(runs))
    return float(runs.flat[best]), best // runs.shape[1]


def _touch(body: Array, way: Array, solid: Solid) -> Touch | None:
    best: Touch | None = None
    for ring in rings(solid.shape):
        corners = np.array(ring)
        run, _ = forward = rays(body, way, corners[:-1], corners[1:])
        back, index = rays(corners[:-1], -way, body, np.roll(body, -1, axis=0))
        distance = min(run, back)
        if math.isinf(distance) or (best is not None and distance >= best.distance_m):
            continue
        point = corners[index] if back <= run else body[forward[1]] + way * run
        best = Touch(distance, (float(point[0]), float(point[1])), solid)
    return best


def overlaps(body: Array, solids: Sequence[Solid]) -> bool:
    """Whether the body stands in a solid already."""
    polygon = shapely.Polygon(body)
    return any(shapely.area(shapely.intersection(polygon, s.shape)) > _OVERLAP_M2 for s in _near(polygon, solids))


def _near(area: shapely.Polygon, solids: Sequence[Solid]) -> list[Solid]:
    if not solids:
        return []
    found = shapely.STRtree([s.shape for s in solids]).query(area, predicate="intersects")
    return [solids[i] for i in sorted(found)]


def swept(body: Array, heading_rad: float, run_m: float) -> shapely.Polygon:
    """The area that a convex body covers on a straight run."""
    way = np.array([math.cos(heading_rad), math.sin(heading_rad)])
    hull = shapely.MultiPoint(np.vstack([body, body + run_m * way])).convex_hull
    assert isinstance(hull, shapely.Polygon)
    return hull


def first_touch(body: Array, heading_rad: float, solids: Sequence[Solid], horizon_m: float) -> Touch | None:
    """First contact within the horizon, or None. A contact with a person wins a tie."""
    way = np.array([math.cos(heading_rad), math.sin(heading_rad)])
    touches = [_touch(body, way, s) for s in _near(swept(body, heading_rad, horizon_m + 0.01), solids)]
    reached = [t for t in touches if t is not None and t.distance_m <= horizon_m]
    return min(reached, key=lambda t: (t.distance_m, not t.solid.person, t.solid.id), default=None)


def turn_blocked(
    outline: Sequence[tuple[float, float]], pose: Pose2D, turn_rad: float, solids: Sequence[Solid]
) -> bool:
    """Whether turning in place by `turn_rad` would bring the body into a solid, looked at every degree."""
    steps = max(1, math.ceil(abs(turn_rad) / _TURN_STEP_RAD))
    shapes = [
        shapely.Polygon(outline_at(outline, Pose2D(pose.x_m, pose.y_m, pose.z_m, pose.yaw_rad + turn_rad * i / steps)))
        for i in range(steps + 1)
    ]
    union = shapely.union_all(shapes)
    return any(shapely.area(shapely.intersection(union, s.shape)) > _OVERLAP_M2 for s in _near(union, solids))
