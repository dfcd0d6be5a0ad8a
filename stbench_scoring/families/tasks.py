"""The tasks of a case that an end question may name, and the way driven in one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from stbench_scoring.families.base import Look
from stbench_scoring.seen.script import Script


@dataclass(frozen=True)
class TaskSpan:
    """A task within a case.

    Attributes:
        task: Its number in the script.
        number: Its number in the case, from 0, as the status gives it.
        first_step, last_step: Its keyframes, of the script, both included.
        start_ns, end_ns: Its time.
    """

    task: int
    number: int
    first_step: int
    last_step: int
    start_ns: int
    end_ns: int


def task_spans(look: Look) -> Iterator[TaskSpan]:
    """The case's tasks up to the look, in order."""
    timeline = look.script.timeline
    frames = timeline.frames[look.seen.first_step : look.step + 1]
    first = frames[0].task
    for task in timeline.tasks:
        steps = [f.step for f in frames if f.task == task.index]
        if steps:
            yield TaskSpan(task.index, task.index - first, steps[0], steps[-1], task.start_ns, task.end_ns)


def way_driven(script: Script, span: TaskSpan) -> shapely.LineString | None:
    """The line that the body's middle drove in a task; None where the path holds fewer than two of its samples."""
    path = script.timeline.path
    stamps = np.array(path.stamp_ns)
    inside = (stamps >= span.start_ns) & (stamps <= span.end_ns)
    if inside.sum() < 2:
        return None
    return shapely.LineString(np.column_stack([np.array(path.x_m)[inside], np.array(path.y_m)[inside]]))
