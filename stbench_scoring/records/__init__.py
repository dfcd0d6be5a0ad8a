"""One typed definition of every file of the release tree. docs/format.md describes the same fields in prose."""

from stbench_scoring.records.answer import Answer, AnswerKind, PlaceXY, parse_answer
from stbench_scoring.records.case import Case, Gold, Params, Question
from stbench_scoring.records.io import read_json, read_jsonl, write_json, write_jsonl
from stbench_scoring.records.release import CaseEntry, CellCount, IndexEntry, Release, ReleaseTree
from stbench_scoring.records.render_log import Rendered, RenderLog
from stbench_scoring.records.robot import Body, Camera, CameraMount, Needs, Robot
from stbench_scoring.records.sensors import Detection, OracleRow, PerceptionIds, PoseRow
from stbench_scoring.records.timeline import (
    Frame,
    Gap,
    GapChange,
    Grid,
    Part,
    Path2D,
    Person,
    PoseSpan,
    RoomRecord,
    Task,
    ThingRecord,
    Timeline,
    TrackPoint,
)
from stbench_scoring.records.visibility import ThingView, VisibilityRow

__all__ = [
    "Answer",
    "AnswerKind",
    "Body",
    "Camera",
    "CameraMount",
    "Case",
    "CaseEntry",
    "CellCount",
    "Detection",
    "Frame",
    "Gap",
    "GapChange",
    "Gold",
    "Grid",
    "IndexEntry",
    "Needs",
    "OracleRow",
    "Params",
    "Part",
    "Path2D",
    "PerceptionIds",
    "Person",
    "PlaceXY",
    "PoseRow",
    "PoseSpan",
    "Question",
    "Release",
    "ReleaseTree",
    "RenderLog",
    "Rendered",
    "Robot",
    "RoomRecord",
    "Task",
    "ThingRecord",
    "ThingView",
    "Timeline",
    "TrackPoint",
    "VisibilityRow",
    "parse_answer",
    "read_json",
    "read_jsonl",
    "write_json",
    "write_jsonl",
]
