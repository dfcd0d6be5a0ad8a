"""The page of a run: one file that asks nothing of any other place."""

from __future__ import annotations

import base64
import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import jinja2
import msgspec
from markupsafe import Markup

from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Case, Question, ReleaseTree, Robot, Timeline, read_json, read_jsonl
from stbench_scoring.records.io import write_bytes
from stbench_scoring.records.results import QuestionResult
from stbench_scoring.report.plan import CaseScene, question_map
from stbench_scoring.report.words import (
    answer_words,
    coverage_words,
    interval_words,
    items_words,
    percent,
    signed,
    visible,
)
from stbench_scoring.results import Results

# Pictures up to this many bytes together stand in the page; more are linked, so that the page stays loadable.
EMBEDDED_BYTES = 8_000_000
# A longer text is folded to its start.
FOLD_CHARACTERS = 400


@dataclass(frozen=True)
class Card:
    """One question as the page shows it. `picture` is a data or relative address, `text` "" without the release."""

    row: QuestionResult
    text: str
    when: str
    plan: Markup | None
    picture: str
    embedded: bool


def write_page(path: Path, tree: ReleaseTree | None, results: Results) -> None:
    """Writes the page.

    Args:
        path: Where to, e.g. `OUT/results.html`.
        tree: The release, for question texts, maps and pictures; None to do without.
        results: What to show.

    Raises:
        StbenchError: The release at hand is not the one scored on, or a file of it cannot be read.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters.update(
        visible=lambda text: visible(str(text)),
        signed=signed,
        percent=percent,
        answer=answer_words,
        items=items_words,
    )
    page = environment.get_template("page.html.j2").render(
        results=results, coverage=coverage_words(results), interval=interval_words, fold=FOLD_CHARACTERS,
        cases=_cases(path, tree, results), data=embedded_json(results),
    )  # fmt: skip
    write_bytes(path, page.encode("utf-8", "backslashreplace"))


def embedded_json(value: object) -> Markup:
    """A value as JSON that no text in it can break out of: NaN is null, and `<`, `>`, `&` are escaped."""
    text = msgspec.json.encode(value).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _cases(path: Path, tree: ReleaseTree | None, results: Results) -> list[tuple[str, list[Card]]]:
    by_case: dict[str, list[QuestionResult]] = defaultdict(list)
    for row in results.rows:
        by_case[row.cid].append(row)
    if tree is None:
        return [(cid, [Card(row, "", "", None, "", False) for row in rows]) for cid, rows in by_case.items()]
    pictures = _Pictures(path, EMBEDDED_BYTES)
    timelines: dict[str, Timeline] = {}
    return [(cid, _cards(tree, cid, rows, pictures, timelines)) for cid, rows in by_case.items()]


def _cards(
    tree: ReleaseTree, cid: str, rows: list[QuestionResult], pictures: _Pictures, timelines: dict[str, Timeline]
) -> list[Card]:
    if not tree.case_json(cid).is_file():
        raise StbenchError(f"case {cid!r} is not in the release at {tree.root}: give the release that was run")
    case = read_json(tree.case_json(cid), Case)
    questions = {q.qid: q for q in read_jsonl(tree.questions_jsonl(cid), Question)}
    if case.sid not in timelines:
        timelines[case.sid] = read_json(tree.timeline_json(case.sid), Timeline)
    scene = CaseScene(case, timelines[case.sid], read_json(tree.robot_json(case.sid), Robot))
    cards = []
    for row in rows:
        if row.qid not in questions:
            raise StbenchError(f"question {row.qid!r} is not in case {cid} at {tree.root}: is it another release?")
        question = questions[row.qid]
        address, embedded = pictures.address(tree.rgb(case.sid, case.first_step + question.step))
        when = f"step {question.step}" if question.when == "during" else "end"
        cards.append(Card(row, question.text, when, question_map(scene, question, row), address, embedded))
    return cards


class _Pictures:
    """Gives a picture's address in the page, embedding while the budget lasts."""

    def __init__(self, page: Path, budget_bytes: int) -> None:
        self._folder = page.resolve().parent
        self._left = budget_bytes

    def address(self, picture: Path) -> tuple[str, bool]:
        """The address and whether it holds the picture itself; "" where there is no picture."""
        if not picture.is_file():
            return "", False
        size = picture.stat().st_size * 4 // 3
        if size <= self._left:
            self._left -= size
            return "data:image/jpeg;base64," + base64.b64encode(picture.read_bytes()).decode(), True
        return quote(os.path.relpath(picture.resolve(), self._folder)), False
