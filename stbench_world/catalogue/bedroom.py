"""Beds and their bedding."""

from __future__ import annotations

import numpy as np

from stbench_world.catalogue.model import Builder, Model, Part
from stbench_world.catalogue.shapes import box, cushion, leg, move, pillow, sheet, turn


def bed(width: float = 1.5, length: float = 2.0) -> Model:
    """A double bed, its head at -x: frame, headboard, mattress, duvet in slot `duvet`, pillows in slot `pillow`."""
    b = Builder()
    full = length + 0.10
    b.add(box((-full / 2, -width / 2 - 0.04, 0.18), (full / 2, width / 2 + 0.04, 0.30), 0.006), "oak")
    for x in (-full / 2 + 0.06, full / 2 - 0.06):
        for y in (-width / 2, width / 2):
            b.add(leg(x, y, 0, 0.185, 0.045, 0.06), "oak")
    b.add(move(cushion((0.09, width + 0.10, 0.95), 0.04), (-full / 2 - 0.01, 0, 0.12)), "fabric@head")
    b.add(move(cushion((length, width, 0.24), 0.05), (0, 0, 0.26)), "fabric#f1efe9")
    b.add(_duvet(width, length), "fabric@duvet")
    for y in (-width / 4, width / 4):
        b.add(
            move(turn(pillow(0.42, width / 2 - 0.08, 0.17), "y", -14), (-length / 2 + 0.24, y, 0.535)), "fabric@pillow"
        )
    return b.model((0.560, 0.0, -0.4, 0.7, 0.4))


def _duvet(width: float, length: float) -> Part:
    """A duvet over the mattress, hanging over its sides, with soft folds."""
    u = np.linspace(-0.30, 1.0, 40)
    v = np.linspace(-1.0, 1.0, 61)
    over = width / 2 + 0.03
    arc = np.interp(v, [-1, -0.8, 0.8, 1], [-over - 0.22, -over, over, over + 0.22])
    x = np.repeat((u * (length / 2 + 0.02))[:, None], len(v), 1)
    side = np.clip(np.abs(arc) - over, 0, None)[None, :]
    y = np.clip(arc, -over - 0.012, over + 0.012)[None, :] + np.sign(arc)[None, :] * 0.02 * np.tanh(side * 12)
    y = np.repeat(y, len(u), 0)
    folds = 0.003 * np.sin(7 * x + 3 * np.sin(2.2 * y)) * np.cos(3.1 * y) + 0.002 * np.sin(13 * y + 5 * x)
    round_edge = 0.04 * np.clip(1 - (over - np.abs(arc)) / 0.09, 0, 1)[None, :] ** 2
    z = 0.555 + folds * np.exp(-side * 6) - np.where(side > 0, 0.04 + side, round_edge)
    y = y + np.where(side > 0.02, 0.012 * np.sin(16 * x) * np.sign(y), 0)
    return sheet(np.stack([x, y, z], -1), 0.035)


def blanket() -> Model:
    """A folded blanket in slot `body`."""
    b = Builder()
    b.add(cushion((0.30, 0.42, 0.05), 0.022), "knit@body")
    b.add(move(cushion((0.295, 0.415, 0.045), 0.02), (0.003, 0.002, 0.046)), "knit@body")
    return b.model((0.091, -0.1, -0.15, 0.1, 0.15))
