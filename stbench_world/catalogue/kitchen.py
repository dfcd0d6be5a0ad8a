"""Kitchen counter blocks, wall cupboards and appliances."""

from __future__ import annotations

import numpy as np

from stbench_world.catalogue.model import Builder, Model
from stbench_world.catalogue.shapes import box, cushion, cylinder, lathe, loft, move, tube

DEPTH_M = 0.60
HEIGHT_M = 0.90
FRONT = "lacquer@front"
HANDLE = "metal#b8b8ba"


def _carcase(b: Builder, width: float) -> None:
    b.add(box((-DEPTH_M / 2, -width / 2, 0.10), (DEPTH_M / 2 - 0.04, width / 2, HEIGHT_M - 0.038), 0), "lacquer@front")
    b.add(box((-DEPTH_M / 2, -width / 2, 0.0), (DEPTH_M / 2 - 0.09, width / 2, 0.101), 0), "lacquer#3a3a3c")


def _fronts(b: Builder, width: float, columns: int, rows: tuple[float, ...]) -> None:
    """Door and drawer fronts with bar handles; `rows` are heights from below, filling 0.105 to 0.855 m."""
    each = width / columns
    for column in range(columns):
        y0, y1 = -width / 2 + column * each + 0.002, -width / 2 + (column + 1) * each - 0.002
        z = 0.105
        for height in rows:
            b.add(box((DEPTH_M / 2 - 0.041, y0, z + 0.002), (DEPTH_M / 2 - 0.02, y1, z + height - 0.002), 0.003), FRONT)
            mid, top = (y0 + y1) / 2, z + height - 0.045
            span = min(0.09, each / 2 - 0.05)
            b.add(
                tube([(DEPTH_M / 2 + 0.008, mid - span, top), (DEPTH_M / 2 + 0.008, mid + span, top)], 0.005, 8), HANDLE
            )
            for y in (mid - span + 0.012, mid + span - 0.012):
                b.add(
                    box(
                        (DEPTH_M / 2 - 0.022, y - 0.004, top - 0.004), (DEPTH_M / 2 + 0.008, y + 0.004, top + 0.004), 0
                    ),
                    HANDLE,
                )
            z += height


def counter(width: float = 1.2, columns: int = 2, drawers: bool = False) -> Model:
    """A counter block with doors or drawers and a wooden worktop."""
    b = Builder()
    _carcase(b, width)
    _fronts(b, width, columns, (0.30, 0.25, 0.20) if drawers else (0.75,))
    b.add(box((-DEPTH_M / 2, -width / 2, HEIGHT_M - 0.038), (DEPTH_M / 2, width / 2, HEIGHT_M), 0.004), "worktop@top")
    return b.model((HEIGHT_M, -DEPTH_M / 2, -width / 2, DEPTH_M / 2, width / 2))


def sink_unit(width: float = 0.9) -> Model:
    """A counter block with a steel basin let into it and a tap."""
    b = Builder()
    _carcase_low(b, width)
    _fronts(b, width, 2, (0.75,))
    low, top = HEIGHT_M - 0.038, HEIGHT_M
    d = DEPTH_M / 2
    x0, x1, y0, y1 = -0.20, 0.20, -0.27, 0.27
    for lo, hi in (
        ((-d, -width / 2), (x0, width / 2)),
        ((x1, -width / 2), (d, width / 2)),
        ((x0, -width / 2), (x1, y0)),
        ((x0, y1), (x1, width / 2)),
    ):
        b.add(box((*lo, low), (*hi, top), 0.002), "worktop@top")
    t, floor = 0.004, HEIGHT_M - 0.19
    b.add(box((x0 - 0.002, y0 - 0.002, floor - t), (x1 + 0.002, y1 + 0.002, floor), 0), "metal")
    for lo, hi in (
        ((x0 - 0.002, y0), (x0 + t, y1)),
        ((x1 - t, y0), (x1 + 0.002, y1)),
        ((x0, y0 - 0.002), (x1, y0 + t)),
        ((x0, y1 - t), (x1, y1 + 0.002)),
    ):
        b.add(box((*lo, floor - t), (*hi, top + 0.003), 0.001), "metal")
    arch = [(-0.245, 0, top - 0.002), (-0.245, 0, top + 0.20)]
    arch += [(-0.245 + 0.08 - 0.08 * np.cos(a), 0, top + 0.20 + 0.08 * np.sin(a)) for a in np.linspace(0.2, np.pi, 8)]
    b.add(tube([*arch, (-0.085, 0, top + 0.16)], 0.012, 12), "metal")
    b.add(move(cylinder(0.024, 0, 0.012), (-0.245, 0, top)), "metal")
    b.add(tube([(-0.245, 0.01, top + 0.06), (-0.23, 0.075, top + 0.085)], 0.006, 8), "metal")
    return b.model((HEIGHT_M, -d, -width / 2, d, y0 - 0.01), (HEIGHT_M, -d, y1 + 0.01, d, width / 2))


def _carcase_low(b: Builder, width: float) -> None:
    """The carcase under a basin: open above 0.68 m but for its sides, back and front."""
    d = DEPTH_M / 2
    b.add(box((-d, -width / 2, 0.10), (d - 0.04, width / 2, 0.68), 0), FRONT)
    b.add(box((-d, -width / 2, 0.0), (d - 0.09, width / 2, 0.101), 0), "lacquer#3a3a3c")
    top = HEIGHT_M - 0.038
    for lo, hi in (
        ((-d, -width / 2), (-d + 0.018, width / 2)),
        ((d - 0.058, -width / 2), (d - 0.04, width / 2)),
        ((-d, -width / 2), (d - 0.04, -width / 2 + 0.018)),
        ((-d, width / 2 - 0.018), (d - 0.04, width / 2)),
    ):
        b.add(box((*lo, 0.67), (*hi, top), 0), FRONT)


def cooker(width: float = 0.6) -> Model:
    """A built-in oven below a black hob."""
    b = Builder()
    _carcase(b, width)
    d = DEPTH_M / 2
    b.add(box((-d, -width / 2, HEIGHT_M - 0.038), (d, width / 2, HEIGHT_M), 0.004), "worktop@top")
    b.add(
        box((-d + 0.05, -width / 2 + 0.02, HEIGHT_M - 0.001), (d - 0.04, width / 2 - 0.02, HEIGHT_M + 0.006), 0.003),
        "gloss#0a0a0c",
    )
    for x, y, r in ((-0.12, -0.13, 0.075), (-0.12, 0.13, 0.095), (0.12, -0.13, 0.095), (0.12, 0.13, 0.075)):
        b.add(
            move(lathe([(r - 0.004, 0), (r, 0), (r, 0.0011), (r - 0.004, 0.0011)], 40), (x, y, HEIGHT_M + 0.0055)),
            "plastic#4a4a4c",
        )
    b.add(box((d - 0.041, -width / 2 + 0.003, 0.74), (d - 0.016, width / 2 - 0.003, 0.855), 0.003), "metal#8c8c8e")
    for y in (-0.2, -0.1, 0.1, 0.2):
        knob = cylinder(0.02, 0, 0.022, 20, 0.004)
        b.add(move((knob[0][:, [2, 0, 1]], knob[1]), (d - 0.017, y, 0.80)), "plastic#202022")
    b.add(box((d - 0.017, -0.05, 0.78), (d - 0.013, 0.05, 0.82), 0), "screen#0d2a22")
    b.add(box((d - 0.041, -width / 2 + 0.003, 0.24), (d - 0.014, width / 2 - 0.003, 0.735), 0.004), "gloss#101012")
    b.add(tube([(d + 0.022, -0.25, 0.69), (d + 0.022, 0.25, 0.69)], 0.008, 10), "metal")
    for y in (-0.22, 0.22):
        b.add(box((d - 0.015, y - 0.006, 0.684), (d + 0.022, y + 0.006, 0.696), 0), "metal")
    b.add(box((d - 0.041, -width / 2 + 0.003, 0.105), (d - 0.02, width / 2 - 0.003, 0.235), 0.003), FRONT)
    return b.model((HEIGHT_M + 0.007, -0.2, -0.2, -0.05, 0.2))


def fridge() -> Model:
    """A tall fridge-freezer painted in slot `body`."""
    b = Builder()
    w, d, h = 0.60, 0.62, 1.85
    b.add(box((-d / 2, -w / 2, 0.03), (d / 2 - 0.06, w / 2, h), 0.006), "lacquer@body")
    b.add(box((-d / 2 + 0.03, -w / 2 + 0.03, 0.0), (d / 2 - 0.1, w / 2 - 0.03, 0.035), 0), "plastic#202022")
    for z0, z1 in ((0.06, 0.66), (0.668, h - 0.002)):
        b.add(box((d / 2 - 0.058, -w / 2, z0), (d / 2, w / 2, z1), 0.012), "lacquer@body")
    for z0, z1 in ((0.38, 0.62), (0.71, 1.15)):
        b.add(tube([(d / 2 + 0.03, -w / 2 + 0.05, z0), (d / 2 + 0.03, -w / 2 + 0.05, z1)], 0.009, 10), "metal")
        for z in (z0 + 0.02, z1 - 0.02):
            b.add(
                box((d / 2 - 0.002, -w / 2 + 0.044, z - 0.006), (d / 2 + 0.03, -w / 2 + 0.056, z + 0.006), 0), "metal"
            )
    return b.model()


def wall_cupboard(width: float = 1.2, columns: int = 2, height: float = 0.70) -> Model:
    """A wall cupboard whose underside is at 1.45 m; its origin is its middle's projection on the floor."""
    b = Builder()
    d, z0 = 0.33, 1.45
    b.add(box((-d / 2, -width / 2, z0), (d / 2 - 0.02, width / 2, z0 + height), 0.002), FRONT)
    each = width / columns
    for column in range(columns):
        y0 = -width / 2 + column * each
        b.add(
            box((d / 2 - 0.022, y0 + 0.002, z0 - 0.01), (d / 2, y0 + each - 0.002, z0 + height - 0.002), 0.003), FRONT
        )
        y = y0 + (each - 0.06 if column % 2 == 0 else 0.06)
        b.add(box((d / 2 - 0.002, y - 0.005, z0 + 0.03), (d / 2 + 0.02, y + 0.005, z0 + 0.15)), HANDLE)
    return b.model()


def hood() -> Model:
    """A cooker hood with its chimney; its origin is its middle's projection on the floor."""

    def ring(dx: float, dy: float, z: float, back: float) -> list[tuple[float, float, float]]:
        return [(back, -dy, z), (back + dx, -dy, z), (back + dx, dy, z), (back, dy, z)]

    b = Builder()
    b.add(loft([ring(0.48, 0.30, 1.50, -0.25), ring(0.48, 0.30, 1.55, -0.25), ring(0.26, 0.14, 1.75, -0.25)]), "metal")
    b.add(box((-0.25, -0.13, 1.74), (0.0, 0.13, 2.5), 0.002), "metal")
    return b.model()


def toaster() -> Model:
    """A two-slot toaster painted in slot `body`."""
    b = Builder()
    b.add(move(cushion((0.17, 0.28, 0.18), 0.035), (0, 0, 0.012)), "gloss@body")
    b.add(box((-0.075, -0.13, 0), (0.075, 0.13, 0.02), 0.004), "plastic#1c1c1e")
    for x in (-0.03, 0.03):
        b.add(box((x - 0.012, -0.10, 0.18), (x + 0.012, 0.10, 0.1935), 0), "plastic#101012")
    b.add(box((-0.018, 0.138, 0.10), (0.018, 0.156, 0.115), 0.003), "plastic#1c1c1e")
    return b.model()


def pan() -> Model:
    """A saucepan with a long handle along -y, in slot `body`."""
    b = Builder()
    b.add(
        lathe([(0, 0), (0.085, 0), (0.092, 0.006), (0.094, 0.095), (0.091, 0.096), (0.088, 0.01), (0, 0.008)], 36),
        "gloss@body",
    )
    b.add(tube([(0, -0.090, 0.08), (0, -0.13, 0.088), (0, -0.26, 0.10)], 0.009, 10, 0.6), "plastic#1c1c1e")
    return b.model()


def chopping_board() -> Model:
    """A wooden board lying flat."""
    b = Builder()
    b.add(box((-0.12, -0.18, 0), (0.12, 0.18, 0.018), 0.005), "pine")
    return b.model((0.018, -0.11, -0.17, 0.11, 0.17))


def bin_(height: float = 0.42) -> Model:
    """A pedal bin painted in slot `body`."""
    b = Builder()
    b.add(lathe([(0, 0), (0.13, 0), (0.135, 0.01), (0.14, height - 0.05), (0, height - 0.05)], 32), "lacquer@body")
    b.add(
        lathe(
            [(0, height - 0.052), (0.143, height - 0.052), (0.143, height - 0.03), (0.10, height - 0.005), (0, height)],
            32,
        ),
        "plastic#1c1c1e",
    )
    b.add(box((0.12, -0.04, 0.005), (0.165, 0.04, 0.02), 0.003), "plastic#1c1c1e")
    return b.model()
