"""Golds worked by hand in the square room, and what must not change them."""

from __future__ import annotations

import msgspec
import pytest

from stbench_scoring.errors import StbenchError
from stbench_scoring.families import FAMILIES, Look, registry
from stbench_scoring.jobs import HELPER_1
from stbench_scoring.seen.memory import Seen
from stbench_scoring.seen.script import Script


def script_of(synthetic, world):
    return Script(synthetic.timeline_of(world), synthetic.visibility_of(world), synthetic.ROBOT, synthetic.CAMERA)


@pytest.fixture(scope="module")
def script(synthetic):
    return script_of(synthetic, synthetic.World())


def look(script, step, first=0):
    return Look(Seen(script, first, step), HELPER_1, len(script.timeline.frames) - 1)


def drafts(family, at):
    return {d.params.words or d.params.turn: d for d in FAMILIES[family].drafts(at)}


def test_a_name_twice_is_refused():
    family = FAMILIES["ego_now"]
    with pytest.raises(StbenchError, match="ego_now"):
        registry((family, family))


def test_clear_path_ahead_ends_at_the_red_box(script):
    # Keyframe 2: middle at 2.1, so the front at 2.3; the box's face at 3.8.
    draft = drafts("clear_path", look(script, 2))["ahead"]
    assert draft.answer.distance_m == pytest.approx(1.5)
    assert (draft.thing, draft.contact, draft.harmful) == ("red", "seen", "longer")
    assert draft.need_m == pytest.approx(0.15)  # both 1.5 / 10 and C
    assert draft.pixel_m == pytest.approx(1.5 / 554)


def test_clear_path_is_now_where_the_latest_frame_shows_way_and_contact(script):
    assert drafts("clear_path", look(script, 2))["ahead"].column == "now"
    assert drafts("clear_path", look(script, 2))["ahead"].evidence == (2,)


def hidden_now(script, step, **hidden):
    """The script as if the frame at `step` did not show what it did, e.g. behind something that stands there now."""
    rows = list(script.rows)
    rows[step] = msgspec.structs.replace(rows[step], **hidden)
    return Script(script.timeline, tuple(rows), script.robot, script.camera)


def test_clear_path_over_floor_that_an_earlier_frame_alone_showed_is_memory(script):
    draft = drafts("clear_path", look(hidden_now(script, 2, floor=()), 2))["ahead"]
    assert draft.answer.distance_m == pytest.approx(1.5) and draft.column == "memory"
    assert 1 in draft.evidence  # the frame before showed the way


def test_clear_path_to_a_contact_that_an_earlier_frame_alone_showed_is_memory(script):
    draft = drafts("clear_path", look(hidden_now(script, 2, surface=()), 2))["ahead"]
    assert draft.answer.distance_m == pytest.approx(1.5) and draft.column == "memory"


def test_clear_path_into_what_was_never_looked_at_is_unknown(script):
    draft = drafts("clear_path", look(script, 2))["back"]
    assert draft.answer.unknown and draft.column == "memory" and draft.evidence == () and draft.age_s is None


def test_floor_of_an_earlier_task_is_not_seen(script):
    # At keyframe 8 a new task has begun: the way towards the red box, seen in the first one, is unknown again.
    assert (look(script, 7).seen.floor_step != -1).sum() > (look(script, 8).seen.floor_step != -1).sum()
    assert set(look(script, 8).seen.floor_step.ravel()) <= {-1, 8}


def test_ego_now_of_the_red_box(script):
    draft = drafts("ego_now", look(script, 2))["red box"]
    assert (draft.answer.ahead_m, draft.answer.left_m) == pytest.approx((1.7, 0.0))
    assert (draft.column, draft.age_band, draft.evidence, draft.age_s) == ("now", "now", (2,), 0.0)
    assert draft.half_width_m == pytest.approx(0.2) and draft.critical  # the brief names it
    # h = 1.3: (1.69 + 2.89) / (1.3 · 554)
    assert draft.resolution_m == pytest.approx(4.58 / 720.2)


def test_ego_mem_is_the_point_seen_then_from_the_camera_now(script):
    # Keyframe 4 heads 80 degrees left from where keyframe 2 stood; the box's near point is (3.8, 1.5), 1.7 m along +x.
    at = look(script, 4)
    draft = drafts("ego_mem", at)["red box"]
    assert "red" not in {v.id for v in at.seen.rows[-1].things}
    near = at.seen.last_clear("red").view.nearest
    dx, dy = near[0] - 2.1, near[1] - 1.5
    assert draft.answer.ahead_m == pytest.approx(0.17365 * dx + 0.98481 * dy, abs=1e-3)
    assert draft.answer.left_m == pytest.approx(-0.98481 * dx + 0.17365 * dy, abs=1e-3)
    assert draft.age_band == "recent" and draft.column == "memory"


def test_object_where_is_the_middle(script):
    draft = drafts("object_where", look(script, 15))["blue crate"]
    assert (draft.answer.x_m, draft.answer.y_m) == (4.0, 3.2)
    assert draft.need_m == 1.0 and draft.harmful == "none"
    # Longer than half a metre, but lower than the camera: its middle was not hidden, nothing is added.
    assert draft.resolution_m < 0.05


def test_names_of_things_never_seen_are_unknown(script):
    at = look(script, 2)
    unknown = {k for k, d in drafts("object_where", at).items() if d.answer.unknown}
    assert "grey stool" in unknown and "red box" not in unknown
    assert "green crate" in unknown  # not there at all
    texts = {drafts("object_where", at)[k].text.replace(k, "") for k in ("grey stool", "red box")}
    assert len(texts) == 1


def test_mirrored_room_gives_the_mirrored_gold(synthetic, script):
    other = script_of(synthetic, synthetic.World().mirrored())
    swap = {"left": "right", "right": "left"}
    for step in (2, 5, 12):
        for family in ("clear_path", "ego_now", "ego_mem", "object_where"):
            here, there = drafts(family, look(script, step)), drafts(family, look(other, step))
            for key, draft in here.items():
                twin = there[swap.get(key, key)]
                assert twin.answer.unknown == draft.answer.unknown
                for name, sign in (("distance_m", 1), ("ahead_m", 1), ("left_m", -1), ("x_m", 1), ("y_m", -1)):
                    value = getattr(draft.answer, name)
                    if value is not None:
                        assert getattr(twin.answer, name) == pytest.approx(sign * value, abs=0.06), (family, key)


def test_things_never_seen_change_no_gold(synthetic, script):
    kept = {id_ for id_ in look(script, 2).seen.any}
    boxes = tuple(b for b in synthetic.World().boxes if b.structure or b.id in kept)
    assert len(boxes) < len(synthetic.World().boxes)
    fewer = script_of(synthetic, synthetic.World(boxes=boxes))
    for family in FAMILIES:
        known = {k: d.answer for k, d in drafts(family, look(script, 2)).items() if not d.answer.unknown}
        assert known == {k: d.answer for k, d in drafts(family, look(fewer, 2)).items() if not d.answer.unknown}


def test_a_look_alike_silences_both(synthetic):
    twin = synthetic.Box("red2", "red box", 3.2, 2.3, 0.15, 0.15, 0.3)
    script = script_of(synthetic, synthetic.World(boxes=(*synthetic.World().boxes, twin)))
    at = look(script, 2)
    assert {"red", "red2"} <= set(at.seen.any)
    assert "red box" not in drafts("ego_now", at) and "red box" not in drafts("object_where", at)


def test_a_long_thing_taller_than_the_camera_hides_its_middle(synthetic):
    tall = synthetic.Box("tall", "white wardrobe", 4.5, 1.5, 0.2, 0.5, 2.0)
    low = synthetic.Box("tall", "white wardrobe", 4.5, 1.5, 0.2, 0.5, 1.2)
    walls = synthetic.WALLS
    found = []
    for box in (tall, low):
        at = look(script_of(synthetic, synthetic.World(boxes=(*walls, box))), 2)
        found.append(drafts("object_where", at)["white wardrobe"].resolution_m)
    # A metre long: half of it beyond 0.25 m adds 0.25 m; everything else is alike.
    assert found[0] == pytest.approx(found[1] + 0.25)
