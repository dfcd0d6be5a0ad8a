"""Figures and texts as they are shown."""

from __future__ import annotations

import unicodedata
from collections import Counter

from stbench_scoring.aggregate import Aggregate
from stbench_scoring.records import Answer
from stbench_scoring.records.results import Credit
from stbench_scoring.results import Results


def signed(value: float | None) -> str:
    """A score with its sign, or a dash."""
    return "—" if value is None else f"{value:+.3f}"


def percent(value: float | None) -> str:
    """A share in percent, or a dash."""
    return "—" if value is None else f"{100 * value:.0f} %"


def interval_words(one: Aggregate, name: str) -> str:
    """The 95 % interval of a figure, and what it rests on where that is a single script."""
    interval = one.intervals.get(name)
    if interval is None:
        return ""
    text = f"[{interval.low:+.3f}, {interval.high:+.3f}]"
    return text + " (one script: no interval)" if interval.degenerate else text


def coverage_words(results: Results) -> str:
    """How much was asked and scored."""
    c = results.coverage
    return (
        f"scored {c.cases_scored} of {c.cases_asked} cases and {c.questions_scored} of {c.questions_asked} questions "
        f"asked; the release holds {c.cases_release} cases and {c.questions_release} questions"
    )


def visible(text: str) -> str:
    """A text with its control and direction characters written out, so that it reads as what it is."""
    return "".join(
        f"\\u{ord(c):04x}" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c not in "\n\t" else c
        for c in text
    )


def answer_words(answer: Answer | None) -> str:
    """An answer in words."""
    if answer is None:
        return "no answer"
    if answer.unknown:
        return "unknown"
    if answer.distance_m is not None:
        return f"{answer.distance_m:.2f} m"
    if answer.ahead_m is not None and answer.left_m is not None:
        side = "left" if answer.left_m >= 0 else "right"
        way = "ahead" if answer.ahead_m >= 0 else "behind"
        return f"{abs(answer.ahead_m):.2f} m {way}, {abs(answer.left_m):.2f} m {side}"
    if answer.heading_deg is not None:
        return f"{answer.heading_deg:+.1f}°"
    if answer.places is not None:
        return "; ".join(f"({p.x_m:.2f}, {p.y_m:.2f})" for p in answer.places) or "nothing"
    return f"({answer.x_m:.2f}, {answer.y_m:.2f})"


def items_words(credit: Credit) -> str:
    """How the things and places of a list fared."""
    counts = Counter(item.outcome for item in credit.items)
    things = counts["matched"] + counts["missed"]
    ignored = f", {counts['ignored']} ignored" if counts["ignored"] else ""
    return f"{counts['matched']} of {things} things found, {counts['false']} false places{ignored}"
