"""A run's folder: which cases were asked for, their ledgers, and the results computed from the ledgers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from stbench_harness.ledger import Ledger, read_lines, read_responses
from stbench_harness.player import load_played
from stbench_harness.protocol import Transport
from stbench_harness.session import Options, run_case
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Release, ReleaseTree, read_json, write_json
from stbench_scoring.records.io import Record
from stbench_scoring.records.results import CaseResponses, RunLabel
from stbench_scoring.report import write_page
from stbench_scoring.results import Results, make_results, write_results

RUN_VERSION = 1


class CaseCost(Record, frozen=True, kw_only=True):
    """What a case took on this machine: nothing of it enters the results."""

    cid: str
    attempts: int
    asks: int
    longest_ask_s: float
    waited_s: float


class Run(Record, frozen=True, kw_only=True):
    """`run.json`. The cases are every one that was ever asked for in this folder, in order of id."""

    format_version: int
    label: RunLabel
    release_digest: str
    cases: tuple[str, ...]
    costs: tuple[CaseCost, ...] = ()
    wall_s: float = 0.0


@dataclass(frozen=True)
class RunFolder:
    """A run that is opened: its folder, the release and what stands in `run.json`."""

    root: Path
    tree: ReleaseTree
    release: Release
    run: Run

    def ledger(self, cid: str) -> Path:
        """The ledger of a case."""
        return self.root / "cases" / cid / "ledger.jsonl"


def open_run(root: Path, tree: ReleaseTree, label: RunLabel, cases: Sequence[str]) -> RunFolder:
    """Makes a run's folder, or opens the one that is there to go on with it.

    Raises:
        StbenchError: The folder holds another system's, release's or arm's run, or something else; or a case is not of
            the release.
    """
    release = read_json(tree.release_json, Release)
    known = {entry.cid for entry in release.cases}
    for cid in cases:
        if cid not in known:
            raise StbenchError(f"case {cid!r} is not in {tree.release_json}: it has {', '.join(sorted(known))}")
    asked = set(cases)
    path = root / "run.json"
    if path.exists():
        asked |= set(_same_run(path, label, release).cases)
    elif root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise StbenchError(f"--out {root} is not empty and holds no run.json: give an empty or a new folder")
    run = Run(format_version=RUN_VERSION, label=label, release_digest=release.digest, cases=tuple(sorted(asked)))
    write_json(path, run)
    return RunFolder(root, tree, release, run)


def _same_run(path: Path, label: RunLabel, release: Release) -> Run:
    run = read_json(path, Run)
    if run.release_digest != release.digest:
        raise StbenchError(
            f"{path}: release_digest is {run.release_digest[:12]}…, the release's {release.digest[:12]}…: "
            "another release was run here, give another --out"
        )
    for name in RunLabel.__struct_fields__:
        there, wanted = getattr(run.label, name), getattr(label, name)
        if there != wanted:
            raise StbenchError(f"{path}: {name} is {there!r}, this run's {wanted!r}: give another --out")
    return run


def run_cases(
    folder: RunFolder,
    cases: Sequence[str],
    make_transport: Callable[[str], Transport],
    options: Options,
    progress: Callable[[str], None] = lambda text: None,
) -> None:
    """Runs the cases that are not completed yet, one after the other, each from its first step.

    Stops after a cancelled one. Raises StbenchError where the release is bad.
    """
    for cid in cases:
        path = folder.ledger(cid)
        if path.exists() and is_completed(path):
            progress(f"{cid}: completed before")
            continue
        with Ledger(path) as ledger:
            outcome = run_case(load_played(folder.tree, cid), make_transport(cid), ledger, options).outcome
        progress(f"{cid}: {outcome}{_why(path, outcome)}")
        if outcome == "cancelled":
            return


def _why(path: Path, outcome: str) -> str:
    detail = read_lines(path)[-1].detail
    return f", {detail}" if outcome != "completed" and detail else ""


def is_completed(path: Path) -> bool:
    """Whether a ledger's last attempt ran to its end."""
    lines = read_lines(path)
    return bool(lines) and any(line.kind == "case" for line in lines) and read_responses(path).outcome == "completed"


def finish_run(folder: RunFolder, began: float) -> Results:
    """Writes `results.json`, `results.html` and the costs in `run.json` from the ledgers that there are.

    Args:
        folder: The run.
        began: `time.monotonic()` when this sitting began.
    """
    results = score_run(folder, {})
    note_costs(folder, round(time.monotonic() - began, 3))
    return results


def score_run(folder: RunFolder, told: Mapping[str, CaseResponses]) -> Results:
    """Writes `results.json` and `results.html`.

    Args:
        folder: The run.
        told: Cases whose responses are known otherwise than from their ledger, by id.
    """
    cases = [told.get(cid) or _from_ledger(folder, cid) for cid in folder.run.cases]
    results = make_results(folder.release, folder.run.label, cases, folder.tree)
    write_results(folder.root / "results.json", results)
    write_page(folder.root / "results.html", folder.tree, results)
    return results


def _from_ledger(folder: RunFolder, cid: str) -> CaseResponses:
    path = folder.ledger(cid)
    if path.exists() and any(line.kind == "case" for line in read_lines(path)):
        return read_responses(path)
    return CaseResponses(cid=cid, outcome="cancelled", label=folder.run.label, responses=())


def note_costs(folder: RunFolder, wall_s: float) -> None:
    """Writes what each case took into `run.json`."""
    costs = []
    for cid in folder.run.cases:
        path = folder.ledger(cid)
        lines = read_lines(path) if path.exists() else ()
        waits = [line.latency_s or 0.0 for line in lines if line.kind == "reply"]
        costs.append(
            CaseCost(
                cid=cid,
                attempts=sum(line.kind == "case" for line in lines),
                asks=len(waits),
                longest_ask_s=max(waits, default=0.0),
                waited_s=round(sum(waits), 6),
            )
        )
    write_json(folder.root / "run.json", msgspec.structs.replace(folder.run, costs=tuple(costs), wall_s=wall_s))
