"""Writing a release's cases and index, and reading a case back."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from stbench_scoring.compile import CompiledCase, compile_script
from stbench_scoring.errors import RecordError, StbenchError
from stbench_scoring.records import (
    Camera,
    Case,
    CaseEntry,
    CellCount,
    Gold,
    IndexEntry,
    OracleRow,
    PoseRow,
    Question,
    Release,
    ReleaseTree,
    Robot,
    Timeline,
    read_json,
    read_jsonl,
    write_json,
    write_jsonl,
)
from stbench_scoring.records.release import FORMAT_VERSION
from stbench_scoring.score import SCORER_VERSION


def script_ids(root: Path) -> tuple[str, ...]:
    """Ids of the scripts that a release folder holds, ascending. Raises StbenchError where there are none."""
    folder = root / "scripts"
    found = tuple(sorted(p.name for p in folder.iterdir() if p.is_dir())) if folder.is_dir() else ()
    if not found:
        raise StbenchError(f"{folder}: no script here; build one first, or name the folder of a release")
    return found


def compile_release(root: Path, *, name: str, version: str, seed: int) -> Release:
    """Compiles every script under `root`: writes its cases, the index and last of all `release.json`.

    Raises:
        StbenchError: There is no script, or a file of one cannot be read.
    """
    tree = ReleaseTree(root)
    sids = script_ids(root)
    cases = sorted((c for sid in sids for c in compile_script(tree, sid, seed=seed)), key=lambda c: c.case.cid)
    for compiled in cases:
        _write_case(tree, compiled)
    for sid in sids:
        case = next(c.case for c in cases if c.case.sid == sid)
        write_json(tree.index_json(sid), IndexEntry(id=sid, type="script", sid=sid, job=case.job, layout=case.layout))
    release = Release(
        format_version=FORMAT_VERSION, name=name, version=version, scorer_version=SCORER_VERSION, seed=seed,
        digest=digest(tree, [c.case.cid for c in cases]), scripts=sids, cases=tuple(_entry(c) for c in cases),
        cells=_cells(cases),
    )  # fmt: skip
    write_json(tree.release_json, release)
    return release


def _write_case(tree: ReleaseTree, compiled: CompiledCase) -> None:
    case = compiled.case
    write_json(tree.case_json(case.cid), case)
    write_jsonl(tree.questions_jsonl(case.cid), compiled.questions)
    write_jsonl(tree.gold_jsonl(case.cid), compiled.gold)
    entry = IndexEntry(id=case.cid, type="case", sid=case.sid, job=case.job, layout=case.layout)
    write_json(tree.index_json(case.cid), entry)


def _entry(compiled: CompiledCase) -> CaseEntry:
    case = compiled.case
    return CaseEntry(
        cid=case.cid, sid=case.sid, job=case.job, layout=case.layout, length=case.length,
        frames=case.last_step - case.first_step + 1, questions=len(compiled.questions),
    )  # fmt: skip


def _cells(cases: Sequence[CompiledCase]) -> tuple[CellCount, ...]:
    counts = Counter((c.case.job, c.case.layout, g.ability, g.column) for c in cases for g in c.gold)
    return tuple(
        CellCount(
            job=job, layout=layout, ability=ability, column=column, questions=counts[job, layout, ability, column]
        )
        for job, layout, ability, column in sorted(counts)
    )


def digest(tree: ReleaseTree, cids: Sequence[str]) -> str:
    """SHA-256 over the bytes of every case's questions and gold, in order of case id."""
    total = hashlib.sha256()
    for cid in sorted(cids):
        for path in (tree.questions_jsonl(cid), tree.gold_jsonl(cid)):
            try:
                total.update(path.read_bytes())
            except OSError as error:
                raise RecordError(path, f"cannot be read: {error.strerror or error}") from error
    return total.hexdigest()


@dataclass(frozen=True)
class LoadedCase:
    """A case of a release; its files are read when first asked for."""

    tree: ReleaseTree
    case: Case

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        return read_jsonl(self.tree.questions_jsonl(self.case.cid), Question)

    @cached_property
    def gold(self) -> tuple[Gold, ...]:
        return read_jsonl(self.tree.gold_jsonl(self.case.cid), Gold)

    @cached_property
    def robot(self) -> Robot:
        return read_json(self.tree.robot_json(self.case.sid), Robot)

    @cached_property
    def camera(self) -> Camera:
        """The camera. Raises RecordError where it cannot be one."""
        path = self.tree.camera_json(self.case.sid)
        camera = read_json(path, Camera)
        problem = camera.problem()
        if problem is not None:
            raise RecordError(path, problem)
        return camera

    @cached_property
    def timeline(self) -> Timeline:
        return read_json(self.tree.timeline_json(self.case.sid), Timeline)

    @cached_property
    def poses(self) -> tuple[PoseRow, ...]:
        """The window's rows, in the script's numbers."""
        rows = read_jsonl(self.tree.pose_jsonl(self.case.sid), PoseRow)
        return tuple(r for r in rows if self.case.first_step <= r.step <= self.case.last_step)

    @cached_property
    def oracle(self) -> tuple[OracleRow, ...]:
        """The window's rows, in the script's numbers."""
        rows = read_jsonl(self.tree.oracle_jsonl(self.case.sid), OracleRow)
        return tuple(r for r in rows if self.case.first_step <= r.step <= self.case.last_step)


def load_case(tree: ReleaseTree, cid: str) -> LoadedCase:
    """Opens a case. Raises StbenchError where the release has none of that id."""
    path = tree.case_json(cid)
    if not path.is_file():
        raise StbenchError(f"{path}: no case {cid!r} in this release; release.json lists its cases")
    return LoadedCase(tree, read_json(path, Case))
