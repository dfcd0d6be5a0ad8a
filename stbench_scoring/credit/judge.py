"""One answer's credit, gate score and score."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stbench_scoring.credit.error import AnswerError, halved, metres
from stbench_scoring.credit.ramp import ramp
from stbench_scoring.credit.rules import FamilyRule, family_rule
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Answer, Gold, Needs
from stbench_scoring.records.results import Credit

INTO_SEEN = -2.0
INTO_PERSON_OR_HAZARD = -3.0


@dataclass(frozen=True)
class Judgement:
    """What an answer earned. `credit` is None where there was nothing to measure: an unknown, or no answer."""

    credit: Credit | None
    score_gate: float
    score: float
    catastrophe: bool = False


NOTHING = Judgement(None, 0.0, 0.0)
RIGHTLY_UNKNOWN = Judgement(None, 1.0, 1.0)
ANSWERED_UNKNOWABLE = Judgement(None, -1.0, -1.0)


def judge(gold: Gold, answer: Answer | None, needs: Needs) -> Judgement:
    """Judges an answer.

    Args:
        gold: The right answer and its tolerances.
        answer: What was answered, `unknown` included; None where there was no answer, which scores 0 either way.
        needs: What the job needs.

    Raises:
        StbenchError: The gold row cannot be scored with, or the answer is of another kind than the family asks.
    """
    rule = family_rule(gold.family)
    _check(gold, rule)
    if answer is None:
        return NOTHING
    if answer.unknown:
        return RIGHTLY_UNKNOWN if gold.answer.unknown else NOTHING
    if answer.kind != rule.expected:
        raise StbenchError(
            f"question {gold.qid}: a {gold.family} answer must be of the kind {rule.expected}, not {answer.kind}"
        )
    if gold.answer.unknown:
        return ANSWERED_UNKNOWABLE
    error = rule.error(gold, answer, needs)
    credit = _credit(gold, error)
    share = (credit.direction + credit.thing + credit.amount + credit.precision) / 4.0
    score_gate = metres(2.0 * share - 1.0)
    catastrophe = _catastrophe(gold, rule, error, needs)
    return Judgement(credit, score_gate, score_gate if catastrophe is None else catastrophe, catastrophe is not None)


def _credit(gold: Gold, error: AnswerError) -> Credit:
    """The four quarters: the right direction, thing, amount, and precision to a pixel."""
    need_m, e = halved(gold.need_m, error.harmful), error.error_m
    return Credit(
        direction=error.direction,
        thing=metres(ramp(e, 2.0 * need_m, 4.0 * need_m)),
        amount=metres(ramp(e, need_m, 2.0 * need_m)),
        precision=metres(ramp(e, min(gold.resolution_m, need_m), need_m)),
        error_m=e,
        need_m=metres(need_m),
        resolution_m=metres(gold.resolution_m),
        harmful=error.harmful,
    )


def _catastrophe(gold: Gold, rule: FamilyRule, error: AnswerError, needs: Needs) -> float | None:
    """The score of an answer whose action would end in harm, or None.

    Only an error on the harmful side that exceeds both the clearance and what two pixels resolve is one.
    """
    if gold.kind != "harm" or not error.harmful:
        return None
    if error.error_m <= metres(max(needs.clearance_m, 2.0 * gold.resolution_m)):
        return None
    if rule.approach:
        return INTO_PERSON_OR_HAZARD if gold.answer.distance_m == 0.0 else None
    if gold.contact in ("person", "hazard"):
        return INTO_PERSON_OR_HAZARD
    return INTO_SEEN if gold.contact == "seen" else None


def _check(gold: Gold, rule: FamilyRule) -> None:
    """Refuses a gold row whose tolerances would give credit away (an infinite need), or of another kind of answer."""
    if gold.answer.kind not in ("unknown", rule.expected):
        raise StbenchError(
            f"gold of {gold.qid}: answer must be of the kind {rule.expected} for {gold.family}, not {gold.answer.kind}"
        )
    if gold.answer.unknown:
        return
    if gold.harmful != rule.harmful:
        raise StbenchError(
            f"gold of {gold.qid}: harmful must be {rule.harmful} for {gold.family}, not {gold.harmful}"
        )
    if not (math.isfinite(gold.need_m) and gold.need_m > 0):
        raise StbenchError(f"gold of {gold.qid}: need_m must be finite and above 0, not {gold.need_m}")
    for name in ("resolution_m", "pixel_m", "distance_m", "half_width_m"):
        value = getattr(gold, name)
        if not (math.isfinite(value) and value >= 0):
            raise StbenchError(f"gold of {gold.qid}: {name} must be finite and 0 or more, not {value}")
