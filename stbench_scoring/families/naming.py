"""Which things can be named without doubt, and names for things that were never seen."""

from __future__ import annotations

from collections.abc import Iterator

from stbench_scoring.families.base import Look
from stbench_scoring.records import ThingRecord
from stbench_scoring.seen.memory import Sight


def nameable(look: Look) -> Iterator[tuple[ThingRecord, Sight]]:
    """Things clearly seen, never carried, the only ones among all seen that their words fit, with the last clear sight.

    A thing glimpsed later at another pose is left out: the glimpse makes its last clear place doubtful.
    """
    seen = look.seen
    taken = [look.script.things[key].words for key in seen.any if key in look.script.things]
    for thing in look.script.timeline.things:
        sight = seen.last_clear(thing.id)
        if sight is None or not thing.words or thing.structure or taken.count(thing.words) != 1:
            continue
        if any(span.carried for span in thing.poses) or seen.moved_since(sight):
            continue
        yield thing, sight


def never_seen_words(look: Look) -> list[str]:
    """Words, sorted, of the place's things never seen, and of ones not there: a seen kind in another thing's colour."""
    named = [t for t in look.script.timeline.things if t.words and not t.structure]
    carried = {t.words for t in named if any(span.carried for span in t.poses)}
    seen = {t.words for t in named if t.id in look.seen.any}
    everywhere = {t.words for t in named}
    colours = sorted({t.colour for t in named if t.colour and t.colour in t.words})
    absent = {
        t.words.replace(t.colour, colour, 1) for t in named if t.colour and t.colour in t.words for colour in colours
    }
    return sorted((everywhere - seen - carried) | (absent - everywhere))


def words_phrase(words: str) -> str:
    """The words with an article."""
    return words if words.startswith("the ") else f"the {words}"
