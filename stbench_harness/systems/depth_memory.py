"""What depth pictures showed of a task: solid points at the body's height, and floor that was seen.

Geometry of its own, apart from the scorer's, so that it checks the gold instead of repeating it. All is in `map`,
metres; heights are above the floor that the robot stands on.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from stbench_harness.protocol import StepPose
from stbench_scoring.records.robot import Camera, Robot

Floats = NDArray[np.floating]
Bools = NDArray[np.bool_]
CELL_M = 0.05
_MERGE_M = 0.01  # solid points closer than this are one: far below the least need, 0.15 m
_KEY_MASK = (1 << 21) - 1  # three keys of 21 bits in one of 63: 20 km of cells either way
_KEY_PLACES = np.array([1 << 42, 1 << 21, 1], dtype=np.int64)
_SLACK_M = 0.03
_SLACK_SHARE = 0.01  # of the range, for rounding of depth and slant of a surface within a pixel


class DepthMemory:
    """The memory of one task. Floor cells are (column, row) of a grid of CELL_M."""

    def __init__(self, robot: Robot, camera: Camera) -> None:
        self.robot = robot
        self.camera = camera
        self.points: Floats = np.empty((0, 3))
        self.floor: set[tuple[int, int]] = set()
        self._last: tuple[float, float, float] | None = None
        v, u = np.mgrid[0 : camera.height, 0 : camera.width]
        self._rays = np.stack([(u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, np.ones(u.shape)], axis=-1)

    def clear(self) -> None:
        """Forgets all but where the robot stands: a new task begins."""
        self.points = np.empty((0, 3))
        self.floor = set()
        self._last = None

    def see(self, pose: StepPose, png: bytes) -> None:
        """Adds a frame. `png` is a 16-bit depth picture; raises ValueError where it is none."""
        raw = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
        if raw is None or raw.shape != (self.camera.height, self.camera.width):
            raise ValueError("depth is not a PNG of the camera's size")
        depth = raw.astype(np.float64) * self.camera.depth_unit_m
        origin, axes = camera_pose(self.robot, pose)
        self._forget_gone(depth, origin, axes)
        self._add_points(depth, origin, axes, pose.z_m)
        self._add_floor(depth, origin, axes, pose.z_m)
        self._add_ring(pose)

    def _project(self, points: Floats, origin: Floats, axes: Floats) -> tuple[Floats, NDArray[np.intp], Bools]:
        local = (points - origin) @ axes
        z = local[:, 2]
        ahead = z > self.camera.near_m
        safe = np.where(ahead, z, 1.0)
        u = np.rint(self.camera.fx * local[:, 0] / safe + self.camera.cx).astype(np.intp)
        v = np.rint(self.camera.fy * local[:, 1] / safe + self.camera.cy).astype(np.intp)
        inside = ahead & (u >= 0) & (u < self.camera.width) & (v >= 0) & (v < self.camera.height)
        return z, np.stack([np.where(inside, v, 0), np.where(inside, u, 0)]), inside

    def _forget_gone(self, depth: Floats, origin: Floats, axes: Floats) -> None:
        """Drops points that the new frame sees past, e.g. where a person stood."""
        if not len(self.points):
            return
        z, pixel, inside = self._project(self.points, origin, axes)
        reach = np.where(depth > 0, depth, self.camera.far_m)
        nearest = cv2.erode(reach, np.ones((3, 3), np.uint8))[pixel[0], pixel[1]]
        gone = inside & (z < self.camera.far_m) & (nearest > z + 0.1 + 0.02 * z)
        self.points = self.points[~gone]

    def _add_points(self, depth: Floats, origin: Floats, axes: Floats, floor_m: float) -> None:
        points = (self._rays[depth > 0] * depth[depth > 0][:, None]) @ axes.T + origin
        height = points[:, 2] - floor_m
        points = points[(height > self.robot.body.bottom_m) & (height < self.robot.body.top_m)]
        merged = np.concatenate([self.points, points])
        keys = np.floor(merged / np.array([_MERGE_M, _MERGE_M, 0.1])).astype(np.int64) & _KEY_MASK
        # One number a key: unique rows would be sorted field by field, ten times slower.
        _, first = np.unique(keys @ _KEY_PLACES, return_index=True)
        self.points = merged[np.sort(first)]

    def _add_floor(self, depth: Floats, origin: Floats, axes: Floats, floor_m: float) -> None:
        reach = min(self.camera.far_m, self.robot.needs.horizon_m + 1.0)
        n = math.ceil(reach / CELL_M)
        at = np.arange(-n, n + 1)
        cells = np.stack(np.meshgrid(at, at, indexing="ij"), axis=-1).reshape(-1, 2)
        cells = cells + np.floor(origin[:2] / CELL_M).astype(np.int64)
        middle = np.column_stack([(cells + 0.5) * CELL_M, np.full(len(cells), floor_m)])
        z, pixel, inside = self._project(middle, origin, axes)
        seen = depth[pixel[0], pixel[1]]
        free = inside & (z <= self.camera.far_m) & (seen > 0) & (seen >= z - _SLACK_M - _SLACK_SHARE * z)
        self.floor.update(map(tuple, cells[free].tolist()))

    def _add_ring(self, pose: StepPose) -> None:
        """Where the body and its blind ring stood, also on the way from the last frame."""
        here = (pose.x_m, pose.y_m, math.radians(pose.yaw_deg))
        before = self._last or here
        turn = math.remainder(here[2] - before[2], math.tau)
        steps = max(1, math.ceil(math.hypot(here[0] - before[0], here[1] - before[1]) / 0.05), math.ceil(abs(turn) / 0.1))
        for k in range(1, steps + 1):
            t = k / steps
            x, y = before[0] + t * (here[0] - before[0]), before[1] + t * (here[1] - before[1])
            self._add_body(x, y, before[2] + t * turn)
        self._last = here

    def _add_body(self, x_m: float, y_m: float, yaw: float) -> None:
        outline = np.array(self.robot.body.outline)
        reach = float(np.hypot(*outline.T).max()) + self.robot.body.blind_ring_m
        n = math.ceil(reach / CELL_M) + 1
        at = np.arange(-n, n + 1)
        cells = np.stack(np.meshgrid(at, at, indexing="ij"), axis=-1).reshape(-1, 2)
        cells = cells + np.floor(np.array([x_m, y_m]) / CELL_M).astype(np.int64)
        local = to_body((cells + 0.5) * CELL_M, x_m, y_m, yaw)
        inside = distance_outside(outline, local) <= self.robot.body.blind_ring_m
        self.floor.update(map(tuple, cells[inside].tolist()))


def camera_pose(robot: Robot, pose: StepPose) -> tuple[Floats, Floats]:
    """Returns the camera's place in `map` and a matrix whose columns are its right, down and forward axes there."""
    yaw, pitch = math.radians(pose.yaw_deg), robot.camera_mount.pitch_rad
    mount = robot.camera_mount
    c, s = math.cos(yaw), math.sin(yaw)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    origin = np.array([pose.x_m, pose.y_m, pose.z_m]) + turn @ np.array([mount.x_m, mount.y_m, mount.z_m])
    right = np.array([0.0, -1.0, 0.0])
    down = np.array([-math.sin(pitch), 0.0, -math.cos(pitch)])
    forward = np.array([math.cos(pitch), 0.0, -math.sin(pitch)])
    return origin, turn @ np.column_stack([right, down, forward])


def to_body(points: Floats, x_m: float, y_m: float, yaw: float) -> Floats:
    """(n, 2) points of `map` in a body frame that stands at (x, y) and faces `yaw` radians."""
    c, s = math.cos(yaw), math.sin(yaw)
    local: Floats = (points - np.array([x_m, y_m])) @ np.array([[c, -s], [s, c]])
    return local


def distance_outside(outline: Floats, points: Floats) -> Floats:
    """Distance of (n, 2) points from a convex, counter-clockwise outline of (k, 2) corners; 0 inside, metres."""
    start, end = outline, np.roll(outline, -1, axis=0)
    edge = end - start
    rel = points[:, None, :] - start[None]
    inside = (edge[:, 0] * rel[:, :, 1] - edge[:, 1] * rel[:, :, 0] >= 0).all(axis=1)
    t = np.clip((rel * edge).sum(-1) / (edge * edge).sum(-1), 0.0, 1.0)
    gap = np.hypot(*np.moveaxis(rel - t[:, :, None] * edge, -1, 0)).min(axis=1)
    return np.asarray(np.where(inside, 0.0, gap))
