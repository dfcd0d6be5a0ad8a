"""A small map of a question: the floor plan round the robot, where it stood, the right answer and the one given."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup, escape
from numpy.typing import NDArray

from stbench_scoring.records import Answer, AnswerKind, Case, Question, Robot, Timeline
from stbench_scoring.records.results import QuestionResult
from stbench_scoring.records.timeline import PoseSpan, ThingRecord

Points = NDArray[np.float64]
MARGIN_M, LEAST_HALF_M, MOST_HALF_M = 1.0, 2.5, 12.0
# A heading is drawn as a line of this length from the body's middle.
HEADING_M = 1.5
# Lower parts are floors and rugs.
FLOOR_M = 0.03
TURNS_RAD = {"ahead": 0.0, "back": math.pi, "left": math.pi / 2, "right": -math.pi / 2}


@dataclass(frozen=True)
class CaseScene:
    """What the maps of a case are drawn from."""

    case: Case
    timeline: Timeline
    robot: Robot


@dataclass(frozen=True)
class _Pose:
    x_m: float
    y_m: float
    yaw_rad: float

    def out(self, points: Iterable[tuple[float, float]]) -> Points:
        """Carries points (n, 2) of this frame into the map."""
        xy = np.array(list(points), dtype=float).reshape(-1, 2)
        c, s = math.cos(self.yaw_rad), math.sin(self.yaw_rad)
        turned: Points = xy @ np.array([[c, s], [-s, c]]) + np.array([self.x_m, self.y_m])
        return turned


def question_map(scene: CaseScene, question: Question, row: QuestionResult) -> Markup:
    """Draws a question's map as SVG: north up, metres; the gold and the answer in their classes."""
    frame = scene.timeline.frames[scene.case.first_step + question.step]
    pose = _robot_pose(scene.timeline, frame.stamp_ns)
    body = pose.out(scene.robot.body.outline)
    marks = [("gold", _mark(scene, question, pose, row.gold)), ("said", _mark(scene, question, pose, row.answer))]
    left, bottom, size = _window(np.vstack([body, *(m for _, m in marks if m is not None)]))
    shapes = [_ring("room", np.array(room.outline), room.name) for room in scene.timeline.rooms]
    for thing in scene.timeline.things:
        shapes += _thing(thing, frame.stamp_ns, scene.robot, (left, bottom, size))
    shapes += _people(scene.timeline, frame.stamp_ns)
    shapes.append(_ring("body", body))
    shapes.append(_line("facing", pose.out([(0.0, 0.0), (0.45, 0.0)])))
    for name, points in marks:
        if points is not None:
            shapes += _drawn(name, points, row.expected)
    box = f"{left:.2f} {-(bottom + size):.2f} {size:.2f} {size:.2f}"
    return Markup(f'<svg class="plan" viewBox="{box}" role="img" aria-label="Map">{"".join(shapes)}</svg>')


def _robot_pose(timeline: Timeline, stamp_ns: int) -> _Pose:
    path = timeline.path
    x, y = (float(np.interp(stamp_ns, path.stamp_ns, column)) for column in (path.x_m, path.y_m))
    return _Pose(x, y, float(np.interp(stamp_ns, path.stamp_ns, np.unwrap(path.yaw_rad))))


def _mark(scene: CaseScene, question: Question, pose: _Pose, answer: Answer | None) -> Points | None:
    """Where an answer lies: the body moved by a distance, points, or a line along a heading; None for nowhere."""
    if answer is None:
        return None
    if answer.distance_m is not None and question.params.turn is not None:
        way = pose.yaw_rad + TURNS_RAD[question.params.turn]
        moved = _Pose(
            pose.x_m + answer.distance_m * math.cos(way), pose.y_m + answer.distance_m * math.sin(way),
            pose.yaw_rad if question.params.turn == "back" else way,
        )  # fmt: skip
        return moved.out(scene.robot.body.outline)
    if answer.ahead_m is not None and answer.left_m is not None:
        mount = scene.robot.camera_mount
        return pose.out([(mount.x_m + answer.ahead_m, mount.y_m + answer.left_m)])
    if answer.heading_deg is not None:
        way = math.radians(answer.heading_deg)
        return pose.out([(0.0, 0.0), (HEADING_M * math.cos(way), HEADING_M * math.sin(way))])
    if answer.places:
        return np.array([[place.x_m, place.y_m] for place in answer.places])
    if answer.x_m is not None and answer.y_m is not None:
        return np.array([[answer.x_m, answer.y_m]])
    return None


def _window(points: Points) -> tuple[float, float, float]:
    """Left, bottom and size of the square shown: round all that matters, and round the robot where that is too far."""
    low, high = points.min(axis=0), points.max(axis=0)
    half = float(max((high - low).max() / 2 + MARGIN_M, LEAST_HALF_M))
    middle = (low + high) / 2 if half <= MOST_HALF_M else points[0]
    half = min(half, MOST_HALF_M)
    return float(middle[0]) - half, float(middle[1]) - half, 2 * half


def _thing(thing: ThingRecord, stamp_ns: int, robot: Robot, window: tuple[float, float, float]) -> list[Markup]:
    span = _span(thing.poses, stamp_ns)
    if span is None or span.carried:
        return []
    pose = _Pose(span.x_m, span.y_m, span.yaw_rad)
    shapes = []
    for part in thing.parts:
        if span.z_m + part.top_m < FLOOR_M or span.z_m + part.bottom_m > robot.body.top_m:
            continue
        ring = pose.out(part.rings[0])
        low, high = ring.min(axis=0), ring.max(axis=0)
        corner = np.array(window[:2])
        if bool(np.all(high >= corner) and np.all(low <= corner + window[2])):
            shapes.append(_ring("wall" if thing.structure else "thing", ring, thing.words))
    return shapes


def _span(spans: Sequence[PoseSpan], stamp_ns: int) -> PoseSpan | None:
    return next((span for span in reversed(spans) if span.from_ns <= stamp_ns), None)


def _people(timeline: Timeline, stamp_ns: int) -> list[Markup]:
    shapes = []
    for person in timeline.people:
        for track in person.tracks:
            stamps = [point.stamp_ns for point in track]
            if track and stamps[0] <= stamp_ns <= stamps[-1]:
                x = np.interp(stamp_ns, stamps, [point.x_m for point in track])
                y = np.interp(stamp_ns, stamps, [point.y_m for point in track])
                shapes.append(Markup(f'<circle class="person" cx="{x:.2f}" cy="{-y:.2f}" r="{person.radius_m:.2f}"/>'))
    return shapes


def _drawn(name: str, points: Points, expected: AnswerKind) -> list[Markup]:
    if expected == "heading":
        return [_line(name, points)]
    if expected == "number":
        return [_ring(name, points)]
    return [_dot(name, point) for point in points]


def _ring(name: str, points: Points, title: str = "") -> Markup:
    corners = " ".join(f"{x:.2f},{-y:.2f}" for x, y in points)
    return Markup(f'<polygon class="{name}" points="{corners}"><title>{escape(title)}</title></polygon>')


def _line(name: str, points: Points) -> Markup:
    (x, y), (to_x, to_y) = points
    return Markup(f'<line class="{name}" x1="{x:.2f}" y1="{-y:.2f}" x2="{to_x:.2f}" y2="{-to_y:.2f}"/>')


def _dot(name: str, point: Points) -> Markup:
    return Markup(f'<circle class="{name}" cx="{point[0]:.2f}" cy="{-point[1]:.2f}" r="0.09"/>')
