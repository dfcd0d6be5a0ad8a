"""How close a person would come: by hand and by dense sampling in time, who is meant, and when it is not asked.

The robot drives along +x at 0.3 m/s, a keyframe a second; at second t its middle is at x = 1 + 0.3 t, y = 1.5.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from stbench_scoring.families import Look, approach_mem, closest_approach
from stbench_scoring.families.approach import robot_velocity
from stbench_scoring.jobs import HELPER_1
from stbench_scoring.records import Person, ThingView, TrackPoint
from stbench_scoring.seen.memory import Seen
from stbench_scoring.seen.script import Script

SECOND = 1_000_000_000
RADIUS = 0.25
STRAIGHT = tuple((1.0 + 0.3 * i, 1.5, 0.0) for i in range(12))


def walker(x, y, vx=0.0, vy=0.0, identity="p", until=30.0):
    """Someone at (x, y) at second 0 who walks on straight."""
    ends = ((0.0, x, y), (until, x + vx * until, y + vy * until))
    track = tuple(TrackPoint(stamp_ns=round(t * SECOND), x_m=a, y_m=b, yaw_rad=0.0) for t, a, b in ends)
    return Person(id=identity, words="person", radius_m=RADIUS, height_m=1.7, tracks=(track,))


@pytest.fixture(scope="module")
def parts(synthetic):
    world = synthetic.World(boxes=synthetic.WALLS, drives=(STRAIGHT, STRAIGHT[:4]))
    return synthetic.timeline_of(world), synthetic.visibility_of(world)


def script_of(synthetic, parts, people, sights):
    """`sights`: {step: {id: clear}}; whoever is seen stands where they truly are."""
    timeline = msgspec.structs.replace(parts[0], people=tuple(people))
    by_id = {p.id: p for p in people}
    rows = []
    for row in parts[1]:
        views = []
        for identity, clear in sights.get(row.step, {}).items():
            a, b = by_id[identity].tracks[0]
            t = timeline.frames[row.step].stamp_ns / (b.stamp_ns - a.stamp_ns)
            x, y = a.x_m + t * (b.x_m - a.x_m), a.y_m + t * (b.y_m - a.y_m)
            views.append(ThingView(id=identity, pixels=900, share=1.0, clear=clear, nearest=(x, y, 0.5),
                                   nearest_px=(320, 300), middle=(x, y), top_above_camera=True))  # fmt: skip
        rows.append(msgspec.structs.replace(row, people=tuple(views)))
    return Script(timeline, tuple(rows), synthetic.ROBOT, synthetic.CAMERA)


def ask(family, script, step, first=0):
    look = Look(Seen(script, first, step), HELPER_1, len(script.timeline.frames) - 1)
    return next(iter(family.drafts(look)), None)


def sampled_m(step, person_at):
    """Least distance over 5 s, both straight, every 5 ms: the body as a square of 0.4 m, by its nearest point."""
    least = math.inf
    for t in np.arange(0, 5.0001, 0.005):
        dx, dy = np.array(person_at(t)) - (1.0 + 0.3 * (step + t), 1.5)
        outside = math.hypot(max(0.0, abs(dx) - 0.2), max(0.0, abs(dy) - 0.2))
        least = min(least, max(0.0, outside - RADIUS))
    return least


STEADY = {0: {"p": True}, 1: {"p": True}, 2: {"p": True}}


def test_the_robots_velocity_is_that_of_its_path(synthetic, parts):
    script = script_of(synthetic, parts, [], {})
    assert robot_velocity(script, 3) == pytest.approx([0.3, 0.0])


def test_towards_one_who_stands(synthetic, parts):
    # At 2 s the front is at 1.8, the near side at 5.25: 3.45 m, less 1.5 m driven.
    draft = ask(closest_approach, script_of(synthetic, parts, [walker(5.5, 1.5)], STEADY), 2)
    assert draft.answer.distance_m == pytest.approx(1.95)
    assert (draft.need_m, draft.harmful, draft.contact, draft.thing) == (pytest.approx(0.195), "wider", "person", "p")
    # One who stands needs no earlier picture.
    assert (draft.column, draft.evidence, draft.params.window_s) == ("now", (2,), 5.0)
    # A pixel of the last picture, D 3.9 m, moves the person by (1.69 + D²) / (1.3 f), the velocity by half of it a
    # second: 3.5 times as far in 5 s. A pixel of the first, D 4.5 m: 2.5 times.
    steps = [(1.69 + d * d) / (1.3 * 554) for d in (3.9, 4.5)]
    assert draft.resolution_m == pytest.approx(max(3.5 * steps[0], 2.5 * steps[1]))


def test_one_who_walks_into_the_way_touches(synthetic, parts):
    draft = ask(closest_approach, script_of(synthetic, parts, [walker(5.5, 1.5, -0.6)], STEADY), 2)
    assert draft.answer.distance_m == 0.0 and draft.balance == "inside"
    assert (draft.column, draft.evidence, draft.age_band) == ("memory", (0, 2), "recent")


@pytest.mark.parametrize("seed", range(8))
def test_it_agrees_with_dense_sampling(synthetic, parts, seed):
    x, y, vx, vy = np.random.default_rng(seed).uniform((2.5, 0.5, -0.6, -0.5), (5.0, 3.0, 0.4, 0.5))
    draft = ask(closest_approach, script_of(synthetic, parts, [walker(x, y, vx, vy)], STEADY), 2)
    true = sampled_m(2, lambda t: (x + vx * (2 + t), y + vy * (2 + t)))
    assert draft is not None and draft.distance_m == pytest.approx(true, abs=0.005)
    mem = ask(approach_mem, script_of(synthetic, parts, [walker(x, y, vx, vy)], STEADY), 4)
    true = sampled_m(4, lambda t: (x + vx * (4 + t), y + vy * (4 + t)))
    assert mem is None or mem.distance_m == pytest.approx(true, abs=0.005)


def test_someone_else_nearly_as_near_leaves_it_open(synthetic, parts):
    # The first stands 1.45 m from the front, so another must be 1.81 m away or more, seen or not.
    sights = {s: {"p": True, "q": True} for s in (0, 1, 2)}
    for x, there in ((3.8, False), (3.9, True)):
        people = [walker(3.5, 1.5), walker(x, 1.5, identity="q")]
        assert (ask(closest_approach, script_of(synthetic, parts, people, sights), 2) is not None) == there
        assert (ask(closest_approach, script_of(synthetic, parts, people, STEADY), 2) is not None) == there


def test_one_picture_tells_no_velocity_and_a_glimpse_no_person(synthetic, parts):
    person = [walker(4.5, 1.5)]
    assert ask(closest_approach, script_of(synthetic, parts, person, {2: {"p": True}}), 2) is None
    assert ask(closest_approach, script_of(synthetic, parts, person, {**STEADY, 2: {"p": False}}), 2) is None
    # The first of the two is 3 s old.
    assert ask(closest_approach, script_of(synthetic, parts, person, {0: {"p": True}, 3: {"p": True}}), 3) is None


def test_where_a_pixel_would_move_it_by_more_than_the_need_it_is_not_asked(synthetic, parts):
    # Pictures 1 s apart of one 6.4 m away who walks up to 0.3 m: N is 0.15, a pixel is worth six times 0.06 m.
    sights = {1: {"p": True}, 2: {"p": True}}
    person = walker(8.0 + 0.9 * 2, 1.5, -0.9)
    assert ask(closest_approach, script_of(synthetic, parts, [person], sights), 2) is None
    near = walker(3.0, 1.5)
    assert ask(closest_approach, script_of(synthetic, parts, [near], sights), 2) is not None


def test_a_robot_that_is_just_stopping_is_not_asked(synthetic):
    stops = ((1.0, 1.5, 0.0), (1.3, 1.5, 0.0), (1.6, 1.5, 0.0), (1.6, 1.5, 40.0), (1.6, 1.5, 80.0))
    world = synthetic.World(boxes=synthetic.WALLS, drives=(stops,))
    parts = synthetic.timeline_of(world), synthetic.visibility_of(world)
    person = [walker(5.5, 1.5)]
    sights = {s: {"p": True} for s in range(4)}
    assert ask(closest_approach, script_of(synthetic, parts, person, sights), 2) is None
    assert ask(closest_approach, script_of(synthetic, parts, person, sights), 1) is not None


def test_seen_last_and_walking_on(synthetic, parts):
    person = walker(4.5, 1.0, 0.0, 0.4)
    draft = ask(approach_mem, script_of(synthetic, parts, [person], STEADY), 4)
    assert draft.distance_m == pytest.approx(sampled_m(4, lambda t: (4.5, 1.0 + 0.4 * (4 + t))), abs=0.005)
    assert (draft.column, draft.evidence, draft.age_s, draft.age_band) == ("memory", (0, 2), 2.0, "recent")


def test_one_who_truly_went_elsewhere_is_not_asked_about(synthetic, parts):
    person = walker(4.5, 1.0, 0.0, 0.4)
    script = script_of(synthetic, parts, [person], STEADY)
    a, b = person.tracks[0]
    turned = TrackPoint(stamp_ns=2 * SECOND, x_m=4.5, y_m=1.8, yaw_rad=0.0)
    stops = msgspec.structs.replace(person, tracks=((a, turned, msgspec.structs.replace(b, y_m=1.8)),))
    gone = msgspec.structs.replace(person, tracks=((a, turned),))
    for changed in (stops, gone):
        timeline = msgspec.structs.replace(script.timeline, people=(changed,))
        assert ask(approach_mem, Script(timeline, script.rows, script.robot, script.camera), 4) is None


def test_after_five_seconds_only_one_who_stood(synthetic, parts):
    early = {0: {"p": True}, 1: {"p": True}}
    walks = script_of(synthetic, parts, [walker(4.5, 1.0, 0.0, 0.2)], early)
    assert ask(approach_mem, walks, 6) is not None and ask(approach_mem, walks, 7) is None
    # Stood: at 8 s the front is at 3.6, the near side at 5.25; 1.5 m are driven. Long out of view, still there.
    draft = ask(approach_mem, script_of(synthetic, parts, [walker(5.5, 1.5)], early), 8)
    assert draft.answer.distance_m == pytest.approx(0.15) and draft.age_s == 7.0 and draft.evidence == (1,)


@pytest.mark.parametrize(
    "sights",
    [
        {2: {"p": True}},  # one picture tells neither velocity nor that they stood
        {**STEADY, 3: {"p": False}},  # a glimpse after the last clear sight
        {**STEADY, 3: {"q": False}},  # a glimpse of another
        {s: {"p": True, "q": True} for s in (0, 1, 2)},  # two seen last
        {**STEADY, 4: {"p": True}},  # in view
        {**STEADY, 4: {"q": False}},  # somebody in view
    ],
)
def test_who_was_seen_last_must_be_plain(synthetic, parts, sights):
    people = [walker(4.5, 1.0), walker(4.0, 2.5, identity="q")]
    assert ask(approach_mem, script_of(synthetic, parts, people, STEADY), 4) is not None
    assert ask(approach_mem, script_of(synthetic, parts, people, sights), 4) is None


def test_nobody_ever_seen_is_unknown(synthetic, parts):
    draft = ask(approach_mem, script_of(synthetic, parts, [walker(4.5, 1.0)], {}), 4)
    assert draft.answer.unknown and draft.column == "memory" and draft.evidence == () and draft.age_s is None
    known = ask(approach_mem, script_of(synthetic, parts, [walker(4.5, 1.0)], STEADY), 4)
    assert known.text == draft.text


def test_a_sight_of_an_earlier_task_is_too_old(synthetic, parts):
    script = script_of(synthetic, parts, [walker(4.5, 1.0, until=300.0)], STEADY)
    assert ask(approach_mem, script, 13) is None
    assert ask(approach_mem, script, 13, first=12).answer.unknown


def test_mirrored_people_come_as_close(synthetic):
    found = []
    for sign in (1, -1):
        world = synthetic.World(boxes=synthetic.WALLS, drives=(STRAIGHT,))
        world = world if sign > 0 else world.mirrored()
        parts = synthetic.timeline_of(world), synthetic.visibility_of(world)
        person = [walker(4.5, sign * 2.5, 0.0, -0.3 * sign)]
        script = script_of(synthetic, parts, person, STEADY)
        found.append((ask(closest_approach, script, 2).answer, ask(approach_mem, script, 4).answer))
    assert found[0] == found[1]
