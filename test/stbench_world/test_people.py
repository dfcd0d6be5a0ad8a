"""People's bodies and how they walk."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
import shapely

from stbench_scoring.records import Person, TrackPoint
from stbench_scoring.seeds import rng
from stbench_world.people import figure, standing_at
from stbench_world.plan.floor import Floor
from stbench_world.plan.motion import SECOND_NS
from stbench_world.scene import PersonLook
from stbench_world.walks import TICK_NS, Goal, Mover, Walk, track

LOOK = PersonLook("anna", "woman", "stand", ("near", "far"), stride_m=1.0)


def point(seconds: float, x: float, y: float, yaw: float = 0.0) -> TrackPoint:
    return TrackPoint(stamp_ns=round(seconds * SECOND_NS), x_m=x, y_m=y, yaw_rad=yaw)


def test_the_cylinder_holds_every_mesh_that_is_used(world: SimpleNamespace) -> None:
    meshes = {
        "stand": world.box_mesh(0.30, 0.40, 0.0, 1.70),  # reaches 0.25 m
        "near": world.box_mesh(0.48, 0.40, 0.0, 1.72),  # 0.312 m
        "far": world.box_mesh(0.80, 0.40, 0.0, 1.60),  # 0.447 m, more than 0.1 m beyond standing
    }
    body = figure(LOOK, meshes)
    assert body.walk == ("near",)
    assert body.radius_m == pytest.approx(0.32)
    assert body.height_m == pytest.approx(1.72)


def test_a_person_is_where_its_track_says_and_absent_outside(world: SimpleNamespace) -> None:
    meshes = {k: world.box_mesh(0.3, 0.4, 0.0, 1.7) for k in ("stand", "near", "far")}
    body = figure(LOOK, meshes)
    track_points = (point(1, 0, 0), point(3, 0, 0), point(5, 2, 0))
    person = Person(id="anna", words="woman", radius_m=0.3, height_m=1.7, tracks=(track_points,))
    assert standing_at(body, person, 0) is None and standing_at(body, person, 6 * SECOND_NS) is None
    still = standing_at(body, person, 2 * SECOND_NS)
    assert still is not None and still.mesh == "stand" and still.pose.x_m == 0.0
    # 0.25 m and 0.75 m into a stride of 1 m: the first and the second of its two phases.
    for seconds, x, mesh in ((3.25, 0.25, "near"), (3.75, 0.75, "far")):
        walking = standing_at(body, person, round(seconds * SECOND_NS))
        assert walking is not None and walking.mesh == mesh and walking.pose.x_m == pytest.approx(x)


def test_walks_keep_off_the_robot_and_the_furniture() -> None:
    table = shapely.box(2.0, 2.0, 3.0, 3.0)
    floor = Floor([table], (0.0, 0.0, 6.0, 5.0), 0.3, 0.1)
    goals = tuple(Goal(place, 0.0, "room") for place in ((1.0, 1.0), (5.0, 1.0), (5.0, 4.0), (1.0, 4.0)))
    seconds = 60
    ticks = np.arange(seconds * 10 + 1)
    robot = np.column_stack([1.0 + 4.0 * ticks / ticks[-1], np.full(len(ticks), 1.0)])  # drives along y = 1
    walk = Walk(floor, goals, (Mover(robot, 0.95),), 0, seconds * SECOND_NS, ("room",) * len(ticks))
    for seed in range(5):
        points = track(walk, rng("walk", seed))
        assert points and points[0].stamp_ns == 0 and points[-1].stamp_ns == seconds * SECOND_NS
        stamps = [p.stamp_ns for p in points]
        own = np.column_stack([np.interp(ticks * TICK_NS, stamps, [getattr(p, a) for p in points]) for a in ("x_m", "y_m")])
        assert np.hypot(*(own - robot).T).min() >= 0.95
        assert shapely.LineString([(p.x_m, p.y_m) for p in points]).distance(table) >= 0.3
        assert math.dist(own[0], own[-1]) > 0 or len(points) > 4


def test_where_nobody_can_keep_off_nobody_walks() -> None:
    floor = Floor([shapely.box(-1.0, -1.0, -0.5, -0.5)], (0.0, 0.0, 2.0, 2.0), 0.3, 0.1)
    robot = np.full((101, 2), 1.0)
    walk = Walk(floor, (Goal((1.2, 1.0), 0.0, "room"),), (Mover(robot, 0.95),), 0, 10 * SECOND_NS, ("room",) * 101)
    assert track(walk, rng("walk")) == ()
