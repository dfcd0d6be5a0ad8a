"""The pinhole by hand, and against the synthetic release's own projection with matrices."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stbench_scoring.geometry.camera import Pose2D, Viewpoint


@pytest.fixture
def viewpoint(synthetic):
    return lambda x, y, yaw: Viewpoint.of(synthetic.CAMERA, synthetic.ROBOT.camera_mount, Pose2D(x, y, 0.0, yaw))


def test_point_on_the_axis_falls_in_the_middle(synthetic, viewpoint):
    # The axis, pitched by 0.45 rad from 1.3 m up, meets the floor 1.3 / tan(0.45) ahead.
    u, v, depth = viewpoint(0, 0, 0).pixels(np.array([[1.3 / math.tan(0.45), 0.0, 0.0]]))[0]
    assert (u, v) == pytest.approx((synthetic.CAMERA.cx, synthetic.CAMERA.cy))
    assert depth == pytest.approx(1.3 / math.sin(0.45))


def test_agrees_with_the_projection_by_matrices(synthetic, viewpoint):
    points = np.array([[3.0, 1.0, 0.2], [2.5, -0.4, 1.0], [1.9, 0.6, 0.0]])
    found = viewpoint(0.3, 0.1, 0.2).pixels(points)
    assert np.allclose(found, synthetic.project((0.3, 0.1, 0.2), points))


def test_left_of_the_heading_is_positive(viewpoint):
    assert viewpoint(1.0, 1.0, math.pi / 2).level_offset(0.0, 3.0) == pytest.approx((2.0, 1.0))


def test_behind_is_out_of_the_picture(viewpoint):
    assert list(viewpoint(0, 0, 0).in_picture(np.array([[-3.0, 0, 0], [3.0, 0, 0]]))) == [False, True]


def test_a_pixel_on_the_floor_five_metres_away(viewpoint):
    # (h² + D²) / (h·f) = (1.69 + 25) / (1.3 · 554)
    assert viewpoint(0, 0, 0).resolution_m(5.0, 0.0) == pytest.approx(26.69 / 720.2)
    # At the camera's own height along the sight nothing bounds it; the height is held at 5 cm.
    assert viewpoint(0, 0, 0).resolution_m(5.0, 1.3) == pytest.approx((0.0025 + 25) / (0.05 * 554))
