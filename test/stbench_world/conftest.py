"""Places worked out by hand: boxes in a bare room."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
import trimesh

from stbench_world.robots import ROBOTS
from stbench_world.scene import Mesh, PersonLook, Place, Pose, Room, Thing


def box_mesh(x_m: float, y_m: float, low_m: float, high_m: float) -> Mesh:
    """An upright box about the origin, from one height to another."""
    shape = trimesh.creation.box((x_m, y_m, high_m - low_m))
    shape.apply_translation((0.0, 0.0, (low_m + high_m) / 2))
    faces = np.asarray(shape.faces, np.int32)
    return Mesh(np.asarray(shape.vertices, np.float32), faces, np.zeros(len(faces), np.int16), ("wood",))


def thing(id_: str, words: str, mesh: str, x: float, y: float, z: float = 0.0, **more: object) -> Thing:
    return Thing(id_, words.split(" ")[-1], words.split(" ")[0], words, mesh, Pose(x, y, z), **more)  # type: ignore[arg-type]


def wall(id_: str, mesh: str, x: float, y: float, yaw_deg: float = 0.0) -> Thing:
    return Thing(id_, "wall", "", "wall", mesh, Pose(x, y, 0.0, math.radians(yaw_deg)), structure=True)


TABLE_TOP = ((0.7, -0.4, -0.4, 0.4, 0.4),)
MUGS = ("red", "blue", "green", "white", "black", "yellow")


def flat(tables: bool = True) -> Place:
    """Two rooms of 4 m by 4 m with a doorway of 1 m between them, a table in three corners of each, mugs on some.

    The floor spans 0 to 8 m in x and 0 to 4 m in y; the wall between the rooms stands at x = 4, open from y = 1.5 to 2.5.
    """
    meshes = {
        "floor": box_mesh(8.4, 4.4, -0.1, 0.0),
        "long": box_mesh(8.4, 0.2, 0.0, 2.5),
        "side": box_mesh(0.2, 4.4, 0.0, 2.5),
        "half": box_mesh(0.1, 1.5, 0.0, 2.5),
        "table": box_mesh(0.8, 0.8, 0.0, 0.7),
        "mug": box_mesh(0.09, 0.09, 0.0, 0.1),
        "person": box_mesh(0.4, 0.4, 0.0, 1.7),
    }
    things = [
        Thing("floor", "floor", "", "floor", "floor", Pose(4.0, 2.0), structure=True),
        wall("south", "long", 4.0, -0.1), wall("north", "long", 4.0, 4.1), wall("west", "side", -0.1, 2.0),
        wall("east", "side", 8.1, 2.0), wall("low", "half", 4.0, 0.75), wall("high", "half", 4.0, 3.25),
    ]  # fmt: skip
    if tables:
        places = ((0.4, 0.4), (0.4, 3.6), (3.4, 3.6), (7.6, 0.4), (7.6, 3.6), (4.6, 0.4))
        names = ("oak desk", "pine bench", "teal table", "grey chest", "pink counter", "dark sideboard")
        for n, ((x, y), words) in enumerate(zip(places, names, strict=True)):
            things.append(thing(f"table_{n}", words, "table", x, y, surface_m=TABLE_TOP))
        for n, colour in enumerate(MUGS):
            x, y = places[n]
            mug = thing(f"mug_{n}", f"{colour} mug", "mug", x, y, 0.7005, movable=True, support=f"table_{n}")
            things.append(mug)
    rooms = (
        Room("left", "left room", ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))),
        Room("right", "right room", ((4.0, 0.0), (8.0, 0.0), (8.0, 4.0), (4.0, 4.0))),
    )
    people = (PersonLook("walker", "person in blue", "person"),)
    return Place("apartment_a", 0, rooms, tuple(things), meshes, people, docks={"helper": Pose(2.0, 0.3, 0.0, math.pi / 2)})


@pytest.fixture
def world() -> SimpleNamespace:
    """Builders of meshes, things and places by hand, and the helper."""
    return SimpleNamespace(box_mesh=box_mesh, thing=thing, wall=wall, flat=flat, helper=ROBOTS["home helper"])


@pytest.fixture
def flat_apartment(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Place]:
    """Lets `apartment_a` be the two rooms by hand, so that a script is built in a second."""

    def build(variant_seed: int) -> Place:
        return flat()

    monkeypatch.setattr("stbench_world.build.LAYOUTS", {"apartment_a": build})
    return build
