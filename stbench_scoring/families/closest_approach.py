"""`closest_approach`: how close the person nearest now would come within the next seconds."""

from __future__ import annotations

from collections.abc import Iterator

from stbench_scoring.families.approach import AHEAD_S, BACK_S, HOW, Approach, sights_before
from stbench_scoring.families.base import Draft, FamilySpec, Look
from stbench_scoring.families.people import gap_m
from stbench_scoring.geometry.solids import person_at
from stbench_scoring.geometry.sweep import outline_at
from stbench_scoring.records import Answer, Params
from stbench_scoring.records.case import Column

# Anyone else is at least this much farther than the person nearest.
_FARTHER = 1.25
# The latest frame alone gives the same gold to within this.
_SAME_M = 0.01


def text() -> str:
    """The question's words."""
    return (
        f"How close would the person nearest to you now come within the next {AHEAD_S:g} s? Take it that both of you go "
        "on straight: the person at their mean velocity between the first and the last of the pictures of the last "
        f"{BACK_S:g} s that clearly show them, you at your present velocity, without turning. Answer {HOW}. Answer "
        "unknown if you see no person now."
    )


def drafts(look: Look) -> Iterator[Draft]:
    """One draft where one person is plainly the nearest, and the pictures tell how they move."""
    approach = _nearest(look)
    if approach is None or approach.resolution_m > look.need_m(approach.gold_m) or not approach.settled:
        return
    yield approach_row("closest_approach", text(), approach)


def _nearest(look: Look) -> Approach | None:
    script, stamp = look.script, look.script.stamp_ns(look.step)
    body = outline_at(script.robot.body.outline, script.pose(look.step))
    gaps: dict[str, float] = {}
    for person in script.timeline.people:
        place = person_at(person, stamp)
        if place is not None:
            gaps[person.id] = gap_m(body, *place, person.radius_m)
    clear = [view.id for view in look.seen.rows[-1].people if view.clear]
    if not clear:
        return None
    nearest = min(clear, key=lambda identity: gaps.get(identity, 0.0))
    bound = max(_FARTHER * gaps.get(nearest, 0.0), look.needs.clearance_m)
    if any(gap < bound for identity, gap in gaps.items() if identity != nearest):
        return None
    sights = sights_before(look, nearest, look.step)
    if len(sights) < 2:
        return None
    return Approach(look, script.people[nearest], sights[0], sights[-1])


def approach_row(family: str, words: str, approach: Approach) -> Draft:
    """The draft of an approach that can be told."""
    look, gold = approach.look, approach.gold_m
    alone = approach.last.step == look.step and abs(approach.standing_m - gold) <= _SAME_M
    column: Column = "now" if alone else "memory"
    age_s, band = look.age(approach.last.step, column)
    steps = (approach.last.step,) if alone else tuple(sorted({approach.first.step, approach.last.step}))
    x, y = (float(value) for value in approach.place)
    return Draft(
        family=family, text=words, expected="number", params=Params(window_s=AHEAD_S), kind="harm", ability="clearance",
        column=column, answer=Answer(distance_m=round(gold, 4)), evidence=steps, age_s=age_s, age_band=band,
        need_m=look.need_m(gold), resolution_m=approach.resolution_m, pixel_m=look.pixel_m(gold), distance_m=gold,
        harmful="wider", contact="person", critical=look.critical("", (x, y)), thing=approach.person.id,
        balance="inside" if gold < look.needs.clearance_m else "clear",
    )  # fmt: skip


FAMILY = FamilySpec("closest_approach", "during", drafts)
