"""Sofas, armchairs, chairs and stools."""

from __future__ import annotations

import numpy as np

from stbench_world.catalogue.model import Builder, Model
from stbench_world.catalogue.shapes import Points, box, cushion, cylinder, leg, loft, move, pillow, tube, turn


def sofa(width: float = 2.1, seats: int = 3) -> Model:
    """A sofa with loose seat and back cushions; fabric in slot `body`."""
    b = Builder()
    depth, arm, seat = 0.90, 0.17, 0.30
    inner = width - 2 * arm
    b.add(move(cushion((depth, width - 0.02, 0.20), 0.03), (0, 0, 0.10)), "fabric@body")
    for side in (-1, 1):
        y = side * (width - arm) / 2
        b.add(move(cushion((depth, arm, 0.50), 0.05, 0.01), (0, y, 0.10)), "fabric@body")
        for x in (-depth / 2 + 0.07, depth / 2 - 0.07):
            b.add(leg(x, side * (width / 2 - 0.08), 0, 0.11, 0.03, 0.045), "walnut")
    b.add(move(cushion((0.20, width - 0.03, 0.68), 0.05), (-depth / 2 + 0.10, 0, 0.10)), "fabric@body")
    each = inner / seats
    for i in range(seats):
        y = -inner / 2 + each * (i + 0.5)
        b.add(move(cushion((0.70, each - 0.008, 0.16), 0.05, 0.025), (0.10, y, seat - 0.015)), "fabric@body")
        back = turn(cushion((0.18, each - 0.015, 0.44), 0.07, 0.02), "y", -10)
        b.add(move(back, (-depth / 2 + 0.27, y, seat + 0.13)), "fabric@body")
    top = seat - 0.015 + 0.16 + 0.025
    return b.model((top, -0.1, -inner / 2 + 0.05, 0.4, inner / 2 - 0.05))


def armchair() -> Model:
    """A low armchair with wooden legs; fabric in slot `body`."""
    b = Builder()
    for x in (-0.30, 0.30):
        for y in (-0.30, 0.30):
            b.add(leg(x, y, 0, 0.17, 0.025, 0.04, (np.sign(x) * 0.03, np.sign(y) * 0.03)), "oak")
    b.add(move(cushion((0.74, 0.72, 0.14), 0.04), (0, 0, 0.16)), "fabric@body")
    b.add(move(cushion((0.62, 0.54, 0.15), 0.05, 0.03), (0.07, 0, 0.29)), "fabric@body")
    for side in (-1, 1):
        b.add(move(cushion((0.74, 0.13, 0.40), 0.055), (0, side * 0.325, 0.17)), "fabric@body")
    b.add(move(turn(cushion((0.17, 0.72, 0.68), 0.07), "y", -12), (-0.28, 0, 0.19)), "fabric@body")
    b.add(move(turn(cushion((0.14, 0.52, 0.42), 0.06, 0.02), "y", -14), (-0.17, 0, 0.42)), "fabric@body")
    return b.model((0.47, -0.05, -0.2, 0.3, 0.2))


def scatter_cushion(size: float = 0.42) -> Model:
    """A square cushion lying flat; fabric in slot `body`."""
    b = Builder()
    b.add(pillow(size, size, 0.14), "fabric@body")
    return b.model()


def dining_chair() -> Model:
    """A wooden chair with a slatted back and a padded seat in slot `seat`."""
    b = Builder()
    for y in (-0.19, 0.19):
        b.add(leg(0.18, y, 0, 0.44, 0.026, 0.036, (0.015, np.sign(y) * 0.01)), "oak")
        b.add(
            loft([_square(-0.23, y, 0, 0.026), _square(-0.19, y, 0.44, 0.036), _square(-0.27, y, 0.86, 0.024)]), "oak"
        )
        b.add(box((-0.20, y - 0.011, 0.385), (0.18, y + 0.011, 0.435)), "oak")
    for x in (-0.185, 0.175):
        b.add(box((x - 0.011, -0.19, 0.385), (x + 0.011, 0.19, 0.435)), "oak")
    b.add(move(cushion((0.43, 0.44, 0.045), 0.015, 0.008), (0.0, 0, 0.433)), "fabric@seat")
    for z in (0.58, 0.69, 0.80):
        x = -0.19 - 0.08 * (z - 0.44) / 0.42
        b.add(box((x - 0.009, -0.185, z - 0.028), (x + 0.009, 0.185, z + 0.028)), "oak")
    return b.model((0.485, -0.15, -0.16, 0.15, 0.16))


def _square(x: float, y: float, z: float, size: float) -> Points:
    h = size / 2
    return np.array([[x - h, y - h, z], [x + h, y - h, z], [x + h, y + h, z], [x - h, y + h, z]])


def desk_chair() -> Model:
    """A swivel chair on five castors; fabric in slot `body`."""
    b = Builder()
    for i in range(5):
        angle = np.radians(72 * i)
        c, s = float(np.cos(angle)), float(np.sin(angle))
        b.add(tube([(0.02 * c, 0.02 * s, 0.10), (0.29 * c, 0.29 * s, 0.075)], 0.019), "plastic#1c1c1e")
        b.add(
            turn(move(turn(cylinder(0.027, -0.018, 0.018, 16), "x", 90), (0.29, 0, 0.027)), "z", 72 * i),
            "plastic#1c1c1e",
        )
    b.add(cylinder(0.035, 0.07, 0.20), "plastic#1c1c1e")
    b.add(cylinder(0.022, 0.18, 0.43), "metal")
    b.add(move(cushion((0.47, 0.48, 0.09), 0.04, 0.015), (0.02, 0, 0.42)), "fabric@body")
    b.add(tube([(-0.12, 0, 0.43), (-0.27, 0, 0.44), (-0.30, 0, 0.52), (-0.29, 0, 0.72)], 0.02), "plastic#1c1c1e")
    b.add(move(turn(cushion((0.08, 0.44, 0.52), 0.035, 0.01), "y", -6), (-0.23, 0, 0.54)), "fabric@body")
    return b.model((0.53, -0.1, -0.15, 0.15, 0.15))


def stool() -> Model:
    """A low round wooden stool, painted in slot `body`."""
    b = Builder()
    for i in range(3):
        angle = np.radians(120 * i + 30)
        c, s = float(np.cos(angle)), float(np.sin(angle))
        b.add(tube([(0.17 * c, 0.17 * s, 0.0022), (0.12 * c, 0.12 * s, 0.42)], 0.016), "oak")
    b.add(move(cylinder(0.17, 0, 0.035, 32, 0.008), (0, 0, 0.415)), "lacquer@body")
    return b.model((0.45, -0.1, -0.1, 0.1, 0.1))
