"""Lists of places: worked by hand, each rule by name, and the pairing against an exhaustive search."""

import itertools
import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stbench_scoring.credit import RULES, judge
from stbench_scoring.credit.pairing import best_pairing
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Answer, Gold, Needs, PlaceXY

MATCH = 0.5
NEEDS = Needs(clearance_m=0.15, reacquire_m=1.0, match_m={"task_things": MATCH}, horizon_m=5.0)


def places(*points):
    return Answer(places=tuple(PlaceXY(x_m=x, y_m=y) for x, y in points))


def gold_row(*points, family="task_things", ignored=(), resolution=0.1):
    answer = places(*points)
    rule = RULES[family]
    return Gold(
        qid="q", family=family, kind=rule.kind, ability="relevance", column="memory", answer=answer, evidence=(0,),
        age_s=0.0, age_band="task", need_m=MATCH, resolution_m=resolution, pixel_m=0.01, distance_m=3.0,
        harmful=rule.harmful, contact="none", half_width_m=0.0, critical=False, thing="",
        ignored=places(*ignored).places, item_resolutions_m=(resolution,) * len(points),
    )  # fmt: skip


def gate(gold, *points):
    return judge(gold, places(*points), NEEDS).score_gate


TWO = gold_row((0, 0), (10, 0))


# One item: direction within M 0.5, thing 1.0 to 2.0, amount 0.5 to 1.0, precision p 0.1 to 0.5.
@pytest.mark.parametrize(
    ("said", "share"),
    [
        ([(0, 0), (10, 0)], 1.0),
        ([(0, 0)], 0.5),  # one of two missed
        ([], 0.0),
        ([(0, 0), (10, 0), (20, 0)], 2 / 2.5),  # a false place weighs half
        ([(0, 0.3), (10, 0)], (0.875 + 1) / 2),  # precision (0.5 - 0.3) / 0.4 = 0.5
        ([(0, 0.5), (10, 0)], (0.75 + 1) / 2),  # within M: three quarters, precision nothing
        ([(0, 0.75), (10, 0)], (0.375 + 1) / 2),  # thing whole, amount half, direction lost
        ([(0, 1.5), (10, 0)], (0.125 + 1) / 2),  # thing half
        ([(0, 2.0), (10, 0)], 1 / 2),  # at 4 M: still a pair, though worth nothing
        ([(0, 2.01), (10, 0)], 1 / 2.5),  # beyond: a miss and a false place
        ([(0, 0), (0, 0), (10, 0)], 2 / 2.5),  # said twice: one of them is false
    ],
)
def test_the_worked_list(said, share):
    assert gate(TWO, *said) == pytest.approx(2 * share - 1)


@pytest.mark.parametrize("false", [0, 1, 2, 5])
def test_with_nothing_to_list_the_empty_list_is_the_one_thing(false):
    said = [(float(i), 0.0) for i in range(false)]
    assert gate(gold_row(), *said) == pytest.approx(2 / (1 + 0.5 * false) - 1)


def test_only_unmatched_places_in_a_dont_care_circle_are_ignored():
    gold = gold_row((0, 0), ignored=[(5, 0), (0.6, 0)])
    assert gate(gold, (0, 0), (5, 0.5)) == 1.0
    assert gate(gold, (0, 0), (5, 0.51)) == pytest.approx(2 / 1.5 - 1)
    # Inside a circle, but the nearest to the thing: it stands for the thing and earns what its error earns.
    only = judge(gold, places((0.6, 0)), NEEDS)
    assert [item.outcome for item in only.credit.items] == ["matched"]
    assert only.score_gate == pytest.approx(2 * (0.25 + 0.25 * 0.8) - 1)
    assert gate(gold_row(ignored=[(5, 0)]), (5, 0)) == 1.0


def test_items_say_what_became_of_each():
    credit = judge(gold_row((0, 0), (10, 0), ignored=[(5, 5)]), places((7, 7), (0, 0.1), (5, 5)), NEEDS).credit
    assert [(i.outcome, i.thing, i.place) for i in credit.items] == [
        ("matched", 0, 1), ("missed", 1, None), ("false", None, 0), ("ignored", None, 2),
    ]  # fmt: skip
    assert credit.error_m == 0.1 and not credit.harmful


def test_every_thing_is_measured_by_its_own_resolution():
    gold = msgspec.structs.replace(gold_row((0, 0), (10, 0)), item_resolutions_m=(0.1, 0.3))
    found = judge(gold, places((0, 0.3), (10, 0.3)), NEEDS).credit
    assert [item.share for item in found.items] == [pytest.approx(0.875), 1.0]


def test_the_pairing_prefers_the_sum_of_credit_to_the_nearest_place():
    # The place at 0.4 is nearest to both; given to the first, the second keeps 1.3 m. Both pairs together win.
    gold = gold_row((0, 0), (0.8, 0))
    outcomes = [(i.thing, i.place) for i in judge(gold, places((0.4, 0), (-0.5, 0)), NEEDS).credit.items]
    assert outcomes == [(0, 1), (1, 0)]


def test_unknown_lists():
    unknown = msgspec.structs.replace(TWO, answer=Answer(unknown=True), item_resolutions_m=())
    assert judge(unknown, Answer(unknown=True), NEEDS).score == 1
    assert judge(unknown, places(), NEEDS).score == -1
    assert judge(TWO, Answer(unknown=True), NEEDS).score == 0


def test_a_hazard_left_out_is_a_catastrophe_whatever_else_was_earned():
    gold = gold_row((0, 0), (10, 0), family="tangle_ahead")
    assert judge(gold, places((0, 0), (10, 0.5)), NEEDS).score == pytest.approx(0.75)
    left_out = judge(gold, places((0, 0), (10, 0.51)), NEEDS)
    assert left_out.catastrophe and left_out.score == -3 and left_out.score_gate > 0
    assert judge(gold, Answer(unknown=True), NEEDS).score == 0
    assert not judge(gold_row(family="tangle_ahead"), places((3, 3)), NEEDS).catastrophe
    assert not judge(TWO, places((0, 0)), NEEDS).catastrophe  # a thing that endangers nothing


def test_two_pixels_widen_what_counts_as_left_out():
    gold = gold_row((0, 0), family="tangle_ahead", resolution=0.4)
    assert not judge(gold, places((0.8, 0)), NEEDS).catastrophe
    assert judge(gold, places((0.81, 0)), NEEDS).catastrophe


def test_a_row_without_its_resolutions_is_refused():
    with pytest.raises(StbenchError, match="item_resolutions_m holds 0, not one for each of 2 things"):
        judge(msgspec.structs.replace(TWO, item_resolutions_m=()), places(), NEEDS)


COORDINATE = st.integers(-12, 12).map(lambda n: n / 4)
POINTS = st.lists(st.tuples(COORDINATE, COORDINATE), max_size=4)


def _exhaustive(pairs, things, places_):
    """The best (credit, pairs, -error) over every way to pair, in billionths."""
    best = (0, 0, 0)
    columns = [*range(places_), *[None] * things]
    for order in set(itertools.permutations(columns, things)):
        held = [pairs[i, j] for i, j in enumerate(order) if (i, j) in pairs]
        total = (sum(round(c * 1e9) for c, _ in held), len(held), -sum(round(e * 1e9) for _, e in held))
        best = max(best, total)
    return best


@given(POINTS, POINTS)
def test_the_pairing_is_the_best_of_all(things, said):
    pairs = {}
    for (i, a), (j, b) in itertools.product(enumerate(things[:3]), enumerate(said)):
        error = round(math.dist(a, b), 9)
        if error <= 2.0:
            pairs[i, j] = (max(0.0, 1 - 0.5 * math.floor(error / 0.5)), error)  # steps, so that credits tie
    found = [pairs[pair] for pair in best_pairing(pairs).items()]
    total = (sum(round(c * 1e9) for c, _ in found), len(found), -sum(round(e * 1e9) for _, e in found))
    assert total == _exhaustive(pairs, len(things[:3]), len(said))


@given(POINTS)
def test_the_gold_list_scores_one_in_any_order(points):
    assert gate(gold_row(*points), *reversed(points)) == pytest.approx(1.0)


@given(POINTS, POINTS, POINTS)
def test_scores_stay_in_bounds_and_a_mirrored_world_scores_the_same(things, said, circles):
    here = judge(gold_row(*things, ignored=circles), places(*said), NEEDS)
    assert -1 <= here.score_gate <= 1
    mirror = lambda points: [(x, -y) for x, y in points]  # noqa: E731
    there = judge(gold_row(*mirror(things), ignored=mirror(circles)), places(*mirror(said)), NEEDS)
    assert there.score_gate == pytest.approx(here.score_gate)


@given(POINTS, st.floats(0, 6.28), st.floats(0, 8), st.floats(0, 8))
def test_moving_the_one_place_away_from_the_one_thing_never_pays(others, angle, one, two):
    gold = gold_row((0, 0))
    far_off = [(x + 100, y) for x, y in others]
    near, far = sorted((one, two))
    scores = [gate(gold, (d * math.cos(angle), d * math.sin(angle)), *far_off) for d in (near, far)]
    assert scores[1] <= scores[0] + 1e-7


@given(POINTS, POINTS)
def test_a_false_place_and_a_missed_thing_never_pay(things, said):
    whole = gate(gold_row(*things), *said)
    assert gate(gold_row(*things), *said, (100, 100)) <= whole
    if things:
        assert gate(gold_row(*things), *things[1:]) < 1


def test_a_thousand_places_are_judged_in_time():
    things = [(0.1 * i, 0.0) for i in range(20)]
    said = [(0.01 * i, 0.001 * (i % 7)) for i in range(1000)]
    result = judge(gold_row(*things), places(*said), NEEDS)
    assert result.score_gate == pytest.approx(2 * 20 / (20 + 0.5 * 980) - 1, abs=0.01)
