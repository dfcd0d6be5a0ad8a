"""What the sensor gives for boxes at known places, against values worked out by hand.

The camera stands 1.30 m over the origin and looks along +x, down by 25 degrees, unless a test says otherwise.
"""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from stbench_scoring.records import ThingView
from stbench_world.people import Figure, Standing
from stbench_world.plan.motion import Moment
from stbench_world.scene import PersonLook, Place, Pose, Room, Thing
from stbench_world.sensor.sense import Sensed, Sensor

UP_M = 1.30
PITCH = math.radians(25.0)
HERE = Moment(0, 0.0, 0.0, 0.0)
ROOM = Room("room", "room", ((-3.0, -4.0), (8.0, -4.0), (8.0, 4.0), (-3.0, 4.0)))


def bare(world: SimpleNamespace, *things: Thing, **meshes: object) -> Place:
    """A floor of 12 m by 12 m with some things on it."""
    floor = Thing("floor", "floor", "", "floor", "floor", Pose(0.0, 0.0), structure=True)
    return Place("hand", 0, (ROOM,), (floor, *things), {"floor": world.box_mesh(12.0, 12.0, -0.1, 0.0), **meshes})


def sense(world: SimpleNamespace, place: Place, moment: Moment = HERE, **more: object) -> Sensed:
    sensor = Sensor(place, world.helper)
    poses = {t.id: t.pose for t in place.things}
    absent = more.get("absent", frozenset())
    people = more.get("people", {})
    return sensor.sense(0, moment, poses, absent, people)  # type: ignore[arg-type]


def view(sensed: Sensed, id_: str) -> ThingView:
    return next(v for v in sensed.row.things if v.id == id_)


def floor_seen(sensed: Sensed, world: SimpleNamespace, place: Place, x: float, y: float) -> bool:
    return _in_runs(sensed.row.floor, x, y)


def _in_runs(runs: tuple[tuple[int, int, int], ...], x: float, y: float) -> bool:
    """Whether the cell of a point is in runs; the grid of ROOM begins at (-3.3, -4.3) with cells of 0.1 m."""
    row, column = math.floor((y + 4.3) / 0.1 + 1e-9), math.floor((x + 3.3) / 0.1 + 1e-9)
    return any(r == row and first <= column < first + length for r, first, length in runs)


@pytest.fixture
def box_place(world: SimpleNamespace) -> Place:
    """A crate of 0.4 m by 0.4 m by 0.5 m, its front face at x = 1.8."""
    return bare(world, world.thing("crate", "red crate", "crate", 2.0, 0.0), crate=world.box_mesh(0.4, 0.4, 0.0, 0.5))


def test_depth_of_a_front_face_and_of_the_floor(world: SimpleNamespace, box_place: Place) -> None:
    depth = sense(world, box_place).depth
    v = 300
    below = PITCH + math.atan((v - 239.5) / 554.0)  # angle of the row below the horizon, in the middle column
    height = UP_M - 1.8 * math.tan(below)
    assert 0.0 < height < 0.5  # so the row meets the front face
    along = math.cos(PITCH) * 1.8 + math.sin(PITCH) * (UP_M - height)
    assert depth[v, 320] * 0.001 == pytest.approx(along, abs=0.0011)
    v = 470
    below = PITCH + math.atan((v - 239.5) / 554.0)
    ahead = UP_M / math.tan(below)
    assert ahead < 1.8  # so it meets the floor
    along = math.cos(PITCH) * ahead + math.sin(PITCH) * UP_M
    assert depth[v, 320] * 0.001 == pytest.approx(along, abs=0.0011)


def test_beyond_the_range_there_is_no_depth(world: SimpleNamespace) -> None:
    place = bare(world)
    depth = sense(world, place).depth
    assert depth[0, 320] == 0  # looks over the floor's end, 1.6 degrees below the horizon: 46 m
    assert (depth[depth > 0] >= 200).all()


def test_nearest_point_middle_and_top(world: SimpleNamespace, box_place: Place) -> None:
    seen = view(sense(world, box_place), "crate")
    assert seen.nearest[0] == pytest.approx(1.8, abs=1e-3)
    assert abs(seen.nearest[1]) < 0.005  # half of a pixel's width there
    assert seen.middle == pytest.approx((2.0, 0.0), abs=1e-4)
    assert seen.clear and not seen.top_above_camera
    assert seen.share == 1.0


def test_pixels_are_those_of_the_projected_corners(world: SimpleNamespace, box_place: Place) -> None:
    # The picture of a convex body is the hull of its corners' pixels.
    corners = np.array([(x, y, z) for x in (1.8, 2.2) for y in (-0.2, 0.2) for z in (0.0, 0.5)])
    ahead, left, down = corners[:, 0], corners[:, 1], UP_M - corners[:, 2]
    z = math.cos(PITCH) * ahead + math.sin(PITCH) * down
    u = 319.5 - 554.0 * left / z
    v = 239.5 + 554.0 * (math.cos(PITCH) * down - math.sin(PITCH) * ahead) / z
    hull = cv2.convexHull(np.column_stack([u, v]).astype(np.float32))
    area, border = cv2.contourArea(hull), cv2.arcLength(hull, True)
    assert view(sense(world, box_place), "crate").pixels == pytest.approx(area, abs=border)


def test_floor_behind_a_box_is_not_seen(world: SimpleNamespace, box_place: Place) -> None:
    sensed = sense(world, box_place)
    # The ray over the back edge of the top (x = 2.2, z = 0.5) comes down at 2.2 · 1.3 / (1.3 - 0.5) = 3.575.
    for x, seen in ((1.55, True), (2.05, False), (2.85, False), (3.35, False), (3.75, True), (4.55, True)):
        assert floor_seen(sensed, world, box_place, x, 0.05) is seen, x
    assert floor_seen(sensed, world, box_place, 2.85, 1.05)  # beside it


def test_floor_outside_the_picture_is_seen_only_in_the_blind_ring(world: SimpleNamespace) -> None:
    place = bare(world)
    sensed = sense(world, place)
    # The lowest row looks 48.4 degrees down: floor from 1.3 / tan(48.4°) = 1.15 m on. The ring ends 0.97 m ahead.
    for x, seen in ((0.05, True), (0.85, True), (1.05, False), (1.25, True), (-0.85, True), (-1.15, False)):
        assert floor_seen(sensed, world, place, x, 0.05) is seen, x


def test_the_blind_ring_ends_at_a_wall(world: SimpleNamespace) -> None:
    place = bare(world, world.wall("wall", "wall", -0.5, 0.0), wall=world.box_mesh(0.1, 6.0, 0.0, 2.5))
    sensed = sense(world, place)
    assert floor_seen(sensed, world, place, -0.35, 0.05)
    assert not floor_seen(sensed, world, place, -0.75, 0.05)


def test_what_is_driven_over_hides_no_floor_and_is_no_surface(world: SimpleNamespace) -> None:
    rug = world.thing("rug", "green rug", "rug", 2.5, 0.0)
    place = bare(world, rug, rug=world.box_mesh(1.0, 1.0, 0.0, 0.015))
    sensed = sense(world, place)
    assert floor_seen(sensed, world, place, 2.55, 0.05)
    assert not sensed.row.surface


def test_surfaces_stand_where_the_box_shows_itself(world: SimpleNamespace, box_place: Place) -> None:
    surface = sense(world, box_place).row.surface
    assert _in_runs(surface, 1.85, 0.05)
    assert not _in_runs(surface, 1.55, 0.05)
    # The back of the top is seen too; nothing of the box lies beyond x = 2.2.
    assert not _in_runs(surface, 2.35, 0.05)


def test_share_is_halved_by_a_screen_before_one_half(world: SimpleNamespace, box_place: Place) -> None:
    # A screen before the left half (y > 0), seen from the camera: its edge lies on the picture's middle column.
    screen = world.wall("screen", "screen", 1.0, 0.5)
    place = replace(
        box_place,
        things=(*box_place.things, screen),
        meshes={**box_place.meshes, "screen": world.box_mesh(0.02, 1.0, 0.0, 1.2)},
    )
    seen = view(sense(world, place), "crate")
    assert seen.share == pytest.approx(0.5, abs=0.02)
    assert seen.clear
    assert seen.nearest[1] < 0.005


def test_a_narrow_strip_is_only_a_glimpse(world: SimpleNamespace, box_place: Place) -> None:
    screen = world.wall("screen", "screen", 1.0, 0.44)
    place = replace(
        box_place,
        things=(*box_place.things, screen),
        meshes={**box_place.meshes, "screen": world.box_mesh(0.02, 1.0, 0.0, 1.2)},
    )
    # The screen's edge at y = -0.06, 1 m away, hides the crate down to y = -0.108 at 1.8 m: 0.092 of 0.4 m are left.
    seen = view(sense(world, place), "crate")
    assert seen.share < 0.35 and not seen.clear


def test_a_far_small_thing_is_only_a_glimpse(world: SimpleNamespace) -> None:
    place = bare(world, world.thing("die", "red die", "die", 5.0, 0.0), die=world.box_mesh(0.05, 0.05, 0.0, 0.05))
    seen = view(sense(world, place), "die")
    assert 0 < seen.pixels < 150 and not seen.clear  # about 554 · 0.05 / 5.2 = 5 pixels wide


def test_a_carried_thing_is_nowhere(world: SimpleNamespace, box_place: Place) -> None:
    sensed = sense(world, box_place, absent=frozenset({"crate"}))
    assert not sensed.row.things and not sensed.detections
    assert floor_seen(sensed, world, box_place, 2.05, 0.05)


def test_a_person_is_seen_and_hides_what_is_behind(world: SimpleNamespace, box_place: Place) -> None:
    place = replace(box_place, meshes={**box_place.meshes, "person": world.box_mesh(0.6, 0.6, 0.0, 1.7)})
    body = Figure(PersonLook("anna", "woman", "person"), ("person",), 0.43, 1.7)
    people = {"anna": (body, Standing(Pose(1.2, 0.0), "person"))}
    sensed = sense(world, place, people=people)
    (person,) = sensed.row.people
    assert person.id == "anna" and person.clear and person.top_above_camera
    assert person.nearest[0] == pytest.approx(0.9, abs=1e-3)
    # The person's front, 0.9 m away, is 0.6 m wide and higher than the camera: it hides y within ±0.4 at 1.8 m.
    assert not sensed.row.things
    (detection,) = sensed.detections
    assert detection.person and detection.words == "woman" and detection.bottom_m == 0.0
    assert sensed.ids == ("anna",)


def test_every_frame_lists_all_that_it_sees(world: SimpleNamespace, box_place: Place) -> None:
    sensor = Sensor(box_place, world.helper)
    poses = {t.id: t.pose for t in box_place.things}
    first, second = (sensor.sense(n, HERE, poses, frozenset(), {}).row for n in range(2))
    assert first.floor and first.surface
    assert (second.floor, second.surface) == (first.floor, first.surface)


def test_a_turned_camera_sees_the_same_turned(world: SimpleNamespace) -> None:
    # The crate stands 2 m to the left of the origin; the body faces it.
    place = bare(world, world.thing("crate", "red crate", "crate", 0.0, 2.0), crate=world.box_mesh(0.4, 0.4, 0.0, 0.5))
    seen = view(sense(world, place, Moment(0, 0.0, 0.0, math.pi / 2)), "crate")
    assert seen.nearest[1] == pytest.approx(1.8, abs=1e-3) and abs(seen.nearest[0]) < 0.005
