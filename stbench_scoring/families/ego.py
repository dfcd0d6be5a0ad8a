"""`ego_now` and `ego_mem`: where a thing's nearest visible point is from the camera, in view or no longer."""

from __future__ import annotations

from collections.abc import Iterator

from stbench_scoring.families.base import UNKNOWN, Draft, FamilySpec, Look
from stbench_scoring.families.naming import nameable, never_seen_words, words_phrase
from stbench_scoring.geometry.solids import base_z_m, pose_at
from stbench_scoring.records import Answer, Params, ThingRecord
from stbench_scoring.records.case import Column
from stbench_scoring.seen.memory import Sight

_FRAME = (
    "Put that point straight down on the floor and give its offset from your camera in the level frame of the camera's "
    "heading: ahead_m forward (negative behind you) and left_m to the left (negative to the right), in metres."
)
# A thing cut off at the picture's edge has its nearest visible point decided by a pixel there.
_EDGE_PX = 2


def now_text(words: str) -> str:
    """The words for a thing in view."""
    return (
        f"Where is {words_phrase(words)} from you now? Take the point of it that is visible in the latest picture and "
        f"horizontally nearest to the camera. {_FRAME} Answer unknown if you see no such thing; it may be absent."
    )


def mem_text(words: str) -> str:
    """The words for a thing out of view."""
    return (
        f"Where is {words_phrase(words)} from you now, taking it to stand where you last saw it clearly? Take the "
        f"point of it that was visible then and was horizontally nearest to the camera. {_FRAME} Answer unknown if you "
        "have never clearly seen it since your first picture; it may be absent."
    )


def now_drafts(look: Look) -> Iterator[Draft]:
    """Things clearly in the latest picture, whole at the edge where they are nearest."""
    for thing, sight in nameable(look):
        if sight.step == look.step and not _cut(look, sight):
            yield _row(look, "ego_now", thing, sight)


def mem_drafts(look: Look) -> Iterator[Draft]:
    """Things clearly seen before and not in the latest picture at all, then names of things never seen."""
    in_view = {view.id for view in look.seen.rows[-1].things}
    for thing, sight in nameable(look):
        if thing.id not in in_view and not _cut(look, sight):
            yield _row(look, "ego_mem", thing, sight)
    for words in never_seen_words(look):
        yield _unknown(look, words)


def _cut(look: Look, sight: Sight) -> bool:
    u, v = sight.view.nearest_px
    camera = look.script.camera
    return not (_EDGE_PX <= u < camera.width - _EDGE_PX and _EDGE_PX <= v < camera.height - _EDGE_PX)


def _row(look: Look, family: str, thing: ThingRecord, sight: Sight) -> Draft:
    x, y, _ = sight.view.nearest
    ahead, left = look.viewpoint.level_offset(x, y)
    distance = look.viewpoint.range_m(x, y)
    then = look.script.viewpoint(sight.step)
    surface = base_z_m(thing, pose_at(thing, look.script.stamp_ns(sight.step)))
    column: Column = "now" if family == "ego_now" else "memory"
    age_s, band = look.age(sight.step, column)
    words = thing.words
    return Draft(
        family=family, text=now_text(words) if family == "ego_now" else mem_text(words), expected="offset",
        params=Params(words=words), kind="situation", ability="distance" if family == "ego_now" else "memory",
        column=column, answer=Answer(ahead_m=round(ahead, 4), left_m=round(left, 4)), evidence=(sight.step,),
        age_s=age_s, age_band=band, need_m=look.need_m(distance),
        resolution_m=then.resolution_m(then.range_m(x, y), surface), pixel_m=look.pixel_m(distance),
        distance_m=distance, harmful="farther", half_width_m=thing.length_m / 2,
        critical=look.critical(thing.id, (x, y)), thing=thing.id, balance="left" if left > 0 else "right",
    )  # fmt: skip


def _unknown(look: Look, words: str) -> Draft:
    reach = look.needs.reacquire_m
    return Draft(
        family="ego_mem", text=mem_text(words), expected="offset", params=Params(words=words), kind="situation",
        ability="memory", column="memory", answer=UNKNOWN, evidence=(), age_s=None, age_band=None,
        need_m=look.need_m(reach), resolution_m=look.pixel_m(reach), pixel_m=look.pixel_m(reach), distance_m=reach,
        harmful="farther", balance="unknown",
    )  # fmt: skip


NOW = FamilySpec("ego_now", "during", now_drafts)
MEM = FamilySpec("ego_mem", "during", mem_drafts)
