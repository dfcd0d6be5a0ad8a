"""`open_heading`: which heading, turned to in place, gives the body the longest run through space that was seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stbench_scoring.credit.heading import HEADINGS
from stbench_scoring.families.base import Draft, FamilySpec, Look
from stbench_scoring.families.clear_path import evidence_steps
from stbench_scoring.geometry.solids import Solid
from stbench_scoring.geometry.sweep import first_touch, outline_at, overlaps
from stbench_scoring.records import Answer, Params
from stbench_scoring.records.case import Column, Contact
from stbench_scoring.seen.fan import Floor, Turner, contact_runs_m, floor_round, reachable, unseen_from_m
from stbench_scoring.seen.memory import NEVER, Seen
from stbench_scoring.seen.strip import Mask, ring_mask, run_cells

# A station is unseen where more than half of the body's width is; a fair observer may see any of it, or all of it, so.
_SHARE, _STRICT, _LENIENT = 0.5, 0.0, 0.999
_WIDEN_M = 0.01
# The latest frame alone gives the same gold to within this.
_SAME_M = 0.01
# Headings this near to straight ahead are neither left nor right.
_AHEAD_DEG = 15


@dataclass(frozen=True)
class _Fan:
    """The run of each whole degree, in steps of a millimetre."""

    runs_m: tuple[float, ...]

    @property
    def best_m(self) -> float:
        return max(self.runs_m)


def text(horizon_m: float) -> str:
    """The question's words."""
    return (
        "If you turned in place, which heading would then give your body the longest straight run ahead? Answer in "
        "degrees from where you face now as heading_deg, left positive. A run ends where any part of your body's "
        "outline would first touch something solid at its height, where more than half of the floor across its width "
        f"has not been seen during this task, or at {horizon_m:g} m. Count only what you have seen: things stand where "
        "you last saw them clearly. A heading that you cannot turn to, one way round or the other, without touching "
        "something gives no run. There is a heading with room; answer unknown only if you cannot tell one."
    )


def drafts(look: Look) -> Iterator[Draft]:
    """One draft where the best heading is beyond doubt."""
    script = look.script
    seen, true = look.seen.solids, script.true_solids(script.stamp_ns(look.step))
    body = outline_at(script.robot.body.outline, script.pose(look.step))
    if overlaps(body, seen) or overlaps(body, true):
        return
    floor = _floor(look, look.seen)
    space = _space(look, seen, floor)
    fan = space.fan(_SHARE)
    if fan.best_m < look.needs.clearance_m:
        return
    best = middle_of_best(fan.runs_m)
    doubt_m = look.need_m(fan.best_m) / 2
    others: tuple[Callable[[], _Fan], ...] = (
        lambda: space.fan(_STRICT),
        lambda: space.fan(_LENIENT),
        lambda: _space(look, seen, floor, _WIDEN_M).fan(_SHARE),
        lambda: _space(look, true, floor).fan(_SHARE),
    )
    if all(_agrees(fan, other(), best, doubt_m) for other in others):
        yield _row(look, fan, best)


def middle_of_best(runs_m: Sequence[float]) -> int:
    """The heading in the middle of the widest arc of the best run; of several the one nearest to straight ahead."""
    best = max(runs_m)
    held = [run == best for run in runs_m]
    if all(held):
        return 0
    arcs: list[list[int]] = []
    start = held.index(False)
    previous = False
    for i in range(start, start + len(held)):
        inside = held[i % len(held)]
        if inside and not previous:
            arcs.append([])
        if inside:
            arcs[-1].append(HEADINGS[i % len(held)])
        previous = inside
    widest = max(len(arc) for arc in arcs)
    middles = [arc[k] for arc in arcs if len(arc) == widest for k in {(widest - 1) // 2, widest // 2}]
    return min(middles, key=lambda heading: (abs(heading), -heading))


def _agrees(fan: _Fan, other: _Fan, best: int, doubt_m: float) -> bool:
    index = HEADINGS.index(best)
    return (
        abs(other.best_m - fan.best_m) <= doubt_m + 1e-9 and abs(other.runs_m[index] - fan.runs_m[index]) <= doubt_m + 1e-9
    )


def _floor(look: Look, seen: Seen) -> Mask:
    """Floor seen in the present task, and the blind ring."""
    body = look.script.robot.body
    start = outline_at(body.outline, look.script.pose(look.step))
    ring = ring_mask(look.script.timeline.grid, start, body.blind_ring_m)
    return np.asarray((seen.floor_step != NEVER) | ring)


@dataclass(frozen=True)
class _Space:
    """What ends the runs of a body that turns in place: contacts, the turn itself, and the floor round it."""

    outline: tuple[tuple[float, float], ...]
    ends_m: tuple[float, ...]
    free: tuple[bool, ...]
    floor: Floor

    def fan(self, share: float) -> _Fan:
        """The runs, where a station of which more than `share` is unseen ends one."""
        runs = [
            unseen_from_m(self.floor, self.outline, heading, end, share) if free else 0.0
            for heading, end, free in zip(HEADINGS, self.ends_m, self.free, strict=True)
        ]
        return _Fan(tuple(round(run, 3) for run in runs))


def _space(look: Look, solids: list[Solid], floor: Mask, widen_m: float = 0.0) -> _Space:
    script = look.script
    turner = Turner(script.robot.body.outline, script.pose(look.step), look.needs.horizon_m, solids, widen_m)
    return _Space(
        turner.outline, tuple(contact_runs_m(turner, HEADINGS)), tuple(reachable(turner, HEADINGS)),
        floor_round(script.timeline.grid, turner, floor),
    )  # fmt: skip


def _row(look: Look, fan: _Fan, best: int) -> Draft:
    script, horizon, index = look.script, look.needs.horizon_m, HEADINGS.index(best)
    run = fan.runs_m[index]
    turner = Turner(script.robot.body.outline, script.pose(look.step), horizon, look.seen.solids)
    body, way = turner.at(best)
    touch = first_touch(body, way, look.seen.solids, min(horizon, run + _SAME_M))
    cells, _ = run_cells(script.timeline.grid, body, way, run, look.seen.solids)
    latest = Seen(script, look.step, look.step)
    same = _agrees(fan, _space(look, latest.solids, _floor(look, latest)).fan(_SHARE), best, _SAME_M)
    column: Column = "now" if same else "memory"
    evidence = (look.step,) if same else evidence_steps(look, cells & (look.seen.floor_step != NEVER), touch)
    age_s, band = look.age(evidence[-1], column)
    front = body[np.argmax(body @ np.array([np.cos(way), np.sin(way)]))]
    end = touch.point if touch else (front[0] + run * np.cos(way), front[1] + run * np.sin(way))
    then = script.viewpoint(evidence[-1])
    at_horizon = run >= horizon
    side = "ahead" if abs(best) <= _AHEAD_DEG else ("left" if best > 0 else "right")
    contact: Contact = "none" if touch is None else ("person" if touch.solid.person else "seen")
    return Draft(
        family="open_heading", text=text(horizon), expected="heading", params=Params(horizon_m=horizon), kind="help",
        ability="clearance", column=column, answer=Answer(heading_deg=float(best)), evidence=evidence, age_s=age_s,
        age_band=band, need_m=look.need_m(run),
        resolution_m=look.pixel_m(run) if at_horizon else then.resolution_m(then.range_m(*end), 0.0),
        pixel_m=look.pixel_m(run), distance_m=run, harmful="no_room", contact=contact,
        critical=look.critical("", end), thing="", balance="horizon" if at_horizon else side, runs_m=fan.runs_m,
    )  # fmt: skip


FAMILY = FamilySpec("open_heading", "during", drafts)
