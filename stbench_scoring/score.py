"""From what a case's run answered to its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stbench_scoring.credit import judge
from stbench_scoring.errors import RecordError, StbenchError
from stbench_scoring.records import Camera, Case, Gold, Needs, Question, ReleaseTree, Robot, read_json, read_jsonl
from stbench_scoring.records.results import CaseResponses, QuestionResult, Response, RunLabel

# The version of the rules by which answers are judged; results of two versions are not compared.
SCORER_VERSION = "1"


@dataclass(frozen=True)
class CaseKey:
    """What the scorer reads of a case: its questions in order, their gold, and what the job needs."""

    case: Case
    questions: tuple[Question, ...]
    gold: Mapping[str, Gold]
    needs: Needs

    def asked(self, label: RunLabel) -> tuple[Question, ...]:
        """The questions that a run of this label asks, in order."""
        return tuple(q for q in self.questions if label.during or q.when == "end")


def read_key(tree: ReleaseTree, cid: str) -> CaseKey:
    """Reads what is needed to score a case.

    Raises:
        StbenchError: The case is not of the release, a file cannot be read, the camera cannot be one (its focal
            length sets the needs), or questions and gold do not belong together.
    """
    if not tree.case_json(cid).is_file():
        raise StbenchError(f"case {cid!r} is not in the release at {tree.root}: was it run on another one?")
    case = read_json(tree.case_json(cid), Case)
    problem = read_json(tree.camera_json(case.sid), Camera).problem()
    if problem is not None:
        raise RecordError(tree.camera_json(case.sid), problem)
    questions = read_jsonl(tree.questions_jsonl(cid), Question)
    gold = {row.qid: row for row in read_jsonl(tree.gold_jsonl(cid), Gold)}
    unpaired = sorted({q.qid for q in questions} ^ set(gold))
    if unpaired:
        raise RecordError(tree.gold_jsonl(cid), f"question {unpaired[0]!r} stands in questions or gold alone")
    return CaseKey(case, questions, gold, read_json(tree.robot_json(case.sid), Robot).needs)


def score_case(tree: ReleaseTree, responses: CaseResponses) -> tuple[QuestionResult, ...]:
    """Scores a completed case: a row for every question asked, in order.

    Raises:
        StbenchError: The case is foreign or was not completed, a question has no response or two, or a response is
            to no question of the case.
    """
    return score_with(read_key(tree, responses.cid), responses)


def score_with(key: CaseKey, responses: CaseResponses) -> tuple[QuestionResult, ...]:
    """Scores a case whose files have been read. Raises as `score_case` does."""
    cid = responses.cid
    if responses.outcome != "completed":
        raise StbenchError(f"case {cid} is {responses.outcome}, so it is not scored: run it again")
    by_qid: dict[str, Response] = {}
    for response in responses.responses:
        if response.qid in by_qid:
            raise StbenchError(f"case {cid}: question {response.qid!r} has two responses; one is right")
        by_qid[response.qid] = response
    asked = key.asked(responses.label)
    foreign = sorted(set(by_qid) - {q.qid for q in asked})
    if foreign:
        raise StbenchError(f"case {cid}: response to {foreign[0]!r}, which is no question that this run was asked")
    missing = [q.qid for q in asked if q.qid not in by_qid]
    if missing:
        raise StbenchError(
            f"case {cid}: {len(missing)} of {len(asked)} questions have no response, the first is {missing[0]!r}; "
            "a completed case has one for each, a time-out included"
        )
    return tuple(score_one(key, q, by_qid[q.qid]) for q in asked)


def score_one(key: CaseKey, question: Question, response: Response) -> QuestionResult:
    """Scores one response. Raises StbenchError where outcome and answer contradict each other."""
    gold, case = key.gold[question.qid], key.case
    _check_outcome(case.cid, response)
    judged = judge(gold, response.answer, key.needs)
    return QuestionResult(
        qid=question.qid, cid=case.cid, sid=case.sid, job=case.job, layout=case.layout, length=case.length,
        family=gold.family, kind=gold.kind, ability=gold.ability, column=gold.column, age_band=gold.age_band,
        critical=gold.critical, expected=question.expected, outcome=response.outcome, answer=response.answer,
        gold=gold.answer, credit=judged.credit, catastrophe=judged.catastrophe,
        score_gate=judged.score_gate, score=judged.score,
    )  # fmt: skip


def _check_outcome(cid: str, response: Response) -> None:
    where = f"case {cid}, question {response.qid!r}"
    if response.outcome == "harness_fault":
        raise StbenchError(f"{where}: a fault of the harness in a completed case; such a case is invalid: run it again")
    answered = response.outcome in ("answered", "unknown")
    if answered != (response.answer is not None):
        raise StbenchError(f"{where}: outcome {response.outcome} {'needs an' if answered else 'has no'} answer")
    if response.answer is not None and response.answer.unknown != (response.outcome == "unknown"):
        raise StbenchError(f"{where}: outcome {response.outcome} does not fit the answer")
