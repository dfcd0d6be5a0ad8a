"""A thing's slabs: everything its mesh holds between two heights, put down on the floor. Exact to the mesh.

Robots of different heights meet different parts of a thing (a vacuum the legs of a table, a helper its top), so one outline
would not do. The cuts are shared by all robots: driven over, vacuum (0.1 m), AMR deck, table and counter heights, helper.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray

from stbench_scoring.records import Part
from stbench_world.scene import Mesh

CUTS_M: tuple[float, ...] = (0.0, 0.02, 0.10, 0.36, 0.75, 1.10, 1.45, 2.00)
SIMPLIFY_M = 0.0005
MIN_AREA_M2 = 1e-7
GRID_M = 1e-5
Triangles = NDArray[np.float64]


def slabs(mesh: Mesh) -> tuple[Part, ...]:
    """Returns the slabs of a mesh, from the lowest up, in its own frame.

    A slab's outline is the union of the shadows of its triangles, clipped to the slab: a closed mesh's volume has the same
    shadow as its surface, except where it is cut through (a wall between two cuts), where the section is added.
    """
    triangles: Triangles = mesh.vertices[mesh.faces].astype(np.float64)
    top_m = float(triangles[..., 2].max())
    bottom_m = float(triangles[..., 2].min())
    edges = (-np.inf, *CUTS_M[1:], np.inf)
    parts: list[Part] = []
    for low, high in pairwise(edges):
        shape = _shadow(triangles, low, high)
        if shape is None:
            continue
        bounds = (max(low, bottom_m), min(high, top_m))
        parts += [_part(polygon, *bounds) for polygon in shapely.get_parts(shape) if polygon.area > MIN_AREA_M2]
    return tuple(parts)


def _shadow(triangles: Triangles, low: float, high: float) -> shapely.Geometry | None:
    """The union of the floor shadows of what lies strictly between two heights, or None where nothing does."""
    z = triangles[..., 2]
    lowest, highest = z.min(axis=1), z.max(axis=1)
    whole = (lowest >= low) & (highest <= high) & (highest > low) & (lowest < high)
    partly = (highest > low) & (lowest < high) & ~whole
    clipped = [corners for triangle in triangles[partly] if len(corners := _clipped(triangle, low, high)) >= 3]
    pieces = [shapely.polygons(triangles[whole][..., :2]), [shapely.Polygon(corners) for corners in clipped]]
    shadows = np.concatenate([np.asarray(piece, dtype=object) for piece in pieces])
    if not len(shadows):
        return None
    # Rounding a sliver can turn it over itself, so slivers go before the union, which works on a grid: exact predicates.
    kept = [shape for shape in shadows[shapely.area(shadows) > MIN_AREA_M2]]
    spans = float(z.min()) <= low and float(z.max()) >= high
    if spans and (section := _section(triangles, low, high)) is not None:
        kept.append(section)
    kept = [shape if shape.is_valid else shapely.make_valid(shape) for shape in kept]
    if not kept:
        return None
    return shapely.simplify(shapely.union_all(kept, grid_size=GRID_M), SIMPLIFY_M)


def _clipped(triangle: Triangles, low: float, high: float) -> list[tuple[float, float]]:
    """The floor shadow's corners of one triangle between two heights."""
    corners = [tuple(point) for point in triangle]
    for height, keep_above in ((low, True), (high, False)):
        if np.isfinite(height):
            corners = _cut(corners, height, keep_above)
    return [(x, y) for x, y, _ in corners]


def _cut(corners: list[tuple[float, ...]], height: float, keep_above: bool) -> list[tuple[float, ...]]:
    """Clips a convex polygon in space by a level plane (Sutherland and Hodgman)."""
    kept: list[tuple[float, ...]] = []
    sign = 1.0 if keep_above else -1.0
    for here, after in zip(corners, [*corners[1:], corners[0]], strict=True):
        a, b = sign * (here[2] - height), sign * (after[2] - height)
        if a >= 0:
            kept.append(here)
        if (a > 0 > b) or (a < 0 < b):
            t = a / (a - b)
            kept.append(tuple(p + t * (q - p) for p, q in zip(here, after, strict=True)))
    return kept


def _section(triangles: Triangles, low: float, high: float) -> shapely.Geometry | None:
    """The section of a closed mesh half-way up a slab: what the slab holds where no triangle of it lies level.

    The cut lines part the plane into faces; a face is inside where the lines wind round it, which holds for solids that
    overlap and for holes alike.
    """
    z = triangles[..., 2]
    middle = (max(low, float(z.min())) + min(high, float(z.max()))) / 2
    crossed = triangles[(z.min(axis=1) < middle) & (z.max(axis=1) > middle)]
    segments = [segment for triangle in crossed if (segment := _crossing(triangle, middle)) is not None]
    if not segments:
        return None
    lines = shapely.union_all(shapely.linestrings(np.array(segments)), grid_size=1e-7)
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(lines)))
    inside = [face for face in faces if _winding(np.array(segments), face.representative_point()) != 0]
    return shapely.unary_union(inside) if inside else None


def _crossing(triangle: Triangles, height: float) -> Triangles | None:
    """The segment (2, 2) in which a triangle crosses a level plane, the mesh's inside on its left."""
    ends = [
        np.round((p + (height - p[2]) / (q[2] - p[2]) * (q - p))[:2], 7)
        for p, q in zip(triangle, np.roll(triangle, -1, axis=0), strict=True)
        if (p[2] < height) != (q[2] < height)
    ]
    if len(ends) != 2 or np.array_equal(ends[0], ends[1]):
        return None
    normal = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
    along = np.array((-normal[1], normal[0]))
    return np.array(ends if along @ (ends[1] - ends[0]) > 0 else ends[::-1])


def _winding(segments: Triangles, point: shapely.Point) -> int:
    """How often closed lines, given as segments (n, 2, 2), wind round a point."""
    offset = segments - np.array((point.x, point.y))
    (ax, ay), (bx, by) = offset[:, 0].T, offset[:, 1].T
    return round(float(np.arctan2(ax * by - ay * bx, ax * bx + ay * by).sum()) / (2 * np.pi))


def _part(polygon: shapely.Polygon, bottom_m: float, top_m: float) -> Part:
    """A slab's record; rings without the repeated last corner, the outer one counter-clockwise."""
    oriented = shapely.geometry.polygon.orient(polygon)
    rings = tuple(
        tuple((round(float(x), 5), round(float(y), 5)) for x, y in ring.coords[:-1])
        for ring in (oriented.exterior, *oriented.interiors)
    )
    return Part(rings=rings, bottom_m=round(bottom_m, 5), top_m=round(top_m, 5))
