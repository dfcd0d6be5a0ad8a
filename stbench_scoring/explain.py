"""How a score came about: for an answer of a run, and for a gold and an answer given by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from stbench_scoring.credit import Judgement, family_rule, judge
from stbench_scoring.credit.heading import HEADINGS
from stbench_scoring.credit.rules import FamilyRule
from stbench_scoring.errors import MalformedAnswer, StbenchError
from stbench_scoring.jobs import job_spec
from stbench_scoring.records import Answer, Gold, Needs, PlaceXY, parse_answer
from stbench_scoring.records.answer import wrap_deg
from stbench_scoring.records.case import Contact
from stbench_scoring.records.results import Credit, QuestionResult
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
        runs: JSON text of the runs at headings, `{"35": 4.0}`, degrees and metres, for a heading; others are 0.
        ignored: JSON text of the don't-care circles' middles, `{"places": []}`, for a list.
    """

    family: str
    job: str
    gold: str
    answer: str
    focal_px: float | None = None
    resolution_m: float | None = None
    half_width_m: float = 0.0
    contact: Contact = "seen"
    runs: str | None = None
    ignored: str | None = None


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
    "heading": '{"heading_deg": 35} or {"unknown": true}',
    "places": '{"places": [{"x_m": 2.0, "y_m": 5.1}]} or {"unknown": true}',
}


def _gold_row(given: ByHand, gold: Answer, needs: Needs, rule: FamilyRule, *, measured: bool) -> Gold:
    """The gold row that the compiler would write, as far as the credit reads it; an unknown measures nothing."""
    runs_m: tuple[float, ...] = ()
    if rule.expected == "heading":
        runs_m = _runs(given) if measured else (0.0,) * len(HEADINGS)
    if not measured:
        distance_m, pixel_m, resolution_m, need_m = 0.0, 0.0, 0.0, needs.clearance_m
    else:
        distance_m, pixel_m, resolution_m = _resolutions(given, max(runs_m) if runs_m else _distance(gold), rule)
        need_m = max(needs.clearance_m, distance_m / FAR_SHARE, PIXELS * pixel_m)
        if rule.expected == "place":
            need_m = needs.reacquire_m
    if rule.expected == "places":
        need_m = _match_m(given, needs)
    return Gold(
        qid="by hand", family=given.family, kind=rule.kind, ability="clearance", column="now", answer=gold,
        evidence=(), age_s=None, age_band=None, need_m=need_m, resolution_m=resolution_m, pixel_m=pixel_m,
        distance_m=distance_m, harmful=rule.harmful, contact=given.contact, half_width_m=given.half_width_m,
        critical=False, thing="", runs_m=runs_m, ignored=_ignored(given),
        item_resolutions_m=(resolution_m,) * len(gold.places or ()),
    )  # fmt: skip


def _match_m(given: ByHand, needs: Needs) -> float:
    if given.family not in needs.match_m:
        raise StbenchError(f"--family {given.family} is a list for which {given.job} has no matching radius")
    return needs.match_m[given.family]


def _ignored(given: ByHand) -> tuple[PlaceXY, ...]:
    if given.ignored is None:
        return ()
    try:
        return parse_answer(given.ignored, "places").places or ()
    except MalformedAnswer as error:
        raise StbenchError(f"--ignored {given.ignored!r}: {error}; the form is {_FORMS['places']}") from None


def _runs(given: ByHand) -> tuple[float, ...]:
    """The run of every whole degree, of those given by hand."""
    form = '--runs gives the run of each heading, degrees and metres, e.g. --runs \'{"35": 4.0, "-35": 0.3}\''
    try:
        held = msgspec.json.decode(given.runs or "{}", type=dict[int, float])
    except msgspec.DecodeError as error:
        raise StbenchError(f"--runs {given.runs!r}: {error}; {form}") from None
    if not held:
        raise StbenchError(f"--runs is needed for {given.family}: a heading alone does not tell its run; {form}")
    by_heading = {wrap_deg(heading): run for heading, run in held.items()}
    return tuple(by_heading.get(float(heading), 0.0) for heading in HEADINGS)


def _resolutions(given: ByHand, distance_m: float, rule: FamilyRule) -> tuple[float, float, float]:
    """D, q and p of a gold given by hand, metres."""
    if rule.expected in ("place", "places"):
        if given.resolution_m is None:
            raise StbenchError(
                f"--resolution is needed for {given.family}: a place alone does not tell how far the camera was; "
                "give what one pixel resolves there in metres, e.g. --resolution 0.05"
            )
        return 0.0, 0.0, given.resolution_m
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
    if gold.ahead_m is None or gold.left_m is None:
        return 0.0
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


def as_json(judged: Judgement) -> dict[str, object]:
    """A judgement as plain values; None where there was nothing to measure. `items` stands in a list's alone."""
    names = ("direction", "thing", "amount", "precision", "error_m", "need_m", "resolution_m")
    measured = {name.removesuffix("_m"): getattr(judged.credit, name, None) for name in names}
    harmful = judged.credit is not None and judged.credit.harmful
    items = judged.credit.items if judged.credit is not None else ()
    listed = {"items": msgspec.to_builtins(items)} if items else {}
    return {**measured, "harmful": harmful, "gate_score": judged.score_gate, "score": judged.score, **listed}


def as_text(judged: Judgement) -> str:
    """A judgement in a few lines."""
    credit = judged.credit
    if credit is None:
        scores = f"gate score {judged.score_gate:+.3f}, score {judged.score:+.3f}"
        return f"nothing to measure: an unknown, or no answer\n{scores}"
    if credit.items:
        return "\n".join([*_item_lines(credit), *_score_lines(judged)])
    side = ", on the harmful side: the need is halved" if credit.harmful else ""
    lines = [
        f"error {credit.error_m:.3f} m against a need of {credit.need_m:.3f} m{side}",
        f"direction  {credit.direction:.3f}",
        f"thing      {credit.thing:.3f}  whole to {2 * credit.need_m:.3f} m, nothing from {4 * credit.need_m:.3f} m",
        f"amount     {credit.amount:.3f}  whole to {credit.need_m:.3f} m, nothing from {2 * credit.need_m:.3f} m",
        f"precision  {credit.precision:.3f}  whole to {min(credit.resolution_m, credit.need_m):.4f} m, "
        f"nothing from {credit.need_m:.3f} m",
        *_score_lines(judged),
    ]
    return "\n".join(lines)


def _score_lines(judged: Judgement) -> list[str]:
    return [
        f"gate score {judged.score_gate:+.3f}",
        f"score      {judged.score:+.3f}" + ("  a catastrophe" if judged.catastrophe else ""),
    ]


def _item_lines(credit: Credit) -> list[str]:
    """A list's items, things and places numbered from 1 as they stand in the gold and the answer."""
    lines = []
    for item in credit.items:
        thing, place = (f"{n + 1}" if n is not None else "" for n in (item.thing, item.place))
        if item.error_m is not None:
            lines.append(f"thing {thing}, place {place}: off by {item.error_m:.3f} m, credit {item.share:.3f}")
        elif item.outcome == "missed":
            lines.append(f"thing {thing}: missed")
        else:
            lines.append(f"place {place}: " + ("false" if item.outcome == "false" else "in a don't-care circle, ignored"))
    found, false = (sum(i.outcome == name for i in credit.items) for name in ("matched", "false"))
    things = sum(item.thing is not None for item in credit.items)
    shares = [f"{getattr(credit, name):.3f}" for name in ("direction", "thing", "amount", "precision")]
    return [
        f"{found} of {things} things found, {false} false places, matching radius {credit.need_m:.3f} m",
        *lines,
        "direction {}, thing {}, amount {}, precision {}".format(*shares),
    ]


def show(answer: Answer | None) -> str:
    """An answer as on the stream, or a dash where there is none."""
    return "—" if answer is None else msgspec.json.encode(answer).decode()
