"""How a score came about: for an answer of a run, and for a gold and an answer given by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from stbench_scoring.credit import Judgement, family_rule, judge
from stbench_scoring.credit.rules import FamilyRule
from stbench_scoring.errors import MalformedAnswer, StbenchError
from stbench_scoring.jobs import job_spec
from stbench_scoring.records import Answer, Gold, Needs, parse_answer
from stbench_scoring.records.case import Contact
from stbench_scoring.records.results import QuestionResult
from stbench_scoring.results import Results

# Beyond ten needs the need widens to a tenth of the distance judged, and is never finer than two pixels.
FAR_SHARE = 10.0
PIXELS = 2.0


@dataclass(frozen=True)
class ByHand:
    """A gold and an answer as given on the command line.

    Attributes:
        family, job: What is asked, and for which job's needs.
        gold, answer: JSON texts of the answer's form, or `{"unknown": true}`.
        focal_px: The camera's focal length in pixels; p = q = D / f.
        resolution_m: p itself, where it is not D / f.
        half_width_m: Half the thing's width, for an offset's direction.
        contact: What a corridor ends at.
    """

    family: str
    job: str
    gold: str
    answer: str
    focal_px: float | None = None
    resolution_m: float | None = None
    half_width_m: float = 0.0
    contact: Contact = "seen"


def explain_by_hand(given: ByHand) -> Judgement:
    """Judges an answer given by hand. Raises StbenchError that names the option and what would be right."""
    needs, rule = job_spec(given.job).needs, family_rule(given.family)
    gold = _read("--gold", given.gold, rule)
    answer = _read("--answer", given.answer, rule)
    for name, value in (("--focal-px", given.focal_px), ("--resolution", given.resolution_m)):
        if value is not None and not (math.isfinite(value) and value > 0):
            raise StbenchError(f"{name} must be finite and above 0, not {value}")
    if not (math.isfinite(given.half_width_m) and given.half_width_m >= 0):
        raise StbenchError(f"--half-width must be finite and 0 or more, not {given.half_width_m}")
    return judge(_gold_row(given, gold, needs, rule, measured=not (gold.unknown or answer.unknown)), answer, needs)


def _read(option: str, text: str, rule: FamilyRule) -> Answer:
    try:
        return parse_answer(text, rule.expected)
    except MalformedAnswer as error:
        raise StbenchError(f"{option} {text!r}: {error}; the form is {_FORMS[rule.expected]}") from None


_FORMS: Mapping[str, str] = {
    "number": '{"distance_m": 1.2} or {"unknown": true}',
    "offset": '{"ahead_m": 1.0, "left_m": -0.4} or {"unknown": true}',
    "place": '{"x_m": 2.0, "y_m": 5.1} or {"unknown": true}',
}


def _gold_row(given: ByHand, gold: Answer, needs: Needs, rule: FamilyRule, *, measured: bool) -> Gold:
    """The gold row that the compiler would write, as far as the credit reads it; an unknown measures nothing."""
    if not measured:
        distance_m, pixel_m, resolution_m, need_m = 0.0, 0.0, 0.0, needs.clearance_m
    else:
        distance_m, pixel_m, resolution_m = _resolutions(given, gold, rule)
        need_m = max(needs.clearance_m, distance_m / FAR_SHARE, PIXELS * pixel_m)
        if rule.expected == "place":
            need_m = needs.reacquire_m
    return Gold(
        qid="by hand", family=given.family, kind=rule.kind, ability="clearance", column="now", answer=gold,
        evidence=(), age_s=None, age_band=None, need_m=need_m, resolution_m=resolution_m, pixel_m=pixel_m,
        distance_m=distance_m, harmful=rule.harmful, contact=given.contact, half_width_m=given.half_width_m,
        critical=False, thing="",
    )  # fmt: skip


def _resolutions(given: ByHand, gold: Answer, rule: FamilyRule) -> tuple[float, float, float]:
    """D, q and p of a gold given by hand, metres."""
    if rule.expected == "place":
        if given.resolution_m is None:
            raise StbenchError(
                f"--resolution is needed for {given.family}: a place alone does not tell how far the camera was; "
                "give what one pixel resolves there in metres, e.g. --resolution 0.05"
            )
        return 0.0, 0.0, given.resolution_m
    distance_m = _distance(gold)
    if distance_m < 0:
        raise StbenchError(f"--gold must be a distance of 0 or more, not {distance_m}")
    if given.focal_px is None and given.resolution_m is None:
        raise StbenchError(
            "--focal-px is needed, the camera's focal length in pixels (e.g. --focal-px 554), or --resolution, "
            "what one pixel resolves in metres"
        )
    pixel_m = distance_m / given.focal_px if given.focal_px is not None else 0.0
    return distance_m, pixel_m, pixel_m if given.resolution_m is None else given.resolution_m


def _distance(gold: Answer) -> float:
    if gold.distance_m is not None:
        return gold.distance_m
    assert gold.ahead_m is not None and gold.left_m is not None  # neither a number nor a place: an offset
    return math.hypot(gold.ahead_m, gold.left_m)


def find_rows(results: Results, qid: str | None) -> tuple[QuestionResult, ...]:
    """The rows of a run, or those of one question. Raises StbenchError where there is none."""
    rows = tuple(row for row in results.rows if qid is None or row.qid == qid)
    if not rows and qid is not None:
        raise StbenchError(f"question {qid!r} was not scored in this run: `stbench explain RUN` lists its answers")
    return rows


def row_judgement(row: QuestionResult) -> Judgement:
    """The judgement that stands in a row."""
    return Judgement(row.credit, row.score_gate, row.score, row.catastrophe)


def as_json(judged: Judgement) -> dict[str, float | bool | None]:
    """A judgement as plain values; None where there was nothing to measure."""
    names = ("direction", "thing", "amount", "precision", "error_m", "need_m", "resolution_m")
    measured = {name.removesuffix("_m"): getattr(judged.credit, name, None) for name in names}
    harmful = judged.credit is not None and judged.credit.harmful
    return {**measured, "harmful": harmful, "gate_score": judged.score_gate, "score": judged.score}


def as_text(judged: Judgement) -> str:
    """A judgement in a few lines."""
    credit = judged.credit
    if credit is None:
        scores = f"gate score {judged.score_gate:+.3f}, score {judged.score:+.3f}"
        return f"nothing to measure: an unknown, or no answer\n{scores}"
    side = ", on the harmful side: the need is halved" if credit.harmful else ""
    lines = [
        f"error {credit.error_m:.3f} m against a need of {credit.need_m:.3f} m{side}",
        f"direction  {credit.direction:.3f}",
        f"thing      {credit.thing:.3f}  whole to {2 * credit.need_m:.3f} m, nothing from {4 * credit.need_m:.3f} m",
        f"amount     {credit.amount:.3f}  whole to {credit.need_m:.3f} m, nothing from {2 * credit.need_m:.3f} m",
        f"precision  {credit.precision:.3f}  whole to {min(credit.resolution_m, credit.need_m):.4f} m, "
        f"nothing from {credit.need_m:.3f} m",
        f"gate score {judged.score_gate:+.3f}",
        f"score      {judged.score:+.3f}" + ("  a catastrophe" if judged.catastrophe else ""),
    ]
    return "\n".join(lines)


def show(answer: Answer | None) -> str:
    """An answer as on the stream, or a dash where there is none."""
    return "—" if answer is None else msgspec.json.encode(answer).decode()
