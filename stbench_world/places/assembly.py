"""Puts things into a place: on the floor, on another thing's surface or on a wall, each with a unique id."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from stbench_world.catalogue.model import Model
from stbench_world.places.colours import COLOUR_WORDS, tint
from stbench_world.scene import Mesh, Pose, Thing

REST_CLEARANCE_M = 0.0005
"""Gap left under a thing that is put down, so that no two faces lie in one plane."""


@dataclass
class Assembly:
    """Collects the things and meshes of a place; a mesh key stands for one model, made once."""

    meshes: dict[str, Mesh] = field(default_factory=dict)
    surfaces: dict[str, tuple[tuple[float, float, float, float, float], ...]] = field(default_factory=dict)
    things: dict[str, Thing] = field(default_factory=dict)

    def model(self, key: str, make: Callable[[], Model]) -> str:
        """Makes the model of a key once and returns the key."""
        if key not in self.meshes:
            made = make()
            self.meshes[key], self.surfaces[key] = made.mesh, made.surfaces
        return key

    def add(
        self,
        id_: str,
        words: str,
        mesh: str,
        at: tuple[float, float, float],
        yaw_deg: float = 0.0,
        *,
        support: str = "",
        structure: bool = False,
        movable: bool = False,
        hazard: str = "",
        tints: dict[str, str] | None = None,
    ) -> str:
        """Adds a thing at a pose; `words` are its colour, where a person would name one, and its kind."""
        if id_ in self.things:
            raise ValueError(f"the place has two things with id {id_!r}: give each its own")
        colour, kind = split_words(words)
        self.things[id_] = Thing(
            id=id_,
            kind=kind,
            colour=colour,
            words=words,
            mesh=mesh,
            pose=Pose(at[0], at[1], at[2], math.radians(yaw_deg)),
            structure=structure,
            movable=movable,
            hazard=hazard,
            support=support,
            surface_m=self.surfaces[mesh],
            tints={slot: tint(name) for slot, name in (tints or {}).items()},
        )
        return id_

    def put(
        self,
        id_: str,
        words: str,
        mesh: str,
        on: str,
        along: tuple[float, float],
        yaw_deg: float = 0.0,
        *,
        surface: int = 0,
        movable: bool = True,
        tints: dict[str, str] | None = None,
    ) -> str:
        """Puts a thing on a surface of another, `along` metres from the supporter's origin in its own frame."""
        under = self.things[on]
        c, s = math.cos(under.pose.yaw_rad), math.sin(under.pose.yaw_rad)
        x = under.pose.x_m + c * along[0] - s * along[1]
        y = under.pose.y_m + s * along[0] + c * along[1]
        z = under.pose.z_m + under.surface_m[surface][0] + REST_CLEARANCE_M
        yaw = math.degrees(under.pose.yaw_rad) + yaw_deg
        return self.add(id_, words, mesh, (x, y, z), yaw, support=on, movable=movable, tints=tints)


def split_words(words: str) -> tuple[str, str]:
    """Splits `red mug` into (`red`, `mug`); the colour is empty where the first word is none."""
    first, _, rest = words.partition(" ")
    return (first, rest) if rest and first in COLOUR_WORDS else ("", words)
