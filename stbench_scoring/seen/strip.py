"""How much of a run leads over floor that was not seen, and whether the surface at its end was."""

from __future__ import annotations

import math

import numpy as np
import shapely
from numpy.typing import NDArray

from stbench_scoring.geometry.solids import Solid
from stbench_scoring.geometry.sweep import swept
from stbench_scoring.records import Grid

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


def cell_middles(grid: Grid, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Array:
    """Middles (n, 2) of grid cells in `map`, metres."""
    return np.column_stack(
        [grid.origin_x_m + (columns + 0.5) * grid.cell_m, grid.origin_y_m + (rows + 0.5) * grid.cell_m]
    )


def run_cells(grid: Grid, body: Array, heading_rad: float, run_m: float, solids: list[Solid]) -> tuple[Mask, Array]:
    """Cells whose middle the body covers on a run, free of solids.

    Returns:
        A mask (rows, columns), and for every cell of the grid (rows, columns) how far its middle lies along the run,
        from the body's front, metres; those under the body at the start are not in the mask.
    """
    area = shapely.difference(swept(body, heading_rad, run_m), shapely.Polygon(body))
    rows, columns = np.indices((grid.rows, grid.columns))
    middles = cell_middles(grid, rows.ravel(), columns.ravel())
    way = np.array([math.cos(heading_rad), math.sin(heading_rad)])
    along = (middles @ way - (body @ way).max()).reshape(grid.rows, grid.columns)
    inside = np.zeros(middles.shape[0], dtype=bool)
    if not area.is_empty:
        x0, y0, x1, y1 = area.bounds
        near = np.flatnonzero(
            (middles[:, 0] >= x0) & (middles[:, 0] <= x1) & (middles[:, 1] >= y0) & (middles[:, 1] <= y1)
        )
        shapely.prepare(area)
        near = near[shapely.contains_xy(area, middles[near, 0], middles[near, 1])]
        half = grid.cell_m / 2
        boxes = shapely.box(
            middles[near, 0] - half, middles[near, 1] - half, middles[near, 0] + half, middles[near, 1] + half
        )
        blocked = shapely.STRtree([s.shape for s in solids]).query(boxes, predicate="intersects")[0] if solids else []
        inside[np.setdiff1d(near, near[np.unique(blocked).astype(int)])] = True
    return inside.reshape(grid.rows, grid.columns), along


def unseen_length_m(cells: Mask, along: Array, seen: Mask, cell_m: float, share: float) -> float:
    """Length of the run over which more than `share` of the width was not seen, metres (whole cells)."""
    station = np.floor(along[cells] / cell_m).astype(int)
    missing = ~seen[cells]
    unseen = sum(1 for s in np.unique(station) if missing[station == s].mean() > share)
    return float(unseen * cell_m)


def ring_mask(grid: Grid, body: Array, ring_m: float) -> Mask:
    """Cells under the body or within its blind ring."""
    rows, columns = np.indices((grid.rows, grid.columns))
    middles = cell_middles(grid, rows.ravel(), columns.ravel())
    area = shapely.Polygon(body).buffer(ring_m)
    return np.asarray(shapely.contains_xy(area, middles[:, 0], middles[:, 1])).reshape(grid.rows, grid.columns)


def cells_near(grid: Grid, point: tuple[float, float], reach: int) -> tuple[slice, slice]:
    """The block of cells within `reach` cells of the one that holds a point."""
    row = math.floor((point[1] - grid.origin_y_m) / grid.cell_m)
    column = math.floor((point[0] - grid.origin_x_m) / grid.cell_m)
    return slice(max(0, row - reach), max(0, row + reach + 1)), slice(
        max(0, column - reach), max(0, column + reach + 1)
    )
