"""The form of a robot's declaration."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stbench_scoring.records import Body, Camera, CameraMount, Robot
from stbench_scoring.records.release import FORMAT_VERSION
from stbench_scoring.records.robot import Needs


@dataclass(frozen=True)
class RobotSpec:
    """One robot; its numbers' sources are in docs/jobs.md.

    Attributes:
        name: As jobs name it.
        dock: Key into a place's `docks`.
        body: Outline in `base_link`, heights and blind ring.
        mount: Of the camera on the body.
        camera: Intrinsics and the scorer's depth range.
        max_speed_mps, max_turn_radps: Limits of motion.
        accel_mps2, turn_accel_radps2: Of the trapezoidal profiles.
    """

    name: str
    dock: str
    body: Body
    mount: CameraMount
    camera: Camera
    max_speed_mps: float
    max_turn_radps: float
    accel_mps2: float
    turn_accel_radps2: float

    @property
    def reach_m(self) -> float:
        """Radius of the disc about `base_link` that holds the body at any heading."""
        return max(math.hypot(x, y) for x, y in self.body.outline)

    def record(self, job: str, layout: str, needs: Needs) -> Robot:
        """The record of this robot in a job and layout."""
        return Robot(
            format_version=FORMAT_VERSION,
            job=job,
            layout=layout,
            name=self.name,
            body=self.body,
            camera_mount=self.mount,
            needs=needs,
            max_speed_mps=self.max_speed_mps,
            max_turn_radps=self.max_turn_radps,
            depth=True,
            depth_unit_m=self.camera.depth_unit_m,
            near_m=self.camera.near_m,
            far_m=self.camera.far_m,
        )
