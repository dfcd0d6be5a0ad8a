"""What a run answered and what it scored: the input of the scorer, and `results.json`."""

from __future__ import annotations

from typing import Literal

from stbench_scoring.records.answer import Answer, AnswerKind
from stbench_scoring.records.case import Ability, AgeBand, Column, Kind, Length
from stbench_scoring.records.io import Record

OutcomeName = Literal["answered", "unknown", "malformed", "refused", "timed_out", "crashed", "over_budget", "harness_fault"]
CaseOutcome = Literal["completed", "invalid", "cancelled"]


class Response(Record, frozen=True, kw_only=True):
    """How one question of a case ended, whether read from a ledger, a bag or live topics."""

    qid: str
    outcome: OutcomeName
    answer: Answer | None = None


class RunLabel(Record, frozen=True, kw_only=True):
    """What was run and how; the same fields from a ledger, a bag or live topics, so that results agree to the byte.

    Attributes:
        system: As named on the command line.
        channel, pace: As in the protocol.
        transport: `local`, `child` or `ros`: not part of the results' digest of the system, only shown.
        sandbox: `none`, `in_process`, `bubblewrap`, `docker`, `ros`.
        feedback: `live` where scores were shown during the run, else `after`.
        during: Whether during questions were asked.
        brief: `correct` or `neutral`.
    """

    system: str
    channel: str
    pace: str
    transport: str
    sandbox: str
    feedback: Literal["after", "live"] = "after"
    during: bool = True
    brief: Literal["correct", "neutral"] = "correct"


class CaseResponses(Record, frozen=True, kw_only=True):
    """Everything a case's run gave: the only thing that the scorer reads of a run."""

    cid: str
    outcome: CaseOutcome
    label: RunLabel
    responses: tuple[Response, ...]


class ItemCredit(Record, frozen=True, kw_only=True):
    """One place or thing of a list.

    Attributes:
        outcome: `matched`; `missed`, a thing without a place; `false`, a place without a thing; `ignored`, one in a
            don't-care circle.
        thing: Index of the thing in the gold's list; None where there is none.
        place: Index of the place in the answer; None where there is none.
        error_m: Of a matched pair; None otherwise.
        share: What it earned, 0 to 1.
    """

    outcome: Literal["matched", "missed", "false", "ignored"]
    thing: int | None
    place: int | None
    error_m: float | None
    share: float


class Credit(Record, frozen=True, kw_only=True, omit_defaults=True):
    """The four quarters of one answer's credit, each 0 to 1, and what they were computed from.

    Of a list, the quarters are its items' sums over things and half the false places, `error_m` the mean over its
    matched pairs, and `items` holds them all; `items` is empty for every other answer.
    """

    direction: float
    thing: float
    amount: float
    precision: float
    error_m: float
    need_m: float
    resolution_m: float
    harmful: bool
    items: tuple[ItemCredit, ...] = ()


class QuestionResult(Record, frozen=True, kw_only=True):
    """One question's row. `score` holds the catastrophe, `score_gate` does not; both 0 where nothing was answered."""

    qid: str
    cid: str
    sid: str
    job: str
    layout: str
    length: Length
    family: str
    kind: Kind
    ability: Ability
    column: Column
    age_band: AgeBand | None
    critical: bool
    expected: AnswerKind
    outcome: OutcomeName
    answer: Answer | None
    gold: Answer
    credit: Credit | None
    catastrophe: bool
    score_gate: float
    score: float
