"""A Stretch-class home helper: a small wheeled base, a mast, and a camera on top that looks down at the way ahead."""

from __future__ import annotations

import math

from stbench_scoring.records import Body, Camera, CameraMount
from stbench_scoring.records.release import FORMAT_VERSION
from stbench_world.robots.spec import RobotSpec

_HALF_LENGTH_M, _HALF_WIDTH_M, _CHAMFER_M = 0.17, 0.165, 0.06
_PITCH_RAD = math.radians(25.0)


def _outline() -> tuple[tuple[float, float], ...]:
    """A rectangle of 0.34 m by 0.33 m with its corners cut off, counter-clockwise from the front left."""
    x, y, c = _HALF_LENGTH_M, _HALF_WIDTH_M, _CHAMFER_M
    quarter = ((x, y - c), (x - c, y))
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    corners: list[tuple[float, float]] = []
    for n, (sx, sy) in enumerate(signs):
        pair = quarter if n % 2 == 0 else quarter[::-1]
        corners += [(round(sx * px, 4), round(sy * py, 4)) for px, py in pair]
    return tuple(corners)


HELPER = RobotSpec(
    name="home helper",
    dock="helper",
    body=Body(outline=_outline(), bottom_m=0.02, top_m=1.41, blind_ring_m=0.8),
    mount=CameraMount(x_m=0.0, y_m=0.0, z_m=1.30, pitch_rad=round(_PITCH_RAD, 6)),
    camera=Camera(
        format_version=FORMAT_VERSION,
        width=640,
        height=480,
        fx=554.0,
        fy=554.0,
        cx=319.5,
        cy=239.5,
        depth_unit_m=0.001,
        near_m=0.2,
        far_m=10.0,
    ),
    max_speed_mps=0.3,
    max_turn_radps=1.0,
    accel_mps2=0.3,
    turn_accel_radps2=1.0,
)
