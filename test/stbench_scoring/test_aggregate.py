"""The figures of a run, against a second computation written from the card's text alone, and by hand."""

import math
import random
from statistics import fmean

import msgspec
import numpy as np
import pytest

from stbench_scoring.aggregate import aggregate
from stbench_scoring.bootstrap import intervals
from stbench_scoring.errors import StbenchError
from stbench_scoring.headline import cell_weight, headline
from stbench_scoring.records import Answer
from stbench_scoring.results import make_results


def second_computation(rows, release):
    """Cells pooled over their questions; n/20 below 20; a column weighs its largest cell. Plain Python, no sharing."""
    counts = {(c.ability, c.column): c.questions for c in release.cells}
    cells, columns = {}, {}
    for row in rows:
        cells.setdefault((row.column, row.ability), []).append(row.score)
    for column in ("now", "memory"):
        mine = [(min(1, counts[a, c] / 20), fmean(v)) for (c, a), v in cells.items() if c == column]
        if mine:
            columns[column] = (max(w for w, _ in mine), sum(w * m for w, m in mine) / sum(w for w, _ in mine))
    total = sum(w for w, _ in columns.values())
    return cells, columns, sum(w * m for w, m in columns.values()) / total


def run(hand, answers_by_case):
    return [hand.responses(cid, answers) for cid, answers in answers_by_case.items()]


def test_weights():
    assert [cell_weight(n) for n in (5, 10, 20, 21, 500)] == [0.25, 0.5, 1, 1, 1]


def test_headline_by_hand(hand):
    # now: clearance 1 (weight 1), distance -1 (weight 1/2): (1 - 0.5) / 1.5 = 1/3, and the column weighs 1.
    # memory: clearance 1 (1/4), memory (1 + 0) / 2 (3/4): (0.25 + 0.375) / 1 = 0.625, and the column weighs 3/4.
    answers = [hand.gold[0], Answer(ahead_m=2.0, left_m=0.8), hand.unknown, hand.gold[3], "timed_out"]
    results = make_results(hand.release, hand.label, run(hand, {"c1": answers}), hand.tree)
    (one,) = results.aggregates
    assert one.now == pytest.approx(1 / 3)
    assert one.memory == pytest.approx(0.625)
    assert one.headline == pytest.approx((1 / 3 + 0.75 * 0.625) / 1.75)
    assert one.mean_of_cells == pytest.approx((1 - 0.5 + 0.25 + 0.375) / 2.5)
    assert one.pooled_mean == pytest.approx((1 - 1 + 1 + 1 + 0) / 5)
    assert one.no_answer == {"timed_out": 1}


def test_a_second_computation_agrees_on_random_rows(hand):
    dice = random.Random(7)
    answers = {
        cid: [
            Answer(distance_m=dice.uniform(0, 3)), Answer(ahead_m=dice.uniform(1, 3), left_m=dice.uniform(-1.5, 0)),
            dice.choice([hand.unknown, Answer(distance_m=1.0)]), Answer(ahead_m=-1.0, left_m=dice.uniform(1, 2)),
            Answer(x_m=dice.uniform(0, 3), y_m=1.0),
        ]
        for cid in ("c1", "c2", "c3")
    }  # fmt: skip
    results = make_results(hand.release, hand.label, run(hand, answers), hand.tree)
    cells, columns, expected = second_computation(results.rows, hand.release)
    (one,) = results.aggregates
    assert one.headline == pytest.approx(expected, abs=1e-9)
    assert (one.now, one.memory) == pytest.approx((columns["now"][1], columns["memory"][1]), abs=1e-9)
    assert {(c.column, c.ability): c.score for c in one.cells} == {
        key: pytest.approx(fmean(scores), abs=1e-9) for key, scores in cells.items()
    }
    assert one.intervals["headline"].low <= one.headline <= one.intervals["headline"].high


def test_a_subset_takes_the_whole_releases_weights(hand):
    (one,) = make_results(hand.release, hand.label, run(hand, {"c1": hand.gold}), hand.tree).aggregates
    assert {(c.ability, c.column): c.weight for c in one.cells} == {
        ("clearance", "now"): 1.0, ("distance", "now"): 0.5, ("clearance", "memory"): 0.25, ("memory", "memory"): 0.75,
    }  # fmt: skip


def test_one_script_gives_a_degenerate_interval_and_says_so(hand):
    (one,) = make_results(hand.release, hand.label, run(hand, {"c1": hand.gold, "c2": hand.gold}), hand.tree).aggregates
    interval = one.intervals["headline"]
    assert (interval.low, interval.high, interval.scripts, interval.degenerate) == (1.0, 1.0, 1, True)


def test_one_column_is_the_headline_where_the_other_is_empty(hand):
    rows = make_results(hand.release, hand.label, run(hand, {"c1": hand.gold}), hand.tree).rows
    (one,) = aggregate([row for row in rows if row.column == "memory"], hand.release)
    assert (one.headline, one.now, one.memory) == (1.0, None, 1.0)
    assert "now" not in one.intervals


def test_layouts_and_jobs_are_never_pooled(hand):
    rows = make_results(hand.release, hand.label, run(hand, {"c1": hand.gold, "c3": hand.gold}), hand.tree).rows
    moved = [msgspec.structs.replace(row, layout="attic") if row.cid == "c3" else row for row in rows]
    attic = tuple(msgspec.structs.replace(cell, layout="attic") for cell in hand.release.cells)
    release = msgspec.structs.replace(hand.release, cells=hand.release.cells + attic)
    assert [(one.layout, one.questions) for one in aggregate(moved, release)] == [("attic", 5), ("flat", 5)]


def test_a_cell_that_the_release_does_not_count_is_named(hand):
    release = msgspec.structs.replace(hand.release, cells=hand.release.cells[1:])
    with pytest.raises(StbenchError, match="no questions of helper/1 × clearance × now in flat"):
        make_results(release, hand.label, run(hand, {"c1": hand.gold}), hand.tree)


def test_catastrophes_are_counted_over_harm_answers_and_leave_the_gate_score_alone(hand):
    # clear_path now: 1 m answered 3 m, into what was seen: -2, gate -0.5. clear_path memory: answered, unknowable: -1.
    answers = [Answer(distance_m=3.0), "refused", Answer(distance_m=1.0), "refused", "refused"]
    (one,) = make_results(hand.release, hand.label, run(hand, {"c1": answers}), hand.tree).aggregates
    assert (one.harm_answers, one.catastrophes, one.catastrophe_rate) == (2, 1, 0.5)
    cell = next(c for c in one.cells if (c.ability, c.column) == ("clearance", "now"))
    assert (cell.score, cell.score_gate) == (-2.0, -0.5)


def test_abstention(hand):
    answers = {"c1": [hand.unknown] * 5, "c2": hand.gold, "c3": [*hand.gold[:2], "crashed", *hand.gold[3:]]}
    (one,) = make_results(hand.release, hand.label, run(hand, answers), hand.tree).aggregates
    a = one.abstention
    assert (a.unknowable, a.said, a.right, a.answerable) == (3, 6, 2, 12)
    assert (a.recall, a.precision, a.unknown_on_answerable) == pytest.approx((2 / 3, 2 / 6, 4 / 12))


def test_breakdowns_hold_every_question_once(hand):
    (one,) = make_results(hand.release, hand.label, run(hand, {"c1": hand.gold}), hand.tree).aggregates
    assert set(one.breakdowns) == {"job", "family", "length", "kind", "age band", "criticality", "outcome"}
    assert all(sum(group.questions for group in groups) == 5 for groups in one.breakdowns.values())
    assert [(g.value, g.questions) for g in one.breakdowns["kind"]] == [("harm", 2), ("reuse", 1), ("situation", 2)]


def test_a_cell_empty_in_a_draw_is_left_out_and_the_weights_renormalised():
    # Two scripts, each with a cell of its own, both in `now`: drawing one script twice leaves its cell alone.
    sums, counts = np.array([[4.0, 0.0], [0.0, -2.0]]), np.array([[4.0, 0.0], [0.0, 2.0]])
    limits = intervals(sums, counts, np.array([1.0, 0.5]), ["now", "now"], "test")
    assert limits == {"headline": (-1.0, 1.0), "now": (-1.0, 1.0)}


def test_the_bootstrap_covers_what_plain_resampling_gives():
    dice = random.Random(3)
    scores = [[dice.uniform(-1, 1) for _ in range(10)] for _ in range(16)]
    sums, counts = np.array([[sum(s)] for s in scores]), np.full((16, 1), 10.0)
    low, high = intervals(sums, counts, np.array([1.0]), ["now"], "test")["headline"]
    drawn = sorted(fmean(fmean(dice.choice(scores)) for _ in range(16)) for _ in range(4000))
    assert (low, high) == pytest.approx((drawn[100], drawn[3900]), abs=0.02)
    assert intervals(sums, counts, np.array([1.0]), ["now"], "test")["headline"] == (low, high)


def test_empty_cells_are_no_number():
    means = np.array([[np.nan, np.nan], [0.5, np.nan], [0.5, -0.5]])
    got = headline(means, np.array([1.0, 0.5]), ["now", "memory"])["headline"]
    assert math.isnan(got[0])
    assert got[1:].tolist() == pytest.approx([0.5, (0.5 - 0.25) / 1.5])
