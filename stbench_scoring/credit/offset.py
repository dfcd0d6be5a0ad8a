"""An offset from the camera, ahead and left, in the level frame of its heading."""

from __future__ import annotations

import math

from stbench_scoring.credit.error import AnswerError, halved, metres
from stbench_scoring.records import Answer, Gold, Needs


def offset_error(gold: Gold, answer: Answer, needs: Needs) -> AnswerError:
    """Judges an offset. Farther than the thing is, by more than a pixel resolves, errs towards harm.

    Direction: the signs of ahead and left agree wherever the gold's component exceeds both the need and half the
    thing's width. That bound takes the need before it is halved: it tells what the gold is, not how the answer errs,
    and so the quarter never rises again as an answer moves away from the gold.
    """
    true, said = gold.answer, answer
    assert true.ahead_m is not None and true.left_m is not None  # the judge has checked both kinds
    assert said.ahead_m is not None and said.left_m is not None
    error_m = metres(math.hypot(said.ahead_m - true.ahead_m, said.left_m - true.left_m))
    farther_m = metres(math.hypot(said.ahead_m, said.left_m) - math.hypot(true.ahead_m, true.left_m))
    harmful = gold.harmful == "farther" and farther_m > gold.resolution_m
    bound_m = max(gold.need_m, gold.half_width_m)
    pairs = ((true.ahead_m, said.ahead_m), (true.left_m, said.left_m))
    sided = [(t, s) for t, s in pairs if abs(t) > bound_m]
    near = error_m <= 2.0 * halved(gold.need_m, harmful)
    right = all(t * s > 0 for t, s in sided) if sided else near
    return AnswerError(error_m, harmful, float(right))
