"""`approach_mem`: how close the person seen last, now out of view, would come within the next seconds."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stbench_scoring.families.approach import AHEAD_S, BACK_S, HOW, Approach, sights_before
from stbench_scoring.families.base import UNKNOWN, Draft, FamilySpec, Look
from stbench_scoring.families.closest_approach import approach_row
from stbench_scoring.geometry.solids import person_at
from stbench_scoring.records import Params, Person
from stbench_scoring.seen.memory import Sight

# A walking person may be out of view for this long; one who stood throughout for longer.
_FRESH_S = 5.0
# One who moved less than this stood.
_STOOD_M = 0.05


def text() -> str:
    """The question's words."""
    return (
        "How close would the person whom you saw last, now out of view, come to you within the next "
        f"{AHEAD_S:g} s? Take it that both of you go on straight: the person, ever since the last picture that clearly "
        "shows them, at their mean velocity between the first and the last such picture of the "
        f"{BACK_S:g} s up to it, or standing still if they stood in all that show them during this task; you at your "
        f"present velocity, without turning. Answer {HOW}. Answer unknown if no picture since your first clearly shows "
        "a person."
    )


def drafts(look: Look) -> Iterator[Draft]:
    """One draft where it is plain who was seen last and where they went; or unknown where nobody ever was."""
    people = {key: sights for key, sights in look.seen.any.items() if key in look.script.people}
    if not people:
        yield _unknown(look)
        return
    approach = _last_seen(look, people)
    if approach is None or not approach.settled:
        return
    need = look.need_m(approach.gold_m)
    true = person_at(approach.person, look.script.stamp_ns(look.step))
    if true is None or math.dist(true, approach.place) > need or approach.resolution_m > need:
        return
    yield approach_row("approach_mem", text(), approach)


def _last_seen(look: Look, people: dict[str, tuple[Sight, ...]]) -> Approach | None:
    """The approach of the person seen last; None where a glimpse, another person or an old sight leaves it open."""
    newest = max(sights[-1].step for sights in people.values())
    last = [key for key, sights in people.items() if sights[-1].step == newest]
    frames = look.script.timeline.frames
    if newest == look.step or len(last) != 1 or frames[newest].task != frames[look.step].task:
        return None
    sight = look.seen.last_clear(last[0])
    if sight is None or sight.step != newest:
        return None
    person = look.script.people[last[0]]
    if _stood(look, person):
        return Approach(look, person, sight, sight)
    since_s = (look.script.stamp_ns(look.step) - look.script.stamp_ns(newest)) / 1e9
    sights = sights_before(look, person.id, newest)
    if since_s > _FRESH_S or len(sights) < 2:
        return None
    return Approach(look, person, sights[0], sights[-1])


def _stood(look: Look, person: Person) -> bool:
    """Whether every clear sight of this task, two or more, shows the person in one place, where they still are."""
    frames, stamp = look.script.timeline.frames, look.script.stamp_ns(look.step)
    sights = [s for s in look.seen.clear[person.id] if frames[s.step].task == frames[look.step].task]
    last = sights[-1].view.middle
    now = person_at(person, stamp)
    places = [s.view.middle for s in sights] + ([now] if now is not None else [])
    return len(sights) > 1 and now is not None and all(math.dist(place, last) <= _STOOD_M for place in places)


def _unknown(look: Look) -> Draft:
    reach = look.needs.reacquire_m
    return Draft(
        family="approach_mem", text=text(), expected="number", params=Params(window_s=AHEAD_S), kind="harm",
        ability="clearance", column="memory", answer=UNKNOWN, evidence=(), age_s=None, age_band=None,
        need_m=look.need_m(reach), resolution_m=look.pixel_m(reach), pixel_m=look.pixel_m(reach), distance_m=reach,
        harmful="wider", balance="unknown",
    )  # fmt: skip


FAMILY = FamilySpec("approach_mem", "during", drafts)
