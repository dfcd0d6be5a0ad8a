"""The run of every heading that a body can turn to in place, through floor that was seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from stbench_scoring.geometry.camera import Pose2D
from stbench_scoring.geometry.solids import Solid, rings
from stbench_scoring.geometry.sweep import Array, outline_at, overlaps, rays
from stbench_scoring.records import Grid
from stbench_scoring.seen.strip import Mask, cell_middles

# Solids farther than the horizon and the body's own size cannot end a run.
_MARGIN_M = 0.1


@dataclass(frozen=True)
class Turner:
    """A body that turns in place and then runs straight.

    Attributes:
        outline: Its corners in `base_link`, metres.
        pose: Where it stands.
        horizon_m: The longest run.
        solids: What may be touched.
        widen_m: How much wider than the outline it is taken, all round.
    """

    outline: tuple[tuple[float, float], ...]
    pose: Pose2D
    horizon_m: float
    solids: Sequence[Solid]
    widen_m: float = 0.0

    def at(self, heading_deg: float) -> tuple[Array, float]:
        """The body's corners (n, 2) in `map` once turned, and the way it then faces, radians."""
        yaw = self.pose.yaw_rad + math.radians(heading_deg)
        return outline_at(self.outline, Pose2D(self.pose.x_m, self.pose.y_m, self.pose.z_m, yaw), self.widen_m), yaw

    def near(self, reach_m: float) -> list[Solid]:
        """Solids within a distance of the body at any heading."""
        far = max(math.hypot(*corner) for corner in self.outline) + self.widen_m + _MARGIN_M
        disc = shapely.Point(self.pose.x_m, self.pose.y_m).buffer(far + reach_m, quad_segs=32)
        return [solid for solid in self.solids if solid.shape.intersects(disc)]


def contact_runs_m(turner: Turner, headings: Sequence[int]) -> list[float]:
    """Run of each heading to its first contact, or to the horizon: as `first_touch`, of all solids at once."""
    corners = [np.array(ring) for solid in turner.near(turner.horizon_m) for ring in rings(solid.shape)]
    if not corners:
        return [turner.horizon_m] * len(headings)
    a, b = np.vstack([ring[:-1] for ring in corners]), np.vstack([ring[1:] for ring in corners])
    runs = []
    for heading in headings:
        body, yaw = turner.at(heading)
        way = np.array([math.cos(yaw), math.sin(yaw)])
        across = np.array([-way[1], way[0]])
        low, high = (body @ across).min(), (body @ across).max()
        left_a, left_b = a @ across, b @ across
        aside = (np.minimum(left_a, left_b) > high) | (np.maximum(left_a, left_b) < low)
        if aside.all():
            runs.append(turner.horizon_m)
            continue
        from_a, to_b = a[~aside], b[~aside]
        met, _ = rays(body, way, from_a, to_b)
        hit, _ = rays(np.vstack([from_a, to_b]), -way, body, np.roll(body, -1, axis=0))
        runs.append(min(met, hit, turner.horizon_m))
    return runs


def reachable(turner: Turner, headings: Sequence[int]) -> list[bool]:
    """Whether the body can turn to each heading, one way or the other, looked at every degree from straight ahead."""
    solids = turner.near(0.0)
    if not solids:
        return [True] * len(headings)
    free = {degree: not overlaps(turner.at(degree)[0], solids) for degree in range(360)}
    held = set()
    for way in (1, -1):
        degree = 0
        while free[degree % 360] and abs(degree) < 360:
            held.add(degree % 360)
            degree += way
    return [heading % 360 in held for heading in headings]


@dataclass(frozen=True)
class Floor:
    """Floor cells round a body, in its polar frame: distance, angle from straight ahead, and whether each was seen."""

    grid: Grid
    range_m: Array
    angle_rad: Array
    seen: NDArray[np.bool_]


def floor_round(grid: Grid, turner: Turner, seen: Mask) -> Floor:
    """The cells within the horizon that are clear of solids."""
    rows, columns = np.indices((grid.rows, grid.columns))
    middles = cell_middles(grid, rows.ravel(), columns.ravel())
    dx, dy = middles[:, 0] - turner.pose.x_m, middles[:, 1] - turner.pose.y_m
    far = max(math.hypot(*corner) for corner in turner.outline)
    near = np.flatnonzero(np.hypot(dx, dy) <= turner.horizon_m + far + grid.cell_m)
    shapes = [solid.shape for solid in turner.near(turner.horizon_m)]
    half = grid.cell_m / 2
    x, y = middles[near].T
    boxes = shapely.box(x - half, y - half, x + half, y + half)
    blocked = shapely.STRtree(shapes).query(boxes, predicate="intersects")[0] if shapes else []
    near = np.delete(near, np.unique(blocked).astype(int))
    angle = np.arctan2(dy[near], dx[near]) - turner.pose.yaw_rad
    return Floor(grid, np.hypot(dx, dy)[near], angle, seen.ravel()[near])


def front_m(outline: Sequence[tuple[float, float]], across_m: Array) -> Array:
    """How far ahead a convex outline reaches at each distance to the left; NaN beside it."""
    corners = np.array(outline, dtype=np.float64)
    found = np.full(across_m.shape, np.nan)
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if ay == by:
            continue
        share = (across_m - ay) / (by - ay)
        inside = (share >= 0) & (share <= 1)
        found = np.where(inside, np.fmax(found, ax + share * (bx - ax)), found)
    return found


def unseen_from_m(
    floor: Floor, outline: Sequence[tuple[float, float]], heading_deg: float, end_m: float, share: float
) -> float:
    """How far a body runs before a station of one cell has more than `share` of its cells unseen; `end_m` if none.

    Only cells that the body would reach before `end_m` count: what stands there hides the rest.
    """
    angle = floor.angle_rad - math.radians(heading_deg)
    along, across = floor.range_m * np.cos(angle), floor.range_m * np.sin(angle)
    enter = along - front_m(outline, across)
    with np.errstate(invalid="ignore"):
        met = (enter > 0) & (enter < end_m)
    if not met.any():
        return end_m
    station = np.floor(enter[met] / floor.grid.cell_m).astype(int)
    total = np.bincount(station)
    unseen = np.bincount(station, weights=~floor.seen[met], minlength=total.size)
    ended = np.flatnonzero(unseen > share * total)
    return min(end_m, float(ended[0]) * floor.grid.cell_m) if ended.size else end_m
