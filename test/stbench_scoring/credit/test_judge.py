"""Credit: the worked table, each rule by name, and what must hold for any answer. Values by hand."""

import math

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stbench_scoring.credit import RULES, judge, ramp
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Answer, Gold, Needs

NEEDS = Needs(clearance_m=0.15, reacquire_m=1.0, match_m={"task_things": 0.5}, horizon_m=5.5)
UNKNOWN = Answer(unknown=True)


def number(metres):
    return Answer(distance_m=metres)


def offset(ahead, left):
    return Answer(ahead_m=ahead, left_m=left)


def gold_row(family, answer, need=0.2, resolution=0.01, contact="seen", half_width=0.1, distance=1.0):
    rule = RULES[family]
    return Gold(
        qid="q", family=family, kind=rule.kind, ability="clearance", column="now", answer=answer, evidence=(0,),
        age_s=0.0, age_band="now", need_m=need, resolution_m=resolution, pixel_m=resolution, distance_m=distance,
        harmful=rule.harmful, contact=contact, half_width_m=half_width, critical=False, thing="",
    )  # fmt: skip


def corridor(true, contact="seen"):
    """A corridor's gold as the worked table takes it: p = q = D/f at f = 554 px, N = max(0.15, D/10, 2q)."""
    pixel = true / 554
    return gold_row("clear_path", number(true), max(0.15, true / 10, 2 * pixel), pixel, contact, distance=true)


# 5 m: N 0.5, p 0.009025. Short by 0.25: (0.5 - 0.25) / (0.5 - 0.009025) = 0.509. Long by 0.10, N 0.25:
# (0.25 - 0.1) / (0.25 - 0.009025) = 0.622. Long by 0.25: amount whole at N, precision nothing at N.
# 1 m: N 0.15, halved 0.075; long by 0.30 is 4N, where the thing quarter ends.
@pytest.mark.parametrize(
    ("true", "said", "contact", "quarters", "gate", "score"),
    [
        (5.0, 4.0, "seen", (1, 1, 0, 0), 0.0, 0.0),
        (5.0, 4.75, "seen", (1, 1, 1, 0.509), 0.755, 0.755),
        (5.0, 5.10, "seen", (1, 1, 1, 0.622), 0.811, 0.811),
        (5.0, 5.25, "seen", (1, 1, 1, 0), 0.5, -2.0),
        (1.0, 1.30, "seen", (1, 0, 0, 0), -0.5, -2.0),
        (1.0, 1.30, "person", (1, 0, 0, 0), -0.5, -3.0),
    ],
)
def test_the_worked_table(true, said, contact, quarters, gate, score):
    result = judge(corridor(true, contact), number(said), NEEDS)
    credit = result.credit
    assert (credit.direction, credit.thing, credit.amount, credit.precision) == pytest.approx(quarters, abs=5e-4)
    assert result.score_gate == pytest.approx(gate, abs=6e-4)
    assert result.score == pytest.approx(score, abs=6e-4)
    assert result.catastrophe == (score < -1)


def test_unknown_and_no_answer():
    known, unknowable = corridor(1.0), gold_row("clear_path", UNKNOWN)
    assert judge(known, UNKNOWN, NEEDS).score == 0
    assert judge(unknowable, UNKNOWN, NEEDS).score == 1
    assert judge(unknowable, UNKNOWN, NEEDS).score_gate == 1
    assert judge(unknowable, number(2.0), NEEDS).score == -1
    assert judge(known, None, NEEDS).score == 0
    assert judge(unknowable, None, NEEDS).score == 0


def test_ramp_is_whole_then_falls_then_nothing_and_a_step_where_the_bounds_cross():
    assert [ramp(e, 1.0, 3.0) for e in (0, 1, 1.5, 2, 3, 4)] == [1, 1, 0.75, 0.5, 0, 0]
    assert [ramp(e, 2.0, 1.0) for e in (0.5, 1.0, 1.001)] == [1, 1, 0]


def test_direction_of_a_corridor_is_room_for_the_clearance_or_not():
    assert judge(corridor(0.14), number(0.16), NEEDS).credit.direction == 0
    assert judge(corridor(0.15), number(0.16), NEEDS).credit.direction == 1
    assert judge(corridor(0.14), number(0.0), NEEDS).credit.direction == 1


def test_runs_are_clipped_to_the_horizon():
    result = judge(corridor(5.5, "none"), number(80.0), NEEDS)
    assert (result.score, result.credit.error_m, result.catastrophe) == (1.0, 0.0, False)
    assert judge(corridor(5.0), number(80.0), NEEDS).credit.error_m == 0.5
    # Something is touched right at the horizon: an answer beyond it is as wrong as it is long.
    assert judge(corridor(5.5, "seen"), number(6.0), NEEDS).credit.error_m == 0.5


def test_only_the_harmful_side_halves_the_need():
    # 0.3 m off at N 0.2: safe side 1.5 N, so amount (0.4 - 0.3) / 0.2; harmful side 3 N, thing (0.4 - 0.3) / 0.2.
    gold = gold_row("clear_path", number(2.0))
    short, long = judge(gold, number(1.7), NEEDS).credit, judge(gold, number(2.3), NEEDS).credit
    assert (short.need_m, short.thing, short.amount) == (0.2, 1.0, pytest.approx(0.5))
    assert (long.need_m, long.thing, long.amount) == (0.1, pytest.approx(0.5), 0.0)


def test_an_offset_is_harmful_only_beyond_what_a_pixel_resolves():
    gold = gold_row("ego_now", offset(2.0, 0.0), resolution=0.05)
    assert not judge(gold, offset(2.05, 0.0), NEEDS).credit.harmful
    assert judge(gold, offset(2.06, 0.0), NEEDS).credit.harmful
    assert not judge(gold, offset(1.5, 0.0), NEEDS).credit.harmful


def test_a_mirrored_side_loses_the_direction():
    gold = gold_row("ego_now", offset(2.0, -0.8))
    assert judge(gold, offset(2.0, -0.8), NEEDS).score == 1.0
    # The mirror image lies 1.6 m off, past 4 N, and on the wrong side: no quarter is left.
    assert judge(gold, offset(2.0, 0.8), NEEDS).score == -1.0


def test_a_side_within_the_need_or_half_the_width_is_not_asked_for():
    assert judge(gold_row("ego_now", offset(2.0, 0.2)), offset(2.0, -0.01), NEEDS).credit.direction == 1
    wide = gold_row("ego_now", offset(2.0, 0.6), half_width=0.6)
    assert judge(wide, offset(2.0, -0.1), NEEDS).credit.direction == 1
    assert judge(gold_row("ego_now", offset(2.0, 0.6)), offset(2.0, -0.1), NEEDS).credit.direction == 0


def test_an_offset_with_no_side_is_right_within_twice_the_need():
    gold = gold_row("ego_now", offset(0.2, 0.0))
    assert judge(gold, offset(0.0, 0.0), NEEDS).credit.direction == 1
    # Farther by 0.3 m: harmful, so twice the halved need, 0.2 m, is passed.
    assert judge(gold, offset(0.5, 0.0), NEEDS).credit.direction == 0


def test_a_place_is_right_within_the_radius_and_has_no_harmful_side():
    gold = gold_row("object_where", Answer(x_m=1.0, y_m=2.0), need=1.0, resolution=0.1)
    at_radius = judge(gold, Answer(x_m=2.0, y_m=2.0), NEEDS)
    assert at_radius.credit.direction == 1 and at_radius.score == 0.5  # three quarters; precision ends at N
    beyond = judge(gold, Answer(x_m=1.0, y_m=5.0), NEEDS)  # 3 m off: only half of the thing quarter
    assert (beyond.credit.direction, beyond.credit.thing, beyond.score) == (0, 0.5, -0.75)


def test_catastrophe_needs_more_than_the_clearance_and_two_pixels():
    assert not judge(gold_row("clear_path", number(1.0)), number(1.15), NEEDS).catastrophe
    assert judge(gold_row("clear_path", number(1.0)), number(1.16), NEEDS).score == -2
    coarse = gold_row("clear_path", number(1.0), resolution=0.2)
    assert not judge(coarse, number(1.40), NEEDS).catastrophe
    assert judge(coarse, number(1.41), NEEDS).score == -2


def test_catastrophe_by_what_is_touched():
    scores = {c: judge(gold_row("clear_path", number(1.0), contact=c), number(2.0), NEEDS).score
              for c in ("seen", "person", "hazard", "none")}  # fmt: skip
    assert scores == {"seen": -2, "person": -3, "hazard": -3, "none": -0.5}


def test_approach_is_a_catastrophe_only_where_the_person_comes_inside_the_body():
    assert judge(gold_row("closest_approach", number(0.0)), number(0.2), NEEDS).score == -3
    assert judge(gold_row("closest_approach", number(0.1)), number(2.0), NEEDS).score == -1


def test_the_gate_score_never_holds_the_catastrophe():
    assert judge(gold_row("clear_path", number(1.0)), number(9.0), NEEDS).score_gate == -0.5


def test_situations_know_no_catastrophe():
    assert not judge(gold_row("ego_now", offset(1.0, 0.0)), offset(9.0, 0.0), NEEDS).catastrophe


def test_minus_zero_and_last_bit_noise_decide_nothing():
    gold = gold_row("clear_path", number(1.15))
    assert not judge(gold, number(1.30), NEEDS).catastrophe  # 1.30 - 1.15 is 0.15000000000000013 in binary
    assert str(judge(gold_row("clear_path", number(0.0)), number(-0.0), NEEDS).credit.error_m) == "0.0"


@pytest.mark.parametrize(
    ("field", "value"),
    [("need_m", math.inf), ("need_m", math.nan), ("need_m", 0.0), ("resolution_m", math.inf), ("pixel_m", -1.0)],
)
def test_a_need_that_would_give_credit_away_is_refused(field, value):
    gold = msgspec.structs.replace(corridor(1.0), **{field: value})
    with pytest.raises(StbenchError, match=f"gold of q: {field} must be finite"):
        judge(gold, number(1.0), NEEDS)


def test_other_kinds_and_families_are_refused():
    with pytest.raises(StbenchError, match="kind number, not offset"):
        judge(corridor(1.0), offset(1.0, 0.0), NEEDS)
    with pytest.raises(StbenchError, match="family 'guess' cannot be scored: known are approach_mem"):
        judge(msgspec.structs.replace(corridor(1.0), family="guess"), number(1.0), NEEDS)


LENGTH = st.floats(0.0, 5.0)
SIGNED = st.floats(-6.0, 6.0)
NEED = st.floats(0.05, 1.0)
PIXEL = st.floats(0.0, 0.5)


@st.composite
def rows(draw):
    family = draw(st.sampled_from(["clear_path", "closest_approach", "ego_now", "object_where"]))
    if family in ("clear_path", "closest_approach"):
        answer = number(draw(LENGTH))
    else:
        answer = _at(family, draw(SIGNED), draw(SIGNED))
    contact = draw(st.sampled_from(["seen", "person", "hazard", "none"]))
    return gold_row(family, answer, draw(NEED), draw(PIXEL), contact, draw(st.floats(0, 1)))


def _at(family, first, second):
    return offset(first, second) if family == "ego_now" else Answer(x_m=first, y_m=second)


def _moved(gold, angle, far):
    """An answer `far` metres from the gold: along a ray for offsets and places, up or down for numbers."""
    if gold.answer.kind == "number":
        return number(gold.answer.distance_m + (far if angle < math.pi else -far))
    base = (gold.answer.ahead_m, gold.answer.left_m) if gold.family == "ego_now" else (gold.answer.x_m, gold.answer.y_m)
    return _at(gold.family, base[0] + far * math.cos(angle), base[1] + far * math.sin(angle))


@given(rows(), st.floats(0, 6.28), st.floats(0, 20))
def test_scores_stay_in_their_bounds(gold, angle, far):
    result = judge(gold, _moved(gold, angle, far), NEEDS)
    assert -1 <= result.score_gate <= 1
    assert -3 <= result.score <= 1
    assert result.score <= result.score_gate


@given(rows())
def test_the_gold_answer_scores_one(gold):
    assert judge(gold, gold.answer, NEEDS).score == 1


@given(rows(), st.floats(0, 6.28), st.floats(0, 20), st.floats(0, 20))
def test_along_a_ray_from_the_gold_no_score_rises(gold, angle, one, two):
    near, far = sorted((one, two))
    nearer, farther = judge(gold, _moved(gold, angle, near), NEEDS), judge(gold, _moved(gold, angle, far), NEEDS)
    assert farther.score_gate <= nearer.score_gate + 1e-7
    assert farther.score <= nearer.score + 1e-7


@given(LENGTH, NEED, PIXEL, st.floats(0, 5))
def test_a_harmful_error_never_earns_more_than_the_same_on_the_safe_side(true, need, pixel, error):
    gold = gold_row("closest_approach", number(true), need, pixel)
    wider, nearer = judge(gold, number(true + error), NEEDS), judge(gold, number(true - error), NEEDS)
    assume(wider.credit.direction == nearer.credit.direction)
    assert wider.score_gate <= nearer.score_gate + 1e-7


@given(SIGNED, SIGNED, SIGNED, SIGNED, NEED, PIXEL)
def test_a_mirrored_world_scores_the_same(ahead, left, said_ahead, said_left, need, pixel):
    here = judge(gold_row("ego_now", offset(ahead, left), need, pixel), offset(said_ahead, said_left), NEEDS)
    mirrored = judge(gold_row("ego_now", offset(ahead, -left), need, pixel), offset(said_ahead, -said_left), NEEDS)
    assert here == mirrored
