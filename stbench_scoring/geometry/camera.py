"""Where the camera stands, what lies in its picture, and what a pixel resolves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stbench_scoring.records import Camera, CameraMount

# Below this height over a surface a pixel's step on it has no useful bound; the need bounds the credit there anyway.
_LEAST_HEIGHT_M = 0.05


@dataclass(frozen=True)
class Pose2D:
    """`base_link` in `map`: metres and radians."""

    x_m: float
    y_m: float
    z_m: float
    yaw_rad: float


@dataclass(frozen=True)
class Viewpoint:
    """A camera placed in `map`: position in metres, heading and pitch in radians (positive looks down)."""

    camera: Camera
    x_m: float
    y_m: float
    z_m: float
    yaw_rad: float
    pitch_rad: float

    @staticmethod
    def of(camera: Camera, mount: CameraMount, pose: Pose2D) -> Viewpoint:
        """Places the camera by its mount on a body at `pose`."""
        cos, sin = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
        x = pose.x_m + cos * mount.x_m - sin * mount.y_m
        y = pose.y_m + sin * mount.x_m + cos * mount.y_m
        return Viewpoint(camera, x, y, pose.z_m + mount.z_m, pose.yaw_rad, mount.pitch_rad)

    def level_offset(self, x_m: float, y_m: float) -> tuple[float, float]:
        """(ahead, left) of a map point in the level frame of the camera's heading, metres."""
        dx, dy = x_m - self.x_m, y_m - self.y_m
        cos, sin = math.cos(self.yaw_rad), math.sin(self.yaw_rad)
        return cos * dx + sin * dy, -sin * dx + cos * dy

    def range_m(self, x_m: float, y_m: float) -> float:
        """Horizontal distance from the camera."""
        return math.hypot(x_m - self.x_m, y_m - self.y_m)

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Projects map points (n, 3) to pixels and depth (n, 3): u, v and z along the optical axis, metres."""
        cos, sin = math.cos(self.yaw_rad), math.sin(self.yaw_rad)
        d = points - np.array([self.x_m, self.y_m, self.z_m])
        ahead, left, up = cos * d[:, 0] + sin * d[:, 1], -sin * d[:, 0] + cos * d[:, 1], d[:, 2]
        c, s = math.cos(self.pitch_rad), math.sin(self.pitch_rad)
        depth, down = c * ahead - s * up, -s * ahead - c * up
        safe = np.where(depth > 1e-9, depth, np.nan)
        u = self.camera.cx - self.camera.fx * left / safe
        v = self.camera.cy + self.camera.fy * down / safe
        return np.column_stack([u, v, depth])

    def in_picture(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether map points (n, 3) lie inside the picture, within the sensor's range; nothing is occluded here."""
        u, v, depth = self.pixels(points).T
        cam = self.camera
        with np.errstate(invalid="ignore"):
            inside = (u >= -0.5) & (u < cam.width - 0.5) & (v >= -0.5) & (v < cam.height - 0.5)
        return np.asarray(inside & (depth >= cam.near_m) & (depth <= cam.far_m))

    def pixel_steps_m(self, range_m: float, surface_z_m: float) -> tuple[float, float]:
        """How far a point at `range_m` moves on a level surface when its picture point moves by one pixel.

        Returns:
            Along the sight (h² + D²) / (h·f), close to D² / (h·f) far away, and across it the slant over f; metres.
        """
        height = max(abs(self.z_m - surface_z_m), _LEAST_HEIGHT_M)
        slant2 = height * height + range_m * range_m
        return slant2 / (height * self.camera.fy), math.sqrt(slant2) / self.camera.fx

    def resolution_m(self, range_m: float, surface_z_m: float) -> float:
        """The larger one of `pixel_steps_m`."""
        return max(self.pixel_steps_m(range_m, surface_z_m))
