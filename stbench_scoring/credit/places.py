"""A list of places: each thing's credit, what was missed, what was false, and what counts neither way."""

from __future__ import annotations

import math
from collections.abc import Sequence

from stbench_scoring.credit.error import metres, quarters
from stbench_scoring.credit.pairing import best_pairing
from stbench_scoring.records import Answer, Gold, Needs, PlaceXY
from stbench_scoring.records.results import Credit, ItemCredit

# A place stands for a thing within this many matching radii of it.
_REACH = 4.0
# A false place weighs half of a missed thing.
_FALSE = 0.5
Four = tuple[float, float, float, float]


def places_credit(gold: Gold, answer: Answer) -> Credit:
    """Judges a list. The need of every item is M, at any range, and no side of a place does harm.

    Sums go over things and half the false places. With nothing to list the empty list is the one thing, and false
    places dilute it alike. A place that stands for no thing and lies in a don't-care circle is ignored.
    """
    things, places = gold.answer.places, answer.places
    assert things is not None and places is not None  # the judge has checked both kinds
    fours: dict[tuple[int, int], tuple[Four, float]] = {}
    for i, thing in enumerate(things):
        for j, place in enumerate(places):
            error_m = apart_m(thing, place)
            if error_m <= metres(_REACH * gold.need_m):
                fours[i, j] = _item(error_m, gold.need_m, gold.item_resolutions_m[i]), error_m
    paired = best_pairing({key: (sum(four) / 4.0, error_m) for key, (four, error_m) in fours.items()})
    items = [_thing_item(i, paired.get(i), fours) for i in range(len(things))]
    matched = set(paired.values())
    items += [_spare_item(j, place, gold) for j, place in enumerate(places) if j not in matched]
    false = sum(1 for item in items if item.outcome == "false")
    whole = max(1, len(things)) + _FALSE * false
    kept = [fours[pair] for pair in sorted(paired.items())]
    sums = [math.fsum(four[q] for four, _ in kept) if things else 1.0 for q in range(4)]
    direction, thing_share, amount, precision = (metres(value / whole) for value in sums)
    return Credit(
        direction=direction, thing=thing_share, amount=amount, precision=precision,
        error_m=metres(math.fsum(error for _, error in kept) / len(kept)) if kept else 0.0,
        need_m=metres(gold.need_m), resolution_m=metres(gold.resolution_m), harmful=False, items=tuple(items),
    )  # fmt: skip


def hazard_left_out(gold: Gold, answer: Answer, needs: Needs) -> bool:
    """Whether a listed hazard has no place within its matching radius, and none within C or two pixels of it either."""
    things, places = gold.answer.places, answer.places
    assert things is not None and places is not None  # the judge has checked both kinds
    for thing, resolution_m in zip(things, gold.item_resolutions_m, strict=True):
        bound_m = metres(max(gold.need_m, needs.clearance_m, 2.0 * resolution_m))
        if all(apart_m(thing, place) > bound_m for place in places):
            return True
    return False


def apart_m(one: PlaceXY, other: PlaceXY) -> float:
    """Distance of two places, metres."""
    return metres(math.hypot(one.x_m - other.x_m, one.y_m - other.y_m))


def _item(error_m: float, match_m: float, resolution_m: float) -> Four:
    return (float(error_m <= metres(match_m)), *quarters(error_m, match_m, resolution_m))


def _thing_item(thing: int, place: int | None, fours: dict[tuple[int, int], tuple[Four, float]]) -> ItemCredit:
    if place is None:
        return ItemCredit(outcome="missed", thing=thing, place=None, error_m=None, share=0.0)
    four, error_m = fours[thing, place]
    return ItemCredit(outcome="matched", thing=thing, place=place, error_m=error_m, share=metres(sum(four) / 4.0))


def _spare_item(place: int, at: PlaceXY, gold: Gold) -> ItemCredit:
    ignored = _inside(at, gold.ignored, gold.need_m)
    return ItemCredit(outcome="ignored" if ignored else "false", thing=None, place=place, error_m=None, share=0.0)


def _inside(at: PlaceXY, circles: Sequence[PlaceXY], radius_m: float) -> bool:
    return any(apart_m(at, middle) <= metres(radius_m) for middle in circles)
