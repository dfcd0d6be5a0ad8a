"""From a bag to what its case's run gave, as the ledger has it.

What is missing makes the case invalid, never a low score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from stbench_harness.mirrored import KINDS, STATE_NAMES, CaseFinder, label_of, response_of
from stbench_harness.ros.bag_contents import Contents, Session, Told, read_contents, sessions_of
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Question, ReleaseTree
from stbench_scoring.records.results import CaseOutcome, CaseResponses, OutcomeName, Response
from stbench_scoring.score import read_key

MOST_LISTED = 20


@dataclass(frozen=True)
class BagReading:
    """What a bag gave.

    Attributes:
        responses: What the scorer takes.
        detail: Why the case is not completed; empty where it is.
        notes: What was missing, damaged or not scored, for people.
    """

    responses: CaseResponses
    detail: str
    notes: tuple[str, ...]


@dataclass
class _Judged:
    """Answers by question, and what was found wrong."""

    responses: dict[str, Response] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_responses(bag: Path, tree: ReleaseTree, case: str | None = None, session: int | None = None) -> CaseResponses:
    """Reads what a case's run gave from its bag. See `read_bag`."""
    return read_bag(bag, tree, case, session).responses


def read_bag(bag: Path, tree: ReleaseTree, case: str | None = None, session: int | None = None) -> BagReading:
    """Reads a bag.

    Args:
        bag: A rosbag2 folder, whole or not, or a .mcap or .db3 file.
        tree: The release that was run on.
        case: The case that is expected; needed only where the bag holds no question.
        session: Which of several runs in the bag, from 1.

    Raises:
        StbenchError: It is no bag, its case is another one or not of the release, or several runs are in it and none was
            chosen.
    """
    contents = read_contents(bag)
    chosen = _choose(bag, sessions_of(contents), session)
    cid = _case_of(bag, chosen, tree, case)
    label = label_of(chosen.states[0])
    asked = {question.qid: question for question in read_key(tree, cid).asked(label)}
    judged = _judge(bag, chosen.told, asked)
    outcome, detail = _outcome(chosen, asked, judged)
    notes = [*contents.problems, *judged.notes, *_losses(chosen)]
    if outcome == "completed" and not _ends(chosen):
        notes.append("the bag ends before the case's end was told, but every question has its answer")
    ordered = tuple(judged.responses[qid] for qid in asked if qid in judged.responses)
    return BagReading(CaseResponses(cid=cid, outcome=outcome, label=label, responses=ordered), detail, tuple(notes))


def _choose(bag: Path, sessions: Sequence[Session], number: int | None) -> Session:
    listed = "; ".join(f"{i}: {session.shown()}" for i, session in enumerate(sessions, start=1))
    if number is not None:
        if not 1 <= number <= len(sessions):
            raise StbenchError(f"bag {bag} has no session {number}; it has {listed}")
        return sessions[number - 1]
    if len(sessions) > 1:
        raise StbenchError(f"bag {bag} holds {len(sessions)} sessions: {listed}. Choose one with --session N")
    return sessions[0]


def _case_of(bag: Path, session: Session, tree: ReleaseTree, case: str | None) -> str:
    qids = {told.message.qid for told in (*session.told.questions, *session.told.answers)}
    if not qids and case is not None:
        return case
    if not qids:
        why = "".join(f", which ended as {STATE_NAMES[s.state]}: {s.detail}" for s in _ends(session))
        raise StbenchError(f"bag {bag} holds no question, so its case cannot be told: give --case{why}")
    try:
        found = CaseFinder(tree).find(qids)
    except StbenchError as error:
        raise StbenchError(f"bag {bag}: {error}") from None
    if case is not None and found != case:
        raise StbenchError(f"bag {bag} is of case {found}, not of {case}")
    return found


def _ends(session: Session) -> list[Any]:
    return [state for state in session.states if state.state in STATE_NAMES]


def _judge(bag: Path, told: Contents, asked: Mapping[str, Question]) -> _Judged:
    """Pairs questions and answers with the case's own, by id and step."""
    judged = _Judged()
    for item in told.questions:
        _check_question(bag, item.message, asked)
    foreign = {item.message.qid for item in (*told.questions, *told.answers)} - set(asked)
    if foreign:
        judged.notes.append(f"not asked in this run and not scored: {_listed(map(repr, sorted(foreign)))}")
    for item in told.answers:
        question = asked.get(item.message.qid)
        if question is None or item.message.late:
            continue
        try:
            response = _response(item, question)
        except StbenchError as error:
            judged.notes.append(f"not scored: {error}")
            continue
        if judged.responses.setdefault(response.qid, response) != response:
            raise StbenchError(f"bag {bag}: question {response.qid} has two answers that differ: is it of two runs?")
    return judged


def _check_question(bag: Path, message: Any, asked: Mapping[str, Question]) -> None:
    question = asked.get(message.qid)
    if question is None:
        return
    there = (message.step, message.family, message.expected)
    ours = (question.step, question.family, KINDS[question.expected])
    if there != ours:
        raise StbenchError(
            f"bag {bag}: question {message.qid} was asked as (step, family, kind) {there}, the release's is {ours}: "
            "was it run on another release?"
        )


def _response(item: Told, question: Question) -> Response:
    """How a question ended. Raises StbenchError where the message cannot be what the harness said."""
    message = item.message
    if message.step != question.step:
        raise StbenchError(f"answer {message.qid} is of step {message.step}, its question of step {question.step}")
    if item.spoiled:
        return Response(qid=message.qid, outcome="malformed")
    if message.outcome not in get_args(OutcomeName) or message.outcome == "harness_fault":
        raise StbenchError(f"answer {message.qid}: outcome {message.outcome!r} is none of a completed case's")
    return response_of(message, question.expected)


def _outcome(session: Session, asked: Mapping[str, Question], judged: _Judged) -> tuple[CaseOutcome, str]:
    ends = _ends(session)
    if ends and ends[-1].state != _state("completed"):
        return STATE_NAMES[ends[-1].state], ends[-1].detail or "the harness said so"
    missing = [qid for qid in asked if qid not in judged.responses]
    if not missing:
        return "completed", ""
    cut = "" if ends else "the bag ends before the case did; "
    what = f"the answers to {len(missing)} of {len(asked)} questions"
    return "invalid", f"{cut}missing from the bag: {what}: {_listed(missing)}"


def _state(outcome: CaseOutcome) -> int:
    return next(number for number, name in STATE_NAMES.items() if name == outcome)


def _losses(session: Session) -> list[str]:
    """What the case's end counts and the bag does not hold. The answers that are scored are checked one by one elsewhere."""
    told = session.told
    if not _ends(session):
        return []
    end = _ends(session)[-1]
    counted = (
        ("pictures", end.steps_sent, len({stamp for _, stamp in told.frames})),
        ("frames' status", end.steps_sent, len({step for _, step in told.steps})),
        ("questions", end.questions_sent, len({item.message.qid for item in told.questions})),
        ("answers", end.answers_received, len({item.message.qid for item in told.answers if not item.message.late})),
    )
    return [f"{name}: {there} of {sent} are in the bag" for name, sent, there in counted if there < sent]


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return ", ".join(names[:MOST_LISTED]) + more
