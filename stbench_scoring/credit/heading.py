"""A heading, turned to in place: judged by the run that it gives against the best one."""

from __future__ import annotations

import math
from collections.abc import Sequence

from stbench_scoring.credit.error import AnswerError, metres
from stbench_scoring.records import Answer, Gold, Needs
from stbench_scoring.records.answer import wrap_deg

# Whole degrees from -179 to 180, left positive.
HEADINGS = tuple(range(-179, 181))


def run_at(runs_m: Sequence[float], heading_deg: float) -> float:
    """The run of a heading: that of the nearest whole degree, and of the shorter one where two are equally near.

    Args:
        runs_m: A run for each of `HEADINGS`, metres.
        heading_deg: Any finite angle; 395 is 35 and -180 is 180.
    """
    wrapped = metres(wrap_deg(heading_deg))
    low = math.floor(wrapped)
    past = metres(wrapped - low)
    below, above = runs_m[(low + 179) % 360], runs_m[(low + 180) % 360]
    if past == 0.5:
        return min(below, above)
    return below if past < 0.5 else above


def heading_error(gold: Gold, answer: Answer, needs: Needs) -> AnswerError:
    """Judges a heading by its regret: the best run less its own. A run under C has no room, and that does harm."""
    assert answer.heading_deg is not None  # the judge has checked the kind
    run_m = run_at(gold.runs_m, answer.heading_deg)
    room = metres(run_m) >= metres(needs.clearance_m)
    return AnswerError(metres(max(0.0, gold.distance_m - run_m)), not room, float(room))
