"""The ROS side of `stbench run`: each case as processes of its own, the live results held against the ledger's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from stbench_harness.processes import CaseOrder, free_bag
from stbench_harness.ros.supervise import run_processes
from stbench_harness.runs import RunFolder, is_completed, score_run
from stbench_harness.session import Options
from stbench_scoring.errors import StbenchError


def run_over_ros(folder: RunFolder, cases: Sequence[str], options: Options, *, record: bool) -> list[str]:
    """Runs the cases that are not completed yet. Returns what went wrong beside the cases' own outcomes.

    Raises:
        StbenchError: A process cannot be started.
    """
    problems: list[str] = []
    say = partial(click.echo, err=True)
    for cid in cases:
        path = folder.ledger(cid)
        if path.exists() and is_completed(path):
            say(f"{cid}: completed before")
            continue
        if options.stop.is_set():
            break
        order = _order(folder, cid, options, record)
        ended = run_processes(order, options.stop, say)
        if path.exists() and is_completed(path):
            problems += [f"{cid}: {problem}" for problem in ended.problems]
            problems += _compare(folder, cid)
        elif not path.exists():
            raise StbenchError(f"the harness ended with exit code {ended.code} before case {cid} had begun")
    return problems


def _order(folder: RunFolder, cid: str, options: Options, record: bool) -> CaseOrder:
    label = options.label
    return CaseOrder(
        data=folder.tree.root, case=cid, system=label.system, channel=label.channel, out=folder.root, pace=label.pace,
        bag=free_bag(folder.root, cid) if record else None, during=label.during, brief=label.brief,
        live_score=label.feedback == "live", deadline_s=options.deadline_s,
    )  # fmt: skip


def _compare(folder: RunFolder, cid: str) -> list[str]:
    """The scoring node's results must be the ledger's to the byte: they came by another way."""
    path = folder.root / "results.json"
    if not path.is_file():
        return [f"{cid}: the scoring node wrote no results: see cases/{cid}/stbench_scorer.log"]
    live = path.read_bytes()
    score_run(folder, {})
    if path.read_bytes() != live:
        return [f"{cid}: the scoring node's results differ from the ledger's: a fault of the harness, please report it"]
    return []
