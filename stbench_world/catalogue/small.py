"""Small household things: books, boxes, baskets, toys and devices; colour in slot `body`."""

from __future__ import annotations

import numpy as np

from stbench_scoring.seeds import rng
from stbench_world.catalogue.model import Builder, Model
from stbench_world.catalogue.shapes import (
    Points,
    ball,
    box,
    cushion,
    cylinder,
    lathe,
    loft,
    move,
    rounded_rectangle,
    tube,
    turn,
)

SPINES = ("7a2e2a", "27456b", "c9a44c", "2f5a45", "d8d2c4", "4a3a55", "b5642f", "1f2a33", "8b9aa5", "a33b45")


def book() -> Model:
    """A thick hardback lying flat."""
    b = Builder()
    b.add(box((-0.085, -0.12, 0.0), (0.085, 0.12, 0.003), 0), "lacquer@body")
    b.add(box((-0.085, -0.12, 0.035), (0.085, 0.12, 0.038), 0), "lacquer@body")
    b.add(box((-0.087, -0.12, 0.0005), (-0.082, 0.12, 0.0375), 0), "lacquer@body")
    b.add(box((-0.083, -0.116, 0.002), (0.081, 0.116, 0.036), 0), "paper#efe9da")
    return b.model((0.038, -0.06, -0.09, 0.06, 0.09))


def book_row(length: float, seed: str) -> Model:
    """A row of standing books along y, spines towards +x; colours vary with the seed."""
    b = Builder()
    draw = rng("book_row", seed)
    y = -length / 2
    while y < length / 2 - 0.02:
        t = min(float(draw.uniform(0.016, 0.042)), length / 2 - y)
        h, d = float(draw.uniform(0.18, 0.255)), float(draw.uniform(0.13, 0.18))
        colour = SPINES[int(draw.integers(len(SPINES)))]
        front = 0.09 - float(draw.uniform(0, 0.01))
        b.add(box((front - d, y, 0), (front, y + t - 0.0012, h), 0.002), f"lacquer#{colour}")
        b.add(box((front - d + 0.003, y + 0.003, 0.003), (front - 0.004, y + t - 0.004, h + 0.0004), 0), "paper#efe9da")
        y += t
    return b.model()


def parcel(width: float = 0.30, depth: float = 0.22, height: float = 0.18) -> Model:
    """A taped cardboard box in slot `body`."""
    b = Builder()
    b.add(box((-depth / 2, -width / 2, 0), (depth / 2, width / 2, height), 0.003), "card@body")
    b.add(box((-depth / 2 - 0.0006, -0.025, 0.04), (depth / 2 + 0.0006, 0.025, height + 0.0006), 0), "gloss#b98f5a")
    return b.model((height + 0.0006, -depth / 2 + 0.02, -width / 2 + 0.02, depth / 2 - 0.02, width / 2 - 0.02))


def storage_box() -> Model:
    """A lidded storage box in slot `body`."""
    b = Builder()
    b.add(box((-0.10, -0.15, 0), (0.10, 0.15, 0.12), 0.006), "plastic@body")
    b.add(box((-0.105, -0.155, 0.115), (0.105, 0.155, 0.145), 0.006), "plastic@body")
    return b.model((0.145, -0.09, -0.14, 0.09, 0.14))


def basket(radius: float = 0.21, height: float = 0.40) -> Model:
    """A woven laundry basket with a rim and laundry in slot `cloth`; its weave in slot `body`."""
    b = Builder()
    r, h = radius, height
    b.add(
        lathe([(0, 0), (0.85 * r, 0), (0.88 * r, 0.01), (r, h), (0.96 * r, h), (0.84 * r, 0.02), (0, 0.018)], 40),
        "weave@body",
    )
    ring = np.linspace(0, 2 * np.pi, 41)
    for z in np.arange(0.04, h, 0.04):
        rr = (0.88 + 0.12 * z / h) * r
        loop = np.stack([rr * np.cos(ring), rr * np.sin(ring), np.full(41, z)], 1)
        b.add(tube(loop, 0.008, 6), "weave@body")
    b.add(move(cushion((1.5 * r, 1.35 * r, 0.16), 0.07, 0.03), (0, 0, h - 0.14)), "knit@cloth")
    return b.model()


def toy_car() -> Model:
    """A chunky toy car."""
    b = Builder()
    b.add(move(cushion((0.17, 0.085, 0.045), 0.018), (0, 0, 0.018)), "gloss@body")
    b.add(move(cushion((0.09, 0.075, 0.045), 0.02), (-0.01, 0, 0.05)), "gloss@body")
    for x in (-0.05, 0.052):
        for y in (-0.042, 0.042):
            b.add(move(turn(cylinder(0.021, -0.009, 0.009, 20, 0.003), "x", 90), (x, y, 0.021)), "plastic#1a1a1c")
    return b.model()


def ball_toy(radius: float = 0.09) -> Model:
    """A ball resting on the ground."""
    b = Builder()
    b.add(ball(radius, (0, 0, radius), 28), "plastic@body")
    return b.model()


def block_tower() -> Model:
    """Three stacked wooden toy blocks."""
    b = Builder()
    for i, colour in enumerate(("c8352b", "e2b52c", "2f66b5")):
        b.add(
            move(turn(box((-0.03, -0.03, 0), (0.03, 0.03, 0.06), 0.004), "z", 14 * i), (0, 0, 0.06 * i)),
            f"lacquer#{colour}",
        )
    return b.model()


def teddy() -> Model:
    """A sitting teddy bear in slot `body`."""
    b = Builder()

    def blob(size: tuple[float, float, float], at: tuple[float, float, float]) -> None:
        vertices, faces = ball(0.5, (0, 0, 0), 20)
        b.add((vertices * size + at, faces), "plush@body")

    blob((0.16, 0.18, 0.20), (0, 0, 0.10))
    blob((0.15, 0.16, 0.14), (0.01, 0, 0.255))
    for s in (-1, 1):
        blob((0.05, 0.06, 0.06), (0, s * 0.065, 0.32))
        blob((0.07, 0.07, 0.15), (0.04, s * 0.10, 0.14))
        blob((0.18, 0.08, 0.08), (0.11, s * 0.065, 0.04))
        b.add(ball(0.009, (0.079, s * 0.03, 0.275), 10), "gloss#101010")
    blob((0.06, 0.07, 0.05), (0.08, 0, 0.24))
    return b.model()


def laptop() -> Model:
    """An open laptop, its screen facing +x."""
    b = Builder()
    b.add(box((-0.11, -0.16, 0), (0.12, 0.16, 0.014), 0.004), "metal#9a9b9e")
    b.add(box((-0.09, -0.14, 0.0135), (0.03, 0.14, 0.0152), 0), "plastic#1c1c1e")
    lid = box((-0.004, -0.16, 0), (0.004, 0.16, 0.215), 0.003)
    b.add(move(turn(lid, "y", -14), (-0.108, 0, 0.010)), "metal#9a9b9e")
    b.add(
        move(turn(box((0.003, -0.15, 0.012), (0.0048, 0.15, 0.205), 0), "y", -14), (-0.108, 0, 0.010)), "screen#3f6f9f"
    )
    return b.model()


def television(width: float = 1.22) -> Model:
    """A flat television on two feet, its screen facing +x."""
    b = Builder()
    h = width * 0.57
    b.add(box((-0.025, -width / 2, 0.06), (0.02, width / 2, 0.06 + h), 0.004), "plastic#141416")
    b.add(box((0.019, -width / 2 + 0.012, 0.075), (0.0215, width / 2 - 0.012, 0.05 + h), 0), "gloss#08080b")
    for y in (-width / 3, width / 3):
        b.add(tube([(-0.11, y, 0.006), (0, y, 0.065), (0.11, y, 0.006)], 0.006, 8), "plastic#141416")
    return Model(_grounded(b).mesh)


def _grounded(b: Builder) -> Model:
    mesh = b.mesh()
    mesh.vertices[:, 2] -= mesh.vertices[:, 2].min()
    return Model(mesh)


def picture(width: float, height: float, z: float = 1.55) -> Model:
    """A framed picture whose middle is at height z, its back the wall at x = 0; canvas in slots `field`, `shape`, `low`."""
    b = Builder()
    z0, z1 = z - height / 2, z + height / 2
    rim = 0.022
    for y0, y1, c0, c1 in (
        (-width / 2, -width / 2 + rim, z0, z1),
        (width / 2 - rim, width / 2, z0, z1),
        (-width / 2, width / 2, z0, z0 + rim),
        (-width / 2, width / 2, z1 - rim, z1),
    ):
        b.add(box((0, y0, c0), (0.028, y1, c1), 0.003), "walnut")
    b.add(box((0, -width / 2 + 0.01, z0 + 0.01), (0.014, width / 2 - 0.01, z1 - 0.01), 0), "paper#f4f1ea")
    iw, ih = width / 2 - 0.07, height / 2 - 0.07
    b.add(box((0.0135, -iw, z - ih), (0.0148, iw, z + ih), 0), "paper@field")
    b.add(box((0.0146, -iw, z - ih), (0.0155, iw, z - ih * 0.35), 0), "paper@low")
    disc = cylinder(min(iw, ih) * 0.38, 0, 0.0009, 40, 0)
    b.add(move((disc[0][:, [2, 0, 1]], disc[1]), (0.0152, iw * 0.25, z + ih * 0.25)), "paper@shape")
    return b.model()


def wall_clock(radius: float = 0.15, z: float = 1.9) -> Model:
    """A round clock on the wall at x = 0."""
    b = Builder()
    for r, t, m in ((radius, 0.03, "lacquer#202022"), (radius - 0.012, 0.0312, "paper#f6f5f0")):
        disc = cylinder(r, 0, t, 40, 0.003)
        b.add(move((disc[0][:, [2, 0, 1]], disc[1]), (0, 0, z)), m)
    for angle, length in ((50, 0.085), (-60, 0.11)):
        b.add(
            move(turn(box((0.031, -0.004, -0.01), (0.033, 0.004, length), 0), "x", angle), (0, 0, z)), "plastic#101010"
        )
    return b.model()


def shoe_pair() -> Model:
    """A pair of trainers."""
    b = Builder()
    for y in (-0.06, 0.06):
        b.add(
            loft([_sole(0.092, 0.28, 0.0, 0, y), _sole(0.096, 0.285, 0.012, 0, y), _sole(0.092, 0.28, 0.026, 0, y)]),
            "plastic#ecebe7",
        )
        upper = [
            (0.088, 0.272, 0.024, 0),
            (0.082, 0.25, 0.05, -0.008),
            (0.068, 0.15, 0.078, -0.05),
            (0.06, 0.10, 0.098, -0.075),
        ]
        b.add(loft([_sole(*ring, y) for ring in upper]), "fabric@body")
    return b.model()


def _sole(width: float, length: float, z: float, shift: float, y: float) -> Points:
    outline = rounded_rectangle(length, width, width * 0.45, 5)
    return np.concatenate([outline + (shift, y), np.full((len(outline), 1), z)], 1)


def backpack() -> Model:
    """A backpack standing upright in slot `body`."""
    b = Builder()
    b.add(cushion((0.18, 0.30, 0.44), 0.075, 0.01), "fabric@body")
    b.add(move(cushion((0.07, 0.22, 0.20), 0.03), (0.105, 0, 0.03)), "fabric@body")
    b.add(
        tube([(-0.02, -0.03, 0.44), (-0.02, -0.03, 0.48), (-0.02, 0.03, 0.48), (-0.02, 0.03, 0.44)], 0.008, 8),
        "fabric@body",
    )
    return b.model()


def remote() -> Model:
    """A remote control lying flat."""
    b = Builder()
    b.add(cushion((0.17, 0.045, 0.018), 0.008), "plastic@body")
    return b.model()
