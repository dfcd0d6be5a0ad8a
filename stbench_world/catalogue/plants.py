"""House plants in pots; the pot's colour is slot `pot`."""

from __future__ import annotations

import numpy as np

from stbench_scoring.seeds import rng
from stbench_world.catalogue.model import Builder, Model, Part
from stbench_world.catalogue.shapes import lathe, loft, quads_to_triangles, tube


def _pot(b: Builder, radius: float, height: float) -> None:
    r, h = radius, height
    b.add(
        lathe(
            [(0, 0), (0.72 * r, 0), (0.74 * r, 0.01), (r, h), (0.93 * r, h), (0.90 * r, 0.88 * h), (0, 0.88 * h)], 32
        ),
        "ceramic@pot",
    )
    b.add(lathe([(0, 0.86 * h), (0.9 * r, 0.86 * h), (0.9 * r, 0.9 * h), (0, 0.91 * h)], 24), "soil")


def blade(
    base: tuple[float, float, float], heading: float, length: float, width: float, rise: float, droop: float
) -> Part:
    """A thin closed leaf that rises from `base` and bends over along `heading` (radians)."""
    t = np.linspace(0, 1, 9)
    out = length * (t * np.cos(rise) + 0.35 * droop * t**2)
    up = length * (t * np.sin(rise) - droop * t**2.2)
    half = width / 2 * np.sin(np.pi * np.clip(t * 0.93 + 0.05, 0, 1)) ** 0.8 + 0.0006
    forward, left = np.array([np.cos(heading), np.sin(heading), 0]), np.array([-np.sin(heading), np.cos(heading), 0])
    spine = np.asarray(base) + out[:, None] * forward + up[:, None] * np.array([0, 0, 1.0])
    fold = np.array([0, 0, 1.0]) * (half * 0.35)[:, None]
    rows = [spine + left * half[:, None] + fold, spine, spine - left * half[:, None] + fold]
    top = np.stack(rows, 1)
    m = len(t)
    lower = top - np.array([0, 0, 0.0012])
    vertices = np.concatenate([top.reshape(-1, 3), lower.reshape(-1, 3)])
    at = np.arange(m * 3).reshape(m, 3)
    count = m * 3
    cells = np.stack([at[:-1, 1:], at[1:, 1:], at[1:, :-1], at[:-1, :-1]], -1).reshape(-1, 4)
    rim = np.concatenate([at[:, 2], at[-1, 1::-1], at[-2::-1, 0], at[0, 1:2]])
    after = np.roll(rim, -1)
    sides = np.stack([rim, rim + count, after + count, after], 1)
    return vertices, quads_to_triangles(np.concatenate([cells, cells[:, ::-1] + count, sides]))


def potted_palm(height: float = 1.2) -> Model:
    """A tall plant with long arching leaves."""
    b = Builder()
    _pot(b, 0.18, 0.32)
    draw = rng("plant", "palm")
    for i in range(34):
        heading = i * 2.39996 + draw.uniform(-0.2, 0.2)
        grown = 0.45 + 0.55 * (i / 33)
        base = (0.05 * np.cos(heading), 0.05 * np.sin(heading), 0.27)
        stem = height * (0.35 + 0.35 * grown) - 0.1
        lean = 0.10 + 0.16 * (1 - grown)
        tip = (base[0] + lean * np.cos(heading), base[1] + lean * np.sin(heading), base[2] + stem * 0.8)
        b.add(
            tube([base, ((base[0] + tip[0]) / 2.2, (base[1] + tip[1]) / 2.2, (base[2] + tip[2]) / 2), tip], 0.004, 6),
            "leaf#4c6b2f",
        )
        b.add(
            blade(tip, heading, 0.34, 0.10, 0.75 + 0.3 * grown, 0.75), f"leaf#{('2f5d2a', '386b30', '2a5226')[i % 3]}"
        )
    return b.model()


def snake_plant(height: float = 0.7) -> Model:
    """Upright sword leaves in a pot."""
    b = Builder()
    _pot(b, 0.13, 0.22)
    draw = rng("plant", "snake")
    for i in range(16):
        heading = i * 2.39996
        r = 0.02 + 0.05 * (i / 16)
        base = (r * np.cos(heading), r * np.sin(heading), 0.19)
        b.add(
            blade(base, heading, (height - 0.2) * draw.uniform(0.7, 1.0), 0.055, 1.40, 0.02),
            f"leaf#{('3d6b3a', '5b8348')[i % 2]}",
        )
    return b.model()


def small_plant() -> Model:
    """A bushy little plant for a shelf or a sill."""
    b = Builder()
    _pot(b, 0.065, 0.105)
    draw = rng("plant", "small")
    for i in range(46):
        heading = i * 2.39996
        rise = draw.uniform(0.35, 1.35)
        base = (0.02 * np.cos(heading), 0.02 * np.sin(heading), 0.09 + 0.05 * draw.uniform())
        b.add(
            blade(base, heading, draw.uniform(0.08, 0.13), 0.042, rise, 0.55),
            f"leaf#{('3f7a35', '4f8f3f', '346b2e')[i % 3]}",
        )
    return b.model()


def cactus() -> Model:
    """A ribbed cactus in a pot."""
    b = Builder()
    _pot(b, 0.06, 0.09)
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    rib = 1 + 0.10 * np.cos(10 * angles)
    loops = []
    for z, r in ((0.075, 0.030), (0.10, 0.038), (0.15, 0.040), (0.19, 0.034), (0.215, 0.018), (0.222, 0.004)):
        loops.append(np.stack([r * rib * np.cos(angles), r * rib * np.sin(angles), np.full(40, z)], 1))
    b.add(loft(loops), "leaf#4a7d4a")
    return b.model()
