"""What a place is made of, and the scene file that the sensor and Blender both read.

One set of meshes serves the ray-casting sensor and the renderer, so depth and pictures agree.
Everything is metres in the `map` frame (REP-103: x forward, y left, z up) unless a name says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Mesh:
    """A triangle mesh in its own frame: origin on the floor below its middle, z up, front towards +x.

    Attributes:
        vertices: (V, 3) float32, metres.
        faces: (F, 3) int32 indices into `vertices`, counter-clockwise seen from outside.
        face_material: (F,) int16 indices into `materials`.
        materials: Names in the material library of `render/`; a name may carry a colour slot, see `Thing.tints`.
        uv: (F, 3, 2) float32 texture coordinates a face corner, or None where no material needs them.
        smooth: Whether the renderer shades it smoothly (with an angle limit).
    """

    vertices: NDArray[np.float32]
    faces: NDArray[np.int32]
    face_material: NDArray[np.int16]
    materials: tuple[str, ...]
    uv: NDArray[np.float32] | None = None
    smooth: bool = False


@dataclass(frozen=True)
class Pose:
    """Where a mesh's origin stands in the `map` frame: metres, yaw in radians from +x, left positive."""

    x_m: float
    y_m: float
    z_m: float = 0.0
    yaw_rad: float = 0.0


@dataclass(frozen=True)
class Thing:
    """One object of a place, fixed or movable; also walls, doors and other structure.

    Attributes:
        id: Unique in the place, e.g. `mug_2`. Private: no system ever receives it.
        kind: Common noun a person would use, e.g. `mug`.
        colour: Colour word a person would use, or "" where none fits.
        words: The words a question uses, e.g. `red mug`; unique among what can be asked, else never asked.
        mesh: Key into `Place.meshes`.
        pose: Pose at the script's start.
        structure: Walls, floors, ceilings, fitted parts: never asked about by name.
        movable: May change place in a gap.
        hazard: Names what it endangers (`brush` for a vacuum's brush), or "".
        support: Id of the thing it stands on, "" for the floor, `wall` where it is mounted.
        surface_m: Heights and extents are derived from the mesh; this lists usable top surfaces
            as (z, min_x, min_y, max_x, max_y) in the thing's own frame, where things can be put down.
        tints: Colour slot → linear RGB, for materials that take a tint.
    """

    id: str
    kind: str
    colour: str
    words: str
    mesh: str
    pose: Pose
    structure: bool = False
    movable: bool = False
    hazard: str = ""
    support: str = ""
    surface_m: tuple[tuple[float, float, float, float, float], ...] = ()
    tints: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Room:
    """A room: `outline` is a counter-clockwise polygon of (x, y) metres in `map`; `name` as in a brief (`kitchen`)."""

    id: str
    name: str
    outline: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Light:
    """A light for the renderer only. `kind`: `area` (size_m), `point`, `sun` (direction by yaw and pitch)."""

    kind: str
    x_m: float
    y_m: float
    z_m: float
    power_w: float
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    size_m: tuple[float, float] = (0.5, 0.5)
    yaw_rad: float = 0.0
    pitch_rad: float = 0.0


@dataclass(frozen=True)
class PersonLook:
    """One person's body: `mesh_walk` keys cycle with the distance walked, `mesh_stand` when standing.

    `words` are what a question may use, e.g. `person in the blue shirt`.
    """

    id: str
    words: str
    mesh_stand: str
    mesh_walk: tuple[str, ...] = ()
    stride_m: float = 1.4
    tints: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """A furnished place: layout, the things in it, who may walk there, and its lights.

    Attributes:
        layout: `apartment_a`, `warehouse_a`, `downtown_a`.
        variant_seed: 0 is the pinned `*_a` variant.
        rooms: Every room or outdoor region.
        things: Structure and objects. Order is stable for a seed.
        meshes: Key → mesh, shared by things of one shape.
        people: Who may walk in it.
        lights: For the renderer.
        time_of_day: `day`, `evening`: the renderer's sky and lamp settings.
        docks: Robot name → pose of its dock or charger.
    """

    layout: str
    variant_seed: int
    rooms: tuple[Room, ...]
    things: tuple[Thing, ...]
    meshes: Mapping[str, Mesh]
    people: tuple[PersonLook, ...] = ()
    lights: tuple[Light, ...] = ()
    time_of_day: str = "day"
    docks: Mapping[str, Pose] = field(default_factory=dict)
