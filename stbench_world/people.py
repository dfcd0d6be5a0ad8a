"""The people of a place: their bodies' measures, and which mesh stands where at a time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stbench_scoring.records import Person, TrackPoint
from stbench_world.scene import Mesh, PersonLook, Pose

STRIDE_REACH_M = 0.10
"""Phases of the walk whose legs reach farther than this beyond the standing body are not used: the cylinder is round all."""


@dataclass(frozen=True)
class Figure:
    """A person's body: meshes that are used, and the cylinder round them all."""

    look: PersonLook
    walk: tuple[str, ...]
    radius_m: float
    height_m: float


def figure(look: PersonLook, meshes: Mapping[str, Mesh]) -> Figure:
    """Measures a look's meshes; walking phases that reach too far are left out."""

    def reach(key: str) -> float:
        return float(np.hypot(*meshes[key].vertices[:, :2].T).max())

    standing = reach(look.mesh_stand)
    walk = tuple(key for key in look.mesh_walk if reach(key) <= standing + STRIDE_REACH_M) or (look.mesh_stand,)
    used = (look.mesh_stand, *walk)
    radius = math.ceil(max(map(reach, used)) * 100) / 100
    height = max(float(meshes[key].vertices[:, 2].max()) for key in used)
    return Figure(look, walk, radius, round(height, 3))


@dataclass(frozen=True)
class Standing:
    """A person at a moment: pose, and the mesh that shows it."""

    pose: Pose
    mesh: str


def standing_at(body: Figure, person: Person, stamp_ns: int) -> Standing | None:
    """Where and how a person stands at a time, or None while absent. A walk's phase follows the way walked."""
    for track in person.tracks:
        if not track[0].stamp_ns <= stamp_ns <= track[-1].stamp_ns:
            continue
        walked = 0.0
        for a, b in itertools.pairwise(track):
            length = math.hypot(b.x_m - a.x_m, b.y_m - a.y_m)
            if stamp_ns > b.stamp_ns:
                walked += length
                continue
            return _between(body, a, b, length, walked, stamp_ns)
    return None


def _between(body: Figure, a: TrackPoint, b: TrackPoint, length: float, walked: float, stamp_ns: int) -> Standing:
    share = (stamp_ns - a.stamp_ns) / max(1, b.stamp_ns - a.stamp_ns)
    pose = Pose(
        a.x_m + share * (b.x_m - a.x_m),
        a.y_m + share * (b.y_m - a.y_m),
        0.0,
        a.yaw_rad + share * (b.yaw_rad - a.yaw_rad),
    )
    if length < 0.05:
        return Standing(pose, body.look.mesh_stand)
    phase = (walked + share * length) / body.look.stride_m % 1.0
    return Standing(pose, body.walk[int(phase * len(body.walk)) % len(body.walk)])
