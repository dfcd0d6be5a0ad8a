"""A distance: how far the body could go, or how close a person came or would come."""

from __future__ import annotations

from stbench_scoring.credit.error import AnswerError, metres
from stbench_scoring.records import Answer, Gold, Needs


def number_error(gold: Gold, answer: Answer, needs: Needs) -> AnswerError:
    """Judges a distance. Longer (or wider) than it is errs towards harm; room for C or not is its direction.

    A run is told apart up to the horizon only, so a corridor's answer is clipped to it. Not where something is touched
    right at the horizon: there, an answer beyond it goes into that thing.
    """
    true_m, said_m = gold.answer.distance_m, answer.distance_m
    assert true_m is not None and said_m is not None  # the judge has checked both kinds
    if gold.harmful == "longer" and (gold.contact == "none" or true_m < needs.horizon_m):
        true_m, said_m = min(true_m, needs.horizon_m), min(said_m, needs.horizon_m)
    excess_m = metres(said_m - true_m)
    alike = (true_m >= needs.clearance_m) == (said_m >= needs.clearance_m)
    return AnswerError(abs(excess_m), gold.harmful in ("longer", "wider") and excess_m > 0, float(alike))
