"""Tables, desks and benches."""

from __future__ import annotations

import numpy as np

from stbench_world.catalogue.model import Builder, Model
from stbench_world.catalogue.shapes import box, cylinder, leg, move, prism, rounded_rectangle, tube


def dining_table(length: float = 1.6, depth: float = 0.9) -> Model:
    """A wooden table along y with tapered legs."""
    b = Builder()
    b.add(box((-depth / 2, -length / 2, 0.715), (depth / 2, length / 2, 0.75), 0.006), "oak")
    for x in (-depth / 2 + 0.09, depth / 2 - 0.09):
        for y in (-length / 2 + 0.10, length / 2 - 0.10):
            b.add(leg(x, y, 0, 0.72, 0.042, 0.065), "oak")
    for y in (-length / 2 + 0.10, length / 2 - 0.10):
        b.add(box((-depth / 2 + 0.10, y - 0.011, 0.63), (depth / 2 - 0.10, y + 0.011, 0.72)), "oak")
    for x in (-depth / 2 + 0.09, depth / 2 - 0.09):
        b.add(box((x - 0.011, -length / 2 + 0.10, 0.63), (x + 0.011, length / 2 - 0.10, 0.72)), "oak")
    return b.model((0.75, -depth / 2, -length / 2, depth / 2, length / 2))


def coffee_table(length: float = 1.1, depth: float = 0.6) -> Model:
    """A low walnut table with rounded corners and a shelf below."""
    b = Builder()
    b.add(prism(rounded_rectangle(depth, length, 0.08), 0.385, 0.415), "walnut:y")
    b.add(prism(rounded_rectangle(depth - 0.16, length - 0.16, 0.05), 0.14, 0.16), "walnut:y")
    for x in (-depth / 2 + 0.07, depth / 2 - 0.07):
        for y in (-length / 2 + 0.09, length / 2 - 0.09):
            b.add(tube([(x, y, 0.0), (x, y, 0.39)], 0.017), "metal#2a2a2c")
    return b.model(
        (0.415, -depth / 2, -length / 2, depth / 2, length / 2),
        (0.16, -depth / 2 + 0.1, -length / 2 + 0.12, depth / 2 - 0.1, length / 2 - 0.12),
    )


def side_table() -> Model:
    """A small round table, its top painted in slot `body`."""
    b = Builder()
    b.add(move(cylinder(0.22, 0, 0.022, 40, 0.004), (0, 0, 0.50)), "lacquer@body")
    b.add(cylinder(0.016, 0.01, 0.51), "metal#2a2a2c")
    b.add(cylinder(0.15, 0, 0.014, 40), "metal#2a2a2c")
    return b.model((0.522, -0.15, -0.15, 0.15, 0.15))


def desk(length: float = 1.4, depth: float = 0.65) -> Model:
    """A desk with a drawer block on its left."""
    b = Builder()
    b.add(box((-depth / 2, -length / 2, 0.715), (depth / 2, length / 2, 0.74), 0.004), "oak")
    for x in (-depth / 2 + 0.05, depth / 2 - 0.05):
        b.add(box((x - 0.02, -length / 2 + 0.03, 0), (x + 0.02, -length / 2 + 0.07, 0.716)), "metal#e8e8e6")
    y0, y1 = length / 2 - 0.44, length / 2 - 0.03
    b.add(box((-depth / 2 + 0.03, y0, 0.0), (depth / 2 - 0.035, y1, 0.716)), "lacquer#ece9e2")
    for i in range(3):
        z = 0.03 + i * 0.225
        b.add(
            box((depth / 2 - 0.034, y0 + 0.004, z), (depth / 2 - 0.014, y1 - 0.004, z + 0.22), 0.003), "lacquer#ece9e2"
        )
        b.add(
            box(
                (depth / 2 - 0.016, (y0 + y1) / 2 - 0.06, z + 0.17),
                (depth / 2 - 0.002, (y0 + y1) / 2 + 0.06, z + 0.182),
            ),
            "metal",
        )
    return b.model((0.74, -depth / 2, -length / 2, depth / 2, length / 2))


def bench(length: float = 1.0) -> Model:
    """A hall bench with a slatted shelf for shoes; its cushion in slot `seat`."""
    b = Builder()
    for y in (-length / 2 + 0.04, length / 2 - 0.04):
        for x in (-0.15, 0.15):
            b.add(leg(x, y, 0, 0.42, 0.035, 0.04), "oak")
    b.add(box((-0.19, -length / 2, 0.41), (0.19, length / 2, 0.44), 0.005), "oak")
    for x in np.linspace(-0.14, 0.14, 5):
        b.add(box((x - 0.022, -length / 2 + 0.02, 0.13), (x + 0.022, length / 2 - 0.02, 0.15)), "oak")
    return b.model(
        (0.44, -0.19, -length / 2, 0.19, length / 2), (0.15, -0.15, -length / 2 + 0.07, 0.15, length / 2 - 0.07)
    )


def console_table(length: float = 1.1) -> Model:
    """A narrow hall table with one drawer front."""
    b = Builder()
    b.add(box((-0.16, -length / 2, 0.79), (0.16, length / 2, 0.815), 0.004), "walnut")
    b.add(box((-0.145, -length / 2 + 0.03, 0.66), (0.145, length / 2 - 0.03, 0.792)), "walnut")
    b.add(box((0.143, -length / 2 + 0.06, 0.675), (0.155, length / 2 - 0.06, 0.775), 0.003), "walnut")
    for y in (-0.2, 0.2):
        b.add(move(cylinder(0.012, 0, 0.012, 12), (0.158, y, 0.72)), "metal#b08d4a")
    for x in (-0.12, 0.12):
        for y in (-length / 2 + 0.06, length / 2 - 0.06):
            b.add(leg(x, y, 0, 0.67, 0.025, 0.04), "walnut")
    return b.model((0.815, -0.16, -length / 2, 0.16, length / 2))
