"""What was seen decides the gold: people, things that moved unseen, glimpses, things that were carried."""

from __future__ import annotations

import msgspec
import pytest

from stbench_scoring.families import FAMILIES, Look
from stbench_scoring.jobs import HELPER_1
from stbench_scoring.records import Person, PoseSpan, ThingView, TrackPoint
from stbench_scoring.seen.memory import Seen
from stbench_scoring.seen.script import Script

SECOND = 1_000_000_000


@pytest.fixture(scope="module")
def parts(synthetic):
    world = synthetic.World()
    return synthetic.timeline_of(world), synthetic.visibility_of(world)


def drafts(synthetic, timeline, rows, family, step):
    script = Script(timeline, rows, synthetic.ROBOT, synthetic.CAMERA)
    at = Look(Seen(script, 0, step), HELPER_1, 15)
    return {d.params.words or d.params.turn: d for d in FAMILIES[family].drafts(at)}


def with_person(timeline):
    ends = (0, 100 * SECOND)
    track = tuple(TrackPoint(stamp_ns=s, x_m=3.2, y_m=1.5, yaw_rad=0.0) for s in ends)
    person = Person(id="p", words="person", radius_m=0.25, height_m=1.7, tracks=(track,))
    return msgspec.structs.replace(timeline, people=(person,))


def moved(timeline, thing_id, at_ns, x_m, y_m, carried=False):
    things = []
    for thing in timeline.things:
        if thing.id == thing_id:
            span = PoseSpan(from_ns=at_ns, x_m=x_m, y_m=y_m, z_m=0.0, yaw_rad=0.0, carried=carried)
            thing = msgspec.structs.replace(thing, poses=(*thing.poses, span))
        things.append(thing)
    return msgspec.structs.replace(timeline, things=tuple(things))


def test_a_person_seen_is_touched_first(synthetic, parts):
    timeline, rows = with_person(parts[0]), list(parts[1])
    view = ThingView(
        id="p", pixels=900, share=1.0, clear=True, nearest=(2.95, 1.5, 0.5), nearest_px=(320, 300), middle=(3.2, 1.5),
        top_above_camera=True,
    )  # fmt: skip
    rows[2] = msgspec.structs.replace(rows[2], people=(view,))
    draft = drafts(synthetic, timeline, tuple(rows), "clear_path", 2)["ahead"]
    # The front stands at 2.3, the person's disc begins at 2.95; its 64 corners lie on the circle.
    assert draft.answer.distance_m == pytest.approx(0.65, abs=1e-4)
    assert draft.contact == "person"


def test_a_person_never_seen_drops_the_question(synthetic, parts):
    timeline, rows = parts
    assert "ahead" in drafts(synthetic, timeline, rows, "clear_path", 2)
    assert "ahead" not in drafts(synthetic, with_person(timeline), rows, "clear_path", 2)


def test_a_thing_that_moved_unseen_stays_where_it_was_seen(synthetic, parts):
    timeline, rows = parts
    in_view = {v.id for v in rows[4].things}
    assert "red" not in in_view
    shifted = moved(timeline, "red", 4 * SECOND, 3.0, 1.5)
    draft = drafts(synthetic, shifted, rows[:5], "object_where", 4)["red box"]
    assert (draft.answer.x_m, draft.answer.y_m) == (4.0, 1.5)


def test_a_glimpse_at_another_pose_makes_the_place_doubtful(synthetic, parts):
    timeline, rows = parts
    last = next(v for v in rows[2].things if v.id == "red")
    glimpse = msgspec.structs.replace(last, clear=False, pixels=3)
    later = (*rows[:4], msgspec.structs.replace(rows[4], things=(*rows[4].things, glimpse)))
    assert "red box" in drafts(synthetic, timeline, later, "object_where", 4)
    assert "red box" not in drafts(synthetic, moved(timeline, "red", 4 * SECOND, 3.0, 1.5), later, "object_where", 4)


def test_what_was_carried_is_never_asked_about(synthetic, parts):
    timeline, rows = parts
    carried = moved(timeline, "red", 90 * SECOND, 3.0, 1.5, carried=True)
    for family in ("ego_now", "object_where"):
        assert "red box" in drafts(synthetic, timeline, rows, family, 2)
        assert "red box" not in drafts(synthetic, carried, rows, family, 2)


def test_the_first_frame_of_a_case_starts_its_memory(synthetic, parts):
    timeline, rows = parts
    script = Script(timeline, rows, synthetic.ROBOT, synthetic.CAMERA)
    first_task = {key for row in rows[:8] for key in (v.id for v in row.things)}
    assert "red" in first_task
    late = Seen(script, 8, 9)
    assert late.last_clear("red") is None
    assert {s.step for sights in late.any.values() for s in sights} <= {8, 9}
