"""Who walks in a script: draws people, and lets them walk round the robot's fixed way in every task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from shapely.geometry.base import BaseGeometry

from stbench_scoring.records import Body, Person, Task, TrackPoint
from stbench_scoring.seeds import rng
from stbench_world.jobs.plan import Plan, PlanOrder
from stbench_world.jobs.stances import room_of
from stbench_world.people import Figure, figure
from stbench_world.plan.floor import Floor
from stbench_world.scene import Place, Pose
from stbench_world.things import obstacles
from stbench_world.walks import PEOPLE_GAP_M, PERSON_GAP_M, TICK_NS, Floats, Mover, Walk, goals, track

MARGIN_M = 0.10


@dataclass(frozen=True)
class Cast:
    """The people of a script and their bodies, in the same order."""

    people: tuple[Person, ...]
    figures: tuple[Figure, ...]


def poses_at(place: Place, plan: Plan, stamp_ns: int) -> tuple[dict[str, Pose], set[str]]:
    """Where every thing stands at a time, and which are carried and so nowhere to be seen."""
    poses = {t.id: t.pose for t in place.things}
    carried: set[str] = set()
    for thing, spans in plan.spans.items():
        held = [s for s in spans if s.from_ns <= stamp_ns][-1]
        poses[thing] = Pose(held.x_m, held.y_m, held.z_m, held.yaw_rad)
        if held.carried:
            carried.add(thing)
    return poses, carried


def cast(order: PlanOrder, plan: Plan) -> Cast:
    """Draws one or two of a place's people, each present through every task."""
    looks = order.place.people
    if not looks:
        return Cast((), ())
    draw = rng(order.seed, "people")
    count = min(len(looks), 1 + int(draw.integers(2)))
    chosen = [looks[int(i)] for i in draw.permutation(len(looks))[:count]]
    figures = [figure(look, order.place.meshes) for look in chosen]
    people = [Person(id=f.look.id, words=f.look.words, radius_m=f.radius_m, height_m=f.height_m, tracks=()) for f in figures]
    for task in plan.tasks:
        _walk_task(order, plan, task, figures, people)
    kept = [(p, f) for p, f in zip(people, figures, strict=True) if p.tracks]
    return Cast(tuple(p for p, _ in kept), tuple(f for _, f in kept))


def _walk_task(order: PlanOrder, plan: Plan, task: Task, figures: list[Figure], people: list[Person]) -> None:
    """Adds one task's track to each person who finds one."""
    ticks = np.arange(task.start_ns, task.end_ns + TICK_NS, TICK_NS)
    robot = _robot_at(plan, ticks)
    company = _rooms(order.place, robot)
    walked: list[Mover] = []
    for n, body in enumerate(figures):
        floor = _floor(order.place, plan, task, body)
        keep = order.robot.reach_m + body.radius_m + PERSON_GAP_M
        others = [Mover(m.places, m.keep_m + body.radius_m) for m in walked]
        walk = Walk(
            floor=floor,
            goals=tuple(goals(order.place, floor)),
            movers=(Mover(robot, keep), *others),
            start_ns=task.start_ns,
            end_ns=task.end_ns,
            company=company,
        )
        points = track(walk, rng(order.seed, "walk", task.index, body.look.id))
        if not points:
            continue
        people[n] = _with_track(people[n], points)
        stamps = [p.stamp_ns for p in points]
        places = np.column_stack([np.interp(ticks, stamps, [getattr(p, a) for p in points]) for a in ("x_m", "y_m")])
        walked.append(Mover(places, body.radius_m + PEOPLE_GAP_M))


def _with_track(person: Person, points: tuple[TrackPoint, ...]) -> Person:
    return Person(
        id=person.id,
        words=person.words,
        radius_m=person.radius_m,
        height_m=person.height_m,
        tracks=(*person.tracks, points),
    )


def _robot_at(plan: Plan, ticks: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
    places = []
    legs = iter(plan.legs)
    leg = next(legs)
    for tick in ticks.tolist():
        while tick > leg.end_ns:
            following = next(legs, None)
            if following is None:
                break
            leg = following
        moment = leg.at(min(max(tick, leg.start_ns), leg.end_ns))
        places.append((moment.x_m, moment.y_m))
    return np.array(places)


def _rooms(place: Place, robot: Floats) -> tuple[str, ...]:
    names: list[str] = []
    for x, y in robot:
        room = room_of(place.rooms, (float(x), float(y)))
        names.append(room.id if room else "")
    return tuple(names)


def _floor(place: Place, plan: Plan, task: Task, body: Figure) -> Floor:
    """Free floor for a person during a task: nothing that stands there at its start or its end is walked through."""
    whole = Body(outline=(), bottom_m=0.02, top_m=body.height_m, blind_ring_m=0.0)
    shapes: list[BaseGeometry] = []
    for stamp in (task.start_ns, task.end_ns):
        poses, carried = poses_at(place, plan, stamp)
        shapes += obstacles(place, poses, whole, carried)
    corners = np.array([point for room in place.rooms for point in room.outline])
    low, high = corners.min(axis=0), corners.max(axis=0)
    bounds = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    return Floor(shapes, bounds, body.radius_m, MARGIN_M)


__all__ = ["Cast", "cast", "poses_at"]
