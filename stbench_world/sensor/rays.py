"""Rays through placed meshes with Embree: which mesh a ray meets first, and at what distance.

A scene keeps one Embree geometry a mesh, so a hit names its mesh by number. Camera rays have an optical z of 1 and are not
normalised, so the distance that Embree returns is the depth along the optical axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene
from numpy.typing import NDArray

from stbench_world.scene import Mesh, Pose

Floats = NDArray[np.float64]
NOTHING = -1


def placed_vertices(mesh: Mesh, pose: Pose) -> NDArray[np.float32]:
    """A mesh's vertices (V, 3) in `map`, metres."""
    c, s = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    placed = mesh.vertices.astype(np.float64) @ turn.T + np.array([pose.x_m, pose.y_m, pose.z_m])
    return np.asarray(placed, dtype=np.float32)


@dataclass(frozen=True)
class Hits:
    """First hits of rays: number of the mesh in its scene, or NOTHING; distance in ray lengths, inf without a hit."""

    mesh: NDArray[np.int64]
    distance: Floats

    def nearer(self, other: Hits, offset: int) -> Hits:
        """The nearer of two scenes' hits; the other's meshes are numbered from `offset`."""
        theirs = other.distance < self.distance
        return Hits(
            np.where(theirs, np.where(other.mesh == NOTHING, NOTHING, other.mesh + offset), self.mesh),
            np.minimum(self.distance, other.distance),
        )


class RayScene:
    """Placed meshes to cast rays through."""

    def __init__(self, meshes: Sequence[tuple[Mesh, Pose]]) -> None:
        self._scene = EmbreeScene(robust=True)
        self._kept = []
        for mesh, pose in meshes:
            vertices = placed_vertices(mesh, pose)
            self._kept.append(TriangleMesh(self._scene, vertices, mesh.faces.astype(np.int32)))

    def cast(self, origin: Floats, directions: Floats) -> Hits:
        """Casts rays from one origin (3,) along directions (n, 3), any length."""
        if not self._kept or not len(directions):
            return Hits(np.full(len(directions), NOTHING), np.full(len(directions), np.inf))
        origins = np.broadcast_to(origin.astype(np.float32), directions.shape).copy()
        out = self._scene.run(origins, directions.astype(np.float32), output=True)
        found = np.asarray(out["geomID"], dtype=np.int64)
        hit = (found >= 0) & (found < len(self._kept))
        distance = np.where(hit, np.asarray(out["tfar"], dtype=np.float64), np.inf)
        return Hits(np.where(hit, found, NOTHING), distance)
