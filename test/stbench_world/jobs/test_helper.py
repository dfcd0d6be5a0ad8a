"""helper/1 in two rooms by hand: what is planned keeps every rule of the world, and wrong worlds are named."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec
import pytest

from stbench_scoring.errors import StbenchError
from stbench_scoring.records import PoseSpan, Robot, Timeline
from stbench_world.build import Script, plan_script, timeline_of
from stbench_world.scene import Place
from stbench_world.validate_world import world_problems


def planned(seed: int, tasks: int = 2) -> Script:
    return plan_script("helper/1", seed, tasks=tasks, frames_per_task=20)


def robot_of(script: Script) -> Robot:
    return script.order.robot.record("helper/1", script.order.place.layout, script.order.needs)


@pytest.fixture
def script(flat_apartment: Callable[[int], Place]) -> Script:
    return planned(1)


@pytest.fixture
def timeline(script: Script) -> Timeline:
    return timeline_of(script)


@pytest.mark.parametrize("seed", range(4))
def test_a_plan_keeps_every_rule(flat_apartment: Callable[[int], Place], seed: int) -> None:
    made = planned(seed, tasks=3)
    assert world_problems(timeline_of(made), robot_of(made)) == []


def test_a_task_carries_a_thing_from_its_surface_to_another(script: Script, timeline: Timeline) -> None:
    by_id = {t.id: t for t in timeline.things}
    for task in timeline.tasks:
        mug = by_id[task.things[0]]
        spans = [s for s in mug.poses if task.start_ns < s.from_ns <= task.end_ns]
        assert [s.carried for s in spans] == [True, False]
        target = next(t for t in timeline.things if t.words == task.facts["to"])
        put = spans[-1]
        # The tables are 0.8 m square and 0.7 m high.
        assert max(abs(put.x_m - target.poses[0].x_m), abs(put.y_m - target.poses[0].y_m)) < 0.4 * math.sqrt(2)
        assert put.z_m == pytest.approx(0.7005, abs=1e-4)
        assert mug.words == task.facts["thing"]


def test_it_starts_and_ends_every_task_parked(script: Script, timeline: Timeline) -> None:
    path = dict(zip(timeline.path.stamp_ns, zip(timeline.path.x_m, timeline.path.y_m, timeline.path.yaw_rad, strict=True), strict=True))
    for task in timeline.tasks:
        for stamp in (task.start_ns, task.end_ns):
            assert path[stamp] == pytest.approx((2.0, 0.3, math.pi / 2), abs=1e-4)
    frames = [f for f in timeline.frames if f.task == 0]
    assert frames[0].phase == frames[-1].phase == "parked"
    assert {"undocking", "looking round", "picking", "placing", "parking"} <= {f.phase for f in frames}
    assert len(frames) <= 20 and any(f.decision for f in frames)


def test_about_half_of_the_things_move_in_a_gap(flat_apartment: Callable[[int], Place]) -> None:
    moved = sum(len(gap.changes) for seed in range(8) for gap in timeline_of(planned(seed, tasks=3)).gaps)
    # 8 scripts, 2 gaps each, 6 mugs: 96 tosses of a fair coin; 48 give or take four standard deviations of 4.9.
    assert 28 <= moved <= 68


def test_a_thing_in_the_way_is_named(script: Script, timeline: Timeline) -> None:
    index = len(timeline.path.x_m) // 2
    place = PoseSpan(from_ns=0, x_m=timeline.path.x_m[index], y_m=timeline.path.y_m[index], z_m=0.0, yaw_rad=0.0)
    things = tuple(msgspec.structs.replace(t, poses=(place,)) if t.id == "table_0" else t for t in timeline.things)
    problems = world_problems(msgspec.structs.replace(timeline, things=things), robot_of(script))
    assert any("the body touches table_0" in p for p in problems)


def test_a_thing_in_the_air_and_a_person_too_near_are_named(script: Script, timeline: Timeline) -> None:
    changed = timeline.gaps[0].changes[0]
    things = tuple(
        msgspec.structs.replace(
            t, poses=tuple(msgspec.structs.replace(s, z_m=s.z_m + 0.2) if s.from_ns == changed.at_ns else s for s in t.poses)
        )
        for t in timeline.things
    )
    problems = world_problems(msgspec.structs.replace(timeline, things=things), robot_of(script))
    assert any(f"{changed.thing} hangs in the air" in p for p in problems)
    people = tuple(msgspec.structs.replace(p, radius_m=3.0) for p in timeline.people)
    problems = world_problems(msgspec.structs.replace(timeline, people=people), robot_of(script))
    assert any("walker comes within" in p for p in problems)


def test_a_robot_that_is_too_fast_is_named(script: Script, timeline: Timeline) -> None:
    slow = msgspec.structs.replace(robot_of(script), max_speed_mps=0.2)
    assert any(p.startswith("drives at 0.") for p in world_problems(timeline, slow))


def test_a_place_without_a_dock_is_named(flat_apartment: Callable[[int], Place], monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    bare = replace(flat_apartment(0), docks={})
    monkeypatch.setattr("stbench_world.build.LAYOUTS", {"apartment_a": lambda seed: bare})
    with pytest.raises(StbenchError, match="has no dock 'helper'"):
        planned(0)
