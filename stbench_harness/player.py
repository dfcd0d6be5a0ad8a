"""Plays a case: the ordered stream of messages, in the case's own numbers and clock.

The player never opens `gold.jsonl` or `visibility.jsonl`; of the timeline it decodes the tasks alone, for the briefs.
Depth and detections are read only for the channel that carries them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stbench_harness.protocol import (
    PROTOCOL_VERSION,
    Ask,
    Channel,
    Finish,
    Pace,
    Start,
    Step,
    StepPose,
    StepStatus,
    StepVelocity,
    TaskStart,
)
from stbench_scoring.errors import RecordError, StbenchError
from stbench_scoring.jobs import job_spec
from stbench_scoring.records import (
    Camera,
    Case,
    OracleRow,
    PoseRow,
    Question,
    ReleaseTree,
    Robot,
    Task,
    read_json,
    read_jsonl,
)
from stbench_scoring.records.io import Record
from stbench_scoring.release_files import content_problem, picture_problem

Message = Start | TaskStart | Step | Ask | Finish


class _Tasks(Record, frozen=True, kw_only=True):
    """The one part of the timeline that a session needs."""

    tasks: tuple[Task, ...]


@dataclass(frozen=True)
class PlayedCase:
    """What a session plays: nothing of the gold.

    Attributes:
        rows: Poses of the case's keyframes, in order, still in the script's numbers.
        tasks: The case's tasks, in order.
    """

    tree: ReleaseTree
    case: Case
    questions: tuple[Question, ...]
    robot: Robot
    camera: Camera
    rows: tuple[PoseRow, ...]
    tasks: tuple[Task, ...]


def load_played(tree: ReleaseTree, cid: str) -> PlayedCase:
    """Reads a case for playing.

    Raises:
        StbenchError: A file is missing or bad, the camera cannot be one, or the case's steps are not all there.
    """
    case = read_json(tree.case_json(cid), Case)
    poses = tree.pose_jsonl(case.sid)
    rows = tuple(r for r in read_jsonl(poses, PoseRow) if case.first_step <= r.step <= case.last_step)
    if [r.step for r in rows] != list(range(case.first_step, case.last_step + 1)):
        raise RecordError(poses, f"step must hold every number {case.first_step} to {case.last_step} once, in order")
    tasks = read_json(tree.timeline_json(case.sid), _Tasks).tasks
    camera = read_json(tree.camera_json(case.sid), Camera)
    problem = camera.problem()
    if problem is not None:
        raise RecordError(tree.camera_json(case.sid), problem)
    questions = read_jsonl(tree.questions_jsonl(cid), Question)
    last = case.last_step - case.first_step
    for question in questions:
        if not 0 <= question.step <= last:
            raise RecordError(tree.questions_jsonl(cid), f"step of {question.qid} must be 0 to {last}")
    return PlayedCase(
        tree=tree, case=case, questions=questions, rows=rows,
        robot=read_json(tree.robot_json(case.sid), Robot), camera=camera,
        tasks=tuple(t for t in tasks if case.first_task <= t.index <= case.last_task),
    )  # fmt: skip


def check_pictures(played: PlayedCase, channel: Channel) -> None:
    """Checks every picture of a case, before the first one is shown.

    Raises:
        StbenchError: One is missing, empty, a pointer or a link out of the release, or no picture of the camera's size.
    """
    tree, sid = played.tree, played.case.sid
    for row in played.rows:
        paths = [tree.rgb(sid, row.step)] + ([tree.depth(sid, row.step)] if channel == "detections" else [])
        for path in paths:
            problem = content_problem(tree.root, path) if path.exists() or path.is_symlink() else None
            if problem is None and path is paths[0]:
                problem = picture_problem(tree.root, path, played.camera)
            if problem is not None:
                raise StbenchError(f"{tree.root}: {problem}")


def _step(played: PlayedCase, row: PoseRow, oracle: dict[int, OracleRow] | None) -> Step:
    case, tree = played.case, played.tree
    depth = detections = None
    if oracle is not None:
        depth = _bytes(tree.depth(case.sid, row.step))
        if row.step not in oracle:
            raise RecordError(tree.oracle_jsonl(case.sid), f"no row of step {row.step}")
        detections = oracle[row.step].detections
    return Step(
        step=row.step - case.first_step,
        stamp_ns=row.stamp_ns - case.start_ns,
        pose=StepPose(x_m=row.x_m, y_m=row.y_m, z_m=row.z_m, yaw_deg=math.degrees(row.yaw_rad)),
        velocity=StepVelocity(
            forward_mps=row.vx_mps, left_mps=row.vy_mps, up_mps=row.vz_mps,
            yaw_rate_degps=math.degrees(row.yaw_rate_radps),
        ),
        status=StepStatus(phase=row.phase, task=row.task - case.first_task, battery_pct=row.battery_pct),
        image=_bytes(tree.rgb(case.sid, row.step)),
        depth=depth,
        detections=detections,
    )  # fmt: skip


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RecordError(path, f"cannot be read: {error.strerror}") from None


def _ask(question: Question, step: int, stamp_ns: int, deadline_s: float) -> Ask:
    return Ask(
        qid=question.qid, text=question.text, family=question.family, expected=question.expected,
        params=question.params, step=step, stamp_ns=stamp_ns, deadline_s=deadline_s,
    )  # fmt: skip


def play(
    played: PlayedCase,
    channel: Channel,
    *,
    pace: Pace = "lockstep",
    deadline_s: float = 120.0,
    during: bool = True,
    brief: str = "correct",
) -> Iterator[Message]:
    """Yields a case's messages in order, lazily: Start, then TaskStart, Step and Ask, then the end's Ask, then Finish.

    Args:
        played: The case.
        channel: `detections` adds depth and detections to every step.
        pace: Only told to the system; pacing is the session's.
        deadline_s: Time for an answer, seconds.
        during: Whether the questions of look points are asked; the end's always are.
        brief: `correct`, or `neutral` to withhold the task.

    Raises:
        StbenchError: Before the first message, where a picture is not what it should be.
    """
    if channel not in ("rgb_pose", "detections"):
        raise StbenchError(f"channel must be rgb_pose or detections, not {channel!r}")
    check_pictures(played, channel)
    spec = job_spec(played.case.job)
    tasks = {task.index: task for task in played.tasks}
    oracle = None
    if channel == "detections":
        oracle = {r.step: r for r in read_jsonl(played.tree.oracle_jsonl(played.case.sid), OracleRow)}
    yield Start(protocol_version=PROTOCOL_VERSION, channel=channel, pace=pace, robot=played.robot, camera=played.camera)
    task = None
    for row in played.rows:
        if row.task != task:
            task = row.task
            text = spec.neutral_brief if brief == "neutral" else spec.brief(tasks[task])
            yield TaskStart(task=task - played.case.first_task, brief=text)
        step = _step(played, row, oracle)
        yield step
        for question in played.questions if during else ():
            if question.when == "during" and question.step == step.step:
                yield _ask(question, step.step, step.stamp_ns, deadline_s)
    for question in played.questions:
        if question.when == "end":
            yield _ask(question, step.step, step.stamp_ns, deadline_s)
    yield Finish()
