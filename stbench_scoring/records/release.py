"""`release.json`, `private/index/<id>.json`, and where every file of a release lies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from stbench_scoring.records.case import Ability, Column, Length
from stbench_scoring.records.io import Record

FORMAT_VERSION = 1


class CaseEntry(Record, frozen=True, kw_only=True):
    """One case as `release.json` counts it."""

    cid: str
    sid: str
    job: str
    layout: str
    length: Length
    frames: int
    questions: int


class CellCount(Record, frozen=True, kw_only=True):
    """Questions of one cell, a job × ability × column; the release's weights come from these."""

    job: str
    layout: str
    ability: Ability
    column: Column
    questions: int


class Release(Record, frozen=True, kw_only=True):
    """`release.json`. `digest` is the SHA-256 over every case's questions and gold, in order of case id."""

    format_version: int
    name: str
    version: str
    scorer_version: str
    seed: int
    digest: str
    scripts: tuple[str, ...]
    cases: tuple[CaseEntry, ...]
    cells: tuple[CellCount, ...]


class IndexEntry(Record, frozen=True, kw_only=True):
    """`private/index/<id>.json`: what an id is. `sid` is the script's, also for a case."""

    id: str
    type: Literal["script", "case"]
    sid: str
    job: str
    layout: str


@dataclass(frozen=True)
class ReleaseTree:
    """Paths in a release. Nothing is read or checked here."""

    root: Path

    @property
    def release_json(self) -> Path:
        return self.root / "release.json"

    def script(self, sid: str) -> Path:
        """What a robot receives."""
        return self.root / "scripts" / sid

    def robot_json(self, sid: str) -> Path:
        return self.script(sid) / "robot.json"

    def camera_json(self, sid: str) -> Path:
        return self.script(sid) / "sensors" / "camera.json"

    def pose_jsonl(self, sid: str) -> Path:
        return self.script(sid) / "sensors" / "pose.jsonl"

    def rgb(self, sid: str, step: int) -> Path:
        """The picture of the script's keyframe `step`."""
        return self.script(sid) / "sensors" / "rgb" / f"{step:06d}.jpg"

    def oracle_jsonl(self, sid: str) -> Path:
        return self.script(sid) / "perception" / "oracle.jsonl"

    def private(self, identity: str) -> Path:
        """What no system receives, of a script or a case."""
        return self.root / "private" / identity

    def index_json(self, identity: str) -> Path:
        return self.root / "private" / "index" / f"{identity}.json"

    def timeline_json(self, sid: str) -> Path:
        return self.private(sid) / "timeline.json"

    def visibility_jsonl(self, sid: str) -> Path:
        return self.private(sid) / "visibility.jsonl"

    def perception_ids_jsonl(self, sid: str) -> Path:
        return self.private(sid) / "perception_ids.jsonl"

    def render_log_json(self, sid: str) -> Path:
        return self.private(sid) / "render_log.json"

    def depth(self, sid: str, step: int) -> Path:
        """The 16-bit depth picture of the script's keyframe `step`."""
        return self.private(sid) / "depth" / f"{step:06d}.png"

    def case_json(self, cid: str) -> Path:
        return self.private(cid) / "case.json"

    def questions_jsonl(self, cid: str) -> Path:
        return self.private(cid) / "questions.jsonl"

    def gold_jsonl(self, cid: str) -> Path:
        return self.private(cid) / "gold.jsonl"
