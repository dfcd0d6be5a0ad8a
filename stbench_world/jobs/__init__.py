"""How each job is played out in a place: its tasks, motion and gaps. One job a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from stbench_scoring.errors import StbenchError
from stbench_world.jobs import helper
from stbench_world.jobs.plan import Plan, PlanOrder

PLANNERS: Mapping[str, Callable[[PlanOrder], Plan]] = {"helper/1": helper.plan}


def planner(job: str) -> Callable[[PlanOrder], Plan]:
    """Returns the planner of a job. Raises StbenchError that lists the known ones."""
    try:
        return PLANNERS[job]
    except KeyError:
        raise StbenchError(f"job {job!r} cannot be built: known are {', '.join(sorted(PLANNERS))}") from None


__all__ = ["PLANNERS", "Plan", "PlanOrder", "planner"]
