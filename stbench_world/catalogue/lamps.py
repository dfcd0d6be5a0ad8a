"""Lamps; the shade glows in the renderer."""

from __future__ import annotations

import numpy as np

from stbench_world.catalogue.model import Builder, Model
from stbench_world.catalogue.shapes import ball, cylinder, lathe, move, tube


def floor_lamp() -> Model:
    """A floor lamp with a cloth shade."""
    b = Builder()
    b.add(cylinder(0.14, 0, 0.022, 36), "metal#2a2a2c")
    b.add(cylinder(0.011, 0.02, 1.42, 12), "metal#2a2a2c")
    b.add(lathe([(0.20, 1.30), (0.205, 1.30), (0.15, 1.58), (0.145, 1.58)], 40), "shade@shade")
    return b.model()


def table_lamp() -> Model:
    """A table lamp on a ceramic foot in slot `body`."""
    b = Builder()
    b.add(
        lathe(
            [(0, 0), (0.06, 0), (0.066, 0.008), (0.075, 0.06), (0.055, 0.13), (0.018, 0.18), (0.012, 0.26), (0, 0.26)],
            32,
        ),
        "ceramic@body",
    )
    b.add(lathe([(0.13, 0.22), (0.133, 0.22), (0.095, 0.40), (0.092, 0.40)], 36), "shade@shade")
    return b.model()


def pendant(drop: float = 0.75, radius: float = 0.22, ceiling: float = 2.5) -> Model:
    """A lamp hanging from the ceiling, painted in slot `body`; its origin is its projection on the floor."""
    b = Builder()
    z = ceiling - drop
    b.add(cylinder(0.045, ceiling - 0.025, ceiling - 0.0005, 24), "metal#2a2a2c")
    b.add(cylinder(0.004, z + 0.16, ceiling - 0.02, 8), "plastic#1c1c1e")
    b.add(
        lathe(
            [
                (radius - 0.004, z),
                (radius, z + 0.002),
                (radius * 0.75, z + 0.11),
                (0.04, z + 0.18),
                (0.03, z + 0.175),
                (radius * 0.72, z + 0.105),
            ],
            40,
        ),
        "lacquer@body",
    )
    b.add(ball(0.05, (0, 0, z + 0.07)), "glow")
    return b.model()


def ceiling_lamp(radius: float = 0.21, ceiling: float = 2.5) -> Model:
    """A flat round lamp at the ceiling; its origin is its projection on the floor."""
    b = Builder()
    b.add(
        lathe(
            [
                (0, ceiling - 0.09),
                (radius * 0.8, ceiling - 0.088),
                (radius * 0.97, ceiling - 0.06),
                (radius, ceiling - 0.02),
                (0, ceiling - 0.02),
            ],
            40,
        ),
        "glow",
    )
    b.add(cylinder(radius * 0.9, ceiling - 0.022, ceiling - 0.0005, 40), "metal")
    return b.model()


def desk_lamp() -> Model:
    """An articulated desk lamp in slot `body`."""
    b = Builder()
    b.add(cylinder(0.085, 0, 0.02, 32, 0.004), "lacquer@body")
    b.add(tube([(0, 0, 0.018), (-0.10, 0, 0.22), (0.02, 0, 0.42)], 0.008, 10), "lacquer@body")
    shade = lathe(
        [(0.0, 0.06), (0.03, 0.06), (0.035, 0.05), (0.075, -0.05), (0.071, -0.05), (0.03, 0.045), (0, 0.045)], 32
    )
    tilt = np.radians(-35)
    turned = shade[0] @ np.array([[np.cos(tilt), 0, np.sin(tilt)], [0, 1, 0], [-np.sin(tilt), 0, np.cos(tilt)]]).T
    b.add(move((turned, shade[1]), (0.055, 0, 0.40)), "lacquer@body")
    return b.model()
