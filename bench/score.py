"""Times scoring's parts at full size, 144 cases and 1,761 questions of 64 scripts, on this machine.

    python bench/score.py [--repeats 5]

Prints one JSON object: the fastest of the repeats, in seconds. `bootstrap_per_score` sets the bootstrap of all four
jobs against judging every answer once: a ratio, so that it can be compared between machines.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

from stbench_scoring.aggregate import aggregate
from stbench_scoring.bootstrap import intervals
from stbench_scoring.credit import judge
from stbench_scoring.records import Answer, CellCount, Gold, Needs, Release
from stbench_scoring.records.case import Ability, Column
from stbench_scoring.records.results import QuestionResult
from stbench_scoring.seeds import rng

JOBS, SCRIPTS, CASES, QUESTIONS = 4, 64, 144, 1761
CELLS: tuple[tuple[Ability, Column], ...] = (
    ("clearance", "now"), ("distance", "now"), ("clearance", "memory"), ("memory", "memory"), ("relevance", "memory"),
)  # fmt: skip
NEEDS = Needs(clearance_m=0.15, reacquire_m=1.0, match_m={}, horizon_m=5.0)


def pairs() -> list[tuple[Gold, Answer]]:
    """A gold and an answer for every question, distances drawn evenly up to 4 m."""
    drawn = rng("bench", "pairs").uniform(0.0, 4.0, size=(QUESTIONS, 2))
    return [(_gold(i, float(true)), Answer(distance_m=float(said))) for i, (true, said) in enumerate(drawn)]


def _gold(index: int, metres: float) -> Gold:
    ability, column = CELLS[index % len(CELLS)]
    return Gold(
        qid=f"q{index}", family="clear_path", kind="harm", ability=ability, column=column,
        answer=Answer(distance_m=metres), evidence=(0,), age_s=0.0, age_band="now", need_m=max(0.15, metres / 10),
        resolution_m=metres / 554, pixel_m=metres / 554, distance_m=metres, harmful="longer", contact="seen",
        half_width_m=0.0, critical=False, thing="",
    )  # fmt: skip


def rows_of(given: list[tuple[Gold, Answer]]) -> list[QuestionResult]:
    """Scored rows, dealt over jobs, scripts and cases."""
    rows = []
    for index, (gold, answer) in enumerate(given):
        judged, case = judge(gold, answer, NEEDS), index % CASES
        rows.append(QuestionResult(
            qid=gold.qid, cid=f"c{case}", sid=f"s{case % SCRIPTS}", job=f"job/{case % SCRIPTS % JOBS}", layout="flat",
            length="short", family=gold.family, kind=gold.kind, ability=gold.ability, column=gold.column,
            age_band=gold.age_band, critical=False, expected="number", outcome="answered", answer=answer,
            gold=gold.answer, credit=judged.credit, catastrophe=judged.catastrophe, score_gate=judged.score_gate,
            score=judged.score,
        ))  # fmt: skip
    return rows


def release() -> Release:
    """A release whose cells all weigh 1."""
    cells = tuple(
        CellCount(job=f"job/{job}", layout="flat", ability=ability, column=column, questions=80)
        for job in range(JOBS)
        for ability, column in CELLS
    )
    return Release(
        format_version=1, name="bench", version="1", scorer_version="1", seed=0, digest="bench", scripts=(), cases=(),
        cells=cells,
    )  # fmt: skip


def bootstrap() -> None:
    """The intervals of the four jobs, 16 scripts and 5 cells each."""
    counts = np.full((SCRIPTS // JOBS, len(CELLS)), QUESTIONS / SCRIPTS / len(CELLS))
    sums = counts * rng("bench", "sums").uniform(-1, 1, size=counts.shape)
    for job in range(JOBS):
        intervals(sums, counts, np.ones(len(CELLS)), [column for _, column in CELLS], "bench", job)


def fastest(work: Callable[[], object], repeats: int) -> float:
    """Seconds of the fastest repeat."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    given, counted = pairs(), release()
    rows = rows_of(given)
    judged_s = fastest(lambda: [judge(gold, answer, NEEDS) for gold, answer in given], repeats)
    bootstrap_s = fastest(bootstrap, repeats)
    print(json.dumps({
        "questions": QUESTIONS, "judge_s": round(judged_s, 4), "bootstrap_s": round(bootstrap_s, 4),
        "aggregate_s": round(fastest(lambda: aggregate(rows, counted), repeats), 4),
        "bootstrap_per_score": round(bootstrap_s / judged_s, 2),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
