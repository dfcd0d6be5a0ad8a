"""First contact and turning in place, by hand and against a dense sampling of the outline."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from stbench_scoring.geometry.camera import Pose2D
from stbench_scoring.geometry.solids import Solid
from stbench_scoring.geometry.sweep import first_touch, outline_at, overlaps, turn_blocked

SQUARE = ((-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2))


def solid(shape, name="box", person=False):
    return Solid(name, person, shape)


def test_square_meets_a_wall_ahead():
    body = outline_at(SQUARE, Pose2D(1.0, 0.0, 0.0, 0.0))
    touch = first_touch(body, 0.0, [solid(shapely.box(3.0, -1, 3.1, 1))], 5.0)
    assert touch.distance_m == pytest.approx(1.8)  # the wall's face at 3.0, the body's at 1.2
    assert touch.point[0] == pytest.approx(3.0)


def test_corner_of_a_turned_body_comes_first():
    body = outline_at(SQUARE, Pose2D(0.0, 0.0, 0.0, math.pi / 4))
    touch = first_touch(body, 0.0, [solid(shapely.box(2.0, -1, 2.1, 1))], 5.0)
    assert touch.distance_m == pytest.approx(2.0 - 0.2 * math.sqrt(2))


def test_corner_of_a_thing_meets_a_side_of_the_body():
    body = outline_at(SQUARE, Pose2D(0.0, 0.0, 0.0, 0.0))
    spike = shapely.Polygon([(1.0, 0.05), (2.0, -0.5), (2.0, 0.5)])
    touch = first_touch(body, 0.0, [solid(spike)], 5.0)
    assert touch.distance_m == pytest.approx(0.8)
    assert touch.point == pytest.approx((1.0, 0.05))


def test_what_stands_beside_or_behind_or_beyond_the_horizon_is_not_met():
    body = outline_at(SQUARE, Pose2D(0.0, 0.0, 0.0, 0.0))
    solids = [solid(shapely.box(0.5, 0.21, 1, 1)), solid(shapely.box(-2, -1, -1, 1)), solid(shapely.box(6, -1, 7, 1))]
    assert first_touch(body, 0.0, solids, 5.0) is None


def test_room_seen_from_inside_is_met_at_its_inner_wall():
    ring = shapely.box(-3, -3, 3, 3).difference(shapely.box(-2, -2, 2, 2))
    touch = first_touch(outline_at(SQUARE, Pose2D(0, 0, 0, 0)), math.pi / 2, [solid(ring)], 5.0)
    assert touch.distance_m == pytest.approx(1.8)


def test_widening_brings_contact_nearer():
    body = outline_at(SQUARE, Pose2D(0.0, 0.0, 0.0, 0.0), widen_m=0.01)
    touch = first_touch(body, 0.0, [solid(shapely.box(1.0, -1, 1.1, 1))], 5.0)
    assert touch.distance_m == pytest.approx(0.79)


def test_turning_needs_room_for_the_corners():
    pose = Pose2D(0.0, 0.0, 0.0, 0.0)
    near, free = solid(shapely.box(0.25, -1, 0.3, 1)), solid(shapely.box(0.29, -1, 0.3, 1))
    assert not overlaps(outline_at(SQUARE, pose), [near])
    assert turn_blocked(SQUARE, pose, math.pi / 2, [near])  # the corners reach 0.283
    assert not turn_blocked(SQUARE, pose, math.pi / 2, [free])


def sampled_run(body, heading, shape, horizon):
    """Moves dense points of the outline by small steps until one lies in the shape."""
    line = shapely.LinearRing(body)
    points = np.array([line.interpolate(t).coords[0] for t in np.linspace(0, line.length, 400, endpoint=False)])
    points = np.vstack([points, body])
    way = np.array([math.cos(heading), math.sin(heading)])
    shapely.prepare(shape)
    for run in np.arange(0.0, horizon, 0.005):
        moved = points + run * way
        if shapely.intersects_xy(shape, moved[:, 0], moved[:, 1]).any():
            return run
    return horizon


@settings(max_examples=25, deadline=None)
@given(
    heading=st.floats(-3.1, 3.1), yaw=st.floats(-3.1, 3.1), x=st.floats(-2, 2), y=st.floats(-2, 2),
    half=st.floats(0.1, 0.6), turned=st.floats(0, 1.5),
)  # fmt: skip
def test_exact_run_agrees_with_a_sampled_one(heading, yaw, x, y, half, turned):
    body = outline_at(SQUARE, Pose2D(0.0, 0.0, 0.0, yaw))
    shape = shapely.affinity.rotate(shapely.box(x - half, y - half, x + half, y + half), turned, use_radians=True)
    if shapely.Polygon(body).distance(shape) < 0.01:
        return
    touch = first_touch(body, heading, [solid(shape)], 3.0)
    exact = touch.distance_m if touch else 3.0
    sampled = sampled_run(body, heading, shape, 3.0)
    grazing = sampled - exact
    assert exact <= sampled + 1e-6  # a sample may pass a corner by, never touch earlier
    way = np.array([math.cos(heading), math.sin(heading)])
    deep = shapely.Polygon(body + way * min(3.0, exact + 0.03)).intersection(shape).area
    assert grazing < 0.03 or deep < 5e-4
