"""A place on the map."""

from __future__ import annotations

import math

from stbench_scoring.credit.error import AnswerError, metres
from stbench_scoring.records import Answer, Gold, Needs


def place_error(gold: Gold, answer: Answer, needs: Needs) -> AnswerError:
    """Judges a place by its distance from the gold's. No side of it does harm; within R is its direction."""
    true, said = gold.answer, answer
    assert true.x_m is not None and true.y_m is not None  # the judge has checked both kinds
    assert said.x_m is not None and said.y_m is not None
    error_m = metres(math.hypot(said.x_m - true.x_m, said.y_m - true.y_m))
    return AnswerError(error_m, False, float(error_m <= needs.reacquire_m))
