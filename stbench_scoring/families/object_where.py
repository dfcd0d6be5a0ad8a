"""`object_where`: where on the map a thing's middle was when it was last clearly seen."""

from __future__ import annotations

from collections.abc import Iterator

from stbench_scoring.families.base import UNKNOWN, Draft, FamilySpec, Look
from stbench_scoring.families.naming import nameable, never_seen_words, words_phrase
from stbench_scoring.geometry.solids import base_z_m, pose_at
from stbench_scoring.records import Answer, Params, ThingRecord
from stbench_scoring.records.case import Column
from stbench_scoring.seen.memory import Sight

# Longer things, seen from the side only, hide their middle; half of the length beyond this adds to the resolution.
_LONG_M, _HALF_KNOWN_M = 0.5, 0.25


def text(words: str) -> str:
    """The question's words."""
    return (
        f"Where on the map was the middle of {words_phrase(words)} when you last saw it clearly? Answer as x_m and y_m "
        "in metres in the map frame of your own poses. Answer unknown if you have never clearly seen it since your "
        "first picture; it may be absent."
    )


def drafts(look: Look) -> Iterator[Draft]:
    """Every thing clearly seen, then names of things never seen."""
    for thing, sight in nameable(look):
        yield _row(look, thing, sight)
    for words in never_seen_words(look):
        yield _unknown(look, words)


def _row(look: Look, thing: ThingRecord, sight: Sight) -> Draft:
    x, y = sight.view.middle
    then = look.script.viewpoint(sight.step)
    distance = then.range_m(x, y)
    surface = base_z_m(thing, pose_at(thing, look.script.stamp_ns(sight.step)))
    column: Column = "now" if sight.step == look.step else "memory"
    age_s, band = look.age(sight.step, column)
    return Draft(
        family="object_where", text=text(thing.words), expected="place", params=Params(words=thing.words), kind="reuse",
        ability="memory", column=column, answer=Answer(x_m=round(x, 4), y_m=round(y, 4)), evidence=(sight.step,),
        age_s=age_s, age_band=band, need_m=look.needs.reacquire_m,
        resolution_m=then.resolution_m(distance, surface) + hidden_half_m(look, thing),
        pixel_m=look.pixel_m(distance), distance_m=distance, harmful="none", half_width_m=thing.length_m / 2,
        critical=look.critical(thing.id, (x, y)), thing=thing.id, balance="known",
    )  # fmt: skip


def hidden_half_m(look: Look, thing: ThingRecord) -> float:
    """What a long thing adds to the resolution if its top was above the camera at every clear sight, metres."""
    sights = look.seen.clear[thing.id]
    if thing.length_m <= _LONG_M or not all(s.view.top_above_camera for s in sights):
        return 0.0
    return thing.length_m / 2 - _HALF_KNOWN_M


def _unknown(look: Look, words: str) -> Draft:
    reach = look.needs.reacquire_m
    return Draft(
        family="object_where", text=text(words), expected="place", params=Params(words=words), kind="reuse",
        ability="memory", column="memory", answer=UNKNOWN, evidence=(), age_s=None, age_band=None, need_m=reach,
        resolution_m=look.pixel_m(reach), pixel_m=look.pixel_m(reach), distance_m=reach, harmful="none",
        balance="unknown",
    )  # fmt: skip


FAMILY = FamilySpec("object_where", "end", drafts)
