"""A script's truth and what its frames saw, read once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stbench_scoring.errors import RecordError, StbenchError
from stbench_scoring.geometry.camera import Pose2D, Viewpoint
from stbench_scoring.geometry.solids import Solid, person_at, person_solid, pose_at, thing_solid
from stbench_scoring.records import (
    Camera,
    Person,
    ReleaseTree,
    Robot,
    ThingRecord,
    Timeline,
    VisibilityRow,
    read_json,
    read_jsonl,
)


@dataclass(frozen=True)
class Script:
    """What gold is computed from: the timeline, the visibility rows and the robot with its camera."""

    timeline: Timeline
    rows: tuple[VisibilityRow, ...]
    robot: Robot
    camera: Camera

    @cached_property
    def things(self) -> dict[str, ThingRecord]:
        """Things by id."""
        return {thing.id: thing for thing in self.timeline.things}

    @cached_property
    def people(self) -> dict[str, Person]:
        """People by id."""
        return {person.id: person for person in self.timeline.people}

    def stamp_ns(self, step: int) -> int:
        """When a keyframe was taken."""
        return self.timeline.frames[step].stamp_ns

    def pose(self, step: int) -> Pose2D:
        """The body's pose at a keyframe, from the path; the yaw turns the short way between samples."""
        path, stamp = self.timeline.path, self.stamp_ns(step)
        x, y, z = (float(np.interp(stamp, path.stamp_ns, column)) for column in (path.x_m, path.y_m, path.z_m))
        yaw = float(np.interp(stamp, path.stamp_ns, np.unwrap(path.yaw_rad)))
        return Pose2D(x, y, z, math.remainder(yaw, math.tau))

    def viewpoint(self, step: int) -> Viewpoint:
        """The camera at a keyframe."""
        return Viewpoint.of(self.camera, self.robot.camera_mount, self.pose(step))

    def solid(self, thing: ThingRecord, stamp_ns: int) -> Solid | None:
        """A thing's outline at the body's height, where it stood at a time."""
        body = self.robot.body
        return thing_solid(thing, pose_at(thing, stamp_ns), body.bottom_m, body.top_m)

    def true_solids(self, stamp_ns: int) -> list[Solid]:
        """Everything solid at a time, seen or not."""
        solids = [self.solid(thing, stamp_ns) for thing in self.timeline.things]
        for person in self.timeline.people:
            place = person_at(person, stamp_ns)
            if place is not None:
                solids.append(person_solid(person, *place))
        return [s for s in solids if s is not None]


def read_script(tree: ReleaseTree, sid: str) -> Script:
    """Reads a script.

    Raises:
        StbenchError: A file cannot be read, the camera cannot be one, or a frame has no visibility row.
    """
    camera = read_json(tree.camera_json(sid), Camera)
    problem = camera.problem()
    if problem is not None:
        raise RecordError(tree.camera_json(sid), problem)
    timeline = read_json(tree.timeline_json(sid), Timeline)
    rows = read_jsonl(tree.visibility_jsonl(sid), VisibilityRow)
    if [row.step for row in rows] != [frame.step for frame in timeline.frames]:
        raise StbenchError(f"{tree.visibility_jsonl(sid)}: steps are not those of timeline.json's frames, one row each")
    return Script(timeline, rows, read_json(tree.robot_json(sid), Robot), camera)
