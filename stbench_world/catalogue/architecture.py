"""Walls with openings, floors, ceilings, windows and door frames, in the `map` frame's axes."""

from __future__ import annotations

from stbench_world.catalogue.model import Builder, Model
from stbench_world.catalogue.shapes import box


def block(size_x: float, size_y: float, z0: float, z1: float, material: str) -> Model:
    """A plain block centred on the origin in x and y, from z0 to z1: a piece of wall, floor, ceiling or skirting."""
    b = Builder()
    b.add(box((-size_x / 2, -size_y / 2, z0), (size_x / 2, size_y / 2, z1), 0), material)
    return b.model()


def window_frame(width: float, z0: float, z1: float, thickness: float) -> Model:
    """A window without glass, along y: casing, two casements and a sill that juts out towards +x (the room)."""
    b = Builder()
    rim, deep = 0.055, 0.06
    sides = ((-width / 2, -width / 2 + rim), (-rim / 2, rim / 2), (width / 2 - rim, width / 2))
    for y0, y1 in sides:
        b.add(box((-deep / 2, y0, z0), (deep / 2, y1, z1), 0.005), "lacquer#f3f2ee")
    for low in (z0, z1 - rim):
        b.add(
            box((-deep / 2 + 0.002, -width / 2 + 0.002, low), (deep / 2 - 0.002, width / 2 - 0.002, low + rim), 0.005),
            "lacquer#f3f2ee",
        )
    b.add(
        box(
            (deep / 2 - 0.01, -width / 2 - 0.04, z0 - 0.004),
            (thickness / 2 + 0.09, width / 2 + 0.04, z0 + 0.022),
            0.005,
        ),
        "lacquer#f3f2ee",
    )
    return b.model((z0 + 0.022, thickness / 2 - 0.06, -width / 2 + 0.02, thickness / 2 + 0.08, width / 2 - 0.02))


def door_frame(width: float, height: float, thickness: float) -> Model:
    """The lining and architraves of a door opening along y; the clear opening is `width` less 0.04 m."""
    b = Builder()
    t, arch = 0.02, 0.07
    reveal = 0.005  # architraves stand back from the lining, as joiners set them: no two faces share a plane
    x = thickness / 2 + 0.012
    for side in (-1, 1):
        y0, y1 = sorted((side * (width / 2 - t), side * width / 2))
        b.add(box((-x + 0.002, y0, 0), (x - 0.002, y1, height), 0.002), "lacquer#f3f2ee")
        a0, a1 = sorted((side * (width / 2 - t + reveal), side * (width / 2 + arch)))
        for face in (-1, 1):
            x0, x1 = sorted((face * thickness / 2, face * x))
            b.add(box((x0, a0, 0), (x1, a1, height + arch), 0.003), "lacquer#f3f2ee")
    b.add(box((-x + 0.002, -width / 2, height - t), (x - 0.002, width / 2, height), 0.002), "lacquer#f3f2ee")
    for face in (-1, 1):
        x0, x1 = sorted((face * thickness / 2, face * x))
        b.add(box((x0, -width / 2, height - t + reveal), (x1, width / 2, height + arch), 0.003), "lacquer#f3f2ee")
    return b.model()


def closed_door(width: float = 0.95, height: float = 2.05) -> Model:
    """A panelled door leaf with a handle, standing proud of the wall at x = 0."""
    b = Builder()
    b.add(box((0, -width / 2, 0.002), (0.03, width / 2, height), 0.003), "lacquer@body")
    for z0, z1 in ((0.18, 0.95), (1.10, 1.90)):
        for y0, y1 in ((-width / 2 + 0.12, -0.05), (0.05, width / 2 - 0.12)):
            b.add(box((0.029, y0, z0), (0.038, y1, z1), 0.004), "lacquer@body")
    b.add(box((0.03, width / 2 - 0.10, 0.98), (0.075, width / 2 - 0.085, 1.0), 0.003), "metal")
    b.add(box((0.065, width / 2 - 0.22, 0.98), (0.08, width / 2 - 0.085, 1.0), 0.003), "metal")
    for side in (-1, 1):
        y0, y1 = sorted((side * width / 2, side * (width / 2 + 0.07)))
        b.add(box((0, y0, 0), (0.014, y1, height + 0.07), 0.003), "lacquer#f3f2ee")
    b.add(box((0, -width / 2, height), (0.014, width / 2, height + 0.07), 0.003), "lacquer#f3f2ee")
    return b.model()
