"""What the topics of a case say, as the scorer takes it; the same reading for live messages and for those of a bag.

Messages are read by their attributes alone, so that no ROS is needed here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, cast

from stbench_harness.outcomes import judge_reply
from stbench_harness.protocol import Reply
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Question, Release, ReleaseTree, read_json, read_jsonl
from stbench_scoring.records.answer import AnswerKind
from stbench_scoring.records.results import CaseOutcome, OutcomeName, Response, RunLabel

# stbench_msgs/msg/AnswerValue: the constants of `kind`.
KINDS: dict[AnswerKind, int] = {"unknown": 1, "number": 2, "offset": 3, "heading": 4, "place": 5, "places": 6}
KIND_NAMES = {number: name for name, number in KINDS.items()}
# stbench_msgs/msg/CaseState: the constants of `state`.
STARTED = 1
STATES: dict[CaseOutcome, int] = {"completed": 2, "invalid": 3, "cancelled": 4}
STATE_NAMES = {number: name for name, number in STATES.items()}


def to_payload(value: Any) -> object:
    """An AnswerValue as the plain data that `parse_answer` reads; None where `kind` says that none was set.

    A heading is rounded to 1e-9 degree, so that every transport gives the same number.
    """
    name = KIND_NAMES.get(value.kind)
    if name == "unknown":
        return {"unknown": True}
    if name == "number":
        return {"distance_m": value.distance_m}
    if name == "offset":
        return {"ahead_m": value.ahead_m, "left_m": value.left_m}
    if name == "heading":
        return {"heading_deg": round(math.degrees(value.heading_rad), 9)}
    if name == "place":
        return {"x_m": value.place.x_m, "y_m": value.place.y_m}
    if name == "places":
        return {"places": [{"x_m": place.x_m, "y_m": place.y_m} for place in value.places]}
    return None


def label_of(state: Any) -> RunLabel:
    """The label in a CaseState."""
    return RunLabel(
        system=state.system, channel=state.channel, pace=state.pace, transport="ros", sandbox=state.sandbox,
        feedback="live" if state.feedback == "live" else "after", during=state.during,
        brief="neutral" if state.brief == "neutral" else "correct",
    )  # fmt: skip


def response_of(answer: Any, expected: AnswerKind) -> Response:
    """How a question ended, from an Answer: what it says the outcome is, held against what its value is.

    Raises:
        StbenchError: Outcome and value contradict each other: the message was not written by this harness, or damaged.
    """
    outcome = cast(OutcomeName, answer.outcome)
    if outcome not in ("answered", "unknown"):
        return Response(qid=answer.qid, outcome=outcome)
    found, record, detail = judge_reply(Reply(to_payload(answer.value)), expected)
    if found.value != outcome:
        why = f", {detail}" if detail else ""
        raise StbenchError(f"answer {answer.qid}: its outcome says {outcome}, its value is {found.value}{why}")
    return Response(qid=answer.qid, outcome=outcome, answer=record)


class CaseFinder:
    """Finds the case of a release by the ids of questions, as no topic names it."""

    def __init__(self, tree: ReleaseTree) -> None:
        self._tree = tree
        self._release = read_json(tree.release_json, Release)
        self._case_of: dict[str, str] | None = None

    def _index(self) -> Mapping[str, str]:
        if self._case_of is None:
            self._case_of = {
                question.qid: entry.cid
                for entry in self._release.cases
                for question in read_jsonl(self._tree.questions_jsonl(entry.cid), Question)
            }
        return self._case_of

    def find(self, qids: Iterable[str]) -> str:
        """The one case that asks these questions.

        Raises:
            StbenchError: No question at all, questions of several cases, or questions that the release does not ask.
        """
        asked = set(qids)
        index = self._index()
        foreign = sorted(qid for qid in asked if qid not in index)
        cases = sorted({index[qid] for qid in asked if qid in index})
        if not asked:
            raise StbenchError("no question was asked, so the case cannot be told: name it")
        if not cases:
            raise StbenchError(
                f"the release at {self._tree.root} asks none of these questions, e.g. {foreign[0]}: "
                "was it run on another release?"
            )
        if len(cases) > 1:
            raise StbenchError(f"questions of several cases: {', '.join(cases)}; score one case at a time")
        return cases[0]
