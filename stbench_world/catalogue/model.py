"""A mesh with the surfaces on which things can be put down, and the builder that collects its parts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stbench_world.scene import Mesh

Surface = tuple[float, float, float, float, float]
Part = tuple[NDArray[np.float64], NDArray[np.int64]]

WOODS = ("oak", "walnut", "pine")


@dataclass(frozen=True)
class Model:
    """A mesh and its usable top surfaces (z, min_x, min_y, max_x, max_y), metres in the mesh's own frame."""

    mesh: Mesh
    surfaces: tuple[Surface, ...] = ()


@dataclass
class Builder:
    """Collects closed parts, each of one material, into one mesh.

    Parts may overlap each other: each is closed by itself, so rays and the renderer see their union.
    """

    _vertices: list[NDArray[np.float64]] = field(default_factory=list)
    _faces: list[NDArray[np.int64]] = field(default_factory=list)
    _materials: list[str] = field(default_factory=list)
    _face_material: list[NDArray[np.int16]] = field(default_factory=list)
    _count: int = 0

    def add(self, part: Part, material: str) -> None:
        """Adds one closed part; a wood without a stated grain gets it along the part's longest side."""
        vertices, faces = part
        if material.split("#")[0].split("@")[0] in WOODS:
            axis = "xyz"[int(np.argmax(np.ptp(vertices, axis=0)))]
            kind = material.split("#")[0].split("@")[0]
            material = material.replace(kind, f"{kind}:{axis}", 1)
        if material not in self._materials:
            self._materials.append(material)
        self._vertices.append(vertices)
        self._faces.append(faces + self._count)
        self._face_material.append(np.full(len(faces), self._materials.index(material), np.int16))
        self._count += len(vertices)

    def mesh(self) -> Mesh:
        """The mesh of every part added."""
        return Mesh(
            vertices=np.concatenate(self._vertices).astype(np.float32),
            faces=np.concatenate(self._faces).astype(np.int32),
            face_material=np.concatenate(self._face_material),
            materials=tuple(self._materials),
            smooth=True,
        )

    def model(self, *surfaces: Surface) -> Model:
        """The mesh with its top surfaces."""
        return Model(self.mesh(), tuple(surfaces))
