"""The robot and its camera, as a system is told of them: `scripts/<sid>/robot.json` and `sensors/camera.json`."""

from __future__ import annotations

import math
from collections.abc import Mapping

from stbench_scoring.records.io import Record


class Body(Record, frozen=True, kw_only=True):
    """The body as an upright prism.

    Attributes:
        outline: Corners (x, y) in `base_link`, metres, counter-clockwise, convex.
        bottom_m: Clearance under it; what is lower is driven over.
        top_m: Its height.
        blind_ring_m: Width of the ring round the outline that counts as seen, as the body just came from there.
    """

    outline: tuple[tuple[float, float], ...]
    bottom_m: float
    top_m: float
    blind_ring_m: float


class CameraMount(Record, frozen=True, kw_only=True):
    """`camera_link` in `base_link`: metres; pitch in radians, positive looks down (REP-103, about +y)."""

    x_m: float
    y_m: float
    z_m: float
    pitch_rad: float


class Needs(Record, frozen=True, kw_only=True):
    """What the job needs to act on an answer, metres. Sources: docs/questions.md.

    Attributes:
        clearance_m: C, the margin the robot keeps beside its path.
        reacquire_m: R, the radius within which it finds a thing again.
        match_m: M, the list matching radius, by family.
        horizon_m: H, the longest run that is told apart.
    """

    clearance_m: float
    reacquire_m: float
    match_m: Mapping[str, float]
    horizon_m: float


class Robot(Record, frozen=True, kw_only=True):
    """`robot.json`: the robot's spec, sent to a system at the start. `depth`…`far_m` describe the scorer's sensor."""

    format_version: int
    job: str
    layout: str
    name: str
    body: Body
    camera_mount: CameraMount
    needs: Needs
    max_speed_mps: float
    max_turn_radps: float
    depth: bool
    depth_unit_m: float
    near_m: float
    far_m: float


class Camera(Record, frozen=True, kw_only=True):
    """`camera.json`: a pinhole without distortion; pixels, origin at the top left corner of the first pixel's middle.

    Pixel (u, v) is the middle of column u and row v. Depth images hold z along the optical axis in `depth_unit_m`, 0
    where there is nothing between `near_m` and `far_m`.
    """

    format_version: int
    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    depth_unit_m: float
    near_m: float
    far_m: float

    def problem(self) -> str | None:
        """Returns what is wrong with the intrinsics, naming the field and what would be right, or None."""
        for name in ("width", "height"):
            if getattr(self, name) <= 0:
                return f"{name} must be above 0, not {getattr(self, name)}"
        for name in ("fx", "fy", "depth_unit_m", "near_m", "far_m"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                return f"{name} must be finite and above 0, not {value}"
        if not 0 <= self.cx <= self.width - 1:
            return f"cx must lie inside the picture (0 to {self.width - 1}), not {self.cx}"
        if not 0 <= self.cy <= self.height - 1:
            return f"cy must lie inside the picture (0 to {self.height - 1}), not {self.cy}"
        return None if self.near_m < self.far_m else f"far_m must be above near_m ({self.near_m}), not {self.far_m}"
