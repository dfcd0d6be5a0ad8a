"""helper/1: a Stretch-class home helper carries things between surfaces, or brings one to its spot, and parks again."""

from __future__ import annotations

from stbench_scoring.jobs.spec import JobSpec
from stbench_scoring.records.robot import Needs
from stbench_scoring.records.timeline import Task

# C and R are the card's table of tolerances, M its list matching radius; H is the horizon of an indoor run.
NEEDS = Needs(clearance_m=0.15, reacquire_m=1.0, match_m={"task_things": 0.5}, horizon_m=5.0)


def brief(task: Task) -> str:
    """The brief of a task, from its facts `thing`, `from` and `to`."""
    facts = task.facts
    if task.kind == "carry":
        return (
            f"Carry the {facts['thing']} from the {facts['from']} to the {facts['to']}, "
            "then drive back to your dock and park."
        )
    return f"Bring the {facts['thing']} to the {facts['to']}, then drive back to your dock and park."


HELPER_1 = JobSpec(
    id="helper/1",
    robot="home helper",
    needs=NEEDS,
    slots=(("clear_path",), ("ego_now", "ego_mem"), ("ego_mem", "ego_now")),
    end_families=("object_where",),
    end_questions=6,
    look_points=6,
    brief=brief,
    neutral_brief="Do your job in this home, as your status says.",
)
