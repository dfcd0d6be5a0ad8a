"""A release made by hand: a box of a robot drives towards a wall past one mug, and every right answer is known by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from stbench_scoring.records import (
    Answer,
    Body,
    Camera,
    CameraMount,
    Case,
    CaseEntry,
    CellCount,
    Detection,
    Frame,
    Gold,
    Grid,
    IndexEntry,
    Needs,
    OracleRow,
    Params,
    Path2D,
    PoseRow,
    Question,
    Release,
    ReleaseTree,
    Robot,
    RoomRecord,
    Task,
    Timeline,
    write_json,
    write_jsonl,
)

SID, CID = "aa" * 8, "cc" * 8
WALL_X_M = 3.0
FIRST, SECOND_NS = 1, 1_000_000_000
CAMERA = Camera(
    format_version=1, width=161, height=121, fx=80.0, fy=80.0, cx=80.0, cy=60.0, depth_unit_m=0.001, near_m=0.1, far_m=8.0
)
ROBOT = Robot(
    format_version=1, job="helper/1", layout="apartment", name="box",
    body=Body(
        outline=((0.2, 0.2), (-0.2, 0.2), (-0.2, -0.2), (0.2, -0.2)), bottom_m=0.02, top_m=1.2, blind_ring_m=0.6
    ),
    camera_mount=CameraMount(x_m=0.1, y_m=0.0, z_m=1.0, pitch_rad=math.radians(30)),
    needs=Needs(clearance_m=0.15, reacquire_m=1.0, match_m={"task_things": 0.5}, horizon_m=5.0),
    max_speed_mps=0.5, max_turn_radps=1.0, depth=True, depth_unit_m=0.001, near_m=0.1, far_m=8.0,
)  # fmt: skip
MUG = Detection(
    words="red mug", person=False, hazard="", clear=True, centre=(1.5, 0.7, 0.05), nearest=(1.45, 0.65),
    outline=((1.45, 0.65), (1.55, 0.65), (1.5, 0.75)), top_m=0.1, bottom_m=0.0, pixels=40,
)  # fmt: skip


def picture(step: int) -> bytes:
    """A grey of its own for each step, as a JPEG of the camera's size."""
    return cv2.imencode(".jpg", np.full((CAMERA.height, CAMERA.width, 3), 40 + 20 * step, np.uint8))[1].tobytes()


def depth_png(camera_x_m: float) -> bytes:
    """What the camera sees of an endless floor and a wall across the way at WALL_X_M, as z in millimetres."""
    v, _ = np.mgrid[0 : CAMERA.height, 0 : CAMERA.width]
    down = (v - CAMERA.cy) / CAMERA.fy
    pitch, height = ROBOT.camera_mount.pitch_rad, ROBOT.camera_mount.z_m
    ahead = math.cos(pitch) - down * math.sin(pitch)
    drop = math.sin(pitch) + down * math.cos(pitch)
    wall = np.where(ahead > 1e-6, (WALL_X_M - camera_x_m) / np.maximum(ahead, 1e-6), np.inf)
    floor = np.where(drop > 1e-6, height / np.maximum(drop, 1e-6), np.inf)
    z = np.minimum(wall, floor)
    z = np.where((z < CAMERA.near_m) | (z > CAMERA.far_m), 0.0, z)
    return cv2.imencode(".png", np.rint(z * 1000).astype(np.uint16))[1].tobytes()


def question(qid: str, family: str, when: str, step: int, expected: str, **params: object) -> Question:
    return Question(
        qid=qid, family=family, when=when, step=step, slot=0, text=f"{family}?", expected=expected,
        params=Params(**params),
    )  # fmt: skip


QUESTIONS = (
    question("q0", "clear_path", "during", 0, "number", turn="ahead", horizon_m=5.0),
    question("q1", "clear_path", "during", 1, "number", turn="left", horizon_m=5.0),
    question("q2", "ego_now", "during", 1, "offset", words="red mug"),
    question("q3", "ego_mem", "during", 2, "offset", words="red mug"),
    question("q4", "object_where", "end", 2, "place", words="red mug"),
    question("q5", "object_where", "end", 2, "place", words="green lamp"),
)
# The front is 0.2 m ahead of base_link, at x = 0, 0.5 and 1; the camera 0.1 m ahead of it, facing +x.
ANSWERS = (
    Answer(distance_m=2.8),
    Answer(unknown=True),
    Answer(ahead_m=0.85, left_m=0.65),
    Answer(ahead_m=0.35, left_m=0.65),
    Answer(x_m=1.5, y_m=0.7),
    Answer(unknown=True),
)

HARMFUL = {"clear_path": "longer", "ego_now": "farther", "ego_mem": "farther", "object_where": "none"}


def gold(asked: Question, answer: Answer) -> Gold:
    unknown = answer.unknown
    return Gold(
        qid=asked.qid, family=asked.family, kind="harm" if asked.family == "clear_path" else "situation",
        ability="clearance" if asked.family == "clear_path" else "memory", column="memory", answer=answer,
        evidence=() if unknown else (asked.step,), age_s=None if unknown else 0.0, age_band=None if unknown else "now",
        need_m=0.3, resolution_m=0.05, pixel_m=0.02, distance_m=2.8, harmful=HARMFUL[asked.family],
        contact="seen" if asked.family == "clear_path" else "none", half_width_m=0.05, critical=False, thing="",
    )  # fmt: skip


def write_release(root: Path) -> ReleaseTree:
    """Writes the release; steps 1 to 3 of the script are the case."""
    tree = ReleaseTree(root)
    steps = range(FIRST - 1, FIRST + 3)
    write_json(tree.robot_json(SID), ROBOT)
    write_json(tree.camera_json(SID), CAMERA)
    rows, oracle = [], []
    for step in steps:
        x = 0.5 * (step - FIRST)
        rows.append(PoseRow(
            step=step, stamp_ns=step * SECOND_NS, task=1 if step >= FIRST else 0, x_m=x, y_m=0.0, z_m=0.0, yaw_rad=0.0,
            vx_mps=0.5, vy_mps=0.0, vz_mps=0.0, yaw_rate_radps=0.0, phase="driving", battery_pct=80.0,
        ))  # fmt: skip
        oracle.append(OracleRow(step=step, detections=(MUG,) if step <= FIRST + 1 else ()))
        tree.rgb(SID, step).parent.mkdir(parents=True, exist_ok=True)
        tree.rgb(SID, step).write_bytes(picture(step))
        tree.depth(SID, step).parent.mkdir(parents=True, exist_ok=True)
        tree.depth(SID, step).write_bytes(depth_png(x + 0.1))
    write_jsonl(tree.pose_jsonl(SID), rows)
    write_jsonl(tree.oracle_jsonl(SID), oracle)
    _write_truth(tree, rows)
    return tree


def _write_truth(tree: ReleaseTree, rows: list[PoseRow]) -> None:
    facts = {"thing": "red mug", "from": "table", "to": "shelf"}
    write_json(tree.timeline_json(SID), Timeline(
        format_version=1, sid=SID, job="helper/1", robot="box", layout="apartment", variant_seed=0, seed=0,
        time_of_day="day", grid=Grid(origin_x_m=-1.0, origin_y_m=-2.0, cell_m=0.1, rows=40, columns=45),
        rooms=(RoomRecord(id="room", name="hall", outline=((-1, -2), (3, -2), (3, 2), (-1, 2))),), things=(), people=(),
        tasks=tuple(
            Task(index=i, kind="carry", start_ns=0, end_ns=9 * SECOND_NS, facts=facts, things=()) for i in (0, 1)
        ),
        gaps=(),
        frames=tuple(
            Frame(step=r.step, stamp_ns=r.stamp_ns, task=r.task, phase=r.phase, decision=False) for r in rows
        ),
        path=Path2D(
            stamp_ns=tuple(r.stamp_ns for r in rows), x_m=tuple(r.x_m for r in rows), y_m=(0.0,) * len(rows),
            z_m=(0.0,) * len(rows), yaw_rad=(0.0,) * len(rows),
        ),
    ))  # fmt: skip
    write_json(tree.case_json(CID), Case(
        format_version=1, cid=CID, sid=SID, job="helper/1", layout="apartment", length="short", first_task=1, last_task=1,
        first_step=FIRST, last_step=FIRST + 2, start_ns=FIRST * SECOND_NS, end_ns=(FIRST + 2) * SECOND_NS,
    ))  # fmt: skip
    write_jsonl(tree.questions_jsonl(CID), QUESTIONS)
    write_jsonl(tree.gold_jsonl(CID), [gold(q, a) for q, a in zip(QUESTIONS, ANSWERS, strict=True)])
    for identity, kind in ((SID, "script"), (CID, "case")):
        write_json(
            tree.index_json(identity), IndexEntry(id=identity, type=kind, sid=SID, job="helper/1", layout="apartment")
        )
    write_json(tree.release_json, Release(
        format_version=1, name="by hand", version="1", scorer_version="1", seed=0, digest="d" * 64, scripts=(SID,),
        cases=(CaseEntry(
            cid=CID, sid=SID, job="helper/1", layout="apartment", length="short", frames=3, questions=len(QUESTIONS)
        ),),
        cells=tuple(
            CellCount(job="helper/1", layout="apartment", ability=a, column="memory", questions=n)
            for a, n in (("clearance", 2), ("memory", 4))
        ),
    ))  # fmt: skip


@pytest.fixture
def hand_release(tmp_path: Path) -> ReleaseTree:
    """The release, fresh for a test."""
    return write_release(tmp_path / "release")


@pytest.fixture
def make_release() -> Callable[[Path], ReleaseTree]:
    """Writes the release where a test wants it."""
    return write_release
