"""The best heading: by hand, against a rasterised second computation, and what drops it."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
import shapely
from shapely import affinity

from stbench_scoring.credit.heading import HEADINGS, run_at
from stbench_scoring.families import Look, open_heading
from stbench_scoring.geometry.camera import Pose2D
from stbench_scoring.geometry.solids import Solid
from stbench_scoring.geometry.sweep import first_touch
from stbench_scoring.jobs import HELPER_1
from stbench_scoring.seen.fan import Turner, contact_runs_m, front_m, reachable
from stbench_scoring.seen.memory import Seen
from stbench_scoring.seen.script import Script

# Keyframe 2 stands at (2.1, 1.5), heading along +x; the room spans 0 to 6 m both ways.
STEP = 2


def script_of(synthetic, boxes=(), columns=(0, 70), rows=(0, 70), mirrored=False):
    """The room with boxes, in which every frame has seen the floor of a block of cells."""
    world = synthetic.World(boxes=(*synthetic.WALLS, *boxes))
    world = world.mirrored() if mirrored else world
    runs = tuple((r, columns[0], columns[1] - columns[0]) for r in range(*rows))
    seen = tuple(msgspec.structs.replace(row, floor=runs) for row in synthetic.visibility_of(world))
    return Script(synthetic.timeline_of(world), seen, synthetic.ROBOT, synthetic.CAMERA)


def draft_of(script, step=STEP):
    return next(iter(open_heading.drafts(Look(Seen(script, 0, step), HELPER_1, 15))), None)


def runs_of(look, share=0.5):
    return open_heading._space(look, look.seen.solids, open_heading._floor(look, look.seen)).fan(share)


def test_the_widest_arc_of_the_best_run_is_answered_in_its_middle():
    def table(held):
        return [held.get(heading, 1.0) for heading in HEADINGS]

    assert open_heading.middle_of_best(table({40: 2.0, 41: 2.0, 42: 2.0, -7: 2.0})) == 41
    assert open_heading.middle_of_best(table({40: 2.0, -40: 2.0})) == 40
    assert open_heading.middle_of_best(table({10: 2.0, 11: 2.0})) == 10
    assert open_heading.middle_of_best(table({-10: 2.0, -11: 2.0})) == -10
    assert open_heading.middle_of_best(table({179: 2.0, 180: 2.0, -179: 2.0})) == 180
    assert open_heading.middle_of_best(table({heading: 1.0 for heading in HEADINGS})) == 0


def test_runs_to_the_walls_are_exact(synthetic):
    # Ahead: 6 - 2.3; left and right of it: 6 - 1.7 and 1.5 - 0.2; behind: 2.1 - 0.2. All floor was seen.
    draft = draft_of(script_of(synthetic))
    found = [run_at(draft.runs_m, h) for h in (0, 90, -90, 180)]
    assert found == pytest.approx([3.7, 4.3, 1.3, 1.9])
    # Turned by 45 degrees the corner leads by 0.283; both far walls lie beyond the horizon of 5 m or near it.
    wide = 0.2 * math.sqrt(2)
    assert run_at(draft.runs_m, 45) == pytest.approx(min(5.0, (6 - 2.1 - wide) / math.cos(math.pi / 4)), abs=2e-3)


def test_the_floor_never_seen_ends_a_run(synthetic):
    # Floor seen up to x 4 only (column 45): ahead the front at 2.3 has 1.7 m; to the left nothing changes.
    script = script_of(synthetic, columns=(0, 45))
    look = Look(Seen(script, 0, STEP), HELPER_1, 15)
    fan = runs_of(look)
    assert run_at(fan.runs_m, 0) == pytest.approx(1.7, abs=0.11)
    assert run_at(fan.runs_m, 90) == pytest.approx(4.3)
    # The best heading grazes the edge of the seen floor: who counts any unseen cell would choose another.
    strict = runs_of(look, 0.0)
    best = open_heading.middle_of_best(fan.runs_m)
    assert run_at(strict.runs_m, best) < fan.best_m - look.need_m(fan.best_m) / 2 and draft_of(script) is None


def test_the_blind_ring_counts_as_seen(synthetic):
    # Nothing was seen at all: only the ring of 0.7 m remains.
    look = Look(Seen(script_of(synthetic, rows=(0, 0)), 0, STEP), HELPER_1, 15)
    fan = runs_of(look)
    assert run_at(fan.runs_m, 0) == pytest.approx(0.7, abs=0.11) and fan.best_m <= 0.9


def test_now_is_what_the_latest_frame_alone_gives(synthetic):
    script = script_of(synthetic)
    assert draft_of(script).column == "now" and draft_of(script).evidence == (STEP,)
    rows = list(script.rows)
    rows[STEP] = msgspec.structs.replace(rows[STEP], floor=())
    draft = draft_of(Script(script.timeline, tuple(rows), script.robot, script.camera))
    assert draft.column == "memory" and draft.evidence[-1] == STEP - 1


def test_what_truly_stands_there_drops_the_question(synthetic):
    script = script_of(synthetic)
    best = draft_of(script)
    way = math.radians(best.answer.heading_deg)
    hidden = synthetic.Box("h", "red box", 2.1 + 1.5 * math.cos(way), 1.5 + 1.5 * math.sin(way), 0.2, 0.2, 0.4)
    other = script_of(synthetic, (hidden,))
    blind = tuple(msgspec.structs.replace(row, things=()) for row in other.rows)
    assert draft_of(Script(other.timeline, blind, other.robot, other.camera)) is None


def test_a_heading_the_body_cannot_turn_to_has_no_run(synthetic):
    # Bars close on the left and on the right: the square turns until its corner would enter them.
    square = ((-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2))
    bars = [Solid(str(i), False, shapely.box(-1, y, 1, y + 0.1)) for i, y in enumerate((0.22, -0.32))]
    turner = Turner(square, Pose2D(0, 0, 0, 0), 5.0, bars)
    held = dict(zip(HEADINGS, reachable(turner, HEADINGS), strict=True))
    # The corner, 0.283 m out at 45 degrees, stays under 0.22 m while 0.2 (cos + sin) does: 6.3 degrees.
    assert held[0] and held[5] and held[-5] and not held[9] and not held[-9] and not held[90] and not held[180]
    assert all(reachable(Turner(square, Pose2D(0, 0, 0, 0), 5.0, []), HEADINGS))


def test_the_front_of_an_outline():
    outline = [(-0.2, -0.2), (0.1, -0.2), (0.3, 0.0), (0.1, 0.2), (-0.2, 0.2)]
    found = front_m(outline, np.array([0.0, 0.1, -0.1, 0.19, 0.21]))
    assert found[:4] == pytest.approx([0.3, 0.2, 0.2, 0.11]) and np.isnan(found[4])


@pytest.mark.parametrize("seed", range(3))
def test_contacts_agree_with_small_steps_and_with_the_single_sweep(seed):
    draw = np.random.default_rng(seed)
    square = ((-0.2, -0.15), (0.2, -0.15), (0.2, 0.15), (-0.2, 0.15))
    solids = []
    for i in range(12):
        angle, far = draw.uniform(0, 2 * math.pi), draw.uniform(0.8, 4.5)
        middle = shapely.Point(far * math.cos(angle), far * math.sin(angle))
        solids.append(Solid(str(i), False, middle.buffer(draw.uniform(0.05, 0.3), quad_segs=int(draw.integers(1, 6)))))
    turner = Turner(square, Pose2D(0, 0, 0, 0.3), 4.0, solids)
    headings = [-170, -90, -31, 0, 17, 60, 123, 180]
    for heading, run in zip(headings, contact_runs_m(turner, headings), strict=True):
        body, way = turner.at(heading)
        touch = first_touch(body, way, solids, 4.0)
        assert run == pytest.approx(touch.distance_m if touch else 4.0, abs=1e-9)
        polygon, union = shapely.Polygon(body), shapely.union_all([s.shape for s in solids])
        steps = np.arange(0, 4.0001, 0.005)
        moved = [affinity.translate(polygon, d * math.cos(way), d * math.sin(way)) for d in steps]
        met = steps[shapely.intersects(moved, union)]
        assert run == pytest.approx(met[0] if met.size else 4.0, abs=0.006)


def test_runs_agree_with_a_body_moved_over_cells(synthetic):
    """A second computation: the body's polygon over the cells' middles, station by station, 1 cm a step."""
    box = synthetic.Box("b", "red box", 3.6, 2.4, 0.3, 0.2, 0.4)
    script = script_of(synthetic, (box,), columns=(10, 48), rows=(3, 52))
    seen = Seen(script, 0, STEP)
    draft = draft_of(script)
    look = Look(seen, HELPER_1, 15)
    floor = open_heading._floor(look, seen)
    runs = runs_of(look).runs_m
    middles = np.stack(np.meshgrid(-0.5 + 0.1 * (np.arange(70) + 0.5), -0.5 + 0.1 * (np.arange(70) + 0.5)), axis=-1)
    shapes = shapely.union_all([s.shape for s in seen.solids])
    near_solid = shapely.distance(shapes, shapely.points(middles)) < 0.08
    for heading in range(-175, 181, 20):
        way = np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading))])
        across = np.array([-way[1], way[0]])
        square = np.array([[0.2, 0.2], [0.2, -0.2], [-0.2, -0.2], [-0.2, 0.2]])
        body = square[:, :1] * way + square[:, 1:] * across + np.array([2.1, 1.5])
        steps = np.arange(0, 5.001, 0.01)
        moved = [shapely.Polygon(body + d * way) for d in steps]
        hit = steps[shapely.intersects(moved, shapes)]
        end = hit[0] if hit.size else 5.0
        # Beyond the first strip of 0.1 m, over half of which is unseen floor clear of things, the run has ended.
        rel = middles - np.array([2.1, 1.5])
        along, lateral = rel @ way - 0.2, rel @ across
        for start in np.arange(0, end - 0.1, 0.1):
            strip = (along > start) & (along < start + 0.1) & (np.abs(lateral) < 0.2) & ~near_solid
            if strip.any() and (~floor[strip]).mean() > 0.5:
                end = start
                break
        assert runs[HEADINGS.index(heading)] == pytest.approx(end, abs=0.11), heading
    assert draft is None or draft.runs_m == runs


def test_mirrored_room_gives_the_mirrored_runs(synthetic):
    box = synthetic.Box("b", "red box", 3.6, 2.4, 0.3, 0.2, 0.4)
    here, there = (draft_of(script_of(synthetic, (box,), mirrored=m)) for m in (False, True))
    for heading in range(-179, 181):
        assert run_at(there.runs_m, -heading) == pytest.approx(run_at(here.runs_m, heading), abs=0.11)
    assert there.distance_m == pytest.approx(here.distance_m, abs=1e-3)
