"""Remembers every detection and depth picture of the stream, and answers from them by geometry of its own.

It checks the gold: what it cannot answer from the stream should not have an answer. It reads channel `detections`
alone, and refuses `rgb_pose` at its start, as it looks at no picture.
"""

from __future__ import annotations

import math

import numpy as np

from stbench_harness.protocol import Ask, Finish, Start, Step, StepPose, TaskStart
from stbench_harness.systems.depth_memory import CELL_M, DepthMemory, Floats, to_body
from stbench_harness.systems.sweep import UNSEEN_M, first_contact, lanes, unseen_length_m
from stbench_scoring.records.sensors import Detection

UNKNOWN = {"unknown": True}
_TURNS_DEG = {"ahead": 0.0, "back": 180.0, "left": 90.0, "right": -90.0}


class PerfectMemory:
    """Answers `clear_path`, `ego_now`, `ego_mem` and `object_where`; unknown for any other family."""

    def start(self, start: Start) -> None:
        """Takes the robot and the camera. Raises ValueError on another channel than `detections`."""
        if start.channel != "detections":
            raise ValueError("perfect_memory reads depth and detections: run it on channel detections")
        self.robot = start.robot
        self.memory = DepthMemory(start.robot, start.camera)
        self.sightings: dict[str, Detection] = {}
        self.step: Step | None = None

    def task(self, task: TaskStart) -> None:
        """A new task: the floor must be seen anew, things stay where they were last seen."""
        self.memory.clear()

    def observe(self, step: Step) -> None:
        """Remembers a frame."""
        self.step = step
        if step.depth is not None:
            self.memory.see(step.pose, step.depth)
        for detection in step.detections or ():
            if detection.clear:
                self.sightings[detection.words] = detection

    def ask(self, ask: Ask) -> object:
        """Answers, or says unknown."""
        if self.step is None:
            return UNKNOWN
        if ask.family == "clear_path":
            return self._clear_path(self.step.pose, ask)
        sighting = self.sightings.get(ask.params.words or "")
        if sighting is None:
            return UNKNOWN
        if ask.family in ("ego_now", "ego_mem"):
            return self._offset(self.step.pose, sighting)
        if ask.family == "object_where":
            return {"x_m": sighting.centre[0], "y_m": sighting.centre[1]}
        return UNKNOWN

    def finish(self, finish: Finish) -> None:
        """Nothing is kept beyond a case."""

    def _offset(self, pose: StepPose, sighting: Detection) -> object:
        """From the camera, in the level frame of its heading."""
        mount = self.robot.camera_mount
        local = to_body(np.array([sighting.nearest]), pose.x_m, pose.y_m, math.radians(pose.yaw_deg))[0]
        return {"ahead_m": float(local[0]) - mount.x_m, "left_m": float(local[1]) - mount.y_m}

    def _clear_path(self, pose: StepPose, ask: Ask) -> object:
        turn = _TURNS_DEG[ask.params.turn or "ahead"]
        horizon = ask.params.horizon_m or self.robot.needs.horizon_m
        # Backing moves the body tail first; a turn to the side turns it in place, so the front leads either way.
        yaw = math.radians(pose.yaw_deg + turn)
        outline = np.array(self.robot.body.outline)
        if ask.params.turn == "back":
            outline = -outline
        points = to_body(self.memory.points[:, :2], pose.x_m, pose.y_m, yaw)
        run = min(first_contact(outline, points), horizon)
        return {"distance_m": run} if self._seen_until(pose, yaw, outline, run) else UNKNOWN

    def _seen_until(self, pose: StepPose, yaw: float, outline: Floats, run_m: float) -> bool:
        """Whether no more than UNSEEN_M of the sweep's floor before `run_m` was unseen."""
        across, front = lanes(outline, CELL_M)
        count = int(run_m / CELL_M)
        if count == 0:
            return True
        along = front[:, None] + (np.arange(count) + 0.5)[None] * CELL_M
        c, s = math.cos(yaw), math.sin(yaw)
        x = pose.x_m + c * along - s * across[:, None]
        y = pose.y_m + s * along + c * across[:, None]
        cells = np.stack([np.floor(x / CELL_M), np.floor(y / CELL_M)], axis=-1).astype(np.int64).reshape(-1, 2)
        seen = np.array([tuple(cell) in self.memory.floor for cell in cells.tolist()]).reshape(x.shape)
        return unseen_length_m(seen, CELL_M) <= UNSEEN_M + 1e-9
