"""What a job's planner is given and gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stbench_scoring.records import Gap, PoseSpan, Task
from stbench_scoring.records.robot import Needs
from stbench_world.plan.keyframes import Key
from stbench_world.plan.motion import Leg
from stbench_world.robots.spec import RobotSpec
from stbench_world.scene import Place


@dataclass(frozen=True)
class PlanOrder:
    """What to plan.

    Attributes:
        place: The furnished place.
        robot: The robot that does the job.
        needs: The job's numbers.
        seed: All draws derive from it.
        tasks: How many tasks.
        frames_per_task: At most so many keyframes a task, or None for the job's own density.
    """

    place: Place
    robot: RobotSpec
    needs: Needs
    seed: int
    tasks: int
    frames_per_task: int | None


@dataclass(frozen=True)
class Plan:
    """What happens: tasks with their motion and keyframes, gaps, and things' poses over time by id."""

    tasks: tuple[Task, ...]
    gaps: tuple[Gap, ...]
    legs: tuple[Leg, ...]
    keys: tuple[Key, ...]
    spans: Mapping[str, tuple[PoseSpan, ...]]
