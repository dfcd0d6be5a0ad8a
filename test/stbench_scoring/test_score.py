"""Scoring a case: one row a question, and everything that is not a completed case of the release is refused."""

import msgspec
import pytest

from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Answer
from stbench_scoring.score import score_case


def test_gold_answers_score_one_in_the_order_of_asking(hand):
    rows = score_case(hand.tree, hand.responses("c1", hand.gold))
    assert [row.qid for row in rows] == ["c1q0", "c1q1", "c1q2", "c1q3", "c1q4"]
    assert [row.score for row in rows] == [1, 1, 1, 1, 1]
    assert rows[0].sid == "s1" and rows[0].critical and not rows[1].critical


def test_no_answer_scores_nothing_whatever_its_cause_even_where_unknown_is_right(hand):
    causes = ["malformed", "refused", "timed_out", "crashed", "over_budget"]
    rows = score_case(hand.tree, hand.responses("c1", causes))
    assert [(row.outcome, row.score, row.score_gate) for row in rows] == [(cause, 0, 0) for cause in causes]


def test_during_off_asks_the_end_questions_alone(hand):
    label = msgspec.structs.replace(hand.label, during=False)
    full = hand.responses("c1", hand.gold, label=label)
    rows = score_case(hand.tree, msgspec.structs.replace(full, responses=full.responses[4:]))
    assert [row.family for row in rows] == ["object_where"]
    with pytest.raises(StbenchError, match="'c1q0', which is no question that this run was asked"):
        score_case(hand.tree, full)


def test_a_missing_response_is_no_lack_of_an_answer(hand):
    with pytest.raises(StbenchError, match="case c1: 2 of 5 questions have no response, the first is 'c1q3'"):
        score_case(hand.tree, hand.responses("c1", hand.gold[:3]))


def test_a_question_of_another_case_is_named(hand):
    mixed = hand.responses("c1", hand.gold)
    foreign = msgspec.structs.replace(mixed.responses[0], qid="c2q0")
    with pytest.raises(StbenchError, match="response to 'c2q0', which is no question"):
        score_case(hand.tree, msgspec.structs.replace(mixed, responses=(*mixed.responses, foreign)))
    with pytest.raises(StbenchError, match="'c1q0' has two responses"):
        score_case(hand.tree, msgspec.structs.replace(mixed, responses=(*mixed.responses, mixed.responses[0])))


def test_a_foreign_case_is_refused(hand):
    with pytest.raises(StbenchError, match="case 'zz' is not in the release at"):
        score_case(hand.tree, hand.responses("zz", hand.gold))


@pytest.mark.parametrize("outcome", ["invalid", "cancelled"])
def test_a_case_that_was_not_completed_is_never_scored(hand, outcome):
    with pytest.raises(StbenchError, match=f"case c1 is {outcome}, so it is not scored: run it again"):
        score_case(hand.tree, hand.responses("c1", hand.gold, outcome))


def test_a_fault_of_the_harness_in_a_completed_case_is_refused(hand):
    with pytest.raises(StbenchError, match="question 'c1q0': a fault of the harness"):
        score_case(hand.tree, hand.responses("c1", ["harness_fault", *hand.gold[1:]]))


def test_an_outcome_that_does_not_fit_its_answer_is_refused(hand):
    case = hand.responses("c1", hand.gold)
    first = msgspec.structs.replace(case.responses[0], outcome="timed_out")
    with pytest.raises(StbenchError, match="outcome timed_out has no answer"):
        score_case(hand.tree, msgspec.structs.replace(case, responses=(first, *case.responses[1:])))


@pytest.mark.parametrize(
    ("field", "value"), [("fx", 0.0), ("fy", -554.0), ("cx", 700.0), ("width", 0), ("far_m", 0.05)]
)
def test_a_camera_that_cannot_be_one_is_refused_so_that_no_need_is_infinite(hand, field, value):
    hand.camera("s1", **{field: value})
    with pytest.raises(StbenchError, match=rf"camera\.json: {field} must "):
        score_case(hand.tree, hand.responses("c1", hand.gold))


def test_the_sign_of_left_is_not_lost(hand):
    mirrored = [*hand.gold[:1], Answer(ahead_m=2.0, left_m=0.8), *hand.gold[2:]]
    assert score_case(hand.tree, hand.responses("c1", mirrored))[1].score == -1
