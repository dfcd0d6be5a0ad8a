"""From rows to the figures of a layout and a job. No figure pools two layouts, nor two jobs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from stbench_scoring.bootstrap import DRAWS, intervals
from stbench_scoring.errors import StbenchError
from stbench_scoring.headline import cell_weight, column_mean, headline
from stbench_scoring.records import Release
from stbench_scoring.records.io import Record
from stbench_scoring.records.results import QuestionResult

DECIMALS = 9
CellKey = tuple[str, str]  # ability, column


class Cell(Record, frozen=True, kw_only=True):
    """A job × ability × column, pooled over its questions; `weight` from the whole release's `release_questions`."""

    ability: str
    column: str
    questions: int
    release_questions: int
    weight: float
    score: float
    score_gate: float


class Interval(Record, frozen=True, kw_only=True):
    """Limits of 95 %. With one script they say nothing of other scripts: `degenerate`."""

    low: float
    high: float
    scripts: int
    degenerate: bool


class Group(Record, frozen=True, kw_only=True):
    """The rows that share a value, every question equal."""

    value: str
    questions: int
    score: float
    score_gate: float
    catastrophes: int


class Abstention(Record, frozen=True, kw_only=True):
    """How `unknown` was used. Recall and precision are None where there is nothing to divide by.

    Attributes:
        unknowable: Questions whose right answer is unknown.
        said: Questions answered unknown.
        right: Both.
        answerable: Questions that have an answer.
        recall: right ÷ unknowable.
        precision: right ÷ said.
        unknown_on_answerable: Share of the answerable questions that were answered unknown.
    """

    unknowable: int
    said: int
    right: int
    answerable: int
    recall: float | None
    precision: float | None
    unknown_on_answerable: float | None


class Aggregate(Record, frozen=True, kw_only=True):
    """The figures of one layout and job.

    Attributes:
        headline: Mean of the columns by their weights; `now` and `memory` are None where no such question was scored.
        intervals: Of `headline`, `now` and `memory`.
        gate_score: The headline of the gate scores: what it would be without catastrophes.
        mean_of_cells: Mean of the cells by their weights.
        pooled_mean: Every question equal.
        harm_answers: Questions of the kind harm that were answered (neither unknown nor no answer).
        catastrophe_rate: Share of the harm answers that are catastrophes; None without one.
        no_answer: Questions without an answer, by cause.
        breakdowns: By name, the groups in order of their value.
    """

    layout: str
    job: str
    scripts: int
    cases: int
    questions: int
    headline: float
    now: float | None
    memory: float | None
    intervals: Mapping[str, Interval]
    gate_score: float
    mean_of_cells: float
    pooled_mean: float
    harm_answers: int
    catastrophes: int
    catastrophe_rate: float | None
    abstention: Abstention
    no_answer: Mapping[str, int]
    cells: tuple[Cell, ...]
    breakdowns: Mapping[str, tuple[Group, ...]]


BREAKDOWNS: Mapping[str, Callable[[QuestionResult], str]] = {
    "job": lambda row: row.job,
    "family": lambda row: row.family,
    "length": lambda row: row.length,
    "kind": lambda row: row.kind,
    "age band": lambda row: row.age_band or "unknown",
    "criticality": lambda row: "critical" if row.critical else "not critical",
    "outcome": lambda row: row.outcome,
}


def _tidy(value: float) -> float:
    return round(float(value), DECIMALS) + 0.0


def _optional(value: float) -> float | None:
    return None if np.isnan(value) else _tidy(value)


def _share(part: int, whole: int) -> float | None:
    return _tidy(part / whole) if whole else None


def aggregate(rows: Sequence[QuestionResult], release: Release, *, draws: int = DRAWS) -> tuple[Aggregate, ...]:
    """Aggregates rows, one result a layout and job, in that order.

    Args:
        rows: Scored rows, of a part of the release or all of it; the weights are the whole release's either way.
        release: The release that they were scored on.
        draws: Draws of the bootstrap.

    Raises:
        StbenchError: A row belongs to a cell that the release does not count.
    """
    groups: dict[tuple[str, str], list[QuestionResult]] = defaultdict(list)
    for row in rows:
        groups[row.layout, row.job].append(row)
    return tuple(_aggregate(groups[key], release, draws) for key in sorted(groups))


def _release_cells(release: Release, layout: str, job: str) -> dict[CellKey, int]:
    return {(c.ability, c.column): c.questions for c in release.cells if (c.layout, c.job) == (layout, job)}


def _aggregate(rows: Sequence[QuestionResult], release: Release, draws: int) -> Aggregate:
    layout, job = rows[0].layout, rows[0].job
    counted = _release_cells(release, layout, job)
    foreign = sorted({(row.ability, row.column) for row in rows} - {key for key, n in counted.items() if n > 0})
    if foreign:
        raise StbenchError(
            f"release.json: cells hold no questions of {job} × {foreign[0][0]} × {foreign[0][1]} in {layout}, "
            "but one was scored: compile the release again"
        )
    keys = sorted({(row.ability, row.column) for row in rows}, key=lambda k: (k[1] != "now", k[0]))
    sids = sorted({row.sid for row in rows})
    sums, gates, counts = _tables(rows, keys, sids)
    weights = np.array([cell_weight(counted[key]) for key in keys])
    columns = [column for _, column in keys]
    totals = counts.sum(axis=0)
    means, gate_means = sums.sum(axis=0) / totals, gates.sum(axis=0) / totals
    point = headline(means, weights, columns)
    limits = intervals(sums, counts, weights, columns, release.digest, layout, job, draws=draws)
    harm = [row for row in rows if row.kind == "harm" and row.outcome == "answered"]
    return Aggregate(
        layout=layout, job=job, scripts=len(sids), cases=len({row.cid for row in rows}), questions=len(rows),
        headline=_tidy(point["headline"]), now=_optional(point["now"]), memory=_optional(point["memory"]),
        intervals={
            name: Interval(low=_tidy(low), high=_tidy(high), scripts=len(sids), degenerate=len(sids) == 1)
            for name, (low, high) in limits.items()
        },
        gate_score=_tidy(headline(gate_means, weights, columns)["headline"]),
        mean_of_cells=_tidy(column_mean(means, weights)[0].item()),
        pooled_mean=_tidy(sums.sum() / len(rows)),
        harm_answers=len(harm), catastrophes=sum(row.catastrophe for row in rows),
        catastrophe_rate=_share(sum(row.catastrophe for row in harm), len(harm)),
        abstention=_abstention(rows),
        no_answer=dict(sorted(Counter(r.outcome for r in rows if r.outcome not in ("answered", "unknown")).items())),
        cells=tuple(
            Cell(ability=key[0], column=key[1], questions=int(n), release_questions=counted[key],
                 weight=_tidy(w), score=_tidy(mean), score_gate=_tidy(gate))
            for key, n, w, mean, gate in zip(keys, totals, weights, means, gate_means, strict=True)
        ),
        breakdowns={name: _groups(rows, value) for name, value in BREAKDOWNS.items()},
    )  # fmt: skip


def _tables(
    rows: Sequence[QuestionResult], keys: Sequence[CellKey], sids: Sequence[str]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sums of score and of gate score, and numbers of questions, each (scripts, cells)."""
    script, cell = {s: i for i, s in enumerate(sids)}, {k: i for i, k in enumerate(keys)}
    tables = np.zeros((3, len(sids), len(keys)))
    for row in rows:
        tables[:, script[row.sid], cell[row.ability, row.column]] += (row.score, row.score_gate, 1.0)
    return tables[0], tables[1], tables[2]


def _abstention(rows: Sequence[QuestionResult]) -> Abstention:
    unknowable = sum(row.gold.unknown for row in rows)
    said = sum(row.outcome == "unknown" for row in rows)
    right = sum(row.gold.unknown and row.outcome == "unknown" for row in rows)
    answerable = len(rows) - unknowable
    return Abstention(
        unknowable=unknowable, said=said, right=right, answerable=answerable, recall=_share(right, unknowable),
        precision=_share(right, said), unknown_on_answerable=_share(said - right, answerable),
    )  # fmt: skip


def _groups(rows: Sequence[QuestionResult], value: Callable[[QuestionResult], str]) -> tuple[Group, ...]:
    parts: dict[str, list[QuestionResult]] = defaultdict(list)
    for row in rows:
        parts[value(row)].append(row)
    return tuple(
        Group(
            value=name, questions=len(part), score=_tidy(sum(r.score for r in part) / len(part)),
            score_gate=_tidy(sum(r.score_gate for r in part) / len(part)),
            catastrophes=sum(r.catastrophe for r in part),
        )
        for name, part in sorted(parts.items())
    )  # fmt: skip
