"""Bathroom fittings."""

from __future__ import annotations

import numpy as np

from stbench_world.catalogue.model import Builder, Model
from stbench_world.catalogue.shapes import Points, box, cushion, cylinder, loft, move, rounded_rectangle, tube


def _ring(width: float, depth: float, radius: float, z: float, shift: float = 0.0) -> Points:
    outline = rounded_rectangle(width, depth, radius, 5)
    return np.concatenate([outline + (shift, 0), np.full((len(outline), 1), z)], 1)


def bathtub(length: float = 1.6, width: float = 0.70) -> Model:
    """A bathtub along y with a panelled outside."""
    b = Builder()
    outer = [_ring(width, length, 0.06, 0.0), _ring(width, length, 0.06, 0.56)]
    inner = [
        _ring(width - 0.10, length - 0.12, 0.15, 0.56),
        _ring(width - 0.16, length - 0.2, 0.16, 0.35),
        _ring(width - 0.24, length - 0.34, 0.16, 0.14),
    ]
    b.add(loft([*outer, *inner]), "ceramic#f4f4f2")
    b.add(
        tube([(0, length / 2 - 0.05, 0.56), (0, length / 2 - 0.05, 0.66), (0, length / 2 - 0.20, 0.66)], 0.014, 12),
        "metal",
    )
    return b.model()


def toilet() -> Model:
    """A toilet with cistern, its back at -x."""
    b = Builder()
    b.add(
        loft(
            [
                _ring(0.34, 0.22, 0.1, 0.0, -0.03),
                _ring(0.36, 0.22, 0.1, 0.15, -0.03),
                _ring(0.48, 0.36, 0.17, 0.36, 0.06),
                _ring(0.49, 0.37, 0.18, 0.40, 0.06),
            ]
        ),
        "ceramic#f4f4f2",
    )
    b.add(
        loft(
            [
                _ring(0.47, 0.37, 0.18, 0.398, 0.075),
                _ring(0.47, 0.375, 0.18, 0.425, 0.075),
                _ring(0.45, 0.35, 0.17, 0.437, 0.075),
            ]
        ),
        "plastic#f6f6f4",
    )
    b.add(box((-0.34, -0.19, 0.36), (-0.17, 0.19, 0.78), 0.02), "ceramic#f4f4f2")
    b.add(box((-0.345, -0.195, 0.775), (-0.165, 0.195, 0.805), 0.01), "ceramic#f4f4f2")
    b.add(move(cylinder(0.022, 0, 0.008, 20), (-0.255, 0, 0.804)), "metal")
    return b.model()


def washstand(width: float = 0.8) -> Model:
    """A washbasin on a cabinet, its front painted in slot `front`."""
    b = Builder()
    d = 0.46
    b.add(box((-d / 2, -width / 2 + 0.01, 0.22), (d / 2 - 0.03, width / 2 - 0.01, 0.76), 0.003), "oak:y")
    for z in (0.225, 0.485):
        b.add(
            box((d / 2 - 0.032, -width / 2 + 0.014, z), (d / 2 - 0.012, width / 2 - 0.014, z + 0.255), 0.003),
            "lacquer@front",
        )
        b.add(box((d / 2 - 0.014, -0.1, z + 0.20), (d / 2 + 0.006, 0.1, z + 0.212)), "metal")
    outer = [_ring(d, width, 0.02, 0.755), _ring(d, width, 0.02, 0.86)]
    inner = [_ring(d - 0.10, width - 0.26, 0.08, 0.86, 0.03), _ring(d - 0.20, width - 0.40, 0.07, 0.79, 0.03)]
    b.add(loft([*outer, *inner]), "ceramic#f4f4f2")
    b.add(tube([(-0.185, 0, 0.85), (-0.185, 0, 0.99), (-0.16, 0, 1.015), (-0.06, 0, 1.0)], 0.013, 12), "metal")
    return b.model(
        (0.86, -0.2, -width / 2 + 0.01, 0.2, -width / 2 + 0.12), (0.86, -0.2, width / 2 - 0.12, 0.2, width / 2 - 0.01)
    )


def wall_mirror(width: float = 0.7, height: float = 0.8, z0: float = 1.15) -> Model:
    """A framed mirror whose back is the wall at x = 0."""
    b = Builder()
    b.add(box((0, -width / 2, z0), (0.022, width / 2, z0 + height), 0.003), "oak:z")
    b.add(box((0.021, -width / 2 + 0.03, z0 + 0.03), (0.0235, width / 2 - 0.03, z0 + height - 0.03), 0), "mirror")
    return b.model()


def towel_rail(width: float = 0.6) -> Model:
    """A rail on the wall at x = 0 with a towel in slot `towel`."""
    b = Builder()
    for y in (-width / 2, width / 2):
        b.add(tube([(0, y, 1.20), (0.07, y, 1.20)], 0.008, 8), "metal")
    b.add(tube([(0.07, -width / 2 - 0.01, 1.20), (0.07, width / 2 + 0.01, 1.20)], 0.008, 10), "metal")
    b.add(move(cushion((0.022, width - 0.14, 0.58), 0.01), (0.085, 0, 0.635)), "knit@towel")
    b.add(move(cushion((0.022, width - 0.14, 0.38), 0.01), (0.055, 0, 0.835)), "knit@towel")
    b.add(move(cushion((0.054, width - 0.14, 0.026), 0.012), (0.07, 0, 1.198)), "knit@towel")
    return b.model()


def bath_mat() -> Model:
    """A thick small rug in slot `body`."""
    b = Builder()
    b.add(cushion((0.5, 0.8, 0.018), 0.008), "knit@body")
    return b.model((0.018, -0.22, -0.37, 0.22, 0.37))
