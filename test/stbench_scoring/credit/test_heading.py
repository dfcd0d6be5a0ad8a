"""Headings: regret by hand, the sign of a heading, a run under room, and what must hold for any answer."""

import math

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stbench_scoring.credit import RULES, judge
from stbench_scoring.credit.heading import HEADINGS, run_at
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Answer, Gold, Needs, parse_answer

NEEDS = Needs(clearance_m=0.15, reacquire_m=1.0, match_m={}, horizon_m=5.0)


def table(held, elsewhere=1.0):
    return tuple(held.get(heading, elsewhere) for heading in HEADINGS)


def gold_row(runs, resolution=0.02):
    best = max(runs)
    rule = RULES["open_heading"]
    return Gold(
        qid="q", family="open_heading", kind=rule.kind, ability="clearance", column="now",
        answer=Answer(heading_deg=float(HEADINGS[runs.index(best)])), evidence=(0,), age_s=0.0, age_band="now",
        need_m=max(0.15, best / 10), resolution_m=resolution, pixel_m=resolution, distance_m=best,
        harmful=rule.harmful, contact="none", half_width_m=0.0, critical=False, thing="", runs_m=runs,
    )  # fmt: skip


def said(gold, degrees):
    return judge(gold, parse_answer({"heading_deg": degrees}, "heading"), NEEDS)


# 4 m at +35, 0.1 m at -35: N 0.4, halved 0.2 without room.
ROOM = table({35: 4.0, 34: 3.7, 33: 3.4, 32: 2.8, 31: 2.4, -35: 0.1, -36: 0.15})


@pytest.mark.parametrize(
    ("degrees", "quarters"),
    [
        (35, (1, 1, 1, 1)),
        (34, (1, 1, 1, (0.4 - 0.3) / (0.4 - 0.02))),
        (33, (1, 1, 0.5, 0)),
        (32, (1, 0.5, 0, 0)),
        (31, (1, 0, 0, 0)),
        (-35, (0, 0, 0, 0)),
        (-36, (1, 0, 0, 0)),  # exactly C is room
    ],
)
def test_the_worked_headings(degrees, quarters):
    credit = said(gold_row(ROOM), degrees).credit
    assert (credit.direction, credit.thing, credit.amount, credit.precision) == pytest.approx(quarters)


def test_a_heading_keeps_its_sign_and_wraps():
    gold = gold_row(ROOM)
    assert said(gold, 35).score == said(gold, 395).score == said(gold, -325).score == 1.0
    assert said(gold, -35).score == -1.0
    behind = gold_row(table({180: 4.0, 179: 3.9, -179: 3.9}))
    assert said(behind, 179.9).score == said(behind, -179.9).score == said(behind, -180).score == 1.0
    assert said(behind, 179.4).credit.error_m == pytest.approx(0.1)


def test_half_way_between_two_degrees_the_shorter_run_counts():
    runs = table({35: 4.0, 36: 2.0})
    assert [run_at(runs, d) for d in (35.4, 35.5, 35.6, -179.5)] == [4.0, 2.0, 2.0, 1.0]
    assert run_at(table({180: 0.2, -179: 0.9}), -179.5) == 0.2


def test_without_room_the_need_is_halved():
    # The best run is 0.4 m: N 0.15. 0.2 m of room: regret 0.2, a third beyond N. 0.1 m, no room: N 0.075, four of it.
    gold = gold_row(table({0: 0.4, 1: 0.2, 2: 0.1}, 0.0))
    safe, harmful = said(gold, 1).credit, said(gold, 2).credit
    assert (safe.need_m, safe.amount, safe.harmful) == (0.15, pytest.approx(2 / 3), False)
    assert (harmful.need_m, harmful.thing, harmful.harmful) == (0.075, 0.0, True)
    assert not said(gold, 2).catastrophe  # help knows none


def test_rows_that_cannot_be_judged_are_refused():
    gold = gold_row(ROOM)
    with pytest.raises(StbenchError, match="runs_m must hold 360 finite runs"):
        said(msgspec.structs.replace(gold, runs_m=ROOM[:-1]), 0)
    with pytest.raises(StbenchError, match="distance_m must be the longest"):
        said(msgspec.structs.replace(gold, distance_m=3.0), 0)


RUNS = st.lists(st.integers(0, 500).map(lambda n: n / 100), min_size=360, max_size=360).map(tuple)
ANGLE = st.floats(-1e6, 1e6)


def roomy(runs):
    assume(max(runs) >= NEEDS.clearance_m)
    return gold_row(runs)


@given(RUNS)
def test_the_best_heading_scores_one(runs):
    gold = roomy(runs)
    assert judge(gold, gold.answer, NEEDS).score == 1


@given(RUNS, ANGLE, ANGLE)
def test_no_score_rises_with_the_regret(runs, one, two):
    gold = roomy(runs)
    results = sorted((said(gold, one), said(gold, two)), key=lambda r: r.credit.error_m)
    assert -1 <= results[1].score_gate <= results[0].score_gate <= 1


@given(RUNS, ANGLE)
def test_a_mirrored_world_scores_the_same(runs, angle):
    gold = roomy(runs)
    mirrored = tuple(runs[(179 - heading) % 360] for heading in HEADINGS)
    assert mirrored[HEADINGS.index(35)] == runs[HEADINGS.index(-35)] and mirrored[-1] == runs[-1]
    assert said(gold_row(mirrored), -angle) == said(gold, angle)


@given(RUNS, ANGLE, st.integers(-3, 3))
def test_whole_turns_change_nothing(runs, angle, turns):
    gold = roomy(runs)
    assume(abs(math.fmod(abs(angle), 1.0) - 0.5) > 1e-6)
    assert said(gold, angle).credit.error_m == said(gold, angle + 360 * turns).credit.error_m
