"""Who may walk in the apartment: two clothed bodies, standing, and in the phases of a walk."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from stbench_world.catalogue.imported import imported
from stbench_world.catalogue.model import Model
from stbench_world.places.assembly import Assembly
from stbench_world.scene import Mesh, PersonLook

PHASES = 8
HIP = 0.52
KNEE = 0.285
"""Heights of hip and knee as shares of the body's height (Drillis and Contini 1966: 0.530 and 0.285)."""


def looks(a: Assembly) -> tuple[PersonLook, ...]:
    """Adds the bodies' meshes and returns who may use them."""
    out = []
    for id_, words in (("woman_casual", "woman"), ("man_casual", "man")):
        stand = a.model(f"{id_}_stand", partial(imported, id_))
        body = a.meshes[stand]
        walk = tuple(a.model(f"{id_}_walk_{n}", partial(_walk, body, n)) for n in range(PHASES))
        out.append(PersonLook(id_, words, stand, walk))
    return tuple(out)


def _walk(body: Mesh, n: int) -> Model:
    return Model(walking(body, n / PHASES))


def walking(body: Mesh, phase: float) -> Mesh:
    """A standing body with its legs swung to a phase (0 to 1) of the stride, the lower foot put on the floor."""
    vertices = body.vertices.astype(np.float64)
    height = vertices[:, 2].max()
    left = np.tanh(vertices[:, 1] / 0.02)
    swing = 0.36 * np.sin(2 * np.pi * phase) * left
    bend = 0.55 * np.clip(np.sin(2 * np.pi * phase * left + np.where(left > 0, 0.9, 0.9 + np.pi)), 0, 1)
    below_knee = np.clip((KNEE * height - vertices[:, 2]) / 0.08 + 0.5, 0, 1)
    vertices = _pitch(vertices, KNEE * height, -bend * below_knee)
    below_hip = np.clip((HIP * height - body.vertices[:, 2]) / 0.16 + 0.5, 0, 1)
    vertices = _pitch(vertices, HIP * height, swing * below_hip)
    vertices[:, 2] -= vertices[:, 2].min()
    return replace(body, vertices=vertices.astype(np.float32))


def _pitch(vertices: NDArray[np.float64], pivot_z: float, angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turns each vertex by its own angle about the lateral axis at a height; positive swings what hangs forward."""
    c, s = np.cos(angle), np.sin(angle)
    x, z = vertices[:, 0], vertices[:, 2] - pivot_z
    return np.stack([c * x - s * z, vertices[:, 1], s * x + c * z + pivot_z], 1)
