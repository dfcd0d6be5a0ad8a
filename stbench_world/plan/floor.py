"""The floor on which a round body can stand, and routes over it.

A route keeps the job's margin beside the body where the place leaves room for it, and never comes nearer than a floor's
least margin. The grid only proposes a way; every stretch of the returned route is measured exactly against the outlines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from shapely.geometry.base import BaseGeometry

from stbench_scoring.errors import StbenchError

Point = tuple[float, float]
Floats = NDArray[np.float64]
STEP_M = 0.05
LEAST_MARGIN_M = 0.04
# How much longer a metre counts at the least margin than where the wanted margin is kept.
_TIGHT_COST = 6.0


@dataclass(frozen=True)
class Floor:
    """Free floor of a rectangle for a disc.

    Attributes:
        shapes: Outlines at the body's height, in `map`.
        bounds: (min x, min y, max x, max y), metres.
        radius_m: Of the disc that holds the body at any heading.
        margin_m: Wanted beside it.
    """

    shapes: Sequence[BaseGeometry]
    bounds: tuple[float, float, float, float]
    radius_m: float
    margin_m: float
    _routes: dict[tuple[Point, Point], tuple[Point, ...] | None] = field(default_factory=dict)

    @cached_property
    def _tree(self) -> shapely.STRtree:
        return shapely.STRtree(self.shapes)

    def clearance_m(self, shapes: Sequence[BaseGeometry]) -> Floats:
        """Distance from each of some shapes to the nearest outline, metres."""
        indices, found = self._tree.query_nearest(np.array(shapes, dtype=object), return_distance=True, all_matches=False)
        out = np.full(len(shapes), np.inf)
        out[indices[0]] = found
        return out

    def room_m(self, point: Point) -> float:
        """Room beside the disc at a point, metres; negative where it does not fit."""
        return float(self.clearance_m([shapely.Point(point)])[0]) - self.radius_m

    def _room_along(self, a: Point, b: Point) -> float:
        return float(self.clearance_m([shapely.LineString([a, b])])[0]) - self.radius_m

    @cached_property
    def _axes(self) -> tuple[Floats, Floats]:
        x0, y0, x1, y1 = self.bounds
        return np.arange(x0, x1 + STEP_M, STEP_M), np.arange(y0, y1 + STEP_M, STEP_M)

    @cached_property
    def room_grid_m(self) -> Floats:
        """Room beside the disc at every grid point (y, x)."""
        xs, ys = self._axes
        gx, gy = np.meshgrid(xs, ys)
        clear = self.clearance_m(list(shapely.points(gx.ravel(), gy.ravel())))
        return (clear - self.radius_m).reshape(gx.shape)

    @cached_property
    def _graph(self) -> csr_array:
        """Eight neighbours a grid point, each weighed by its length and by how tight it is there."""
        room = self.room_grid_m
        index = np.arange(room.size).reshape(room.shape)
        short = np.clip((self.margin_m - room) / max(self.margin_m, 1e-9), 0.0, 1.0)
        cost = 1.0 + _TIGHT_COST * short
        rows, columns, weights = [], [], []
        for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
            a = (slice(0, room.shape[0] - dy), slice(max(0, -dx), room.shape[1] - max(0, dx)))
            b = (slice(dy, room.shape[0]), slice(max(0, dx), room.shape[1] + min(0, dx)))
            free = (room[a] >= LEAST_MARGIN_M) & (room[b] >= LEAST_MARGIN_M)
            length = STEP_M * math.hypot(dx, dy)
            rows.append(index[a][free])
            columns.append(index[b][free])
            weights.append(length * (cost[a][free] + cost[b][free]) / 2)
        data = np.concatenate(weights)
        pairs = (np.concatenate(rows), np.concatenate(columns))
        return csr_array((data, pairs), shape=(room.size, room.size))

    def _node(self, point: Point) -> int:
        """The free grid point nearest to a point that a straight line reaches."""
        xs, ys = self._axes
        gx, gy = np.meshgrid(xs, ys)
        away = np.where(self.room_grid_m >= LEAST_MARGIN_M, np.hypot(gx - point[0], gy - point[1]), np.inf)
        for index in np.argsort(away, axis=None, kind="stable")[:12]:
            place = (float(gx.flat[index]), float(gy.flat[index]))
            if math.isfinite(away.flat[index]) and self._room_along(point, place) >= LEAST_MARGIN_M - 1e-9:
                return int(index)
        raise StbenchError(f"the body does not fit at ({point[0]:.2f}, {point[1]:.2f}): {self.room_m(point):.2f} m of room")

    def route(self, start: Point, goal: Point) -> tuple[Point, ...] | None:
        """Corners of a way from start to goal, both included; None where there is none. Either must be free."""
        key = (start, goal)
        if key not in self._routes:
            self._routes[key] = self._find(start, goal)
        return self._routes[key]

    def _find(self, start: Point, goal: Point) -> tuple[Point, ...] | None:
        first, last = self._node(start), self._node(goal)
        distance, before = dijkstra(self._graph, directed=False, indices=first, return_predecessors=True)
        if not np.isfinite(distance[last]):
            return None
        xs, ys = self._axes
        chain = [last]
        while chain[-1] != first:
            chain.append(int(before[chain[-1]]))
        points = [(float(xs[n % len(xs)]), float(ys[n // len(xs)])) for n in reversed(chain)]
        return self._straightened((start, *points, goal))

    def _straightened(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """Leaves out corners wherever the straight line keeps the margin, or as much room as the corners had."""
        lines = [shapely.LineString(pair) for pair in pairwise(points)]
        rooms = self.clearance_m(lines) - self.radius_m
        kept, at = [points[0]], 0
        while at < len(points) - 1:
            best = at + 1
            for ahead in range(len(points) - 1, at + 1, -1):
                wanted = min(self.margin_m, float(rooms[at:ahead].min())) - 1e-9
                if self._room_along(points[at], points[ahead]) >= wanted:
                    best = ahead
                    break
            if points[best] != kept[-1]:
                kept.append(points[best])
            at = best
        return tuple(kept)
