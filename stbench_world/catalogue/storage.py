"""Shelves, sideboards, wardrobes and chests of drawers."""

from __future__ import annotations

import numpy as np

from stbench_world.catalogue.model import Builder, Model, Surface
from stbench_world.catalogue.shapes import box, leg


def bookcase(width: float = 0.9, height: float = 1.9, depth: float = 0.30, boards: int = 5, wood: str = "oak") -> Model:
    """An open bookcase; its shelves are surfaces, lowest first."""
    b = Builder()
    t = 0.022
    for y0 in (-width / 2, width / 2 - t):
        b.add(box((-depth / 2, y0, 0), (depth / 2, y0 + t, height), 0.002), wood)
    b.add(box((-depth / 2, -width / 2 + t, 0.0), (-depth / 2 + 0.008, width / 2 - t, height - t), 0), wood)
    b.add(box((depth / 2 - 0.035, -width / 2 + t, 0.0), (depth / 2 - 0.015, width / 2 - t, 0.06), 0.001), wood)
    surfaces: list[Surface] = []
    for z in np.linspace(0.06, height - t, boards + 1):
        b.add(
            box(
                (-depth / 2 + 0.004, -width / 2 + t - 0.001, z),
                (depth / 2 - 0.002, width / 2 - t + 0.001, z + t),
                0.002,
            ),
            wood,
        )
        surfaces.append(
            (float(z) + t, -depth / 2 + 0.012, -width / 2 + t + 0.004, depth / 2 - 0.01, width / 2 - t - 0.004)
        )
    return Model(b.mesh(), tuple(surfaces))


def tv_bench(length: float = 1.6) -> Model:
    """A low bench for a television: two door fronts beside an open middle."""
    b = Builder()
    d, h = 0.40, 0.46
    b.add(box((-d / 2, -length / 2, h - 0.025), (d / 2, length / 2, h), 0.004), "oak")
    b.add(box((-d / 2, -length / 2, 0.12), (d / 2, length / 2, 0.145)), "oak")
    b.add(box((-d / 2, -length / 2 + 0.001, 0.14), (-d / 2 + 0.01, length / 2 - 0.001, h - 0.02), 0), "oak")
    third = length / 3
    for y in (-length / 2, -third / 2 - 0.01, third / 2 - 0.01, length / 2 - 0.02):
        b.add(box((-d / 2, y, 0.13), (d / 2 - 0.002, y + 0.02, h - 0.01)), "oak")
    for side in (-1, 1):
        y0, y1 = sorted((side * (third / 2 + 0.013), side * (length / 2 - 0.003)))
        b.add(box((d / 2 - 0.018, y0, 0.148), (d / 2 + 0.002, y1, h - 0.028), 0.003), "lacquer#e9e6df")
        b.add(
            box(
                (d / 2, side * (third / 2 + 0.05) - 0.006, 0.26),
                (d / 2 + 0.018, side * (third / 2 + 0.05) + 0.006, 0.34),
            ),
            "metal#2a2a2c",
        )
    for x in (-0.14, 0.14):
        for y in (-length / 2 + 0.1, length / 2 - 0.1):
            b.add(leg(x, y, 0, 0.125, 0.025, 0.04), "oak")
    return b.model(
        (h, -d / 2, -length / 2, d / 2, length / 2),
        (0.145, -d / 2 + 0.02, -third / 2 + 0.02, d / 2 - 0.02, third / 2 - 0.02),
    )


def sideboard(length: float = 1.4, height: float = 0.78) -> Model:
    """A sideboard with three doors painted in slot `front`."""
    b = Builder()
    d = 0.42
    b.add(box((-d / 2, -length / 2, 0.13), (d / 2 - 0.02, length / 2, height - 0.02), 0.003), "oak")
    b.add(box((-d / 2, -length / 2 - 0.01, height - 0.025), (d / 2 + 0.01, length / 2 + 0.01, height), 0.004), "oak")
    n = 3
    for i in range(n):
        y0 = -length / 2 + 0.012 + i * (length - 0.02) / n
        y1 = y0 + (length - 0.02) / n - 0.004
        b.add(box((d / 2 - 0.022, y0, 0.145), (d / 2, y1, height - 0.032), 0.003), "lacquer@front")
        b.add(box((d / 2 - 0.002, y1 - 0.05, height - 0.17), (d / 2 + 0.016, y1 - 0.04, height - 0.07)), "metal#b08d4a")
    for x in (-0.15, 0.15):
        for y in (-length / 2 + 0.08, length / 2 - 0.08):
            b.add(leg(x, y, 0, 0.135, 0.028, 0.042), "oak")
    return b.model((height, -d / 2, -length / 2, d / 2, length / 2))


def chest_of_drawers(width: float = 0.9, height: float = 0.95, rows: int = 4) -> Model:
    """A chest with drawers; body and fronts painted in slot `body`."""
    b = Builder()
    d = 0.46
    b.add(box((-d / 2, -width / 2, 0.05), (d / 2 - 0.02, width / 2, height - 0.02), 0.003), "lacquer@body")
    b.add(box((-d / 2 + 0.02, -width / 2 + 0.02, 0), (d / 2 - 0.05, width / 2 - 0.02, 0.055), 0), "lacquer@body")
    b.add(box((-d / 2, -width / 2 - 0.008, height - 0.024), (d / 2 + 0.008, width / 2 + 0.008, height), 0.004), "oak")
    each = (height - 0.024 - 0.06) / rows
    for i in range(rows):
        z = 0.058 + i * each
        b.add(
            box((d / 2 - 0.022, -width / 2 + 0.006, z), (d / 2, width / 2 - 0.006, z + each - 0.005), 0.004),
            "lacquer@body",
        )
        for y in (-width / 4, width / 4):
            b.add(
                box((d / 2 - 0.002, y - 0.05, z + each / 2 - 0.005), (d / 2 + 0.022, y + 0.05, z + each / 2 + 0.005)),
                "metal#b08d4a",
            )
    return b.model((height, -d / 2, -width / 2, d / 2, width / 2))


def wardrobe(width: float = 1.8, height: float = 2.1, doors: int = 3) -> Model:
    """A wardrobe with panelled doors painted in slot `body`."""
    b = Builder()
    d = 0.58
    b.add(box((-d / 2, -width / 2, 0.0), (d / 2 - 0.022, width / 2, height), 0.003), "lacquer@body")
    each = (width - 0.01) / doors
    for i in range(doors):
        y0 = -width / 2 + 0.006 + i * each
        y1 = y0 + each - 0.004
        _panel_door(b, d / 2 - 0.022, y0, y1, 0.07, height - 0.008)
        y = y1 - 0.05 if i % 2 == 0 else y0 + 0.05
        b.add(box((d / 2 - 0.004, y - 0.006, 0.95), (d / 2 + 0.028, y + 0.006, 1.15)), "metal#b08d4a")
    return b.model((height, -d / 2, -width / 2, d / 2, width / 2))


def _panel_door(b: Builder, x: float, y0: float, y1: float, z0: float, z1: float) -> None:
    """A door with a raised frame round a flat panel, its back at x."""
    frame = 0.07
    b.add(box((x, y0, z0), (x + 0.012, y1, z1), 0.001), "lacquer@body")
    for a0, a1, c0, c1 in (
        (y0, y0 + frame, z0, z1),
        (y1 - frame, y1, z0, z1),
        (y0 + frame - 0.002, y1 - frame + 0.002, z0, z0 + frame),
        (y0 + frame - 0.002, y1 - frame + 0.002, z1 - frame, z1),
    ):
        b.add(box((x, a0, c0), (x + 0.022, a1, c1), 0.003), "lacquer@body")


def bedside_table() -> Model:
    """A bedside table with one drawer and an open shelf."""
    b = Builder()
    d, w, h = 0.40, 0.45, 0.50
    for y0 in (-w / 2, w / 2 - 0.02):
        b.add(box((-d / 2, y0, 0.10), (d / 2, y0 + 0.02, h - 0.018)), "oak")
    b.add(box((-d / 2, -w / 2, h - 0.02), (d / 2, w / 2, h), 0.003), "oak")
    b.add(box((-d / 2, -w / 2 + 0.01, 0.10), (d / 2 - 0.002, w / 2 - 0.01, 0.12)), "oak")
    b.add(box((-d / 2, -w / 2 + 0.01, 0.31), (d / 2 - 0.03, w / 2 - 0.01, h - 0.01)), "oak")
    b.add(
        box((d / 2 - 0.028, -w / 2 + 0.023, 0.312), (d / 2 - 0.006, w / 2 - 0.023, h - 0.024), 0.003), "lacquer#ece9e2"
    )
    b.add(box((d / 2 - 0.008, -0.05, 0.395), (d / 2 + 0.012, 0.05, 0.405)), "metal#b08d4a")
    b.add(box((-d / 2, -w / 2 + 0.01, 0.11), (-d / 2 + 0.01, w / 2 - 0.01, 0.32), 0), "oak")
    for x in (-d / 2 + 0.04, d / 2 - 0.04):
        for y in (-w / 2 + 0.04, w / 2 - 0.04):
            b.add(leg(x, y, 0, 0.105, 0.024, 0.034), "oak")
    return b.model((h, -d / 2, -w / 2, d / 2, w / 2), (0.12, -d / 2 + 0.02, -w / 2 + 0.03, d / 2 - 0.03, w / 2 - 0.03))


def coat_rack(width: float = 0.9) -> Model:
    """A wall board with pegs; its origin is its middle's projection on the floor, its back the wall."""
    b = Builder()
    b.add(box((0, -width / 2, 1.62), (0.022, width / 2, 1.74), 0.004), "oak")
    for y in np.linspace(-width / 2 + 0.1, width / 2 - 0.1, 5):
        b.add(box((0.02, y - 0.009, 1.655), (0.085, y + 0.009, 1.673), 0.004), "metal#2a2a2c")
    return b.model()
