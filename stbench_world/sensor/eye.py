"""The camera as the sensor uses it: a ray a pixel, and where map points fall in the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stbench_scoring.records import Camera, CameraMount
from stbench_world.sensor.rays import Floats

NEAR_AXIS_M = 1e-6


@dataclass(frozen=True)
class Eye:
    """A camera placed in `map`.

    Attributes:
        camera: Its intrinsics.
        camera_to_map: (4, 4), from the optical frame (x right, y down, z forward), metres.
    """

    camera: Camera
    camera_to_map: Floats

    @staticmethod
    def on_body(camera: Camera, mount: CameraMount, x_m: float, y_m: float, yaw_rad: float) -> Eye:
        """The camera of a body that stands on the floor at a pose."""
        c, s = math.cos(yaw_rad), math.sin(yaw_rad)
        cp, sp = math.cos(mount.pitch_rad), math.sin(mount.pitch_rad)
        # Columns: the optical axes in the level frame of the heading (ahead, left, up).
        level = np.array([[0.0, -sp, cp], [-1.0, 0.0, 0.0], [0.0, -cp, -sp]])
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        matrix = np.eye(4)
        matrix[:3, :3] = turn @ level
        matrix[:3, 3] = (x_m + c * mount.x_m - s * mount.y_m, y_m + s * mount.x_m + c * mount.y_m, mount.z_m)
        return Eye(camera, matrix)

    @property
    def origin(self) -> Floats:
        """The camera's place in `map`, metres."""
        return self.camera_to_map[:3, 3]

    def directions(self, u: Floats, v: Floats) -> Floats:
        """Rays (n, 3) in `map` through pixels, of optical depth 1."""
        cam = self.camera
        local = np.column_stack([(u - cam.cx) / cam.fx, (v - cam.cy) / cam.fy, np.ones(len(u))])
        return np.asarray(local @ self.camera_to_map[:3, :3].T)

    @cached_property
    def every_ray(self) -> Floats:
        """A ray a pixel, row by row, (height · width, 3)."""
        v, u = np.indices((self.camera.height, self.camera.width), dtype=np.float64)
        return self.directions(u.ravel(), v.ravel())

    def pixels(self, points: Floats) -> Floats:
        """Projects map points (n, 3) to (u, v, depth); u and v are NaN behind the camera."""
        local = (points - self.origin) @ self.camera_to_map[:3, :3]
        depth = local[:, 2]
        safe = np.where(depth > NEAR_AXIS_M, depth, np.nan)
        cam = self.camera
        return np.column_stack([cam.cx + cam.fx * local[:, 0] / safe, cam.cy + cam.fy * local[:, 1] / safe, depth])

    def window(self, points: Floats) -> tuple[int, int, int, int] | None:
        """The pixels (first column, first row, beyond last column, beyond last row) that placed points may fall on.

        The whole picture where some lie behind the camera; None where none can be in it.
        """
        cam = self.camera
        u, v, depth = self.pixels(points).T
        if (depth <= NEAR_AXIS_M).all():
            return None
        if (depth <= NEAR_AXIS_M).any():
            return 0, 0, cam.width, cam.height
        u0, u1 = max(0, math.floor(u.min())), min(cam.width, math.ceil(u.max()) + 1)
        v0, v1 = max(0, math.floor(v.min())), min(cam.height, math.ceil(v.max()) + 1)
        return (u0, v0, u1, v1) if u0 < u1 and v0 < v1 else None
