"""`private/<cid>/`: case.json, questions.jsonl and gold.jsonl. Steps and times are the case's own, from 0."""

from __future__ import annotations

from typing import Literal

from stbench_scoring.records.answer import Answer, AnswerKind, PlaceXY
from stbench_scoring.records.io import Record

Length = Literal["short", "medium", "long"]
Kind = Literal["harm", "help", "situation", "reuse"]
Ability = Literal["clearance", "distance", "memory", "relevance", "change", "prediction"]
Column = Literal["now", "memory"]
AgeBand = Literal["now", "recent", "task", "earlier"]
Harmful = Literal["longer", "wider", "farther", "no_room", "none"]
Contact = Literal["seen", "person", "hazard", "none"]
Turn = Literal["ahead", "back", "left", "right"]


class Case(Record, frozen=True, kw_only=True):
    """A window of a script's tasks, the unit a system is run on. Bounds are the script's numbers, both ends included."""

    format_version: int
    cid: str
    sid: str
    job: str
    layout: str
    length: Length
    first_task: int
    last_task: int
    first_step: int
    last_step: int
    start_ns: int
    end_ns: int


class Params(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A question's parameters, typed, so that an adapter never parses English.

    Attributes:
        turn: Which way the body faces before it goes: turned in place by 90 degrees for left and right.
        words: The words for the thing asked about.
        task: The task meant, numbered in the case.
        radius_m: A distance stated in the question.
        horizon_m: The longest run that is told apart.
        window_s: How far ahead in time.
    """

    turn: Turn | None = None
    words: str | None = None
    task: int | None = None
    radius_m: float | None = None
    horizon_m: float | None = None
    window_s: float | None = None


class Question(Record, frozen=True, kw_only=True):
    """One question. `step` is the last frame shown before it; `when` says whether it is asked there or at the end."""

    qid: str
    family: str
    when: Literal["during", "end"]
    step: int
    slot: int
    text: str
    expected: AnswerKind
    params: Params


class Gold(Record, frozen=True, kw_only=True, omit_defaults=True):
    """The right answer and all that scoring needs. Distances in metres.

    Attributes:
        qid, family: As in the question.
        kind, ability, column: As docs/questions.md assigns them; an unknown gold is always in `memory`.
        answer: The right answer, or unknown.
        evidence: Steps of the case that it is read from, ascending; empty for unknown.
        age_s, age_band: Age of the newest frame that the gold needs, at the time of asking; None for unknown.
        need_m: N, before it is halved on the harmful side.
        resolution_m: p, what one pixel of the camera resolves there.
        pixel_m: q, the part of it that the need is never finer than twice of.
        distance_m: D, the distance judged.
        harmful: On which side an error does harm.
        contact: What the first contact is with, for a corridor: `seen` things, a `person`, a `hazard`, or `none`.
        half_width_m: Half the thing's width, for an offset's direction.
        critical: The thing is named in the brief or lies within C of the remaining path.
        thing: Id of the thing or person asked about, "" where it is none.
        runs_m: For a heading: the run of every whole degree from -179 to 180, left positive; else empty.
        ignored: For a list: middles of the don't-care circles, whose radius is `need_m`.
        item_resolutions_m: For a list: p of every listed thing, in the answer's order.
    """

    qid: str
    family: str
    kind: Kind
    ability: Ability
    column: Column
    answer: Answer
    evidence: tuple[int, ...]
    age_s: float | None
    age_band: AgeBand | None
    need_m: float
    resolution_m: float
    pixel_m: float
    distance_m: float
    harmful: Harmful
    contact: Contact
    half_width_m: float
    critical: bool
    thing: str
    runs_m: tuple[float, ...] = ()
    ignored: tuple[PlaceXY, ...] = ()
    item_resolutions_m: tuple[float, ...] = ()
