"""`clear_path`: how far the body could move straight before it first touches something."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from stbench_scoring.families.base import UNKNOWN, Draft, FamilySpec, Look
from stbench_scoring.geometry.camera import Pose2D
from stbench_scoring.geometry.solids import Solid
from stbench_scoring.geometry.sweep import Array, Touch, first_touch, outline_at, overlaps, turn_blocked
from stbench_scoring.records import Answer, Params
from stbench_scoring.records.case import Column, Turn
from stbench_scoring.seen.memory import NEVER
from stbench_scoring.seen.strip import (
    Mask,
    cells_near,
    ring_mask,
    run_cells,
    unseen_length_m,
)

# What a run may lead over unseen floor is 0.2 m; within 0.1 m of that two fair observers may differ, so it is dropped.
_UNSEEN_M, _SURELY_SEEN_M, _SURELY_UNSEEN_M = 0.2, 0.1, 0.3
_WIDEN_M = 0.01

# Turn in place, then the heading of the run relative to the body's front after it.
_TURNS: dict[Turn, tuple[float, float, str]] = {
    "ahead": (0.0, 0.0, "straight ahead"),
    "back": (0.0, math.pi, "straight back, without turning"),
    "left": (math.pi / 2, 0.0, "straight ahead after turning 90 degrees to the left in place"),
    "right": (-math.pi / 2, 0.0, "straight ahead after turning 90 degrees to the right in place"),
}


@dataclass(frozen=True)
class _Run:
    """A run through the as-seen world: what it touches within the horizon, if anything, and which frames show it."""

    touch: Touch | None
    length_m: float
    known: bool | None
    now: bool
    evidence: tuple[int, ...]


def text(turn: Turn, horizon_m: float) -> str:
    """The question's words."""
    return (
        f"How far could your body move {_TURNS[turn][2]}, from where it stands now, before any part of its outline "
        "first touches something solid at its height? Count only what you have seen: things stand where you last saw "
        f"them clearly. Answer in metres as distance_m; say {horizon_m:g} if nothing is in the way within "
        f"{horizon_m:g} m. Answer unknown if, before the first contact, the way leads over more than 0.2 m of floor that "
        "you have not seen during this task, or if you never saw the surface that would be touched."
    )


def drafts(look: Look) -> Iterator[Draft]:
    """One draft a turn where the gold is beyond doubt."""
    script = look.script
    pose = script.pose(look.step)
    seen, true = look.seen.solids, script.true_solids(script.stamp_ns(look.step))
    outline = script.robot.body.outline
    if overlaps(outline_at(outline, pose), true) or overlaps(outline_at(outline, pose), seen):
        return
    for turn in _TURNS:
        if turn not in look.job.turns:
            continue
        angle = _TURNS[turn][0]
        if angle and (turn_blocked(outline, pose, angle, seen) or turn_blocked(outline, pose, angle, true)):
            continue
        draft = _draft(look, turn, pose, seen, true)
        if draft is not None:
            yield draft


def _length(outline: Array, heading: float, solids: list[Solid], horizon_m: float) -> tuple[float, Touch | None]:
    touch = first_touch(outline, heading, solids, horizon_m)
    return (touch.distance_m, touch) if touch else (horizon_m, None)


def _draft(look: Look, turn: Turn, pose: Pose2D, seen: list[Solid], true: list[Solid]) -> Draft | None:
    script, horizon = look.script, look.needs.horizon_m
    turn_rad, way_rad, _ = _TURNS[turn]
    turned = Pose2D(pose.x_m, pose.y_m, pose.z_m, pose.yaw_rad + turn_rad)
    heading = turned.yaw_rad + way_rad
    body = outline_at(script.robot.body.outline, turned)
    run = _see(look, body, heading, seen)
    if run.known is None:
        return None
    if not run.known:
        return _row(look, turn, run, UNKNOWN, None)
    need = look.need_m(run.length_m)
    wide = outline_at(script.robot.body.outline, turned, _WIDEN_M)
    others = (_length(body, heading, true, horizon)[0], _length(wide, heading, seen, horizon)[0])
    if any(abs(other - run.length_m) > need / 2 for other in others):
        return None
    return _row(look, turn, run, Answer(distance_m=round(run.length_m, 4)), run.touch)


def _see(look: Look, body: Array, heading: float, solids: list[Solid]) -> _Run:
    script, seen = look.script, look.seen
    grid, horizon = script.timeline.grid, look.needs.horizon_m
    length, touch = _length(body, heading, solids, horizon)
    cells, along = run_cells(grid, body, heading, length, solids)
    start = outline_at(script.robot.body.outline, script.pose(look.step))
    ring = ring_mask(grid, start, script.robot.body.blind_ring_m)
    floor = (seen.floor_step != NEVER) | ring
    strict = unseen_length_m(cells, along, floor, grid.cell_m, 0.0)
    lenient = unseen_length_m(cells, along, floor, grid.cell_m, 0.5)
    surface = _surface_seen(look, touch)
    known: bool | None = None
    if lenient > _SURELY_UNSEEN_M or surface is False:
        known = False
    elif strict <= _SURELY_SEEN_M + 1e-9 and surface:
        known = True
    blind_now = unseen_length_m(cells, along, (seen.floor_step == look.step) | ring, grid.cell_m, 0.5)
    now = blind_now <= _UNSEEN_M + 1e-9 and _touch_in_view(look, touch)
    return _Run(touch, length, known, now, evidence_steps(look, cells & ~ring, touch))


def _surface_seen(look: Look, touch: Touch | None) -> bool | None:
    """Whether the touched surface was seen: True in this task within a cell, False in no task within two, else None."""
    if touch is None:
        return True
    if touch.solid.person:
        return True
    grid = look.script.timeline.grid
    if (look.seen.surface_step[cells_near(grid, touch.point, 1)] != NEVER).any():
        return True
    return None if (look.seen.surface_ever[cells_near(grid, touch.point, 2)] != NEVER).any() else False


def _touch_in_view(look: Look, touch: Touch | None) -> bool:
    if touch is None:
        return True
    if not (look.seen.surface_step[cells_near(look.script.timeline.grid, touch.point, 1)] == look.step).any():
        return False
    thing = look.script.things.get(touch.solid.id)
    if thing is not None and thing.structure:
        return True
    row = look.seen.rows[-1]
    return any(view.id == touch.solid.id and view.clear for view in (*row.things, *row.people))


def evidence_steps(look: Look, cells: Mask, touch: Touch | None) -> tuple[int, ...]:
    """Steps, ascending, that show the floor of cells and the surface that a run touches; the look's where none does."""
    steps = {int(s) for s in look.seen.floor_step[cells] if s != NEVER}
    if touch is not None:
        sight = look.seen.last_clear(touch.solid.id)
        if sight is not None:
            steps.add(sight.step)
        else:
            near = look.seen.surface_step[cells_near(look.script.timeline.grid, touch.point, 1)]
            steps |= {int(near[near != NEVER].max())} if (near != NEVER).any() else set()
    return tuple(sorted(steps)) or (look.step,)


def _row(look: Look, turn: Turn, run: _Run, answer: Answer, touch: Touch | None) -> Draft:
    horizon = look.needs.horizon_m
    unknown = answer.unknown
    column: Column = "now" if run.now and not unknown else "memory"
    evidence = () if unknown else ((look.step,) if column == "now" else run.evidence)
    age_s, band = (None, None) if unknown else look.age(evidence[-1], column)
    length = horizon if unknown else run.length_m
    resolution = look.pixel_m(length)
    if touch is not None:
        at = look.script.viewpoint(evidence[-1])
        resolution = at.resolution_m(at.range_m(*touch.point), 0.0)
    person = touch is not None and touch.solid.person
    at_horizon = "horizon" if touch is None else ("blocked" if length < look.needs.clearance_m else "clear")
    return Draft(
        family="clear_path", text=text(turn, horizon), expected="number",
        params=Params(turn=turn, horizon_m=horizon), kind="harm", ability="clearance", column=column, answer=answer,
        evidence=evidence, age_s=age_s, age_band=band, need_m=look.need_m(length), resolution_m=resolution,
        pixel_m=look.pixel_m(length), distance_m=length, harmful="longer",
        contact="none" if touch is None else ("person" if person else "seen"),
        critical=turn == "ahead" or look.critical("", touch.point if touch else None),
        thing=touch.solid.id if touch is not None and not _structure(look, touch) else "",
        balance="unknown" if unknown else at_horizon,
    )  # fmt: skip


def _structure(look: Look, touch: Touch) -> bool:
    thing = look.script.things.get(touch.solid.id)
    return thing is not None and thing.structure


FAMILY = FamilySpec("clear_path", "during", drafts)
