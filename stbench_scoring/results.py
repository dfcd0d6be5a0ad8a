"""`results.json`: what a run scored. Nothing timed stands in it, so ledger, bag and live scorer give the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from stbench_scoring.aggregate import Aggregate, aggregate
from stbench_scoring.errors import RecordError, StbenchError
from stbench_scoring.records import Answer, PlaceXY, Release, ReleaseTree, read_json, write_json
from stbench_scoring.records.io import Record
from stbench_scoring.records.results import CaseResponses, QuestionResult, RunLabel
from stbench_scoring.score import SCORER_VERSION, CaseKey, read_key, score_with

RESULTS_VERSION = 1
_DECIMALS = 9


class Unscored(Record, frozen=True, kw_only=True):
    """A case that was asked for and not scored, and why: `invalid` or `cancelled`."""

    cid: str
    outcome: str
    questions: int


class Coverage(Record, frozen=True, kw_only=True):
    """How much of what was asked for was scored, and of the release. It stands beside every headline."""

    cases_asked: int
    cases_scored: int
    cases_release: int
    questions_asked: int
    questions_scored: int
    questions_release: int
    unscored: tuple[Unscored, ...]


class Results(Record, frozen=True, kw_only=True):
    """A run's results.

    Attributes:
        questions_digest: SHA-256 over the ids of the cases and questions asked; runs of unlike sets are not compared.
        rows: By case id, then in the order of asking.
        aggregates: One a layout and job.
    """

    format_version: int
    scorer_version: str
    label: RunLabel
    release_name: str
    release_version: str
    release_digest: str
    questions_digest: str
    coverage: Coverage
    aggregates: tuple[Aggregate, ...]
    rows: tuple[QuestionResult, ...]


def _tidy(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS) + 0.0


def tidy_answer(answer: Answer) -> Answer:
    """Rounds an answer to 9 decimals, so that its bytes do not depend on how it travelled."""
    if answer.unknown:
        return answer
    places = answer.places
    if places is not None:
        places = tuple(PlaceXY(x_m=round(p.x_m, _DECIMALS) + 0.0, y_m=round(p.y_m, _DECIMALS) + 0.0) for p in places)
    return Answer(
        distance_m=_tidy(answer.distance_m), ahead_m=_tidy(answer.ahead_m), left_m=_tidy(answer.left_m),
        heading_deg=_tidy(answer.heading_deg), x_m=_tidy(answer.x_m), y_m=_tidy(answer.y_m), places=places,
    )  # fmt: skip


def _tidy_responses(case: CaseResponses) -> CaseResponses:
    responses = (
        r if r.answer is None else msgspec.structs.replace(r, answer=tidy_answer(r.answer)) for r in case.responses
    )
    return msgspec.structs.replace(case, responses=tuple(responses))


def make_results(release: Release, label: RunLabel, cases: Sequence[CaseResponses], tree: ReleaseTree) -> Results:
    """Scores a run.

    Args:
        release: The release that was run on.
        label: What was run and how.
        cases: Every case that was asked for, in any order; those not completed are named and not scored.
        tree: Where the release lies.

    Raises:
        StbenchError: A case is there twice, or is not of the release, or was run otherwise than the label says, or
            cannot be scored (see `score_case`).
    """
    ordered = sorted(cases, key=lambda case: case.cid)
    known = {entry.cid for entry in release.cases}
    for case, following in zip(ordered, [*ordered[1:], None], strict=True):
        if following is not None and case.cid == following.cid:
            raise StbenchError(f"case {case.cid} is in the run twice: a run scores a case once")
        if case.cid not in known:
            raise StbenchError(f"case {case.cid!r} is not in the release {release.name} {release.version}")
        if (case.label.during, case.label.brief) != (label.during, label.brief):
            raise StbenchError(f"case {case.cid} was run with another arm than the run: {case.label} against {label}")
    keys = {case.cid: read_key(tree, case.cid) for case in ordered}
    scored = [case for case in ordered if case.outcome == "completed"]
    rows = tuple(row for case in scored for row in score_with(keys[case.cid], _tidy_responses(case)))
    return Results(
        format_version=RESULTS_VERSION, scorer_version=SCORER_VERSION, label=label, release_name=release.name,
        release_version=release.version, release_digest=release.digest,
        questions_digest=questions_digest(list(keys.values()), label),
        coverage=_coverage(release, label, ordered, keys, rows), aggregates=aggregate(rows, release), rows=rows,
    )  # fmt: skip


def questions_digest(keys: Sequence[CaseKey], label: RunLabel) -> str:
    """SHA-256 over `case question` lines, in order of case id and asking."""
    digest = hashlib.sha256()
    for key in sorted(keys, key=lambda k: k.case.cid):
        for question in key.asked(label):
            digest.update(f"{key.case.cid} {question.qid}\n".encode())
    return digest.hexdigest()


def _coverage(
    release: Release,
    label: RunLabel,
    cases: Sequence[CaseResponses],
    keys: dict[str, CaseKey],
    rows: Sequence[QuestionResult],
) -> Coverage:
    asked = {case.cid: len(keys[case.cid].asked(label)) for case in cases}
    unscored = tuple(
        Unscored(cid=case.cid, outcome=case.outcome, questions=asked[case.cid])
        for case in cases
        if case.outcome != "completed"
    )
    return Coverage(
        cases_asked=len(cases), cases_scored=len(cases) - len(unscored), cases_release=len(release.cases),
        questions_asked=sum(asked.values()), questions_scored=len(rows),
        questions_release=sum(entry.questions for entry in release.cases), unscored=unscored,
    )  # fmt: skip


def write_results(path: Path, results: Results) -> None:
    """Writes `results.json`."""
    write_json(path, results)


def read_results(path: Path) -> Results:
    """Reads `results.json`. Raises RecordError where it is missing, broken or of a newer format."""
    results = read_json(path, Results)
    if results.format_version != RESULTS_VERSION:
        problem = f"format_version is {results.format_version}, this version reads {RESULTS_VERSION}"
        raise RecordError(path, f"{problem}: score the run again")
    return results
