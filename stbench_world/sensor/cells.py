"""Which cells of the floor a frame sees, and which hold a visible surface at the body's height."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from stbench_scoring.records import Body, Grid
from stbench_scoring.records.visibility import Runs
from stbench_world.scene import Place
from stbench_world.sensor.eye import Eye
from stbench_world.sensor.rays import Floats, RayScene

CELL_M = 0.1
BORDER_M = 0.3
# Rays that ask whether something stands between the body and a cell of its blind ring go at this height.
_RING_RAY_M = 0.10
# A ray to the floor may end this much short of it (in shares of its length): Embree counts in float32.
_SHORT = 1e-4

Mask = NDArray[np.bool_]


def grid_of(place: Place) -> Grid:
    """The grid that covers a place's rooms with a border."""
    corners = np.array([point for room in place.rooms for point in room.outline])
    low = np.floor((corners.min(axis=0) - BORDER_M) / CELL_M) * CELL_M
    count = np.ceil((corners.max(axis=0) + BORDER_M - low) / CELL_M - 1e-9).astype(int)
    return Grid(
        origin_x_m=round(float(low[0]), 6),
        origin_y_m=round(float(low[1]), 6),
        cell_m=CELL_M,
        rows=int(count[1]),
        columns=int(count[0]),
    )


def runs_of(mask: Mask) -> Runs:
    """The runs (row, first column, length) of a mask's true cells, rows ascending."""
    found: list[tuple[int, int, int]] = []
    for row in np.flatnonzero(mask.any(axis=1)):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], mask[row].astype(np.int8), [0]])))
        found += [(int(row), int(a), int(b - a)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return tuple(found)


@dataclass(frozen=True)
class Cells:
    """A grid's cells for one body."""

    grid: Grid
    body: Body

    @cached_property
    def middles(self) -> Floats:
        """Middles of all cells on the floor, (rows · columns, 3), metres in `map`."""
        rows, columns = np.indices((self.grid.rows, self.grid.columns))
        x = self.grid.origin_x_m + (columns.ravel() + 0.5) * self.grid.cell_m
        y = self.grid.origin_y_m + (rows.ravel() + 0.5) * self.grid.cell_m
        return np.column_stack([x, y, np.zeros(len(x))])

    def _shaped(self, cells: NDArray[np.int64]) -> Mask:
        mask = np.zeros(self.grid.rows * self.grid.columns, dtype=bool)
        mask[cells] = True
        return mask.reshape(self.grid.rows, self.grid.columns)

    def floor(self, eye: Eye, scenes: list[RayScene]) -> Mask:
        """Cells whose middle lies inside the picture with nothing between it and the camera.

        What is lower than the body's underside is driven over and hides no floor.
        """
        camera = eye.camera
        u, v, depth = eye.pixels(self.middles).T
        with np.errstate(invalid="ignore"):
            inside = (u >= -0.5) & (u < camera.width - 0.5) & (v >= -0.5) & (v < camera.height - 0.5)
        inside &= (depth >= camera.near_m) & (depth <= camera.far_m)
        cells = np.flatnonzero(inside)
        rays = self.middles[cells] - eye.origin
        least = np.full(len(cells), np.inf)
        for scene in scenes:
            least = np.minimum(least, scene.cast(eye.origin, rays).distance)
        height_left = eye.origin[2] * (1.0 - least)
        return self._shaped(cells[(least >= 1.0 - _SHORT) | (height_left <= self.body.bottom_m)])

    def stood(self, pose: tuple[float, float, float], scene: RayScene) -> Mask:
        """Cells under the body or within its blind ring, as far as nothing solid stands between."""
        x, y, yaw = pose
        c, s = math.cos(yaw), math.sin(yaw)
        corners = [(x + c * px - s * py, y + s * px + c * py) for px, py in self.body.outline]
        area = shapely.Polygon(corners).buffer(self.body.blind_ring_m)
        cells = np.flatnonzero(shapely.contains_xy(area, self.middles[:, 0], self.middles[:, 1]))
        origin = np.array([x, y, _RING_RAY_M])
        rays = self.middles[cells] + np.array([0.0, 0.0, _RING_RAY_M]) - origin
        return self._shaped(cells[scene.cast(origin, rays).distance >= 1.0])

    def surface(self, points: Floats) -> Mask:
        """Cells that hold one of some visible points between the body's underside and top."""
        z = points[:, 2]
        high = points[(z > self.body.bottom_m) & (z <= self.body.top_m)]
        column = np.floor((high[:, 0] - self.grid.origin_x_m) / self.grid.cell_m).astype(np.int64)
        row = np.floor((high[:, 1] - self.grid.origin_y_m) / self.grid.cell_m).astype(np.int64)
        inside = (column >= 0) & (column < self.grid.columns) & (row >= 0) & (row < self.grid.rows)
        return self._shaped(np.unique(row[inside] * self.grid.columns + column[inside]))
