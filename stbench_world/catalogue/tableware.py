"""Mugs, bowls, plates, bottles, vases and other things that stand on tables; colour in slot `body`."""

from __future__ import annotations

import numpy as np

from stbench_world.catalogue.model import Builder, Model
from stbench_world.catalogue.shapes import ball, box, cylinder, lathe, loft, move, scale, tube


def mug() -> Model:
    """A mug with a handle."""
    b = Builder()
    b.add(
        lathe(
            [
                (0, 0),
                (0.034, 0),
                (0.040, 0.004),
                (0.041, 0.094),
                (0.0385, 0.096),
                (0.0365, 0.093),
                (0.036, 0.008),
                (0, 0.007),
            ],
            28,
        ),
        "ceramic@body",
    )
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 9)
    b.add(tube([(0, 0.039 + 0.030 * np.cos(a), 0.048 + 0.029 * np.sin(a)) for a in angles], 0.0055), "ceramic@body")
    return b.model()


def bowl(radius: float = 0.085, height: float = 0.065) -> Model:
    """A rounded bowl."""
    b = Builder()
    r, h = radius, height
    outer = [(0.45 * r, 0), (0.47 * r, 0.05 * h), (0.75 * r, 0.32 * h), (0.93 * r, 0.68 * h), (r, h)]
    inner = [(0.97 * r, h), (0.89 * r, 0.68 * h), (0.70 * r, 0.34 * h), (0.4 * r, 0.12 * h)]
    b.add(lathe([(0, 0), *outer, *inner, (0, 0.1 * h)], 32), "ceramic@body")
    return b.model((0.12 * h + 0.001, -0.3 * r, -0.3 * r, 0.3 * r, 0.3 * r))


def plate(radius: float = 0.125) -> Model:
    """A dinner plate."""
    b = Builder()
    r = radius
    b.add(
        lathe(
            [(0, 0), (0.6 * r, 0), (0.65 * r, 0.004), (r, 0.019), (0.99 * r, 0.022), (0.66 * r, 0.009), (0, 0.007)], 40
        ),
        "ceramic@body",
    )
    return b.model((0.0075, -0.4 * r, -0.4 * r, 0.4 * r, 0.4 * r))


def fruit_bowl() -> Model:
    """A wide bowl with oranges, apples and a banana."""
    b = Builder()
    b.add(
        lathe(
            [
                (0, 0),
                (0.07, 0),
                (0.075, 0.01),
                (0.14, 0.06),
                (0.165, 0.095),
                (0.160, 0.097),
                (0.132, 0.065),
                (0.06, 0.02),
                (0, 0.018),
            ],
            36,
        ),
        "ceramic@body",
    )
    places = [
        (0.05, 0.03, 0.062),
        (-0.055, 0.02, 0.062),
        (0.0, -0.06, 0.062),
        (0.0, 0.085, 0.085),
        (-0.085, -0.05, 0.085),
        (0.08, -0.05, 0.085),
    ]
    for place, colour in zip(places, ("e07b1a", "b8261f", "7fa32e", "e07b1a", "b8261f", "7fa32e"), strict=True):
        b.add(ball(0.038, place), f"peel#{colour}")
    path = [
        (0.08 * np.cos(a), 0.08 * np.sin(a) - 0.03, 0.115 + 0.006 * np.sin(3 * a)) for a in np.linspace(0.2, 2.6, 9)
    ]
    b.add(tube(path, 0.016, 10), "peel#e3c23a")
    return b.model()


def bottle() -> Model:
    """A slim drinking bottle with a cap in slot `cap`."""
    b = Builder()
    b.add(
        lathe(
            [
                (0, 0),
                (0.031, 0),
                (0.035, 0.005),
                (0.035, 0.165),
                (0.030, 0.185),
                (0.018, 0.203),
                (0.018, 0.21),
                (0, 0.21),
            ],
            28,
        ),
        "plastic@body",
    )
    b.add(move(cylinder(0.021, 0, 0.032, 20), (0, 0, 0.206)), "plastic@cap")
    return b.model()


def wine_bottle() -> Model:
    """A dark glass bottle with a label in slot `label`."""
    b = Builder()
    b.add(
        lathe(
            [
                (0, 0),
                (0.034, 0),
                (0.037, 0.006),
                (0.037, 0.19),
                (0.030, 0.215),
                (0.015, 0.24),
                (0.0135, 0.29),
                (0.016, 0.292),
                (0.016, 0.305),
                (0, 0.305),
            ],
            28,
        ),
        "gloss@body",
    )
    b.add(lathe([(0.0365, 0.06), (0.0375, 0.061), (0.0375, 0.15), (0.0365, 0.151)], 28), "paper@label")
    return b.model()


def carton() -> Model:
    """A milk carton with a gable top."""
    b = Builder()
    h = 0.0475
    square = np.array([[-h, -h], [h, -h], [h, h], [-h, h]])
    ridge = np.array([[-0.003, -h], [0.003, -h], [0.003, h], [-0.003, h]])
    loops = [
        np.concatenate([xy, np.full((4, 1), z)], 1)
        for xy, z in ((square, 0.0), (square, 0.19), (ridge, 0.235), (ridge, 0.255))
    ]
    b.add(loft(loops), "paper@body")
    b.add(box((-h - 0.0006, -h - 0.0006, 0.05), (h + 0.0006, h + 0.0006, 0.12), 0), "paper#f2f2ee")
    return b.model()


def vase() -> Model:
    """A tall vase."""
    b = Builder()
    b.add(
        lathe(
            [
                (0, 0),
                (0.045, 0),
                (0.055, 0.01),
                (0.078, 0.09),
                (0.070, 0.16),
                (0.042, 0.215),
                (0.036, 0.24),
                (0.044, 0.26),
                (0.040, 0.262),
                (0.031, 0.24),
                (0.036, 0.215),
                (0.06, 0.15),
                (0.05, 0.03),
                (0, 0.02),
            ],
            36,
        ),
        "ceramic@body",
    )
    return b.model()


def teapot() -> Model:
    """A round teapot with spout, handle and lid."""
    b = Builder()
    b.add(
        lathe([(0, 0), (0.05, 0), (0.075, 0.025), (0.082, 0.06), (0.07, 0.10), (0.04, 0.12), (0, 0.122)], 32),
        "ceramic@body",
    )
    b.add(
        lathe(
            [(0, 0.118), (0.038, 0.118), (0.036, 0.125), (0.012, 0.134), (0.013, 0.142), (0.007, 0.15), (0, 0.151)], 24
        ),
        "ceramic@body",
    )
    b.add(tube([(0, -0.06, 0.05), (0, -0.10, 0.065), (0, -0.125, 0.105)], 0.013), "ceramic@body")
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 9)
    b.add(tube([(0, 0.072 + 0.05 * np.cos(a), 0.062 + 0.038 * np.sin(a)) for a in angles], 0.007), "ceramic@body")
    return b.model()


def kettle() -> Model:
    """An electric kettle on its base."""
    b = Builder()
    b.add(cylinder(0.085, 0, 0.018, 32, 0.004), "plastic#1c1c1e")
    b.add(
        move(
            lathe([(0, 0), (0.078, 0), (0.08, 0.006), (0.062, 0.19), (0.055, 0.20), (0.02, 0.206), (0, 0.207)], 32),
            (0, 0, 0.02),
        ),
        "metal@body",
    )
    b.add(move(scale(ball(0.014), (1, 1, 0.8)), (0, 0, 0.235)), "plastic#1c1c1e")
    b.add(
        tube([(0, 0.05, 0.215), (0, 0.105, 0.215), (0, 0.125, 0.19), (0, 0.118, 0.09), (0, 0.085, 0.055)], 0.011),
        "plastic#1c1c1e",
    )
    b.add(tube([(0, -0.055, 0.16), (0, -0.095, 0.205)], 0.016), "metal@body")
    return b.model()


def candle() -> Model:
    """A thick candle."""
    b = Builder()
    b.add(cylinder(0.035, 0, 0.10, 28, 0.004), "wax@body")
    b.add(cylinder(0.0015, 0.099, 0.112, 6), "plastic#202020")
    return b.model()


def cup_of_pens() -> Model:
    """A beaker with pens and pencils."""
    b = Builder()
    b.add(
        lathe([(0, 0), (0.038, 0), (0.04, 0.003), (0.04, 0.10), (0.037, 0.10), (0.036, 0.006), (0, 0.005)], 24),
        "plastic@body",
    )
    for i, colour in enumerate(("c62f2f", "2f5fc6", "e0b020", "2b2b2b", "2e8f4e")):
        a = 2 * np.pi * i / 5
        c, s = float(np.cos(a)), float(np.sin(a))
        b.add(
            tube([(0.012 * c, 0.012 * s, 0.008), (0.032 * c, 0.032 * s, 0.15 + 0.008 * i)], 0.0038, 8),
            f"plastic#{colour}",
        )
    return b.model()
