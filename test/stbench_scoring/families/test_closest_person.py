"""How close a person came: by hand and by dense sampling, what drops it, and what is unknown."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from stbench_scoring.families import Look, closest_person
from stbench_scoring.families.people import true_least_m
from stbench_scoring.jobs import HELPER_1
from stbench_scoring.records import Person, ThingView, TrackPoint
from stbench_scoring.seen.memory import Seen
from stbench_scoring.seen.script import Script

SECOND = 1_000_000_000
RADIUS = 0.25


def person(*points, identity="p"):
    """A person walking straight between (second, x, y)."""
    track = tuple(TrackPoint(stamp_ns=round(s * SECOND), x_m=x, y_m=y, yaw_rad=0.0) for s, x, y in points)
    return Person(id=identity, words="person", radius_m=RADIUS, height_m=1.7, tracks=(track,))


def view(identity, x, y, clear=True):
    return ThingView(
        id=identity, pixels=900, share=1.0, clear=clear, nearest=(x, y, 0.5), nearest_px=(320, 300), middle=(x, y),
        top_above_camera=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def parts(synthetic):
    world = synthetic.World(boxes=synthetic.WALLS)
    return synthetic.timeline_of(world), synthetic.visibility_of(world)


def script_of(synthetic, parts, people, sights):
    """A script with people, and what steps show of them: {step: [view, …]}."""
    timeline = msgspec.structs.replace(parts[0], people=tuple(people))
    rows = tuple(msgspec.structs.replace(r, people=tuple(sights.get(r.step, ()))) for r in parts[1])
    return Script(timeline, rows, synthetic.ROBOT, synthetic.CAMERA)


def drafts(script, last=7, first=0):
    return {d.params.task: d for d in closest_person.drafts(Look(Seen(script, first, last), HELPER_1, last))}


STANDS = person((0, 5.0, 1.5), (100, 5.0, 1.5))


def test_the_closest_clear_picture_counts(synthetic, parts):
    # Keyframes 0 to 2 head along +x; at 2 the front stands at 2.3, the person's near side at 4.75.
    sights = {step: [view("p", 5.0, 1.5)] for step in (0, 1, 2)}
    draft = drafts(script_of(synthetic, parts, [STANDS], sights))[0]
    assert draft.answer.distance_m == pytest.approx(2.45)
    assert (draft.evidence, draft.contact, draft.harmful, draft.thing) == ((2,), "person", "wider", "p")
    assert (draft.need_m, draft.column, draft.age_band, draft.age_s) == (pytest.approx(0.245), "memory", "recent", 5.0)
    # 2.9 m less 0.25 m from the camera: (1.69 + 2.65²) / (1.3 · 554).
    assert draft.resolution_m == pytest.approx((1.69 + 2.65**2) / (1.3 * 554))


def test_a_glimpse_is_no_clear_picture(synthetic, parts):
    # The glimpse at 2 shows 2.45 m; the clear picture, keyframe 0, is 0.6 m farther: the truth was closer.
    sights = {0: [view("p", 5.0, 1.5)], 2: [view("p", 5.0, 1.5, clear=False)]}
    assert drafts(script_of(synthetic, parts, [STANDS], sights)) == {}
    assert drafts(script_of(synthetic, parts, [STANDS], {2: [view("p", 5.0, 1.5, clear=False)]})) == {}


def test_closer_between_the_pictures_drops_it(synthetic, parts):
    # N / 2 is 0.1225 m. In the pictures, 1 s apart, the person stands at 5.0, and between two of them nearer. The body
    # turns then by 20 degrees, which alone brings its corner 0.056 m farther ahead.
    sights = {2: [view("p", 5.0, 1.5)]}
    for nearest_x, there in ((4.95, True), (4.9, False)):
        walks = person((0, 5.0, 1.5), (2, 5.0, 1.5), (2.5, nearest_x, 1.5), (3, 5.0, 1.5), (20, 5.0, 1.5))
        assert (0 in drafts(script_of(synthetic, parts, [walks], sights))) == there


def test_closer_but_unseen_drops_it(synthetic, parts):
    behind = person((0, 1.2, 0.8), (100, 1.2, 0.8), identity="q")
    assert drafts(script_of(synthetic, parts, [STANDS, behind], {2: [view("p", 5.0, 1.5)]})) == {}


def test_touching_is_zero(synthetic, parts):
    close = person((0, 2.4, 1.5), (100, 2.4, 1.5))
    draft = drafts(script_of(synthetic, parts, [close], {2: [view("p", 2.4, 1.5)]}))[0]
    assert draft.answer.distance_m == 0.0 and draft.balance == "inside" and draft.need_m == 0.15


def test_a_task_without_a_person_is_unknown(synthetic, parts):
    unseen = drafts(script_of(synthetic, parts, [STANDS], {}))[0]
    assert unseen.answer.unknown and unseen.column == "memory" and unseen.evidence == () and unseen.age_s is None
    both = drafts(script_of(synthetic, parts, [STANDS], {2: [view("p", 5.0, 1.5)]}), last=15)
    assert not both[0].answer.unknown and both[1].answer.unknown
    assert both[0].age_band == "earlier" and "in task 1," in both[1].text


def test_the_last_picture_alone_may_tell_it(synthetic, parts):
    # Keyframe 7 heads 20 degrees left at (2.1, 2.4).
    there = person((0, 3.6, 3.4), (100, 3.6, 3.4))
    draft = drafts(script_of(synthetic, parts, [there], {7: [view("p", 3.6, 3.4)]}))[0]
    assert (draft.column, draft.age_band, draft.age_s) == ("now", "now", 0.0)


@pytest.mark.parametrize("seed", range(5))
def test_distances_agree_with_dense_sampling(synthetic, parts, seed):
    draw = np.random.default_rng(seed)
    a, b = draw.uniform(0.5, 5.5, (2, 2))
    walker = person((0, *a), (7, *b))
    script = script_of(synthetic, parts, [walker], {})
    # The body's border and the cylinder's, every 2 mm and 4 degrees; every 0.05 s of the first task.
    side = np.linspace(-0.2, 0.2, 201)
    border = np.vstack([np.column_stack([side, np.full(201, s)]) for s in (-0.2, 0.2)])
    border = np.vstack([border, border[:, ::-1]])
    least = math.inf
    keys = synthetic.World().keyframes()[:8]
    for t in np.arange(0, 7.001, 0.05):
        i = min(6, int(t))
        (_, _, x0, y0, h0), (_, _, x1, y1, h1) = keys[i], keys[i + 1]
        s = t - i
        x, y, h = x0 + s * (x1 - x0), y0 + s * (y1 - y0), h0 + s * (h1 - h0)
        turned = border @ np.array([[math.cos(h), math.sin(h)], [-math.sin(h), math.cos(h)]]) + (x, y)
        px, py = a + (b - a) * t / 7
        local = np.array([[math.cos(h), -math.sin(h)], [math.sin(h), math.cos(h)]]).T @ (np.array([px - x, py - y]))
        if (np.abs(local) <= 0.2).all():
            least = 0.0
        least = min(least, max(0.0, np.hypot(*(turned - (px, py)).T).min() - RADIUS))
    assert true_least_m(script, 0, 7 * SECOND) == pytest.approx(least, abs=0.02)


def test_mirrored_room_gives_the_same_distance(synthetic):
    found = []
    for sign, world in (
        (1, synthetic.World(boxes=synthetic.WALLS)),
        (-1, synthetic.World(boxes=synthetic.WALLS).mirrored()),
    ):
        pair = synthetic.timeline_of(world), synthetic.visibility_of(world)
        who = person((0, 4.0, sign * 1.8), (100, 4.0, sign * 1.8))
        found.append(drafts(script_of(synthetic, pair, [who], {2: [view("p", 4.0, sign * 1.8)]}))[0].answer)
    assert found[0] == found[1] and not found[0].unknown
