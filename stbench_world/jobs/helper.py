"""helper/1 played out: undock, drive to a thing, look round, pick it, drive to its target, place it, return and park."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Gap, GapChange, PoseSpan, Task
from stbench_scoring.seeds import rng
from stbench_world.jobs.plan import Plan, PlanOrder
from stbench_world.jobs.spots import Layout, Shelf, Spot, shelves
from stbench_world.jobs.stances import stance
from stbench_world.plan.floor import Floor, Point
from stbench_world.plan.keyframes import Key, keyframes
from stbench_world.plan.motion import SECOND_NS, Driver
from stbench_world.scene import Pose, Thing
from stbench_world.things import extent, obstacles, span_of

UNDOCK_M = 0.5
GRASP_M = 0.20
"""Widest thing that is carried; the gripper opens to about 0.17 m and takes a rim, a handle or a spine."""
REACH_ABOVE_M = 1.10
LOOK_RAD = math.radians(50.0)
HANDLE_S = (6.0, 12.0)
GAP_S = (20 * 60, 90 * 60)
_TRIES = 40


@dataclass(frozen=True)
class _Errand:
    """One task before it is driven: the thing, from where, to where, and the two stances."""

    thing: Thing
    source: str
    spot: Spot
    at_source: Point
    at_target: Point


@dataclass
class _Run:
    """A plan in the making: what stands where, which surface each thing is on, and all that has happened."""

    order: PlanOrder
    layout: Layout
    driver: Driver
    support: dict[str, str]
    spans: dict[str, list[PoseSpan]] = field(default_factory=dict)
    tasks: list[Task] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    carried: set[str] = field(default_factory=set)

    def draw(self, *parts: str | int) -> np.random.Generator:
        """A generator for one purpose."""
        return rng("helper/1", self.order.seed, *parts)

    def move(self, thing: str, pose: Pose, stamp_ns: int, carried: bool = False) -> None:
        """Gives a thing a new pose from a time on."""
        start = span_of(self.order.place.things[self._index[thing]].pose)
        self.spans.setdefault(thing, [start]).append(span_of(pose, stamp_ns, carried))

    @property
    def _index(self) -> dict[str, int]:
        return {t.id: n for n, t in enumerate(self.order.place.things)}

    def floor(self, absent: set[str]) -> Floor:
        """The floor as it is now, for this robot."""
        order = self.order
        corners = np.array([point for room in order.place.rooms for point in room.outline])
        bounds = (*corners.min(axis=0), *corners.max(axis=0))
        shapes = obstacles(order.place, self.layout.poses, order.robot.body, absent)
        return Floor(shapes, bounds, order.robot.reach_m, order.needs.clearance_m)


def plan(order: PlanOrder) -> Plan:
    """Plans a script.

    Raises:
        StbenchError: The place has no dock for the robot, or no errand can be done in it.
    """
    dock = order.place.docks.get(order.robot.dock)
    if dock is None:
        raise StbenchError(f"place {order.place.layout!r} has no dock {order.robot.dock!r}: add one to its docks")
    robot = order.robot
    driver = Driver(robot.max_speed_mps, robot.accel_mps2, robot.max_turn_radps, robot.turn_accel_radps2, dock)
    run = _Run(order, Layout.of(order.place), driver, {t.id: t.support for t in order.place.things})
    for task in range(order.tasks):
        if task:
            _gap(run, task - 1)
        _task(run, task, dock)
    spans = {thing: tuple(spans) for thing, spans in run.spans.items()}
    return Plan(tuple(run.tasks), tuple(run.gaps), tuple(driver.legs), tuple(run.keys), spans)


def _words_once(run: _Run) -> set[str]:
    words = [t.words for t in run.order.place.things if not t.structure]
    return {w for w in words if words.count(w) == 1}


def _errand(run: _Run, task: int, floor: Floor, home: Point) -> _Errand:
    """Draws a thing to carry and a free spot on another surface, both within reach of a stance that can be driven to."""
    place, once = run.order.place, _words_once(run)
    draw = run.draw("errand", task)
    options = [s for s in shelves(place, REACH_ABOVE_M) if s.thing.words in once]
    supports = {s.thing.id for s in options}
    things = [t for t in place.things if _graspable(run, t, supports) and t.words in once]
    for _ in range(_TRIES):
        thing = things[int(draw.integers(len(things)))]
        source = run.support[thing.id]
        used = {t.facts["to"] for t in run.tasks}
        targets: list[Shelf] = [s for s in options if s.thing.id != source and s.thing.words not in used]
        spot = run.layout.spot(thing, targets, draw)
        if spot is None:
            continue
        here = run.layout.poses[thing.id]
        try:
            at_source = stance(floor, place.rooms, home, (here.x_m, here.y_m))
            at_target = stance(floor, place.rooms, home, (spot.pose.x_m, spot.pose.y_m))
        except StbenchError:
            continue
        if math.dist(at_source, at_target) > 1.5 and math.dist(home, at_source) > 1.0:
            return _Errand(thing, source, spot, at_source, at_target)
    raise StbenchError(f"no errand for task {task} of helper/1 in {place.layout} with seed {run.order.seed}")


def _graspable(run: _Run, thing: Thing, supports: set[str]) -> bool:
    """Movable, on a surface that can be reached, small enough for the gripper, and nothing stands on it."""
    if not thing.movable or run.support[thing.id] not in supports or thing.id in run.carried:
        return False
    low, high = extent(run.order.place.meshes[thing.mesh])
    narrow = min(high[0] - low[0], high[1] - low[1])
    return narrow <= GRASP_M and high[2] - low[2] <= 0.4 and thing.id not in run.support.values()


def _task(run: _Run, index: int, dock: Pose) -> None:
    driver, start = run.driver, run.driver.now_ns
    first = len(driver.legs)
    driver.task = index
    ahead = Pose(dock.x_m + UNDOCK_M * math.cos(dock.yaw_rad), dock.y_m + UNDOCK_M * math.sin(dock.yaw_rad))
    home = (ahead.x_m, ahead.y_m)
    floor = run.floor(set())
    errand = _errand(run, index, floor, home)
    draw = run.draw("handling", index)
    driver.wait(1.0, "parked")
    driver.straight(UNDOCK_M, "undocking", decides=True)
    _go(driver, floor, home, errand.at_source, "driving")
    here = run.layout.poses[errand.thing.id]
    _look_round(driver, (here.x_m, here.y_m))
    picked = driver.wait(float(draw.uniform(*HANDLE_S)), "picking", decides=True)
    run.move(errand.thing.id, Pose(driver.pose.x_m, driver.pose.y_m, 0.8), picked.end_ns, carried=True)
    driver.wait(1.0, "picking")
    floor = run.floor({errand.thing.id})
    _go(driver, floor, errand.at_source, errand.at_target, "carrying")
    _face(driver, (errand.spot.pose.x_m, errand.spot.pose.y_m), "carrying")
    placed = driver.wait(float(draw.uniform(*HANDLE_S)), "placing", decides=True)
    run.move(errand.thing.id, errand.spot.pose, placed.end_ns)
    run.layout.poses[errand.thing.id] = errand.spot.pose
    driver.wait(1.0, "placing")
    _go(driver, run.floor(set()), errand.at_target, home, "returning")
    driver.face(dock.yaw_rad, "parking")
    driver.straight(-UNDOCK_M, "parking", decides=True)
    driver.wait(1.0, "parked")
    _close(run, index, errand, start, first)


def _close(run: _Run, index: int, errand: _Errand, start_ns: int, first: int) -> None:
    """Books a finished task."""
    place, driver = run.order.place, run.driver
    by_id = {t.id: t for t in place.things}
    source, target = by_id[errand.source], by_id[errand.spot.on]
    kind = "carry" if run.draw("kind", index).integers(2) else "bring"
    facts = {"thing": errand.thing.words, "from": source.words, "to": target.words}
    named = (errand.thing.id, source.id, target.id) if kind == "carry" else (errand.thing.id, target.id)
    run.tasks.append(Task(index=index, kind=kind, start_ns=start_ns, end_ns=driver.now_ns, facts=facts, things=named))
    run.support[errand.thing.id] = errand.spot.on
    run.carried.add(errand.thing.id)
    run.keys += keyframes(driver.legs[first:], run.order.frames_per_task)


def _go(driver: Driver, floor: Floor, start: Point, goal: Point, phase: str) -> None:
    corners = floor.route(start, goal)
    if corners is None:
        raise StbenchError(f"no way from {start} to {goal}: the floor between them is closed")
    driver.follow(corners, phase)


def _face(driver: Driver, target: Point, phase: str) -> None:
    driver.face(math.atan2(target[1] - driver.pose.y_m, target[0] - driver.pose.x_m), phase)


def _look_round(driver: Driver, target: Point) -> None:
    """Looks to both sides of a target by turning in place, then faces it."""
    _face(driver, target, "looking round")
    driver.turn_by(LOOK_RAD, "looking round", decides=True)
    driver.turn_by(-2 * LOOK_RAD, "looking round")
    _face(driver, target, "looking round")


def _gap(run: _Run, after: int) -> None:
    """Lets time pass; every movable thing on a surface changes place by the toss of a fair coin."""
    draw = run.draw("gap", after)
    start = run.driver.now_ns
    end = start + int(draw.integers(*GAP_S)) * SECOND_NS
    options = list(shelves(run.order.place, REACH_ABOVE_M))
    moved: list[tuple[str, Pose]] = []
    for thing in run.order.place.things:
        on = run.support[thing.id]
        if not thing.movable or on in ("", "wall") or thing.id in run.support.values() or draw.integers(2):
            continue
        spot = run.layout.spot(thing, options, draw)
        if spot is None:
            continue
        run.layout.poses[thing.id] = spot.pose
        run.support[thing.id] = spot.on
        moved.append((thing.id, spot.pose))
    # One after the other: a spot may have become free by an earlier move.
    stamps = sorted(int(s) for s in draw.integers(start + SECOND_NS, end - SECOND_NS, len(moved)))
    for (thing_id, pose), stamp in zip(moved, stamps, strict=True):
        run.move(thing_id, pose, stamp)
    changes = tuple(GapChange(thing=thing_id, at_ns=stamp) for (thing_id, _), stamp in zip(moved, stamps, strict=True))
    run.gaps.append(Gap(after_task=after, start_ns=start, end_ns=end, changes=changes))
    run.driver.now_ns = end
