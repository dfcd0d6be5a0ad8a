"""Closed primitive parts: bevelled boxes, cushions, lathed and lofted bodies, tubes and sheets.

Each returns (vertices (V, 3) in metres, faces (F, 3) counter-clockwise seen from outside).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stbench_world.catalogue.model import Part

Points = NDArray[np.float64]


def box(low: ArrayLike, high: ArrayLike, bevel: float = 0.004) -> Part:
    """A box between two corners with chamfered edges; `bevel` is cut back where a side is too thin for it."""
    lo, hi = np.asarray(low, float), np.asarray(high, float)
    cut = min(bevel, 0.3 * float(np.min(hi - lo)))
    if cut <= 1e-5:
        return _sharp_box(lo, hi)
    signs = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    vertices = []
    for sign in signs:
        corner = np.where(sign, hi, lo)
        inward = np.where(sign, -cut, cut)
        for axis in range(3):
            # The corner's vertex on the face that `axis` is normal to: moved in along the two other axes.
            vertices.append(corner + inward * (np.arange(3) != axis))
    return np.array(vertices), _chamfer_faces()


def _sharp_box(lo: Points, hi: Points) -> Part:
    signs = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return np.where(signs, hi, lo).astype(float), quads_to_triangles(quads)


@cache
def _chamfer_faces() -> NDArray[np.int64]:
    corner = {(i, j, k): 4 * i + 2 * j + k for i in (0, 1) for j in (0, 1) for k in (0, 1)}
    quads: list[tuple[int, ...]] = []
    for axis in range(3):
        one, two = (axis + 1) % 3, (axis + 2) % 3
        for side in (0, 1):
            keys = [_key(axis, side, a, b) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
            loop = tuple(3 * corner[key] + axis for key in keys)
            quads.append(loop if side else loop[::-1])
        for a in (0, 1):
            for b in (0, 1):
                low, high = (3 * corner[_key(axis, along, a, b)] for along in (0, 1))
                quad = (low + one, low + two, high + two, high + one)
                quads.append(quad[::-1] if a != b else quad)
    corners = [(3 * n, 3 * n + 1, 3 * n + 2) for n in range(8)]
    turned = [c if sum(k) % 2 else c[::-1] for c, k in zip(corners, corner, strict=True)]
    return np.concatenate([quads_to_triangles(quads), np.array(turned, np.int64)])


def _key(axis: int, along: int, a: int, b: int) -> tuple[int, int, int]:
    key = [0, 0, 0]
    key[axis], key[(axis + 1) % 3], key[(axis + 2) % 3] = along, a, b
    return key[0], key[1], key[2]


def quads_to_triangles(quads: ArrayLike) -> NDArray[np.int64]:
    """Splits quads (Q, 4) into triangles (2 Q, 3)."""
    array = np.asarray(quads, np.int64)
    return np.concatenate([array[:, [0, 1, 2]], array[:, [0, 2, 3]]])


def cushion(size: ArrayLike, radius: float, puff: float = 0.0, segments: int = 8) -> Part:
    """A soft rounded box standing on z = 0, `puff` metres thicker in its middle on top (and bulging at the sides)."""
    size_m = np.asarray(size, float)
    half = size_m / 2
    grid = _cube_grid(segments)
    radius = min(radius, float(half.min()))
    scaled = grid * half
    core = np.clip(scaled, -(half - radius), half - radius)
    # Grid lines near the edges must land on the rounding: spread them by pushing the outer shell out of the core.
    out = np.where(np.abs(grid) >= 1 - 1e-9, np.sign(grid), np.sign(grid) * np.abs(grid) ** 2) * radius
    offset = np.where(np.abs(scaled) > half - radius - 1e-9, scaled - core, 0) + 1e-9 * out
    norm = np.linalg.norm(offset, axis=1, keepdims=True)
    vertices = core + radius * offset / np.maximum(norm, 1e-12)
    swell = (1 - grid[:, 0] ** 2) * (1 - grid[:, 1] ** 2)
    vertices[:, 2] += puff * swell * np.clip(grid[:, 2], 0, 1)
    vertices[:, 2] += half[2]
    return vertices, _cube_faces(segments)


def pillow(depth: float, width: float, height: float) -> Part:
    """A soft pillow with thin edges and pinched sides, standing on z = 0."""
    grid = _cube_grid(10)
    body = (1 - np.abs(grid[:, 0]) ** 2.6) * (1 - np.abs(grid[:, 1]) ** 2.6)
    z = grid[:, 2] * (0.06 + 0.94 * np.sqrt(np.clip(body, 0, 1))) * height / 2
    pinch = 1 - 0.06 * (1 - np.abs(grid[:, [1, 0]]) ** 2)
    xy = grid[:, :2] * pinch * (depth / 2, width / 2)
    return np.concatenate([xy, (z - z.min())[:, None]], 1), _cube_faces(10)


def _cube_index(n: int) -> dict[tuple[int, int, int], int]:
    shell = [
        (i, j, k) for i in range(n + 1) for j in range(n + 1) for k in range(n + 1) if 0 in (i, j, k) or n in (i, j, k)
    ]
    return {key: index for index, key in enumerate(shell)}


def _cube_grid(n: int) -> Points:
    steps = np.sin(np.linspace(-1, 1, n + 1) * np.pi / 2)  # denser near the edges, where the rounding is
    return np.array([[steps[i], steps[j], steps[k]] for i, j, k in _cube_index(n)])


def _cube_faces(n: int) -> NDArray[np.int64]:
    index = _cube_index(n)
    quads = []
    for axis in range(3):
        one, two = (axis + 1) % 3, (axis + 2) % 3
        for side in (0, n):
            for a in range(n):
                for b in range(n):
                    loop = []
                    for da, db in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        key = [0, 0, 0]
                        key[axis], key[one], key[two] = side, a + da, b + db
                        loop.append(index[key[0], key[1], key[2]])
                    quads.append(loop if side else loop[::-1])
    return quads_to_triangles(quads)


def loft(sections: Sequence[ArrayLike]) -> Part:
    """Joins closed loops of K points each, counter-clockwise seen from the end side; convex caps close it."""
    loops = [np.asarray(section, float) for section in sections]
    k = len(loops[0])
    vertices = np.concatenate([*loops, loops[0].mean(0, keepdims=True), loops[-1].mean(0, keepdims=True)])
    first, last = len(loops) * k, len(loops) * k + 1
    faces = []
    for s in range(len(loops) - 1):
        for i in range(k):
            j = (i + 1) % k
            a, b, c, d = s * k + i, s * k + j, (s + 1) * k + j, (s + 1) * k + i
            faces += [(a, b, c), (a, c, d)]
    top = (len(loops) - 1) * k
    for i in range(k):
        j = (i + 1) % k
        faces += [(first, j, i), (last, top + i, top + j)]
    return vertices, np.array(faces, np.int64)


def lathe(profile: Sequence[tuple[float, float]], segments: int = 24) -> Part:
    """Turns a profile of (radius, z) about the z axis; it runs from the bottom's middle round the outside to the end.

    A profile that starts and ends on the axis (radius 0) is closed by points there, else by flat caps.
    """
    angles = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], 1)
    inner = [(r, z) for r, z in profile if r > 1e-9]
    loops = [np.concatenate([ring * r, np.full((segments, 1), z)], 1) for r, z in inner]
    vertices, faces = loft(loops)
    if profile[0][0] <= 1e-9:
        vertices[-2] = (0, 0, profile[0][1])
    if profile[-1][0] <= 1e-9:
        vertices[-1] = (0, 0, profile[-1][1])
    return vertices, faces


def cylinder(radius: float, z0: float, z1: float, segments: int = 24, bevel: float = 0.002) -> Part:
    """An upright cylinder with bevelled rims."""
    cut = min(bevel, radius * 0.4, (z1 - z0) * 0.4)
    return lathe([(radius - cut, z0), (radius, z0 + cut), (radius, z1 - cut), (radius - cut, z1)], segments)


def ball(radius: float, centre: ArrayLike = (0, 0, 0), segments: int = 16) -> Part:
    """A sphere."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, segments // 2 + 1)
    profile = [(max(radius * float(np.cos(a)), 0.0), radius * float(np.sin(a))) for a in angles]
    profile[0], profile[-1] = (0.0, -radius), (0.0, radius)
    return move(lathe(profile, segments), centre)


def tube(path: ArrayLike, radius: float, segments: int = 10, flat: float = 1.0) -> Part:
    """A round rod along a polyline of (P, 3) points; `flat` scales it across its second axis."""
    points = np.asarray(path, float)
    tangents = np.gradient(points, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    helper = np.array([0.0, 0.0, 1.0]) if abs(tangents[0, 2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    across = np.cross(tangents[0], helper)
    angles = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    loops = []
    for point, tangent in zip(points, tangents, strict=True):
        across = across - tangent * (across @ tangent)
        across /= np.linalg.norm(across)
        other = np.cross(tangent, across)
        loops.append(point + radius * (np.cos(angles)[:, None] * across + flat * np.sin(angles)[:, None] * other))
    return loft(loops)


def leg(x: float, y: float, z0: float, z1: float, bottom: float, top: float, spread: ArrayLike = (0, 0)) -> Part:
    """A square leg from z0 to z1, `bottom` and `top` wide, its foot moved by `spread` from (x, y)."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    foot = np.concatenate([square * bottom + (x, y) + np.asarray(spread, float), np.full((4, 1), z0)], 1)
    head = np.concatenate([square * top + (x, y), np.full((4, 1), z1)], 1)
    return loft([foot, head])


def prism(outline: ArrayLike, z0: float, z1: float) -> Part:
    """A convex counter-clockwise (K, 2) outline pushed up from z0 to z1."""
    flat = np.asarray(outline, float)
    return loft([np.concatenate([flat, np.full((len(flat), 1), z)], 1) for z in (z0, z1)])


def rounded_rectangle(width: float, depth: float, radius: float, steps: int = 4) -> Points:
    """A counter-clockwise (K, 2) outline, `width` along x and `depth` along y, centred."""
    points = []
    for sx, sy, start in ((1, 1, 0.0), (-1, 1, 0.5), (-1, -1, 1.0), (1, -1, 1.5)):
        for angle in np.linspace(start * np.pi, (start + 0.5) * np.pi, steps + 1):
            points.append(
                (
                    sx * (width / 2 - radius) + radius * np.cos(angle),
                    sy * (depth / 2 - radius) + radius * np.sin(angle),
                )
            )
    return np.array(points)


def sheet(top: Points, thickness: float) -> Part:
    """A closed sheet under a grid of (M, N, 3) top points (x grows with M, y with N), `thickness` below it."""
    m, n = top.shape[:2]
    count = m * n
    upper = top.reshape(-1, 3)
    vertices = np.concatenate([upper, upper - (0, 0, thickness)])
    at = np.arange(count).reshape(m, n)
    cells = np.stack([at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]], -1).reshape(-1, 4)
    rim = np.concatenate([at[:, 0], at[-1, 1:], at[-2::-1, -1], at[0, -2:0:-1]])
    following = np.roll(rim, -1)
    sides = np.stack([rim, rim + count, following + count, following], 1)
    return vertices, quads_to_triangles(np.concatenate([cells, cells[:, ::-1] + count, sides]))


def move(part: Part, by: ArrayLike) -> Part:
    """The part moved."""
    return part[0] + np.asarray(by, float), part[1]


def scale(part: Part, by: ArrayLike) -> Part:
    """The part scaled about the origin by positive factors."""
    return part[0] * np.asarray(by, float), part[1]


def turn(part: Part, axis: str, angle_deg: float) -> Part:
    """The part turned about an axis through the origin."""
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(3)
    matrix[i, i], matrix[i, j], matrix[j, i], matrix[j, j] = c, -s, s, c
    return part[0] @ matrix.T, part[1]
