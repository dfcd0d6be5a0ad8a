"""The form of a job's declaration, and the registry of jobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from stbench_scoring.errors import StbenchError
from stbench_scoring.records.robot import Needs
from stbench_scoring.records.timeline import Task


@dataclass(frozen=True)
class JobSpec:
    """One job's numbers and tables.

    Attributes:
        id: E.g. `helper/1`.
        robot: The robot's name, for texts.
        needs: C, R, M and H; their sources are in docs/questions.md.
        slots: Families for a look point's slots, in turn, harm first; a family is skipped where it has no question.
        end_families: Families asked after the last frame.
        end_questions: At most this many end questions a task.
        look_points: At most this many look points a task.
        brief: Composes the brief of a task. Briefs are never files.
        neutral_brief: The brief that withholds the task.
        way_radius_m: The distance from the way driven that `task_things` states.
    """

    id: str
    robot: str
    needs: Needs
    slots: tuple[tuple[str, ...], ...]
    end_families: tuple[str, ...]
    end_questions: int
    look_points: int
    brief: Callable[[Task], str]
    neutral_brief: str
    turns: tuple[str, ...] = ("ahead", "back", "left", "right")
    way_radius_m: float = 1.0
    texts: Mapping[str, str] = field(default_factory=dict)


_JOBS: dict[str, JobSpec] = {}


def register(spec: JobSpec) -> None:
    """Adds a job. Raises StbenchError where its id is taken."""
    if spec.id in _JOBS:
        raise StbenchError(f"job {spec.id!r} is declared twice")
    _JOBS[spec.id] = spec


def job_spec(job: str) -> JobSpec:
    """Returns the job of an id. Raises StbenchError that lists the known ones."""
    try:
        return _JOBS[job]
    except KeyError:
        raise StbenchError(f"unknown job {job!r}: known are {', '.join(sorted(_JOBS))}") from None
