"""Models that come from elsewhere, kept in `stbench_world/models/` and credited in CREDITS.md."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stbench_world.catalogue.model import Model
from stbench_world.scene import Mesh

FOLDER = Path(__file__).resolve().parent.parent / "models"


def imported(name: str) -> Model:
    """Reads a model of `stbench_world/models/` by name."""
    with np.load(FOLDER / f"{name}.npz") as data:
        mesh = Mesh(
            vertices=data["vertices"],
            faces=data["faces"],
            face_material=data["face_material"],
            materials=tuple(str(m) for m in data["materials"]),
            uv=data["uv"].astype(np.float32),
            smooth=True,
        )
    return Model(mesh)
