"""Things near the way driven: golds by hand and by dense sampling, circles, unknown, and what drops the question."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from stbench_scoring.credit import judge
from stbench_scoring.families import Look, task_things
from stbench_scoring.jobs import HELPER_1
from stbench_scoring.records import Gold, Part, PoseSpan
from stbench_scoring.seen.memory import Seen
from stbench_scoring.seen.script import Script
from stbench_scoring.select import Balance, at_end

SECOND = 1_000_000_000
# The first task drives from (1.5, 1.5) to (2.1, 1.5) and on to (2.1, 2.4).
NEAR = ("near", "white crate", 2.85, 1.9)  # 0.75 m to the right of the second leg
NEAR_RING = ((-0.12, -0.1), (0.12, -0.1), (0.12, 0.1), (-0.12, 0.1))
FAR = ("far", "black crate", 4.5, 1.5)


def boxes(synthetic, *named):
    return (*synthetic.WALLS, *(synthetic.Box(i, w, x, y, 0.12, 0.1, 0.4) for i, w, x, y in named))


def script_of(synthetic, *named, timeline=lambda t: t, rows=lambda r: r):
    world = synthetic.World(boxes=boxes(synthetic, *named))
    return Script(
        timeline(synthetic.timeline_of(world)), tuple(rows(list(synthetic.visibility_of(world)))), synthetic.ROBOT,
        synthetic.CAMERA,
    )  # fmt: skip


def drafts(script, last=7, first=0):
    return {d.params.task: d for d in task_things.drafts(Look(Seen(script, first, last), HELPER_1, last))}


def points(places):
    return [(p.x_m, p.y_m) for p in places]


def changed(identity, **changes):
    def change(timeline):
        things = [msgspec.structs.replace(t, **changes) if t.id == identity else t for t in timeline.things]
        return msgspec.structs.replace(timeline, things=tuple(things))

    return change


def glimpsed(identity):
    def change(rows):
        return [
            msgspec.structs.replace(
                row,
                things=tuple(msgspec.structs.replace(v, clear=v.clear and v.id != identity) for v in row.things),
            )
            for row in rows
        ]

    return change


def test_what_stood_near_the_way_is_listed_by_its_middle(synthetic):
    script = script_of(synthetic, NEAR, FAR)
    assert {"near", "far"} <= set(Seen(script, 0, 7).clear)
    draft = drafts(script)[0]
    assert points(draft.answer.places) == [(2.85, 1.9)] and draft.ignored == ()
    assert (draft.need_m, draft.harmful, draft.kind, draft.ability) == (0.5, "none", "reuse", "relevance")
    assert draft.evidence == (Seen(script, 0, 7).last_clear("near").step,)
    # h 1.3 at the last clear sight: along the sight (h² + D²) / (h f).
    row = draft.evidence[0]
    x, y, _ = [k[2:] for k in synthetic.World().keyframes()][row]
    reach2 = (2.85 - x) ** 2 + (1.9 - y) ** 2
    assert draft.item_resolutions_m == (pytest.approx((1.69 + reach2) / (1.3 * 554)),)


def test_what_lies_at_the_stated_distance_is_neither_right_nor_wrong(synthetic):
    for x, kind in ((2.95, "listed"), (3.05, "ignored"), (3.15, "ignored"), (3.25, "none")):
        draft = drafts(script_of(synthetic, ("edge", "white crate", x, 1.9), ("near", "red crate", 2.8, 1.6)))[0]
        found = points(draft.answer.places), points(draft.ignored)
        assert ((x, 1.9) in found[0], (x, 1.9) in found[1]) == (kind == "listed", kind == "ignored"), x


def test_what_was_only_glimpsed_becomes_a_circle(synthetic):
    both = (NEAR, ("second", "red crate", 2.7, 1.3))
    script = script_of(synthetic, *both, rows=glimpsed("near"))
    draft = drafts(script)[0]
    assert points(draft.answer.places) == [(2.7, 1.3)] and points(draft.ignored) == [(2.85, 1.9)]
    # Alone, with nothing else to list, it makes the question doubtful.
    assert drafts(script_of(synthetic, NEAR, rows=glimpsed("near"))) == {}


def test_flat_and_raised_things_are_not_listed(synthetic):
    flat = changed("near", parts=(Part(rings=(NEAR_RING,), bottom_m=0.0, top_m=0.01),))
    raised = changed("near", parts=(Part(rings=(NEAR_RING,), bottom_m=0.5, top_m=0.9),))
    second = ("second", "red crate", 2.7, 1.3)
    for change in (flat, raised):
        draft = drafts(script_of(synthetic, NEAR, second, timeline=change))[0]
        assert points(draft.answer.places) == [(2.7, 1.3)] and draft.ignored == ()


def spans(*later):
    first = PoseSpan(from_ns=0, x_m=2.85, y_m=1.9, z_m=0.0, yaw_rad=0.0)
    return changed("near", poses=(first, *later))


def test_what_was_carried_is_a_circle(synthetic):
    held = spans(PoseSpan(from_ns=90 * SECOND, x_m=2.85, y_m=1.9, z_m=0.0, yaw_rad=0.0, carried=True))
    draft = drafts(script_of(synthetic, NEAR, ("second", "red crate", 2.7, 1.3), timeline=held))[0]
    assert points(draft.answer.places) == [(2.7, 1.3)] and points(draft.ignored) == [(2.85, 1.9)]


def test_a_thing_that_truly_stood_elsewhere_drops_the_question(synthetic):
    last = Seen(script_of(synthetic, NEAR), 0, 7).last_clear("near").step
    assert last < 7  # it left the picture before the task ended
    for shift, there in ((0.2, True), (0.3, False)):  # M / 2 is 0.25 m
        moved = spans(PoseSpan(from_ns=last * SECOND + 1, x_m=2.85 + shift, y_m=1.9, z_m=0.0, yaw_rad=0.0))
        assert (0 in drafts(script_of(synthetic, NEAR, timeline=moved))) == there


def floor_share(synthetic, columns):
    """Rows whose floor is the first `columns` columns of the whole grid."""
    cells = synthetic.World().cells
    runs = tuple((r, 0, columns) for r in range(cells)) if columns else ()
    return lambda rows: [msgspec.structs.replace(row, floor=runs) for row in rows]


def test_nothing_to_list_is_empty_only_where_the_floor_was_seen(synthetic):
    whole = drafts(script_of(synthetic, FAR, rows=floor_share(synthetic, 70)))[0]
    assert whole.answer.places == () and whole.balance == "empty" and whole.evidence
    none = drafts(script_of(synthetic, FAR, rows=floor_share(synthetic, 0)))[0]
    assert none.answer.unknown and none.column == "memory" and none.evidence == () and none.age_s is None
    # The way's surroundings reach from x 0.5 to 3.1: up to x 2.2 is between a half and 95 %.
    assert drafts(script_of(synthetic, FAR, rows=floor_share(synthetic, 27))) == {}


def test_of_two_tasks_each_is_asked_and_later_sights_do_not_move_the_first(synthetic):
    moved = spans(PoseSpan(from_ns=30 * SECOND, x_m=2.6, y_m=3.4, z_m=0.0, yaw_rad=0.0))
    script = script_of(synthetic, NEAR, timeline=moved)
    assert points(drafts(script, last=15)[0].answer.places) == [(2.85, 1.9)]
    job = replace(HELPER_1, end_families=("task_things",))
    both = script_of(synthetic, NEAR, ("beyond", "red crate", 2.9, 3.4))
    asked = at_end("case", Look(Seen(both, 0, 15), job, 15), 2, Balance())
    assert sorted(d.params.task for d in asked) == [0, 1]


def test_the_number_in_the_text_is_the_cases_own(synthetic):
    script = script_of(synthetic, ("near", "white crate", 2.9, 3.4))
    draft = drafts(script, last=15, first=8)[1]
    assert "in task 0, numbered" in draft.text


@pytest.mark.parametrize("seed", range(4))
def test_the_list_agrees_with_dense_sampling(synthetic, seed):
    draw = np.random.default_rng(seed)
    named = []
    for i in range(9):
        x, y = draw.uniform(2.5, 4.5), draw.uniform(0.5, 4.5)
        named.append((f"b{i}", f"colour{i} crate", round(float(x), 3), round(float(y), 3)))
    script = script_of(synthetic, *named)
    corners = [k[2:4] for k in synthetic.World().keyframes()[:8]]
    walk = [
        (x0 + (x1 - x0) * t, y0 + (y1 - y0) * t)
        for (x0, y0), (x1, y1) in itertools.pairwise(corners)
        for t in np.linspace(0, 1, 201)
    ]
    clear = {view.id for row in script.rows[:8] for view in row.things if view.clear}
    near = {(x, y): min(math.dist((x, y), at) for at in walk) for i, _, x, y in named if i in clear}
    draft = drafts(script).get(0)
    listed, ignored = (set(points(draft.answer.places)), set(points(draft.ignored))) if draft else (set(), set())
    assert {p for p, d in near.items() if d < 0.89} <= listed <= {p for p, d in near.items() if d < 0.91}
    assert not listed & ignored and all(near.get(p, 9) > 0.89 for p in ignored if p in near)
    if draft:
        assert judge_of(draft).score == 1


def judge_of(draft):
    gold = Gold(
        qid="q", family=draft.family, kind=draft.kind, ability=draft.ability, column=draft.column, answer=draft.answer,
        evidence=draft.evidence, age_s=draft.age_s, age_band=draft.age_band, need_m=draft.need_m,
        resolution_m=draft.resolution_m, pixel_m=draft.pixel_m, distance_m=draft.distance_m, harmful=draft.harmful,
        contact=draft.contact, half_width_m=0.0, critical=False, thing="", ignored=draft.ignored,
        item_resolutions_m=draft.item_resolutions_m,
    )  # fmt: skip
    return judge(gold, draft.answer, HELPER_1.needs)


def test_mirrored_room_gives_the_mirrored_list(synthetic):
    world = synthetic.World(boxes=boxes(synthetic, NEAR, ("second", "red crate", 2.7, 1.3)))
    here, there = (
        drafts(Script(synthetic.timeline_of(w), synthetic.visibility_of(w), synthetic.ROBOT, synthetic.CAMERA))[0]
        for w in (world, world.mirrored())
    )
    assert points(there.answer.places) == [(x, -y) for x, y in points(here.answer.places)]
