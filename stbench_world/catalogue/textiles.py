"""Rugs, curtains and folded cloth."""

from __future__ import annotations

import numpy as np

from stbench_world.catalogue.model import Builder, Model
from stbench_world.catalogue.shapes import box, cushion, move, prism, quads_to_triangles, rounded_rectangle, tube


def rug(length: float, depth: float) -> Model:
    """A rug along y in slot `body` with a border in slot `border`."""
    b = Builder()
    b.add(prism(rounded_rectangle(depth, length, 0.02), 0, 0.008), "knit@border")
    b.add(prism(rounded_rectangle(depth - 0.16, length - 0.16, 0.02), 0.001, 0.0095), "knit@body")
    return b.model((0.0095, -depth / 2 + 0.09, -length / 2 + 0.09, depth / 2 - 0.09, length / 2 - 0.09))


def curtain(width: float, z0: float, z1: float, folds: int = 6) -> Model:
    """A drawn-aside curtain along y with deep folds, its middle on the origin, in slot `body`."""
    b = Builder()
    steps = folds * 12 + 1
    y = np.linspace(-width / 2, width / 2, steps)
    wave = 0.035 * np.sin(np.linspace(0, 2 * np.pi * folds, steps))
    vertices, t = [], 0.004
    for z, gain in ((z0, 1.1), ((z0 + z1) / 2, 1.0), (z1, 0.85)):
        for shift in (t / 2, -t / 2):
            vertices.append(np.stack([wave * gain + shift, y, np.full(steps, z)], 1))
    quads: list[tuple[int, int, int, int]] = []
    for i in range(steps - 1):
        for level in (0, 1):
            f, bk, up = 2 * level * steps, (2 * level + 1) * steps, 2 * steps
            quads.append((f + i, f + i + 1, f + up + i + 1, f + up + i))
            quads.append((bk + i + 1, bk + i, bk + up + i, bk + up + i + 1))
        top = 4 * steps
        quads.append((top + i, top + i + 1, top + steps + i + 1, top + steps + i))
        quads.append((i + 1, i, steps + i, steps + i + 1))
    for level in (0, 1):
        f, bk, up, e = 2 * level * steps, (2 * level + 1) * steps, 2 * steps, steps - 1
        quads.append((f + e, bk + e, bk + up + e, f + up + e))
        quads.append((bk, f, f + up, bk + up))
    b.add((np.concatenate(vertices), quads_to_triangles(quads)), "fabric@body")
    return b.model()


def curtain_rail(width: float, z: float) -> Model:
    """A rail along y at height z."""
    b = Builder()
    b.add(tube([(0, -width / 2, z), (0, width / 2, z)], 0.012, 12), "metal#2a2a2c")
    for y in (-width / 2, width / 2):
        b.add(box((-0.02, y - 0.02, z - 0.02), (0.02, y + 0.02, z + 0.02), 0.008), "metal#2a2a2c")
    return b.model()


def folded_towel() -> Model:
    """A folded towel lying flat, in slot `body`."""
    b = Builder()
    b.add(cushion((0.24, 0.34, 0.03), 0.013), "knit@body")
    b.add(move(cushion((0.235, 0.335, 0.028), 0.012), (0, 0, 0.028)), "knit@body")
    return b.model()
