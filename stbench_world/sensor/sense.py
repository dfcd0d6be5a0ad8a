"""Senses a script's keyframes: depth, what is in view, and the floor seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stbench_scoring.records import Detection, ThingView, VisibilityRow
from stbench_world.people import Figure, Standing
from stbench_world.plan.motion import Moment
from stbench_world.robots.spec import RobotSpec
from stbench_world.scene import Place, Pose
from stbench_world.sensor.cells import Cells, Mask, grid_of, runs_of
from stbench_world.sensor.eye import Eye
from stbench_world.sensor.rays import NOTHING, Floats, Hits, RayScene
from stbench_world.sensor.views import Shown, Subject, detection_of, view_of


@dataclass(frozen=True)
class Sensed:
    """One keyframe: its depth picture (height, width) uint16, its visibility row, detections and the ids behind them."""

    eye: Eye
    depth: NDArray[np.uint16]
    row: VisibilityRow
    detections: tuple[Detection, ...]
    ids: tuple[str, ...]


@dataclass
class Sensor:
    """Senses keyframes in order; keeps the scene while nothing moves, and what a task has seen.

    Attributes:
        place: The furnished place.
        robot: Whose camera it is.
    """

    place: Place
    robot: RobotSpec
    _key: object = None
    _scene: RayScene | None = None
    _subjects: list[Subject] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cells = Cells(grid_of(self.place), self.robot.body)

    def _stand(self, poses: Mapping[str, Pose], absent: frozenset[str]) -> RayScene:
        """The scene of all things where they stand now."""
        key = (tuple(sorted(poses.items(), key=lambda item: item[0])), absent)
        if self._scene is None or key != self._key:
            present = [t for t in self.place.things if t.id not in absent]
            self._subjects = [
                Subject(t.id, "" if t.structure else t.words, False, t.hazard, self.place.meshes[t.mesh], poses[t.id])
                for t in present
            ]
            self._scene, self._key = RayScene([(s.mesh, s.pose) for s in self._subjects]), key
        return self._scene

    def sense(
        self,
        step: int,
        moment: Moment,
        poses: Mapping[str, Pose],
        absent: frozenset[str],
        people: Mapping[str, tuple[Figure, Standing]],
    ) -> Sensed:
        """Senses one keyframe.

        Args:
            step: Its number in the script.
            moment: Where the body is.
            poses: Of every thing, by id.
            absent: Things that are carried.
            people: Who stands where, by id.
        """
        scene = self._stand(poses, absent)
        persons = [
            Subject(key, body.look.words, True, "", self.place.meshes[standing.mesh], standing.pose)
            for key, (body, standing) in people.items()
        ]
        crowd = RayScene([(p.mesh, p.pose) for p in persons])
        subjects = [*self._subjects, *persons]
        eye = Eye.on_body(self.robot.camera, self.robot.mount, moment.x_m, moment.y_m, moment.yaw_rad)
        rays = eye.every_ray
        hits = scene.cast(eye.origin, rays).nearer(crowd.cast(eye.origin, rays), len(self._subjects))
        camera = eye.camera
        held = (hits.distance >= camera.near_m) & (hits.distance <= camera.far_m)
        points = np.where(held[:, None], eye.origin + rays * np.where(held, hits.distance, 0.0)[:, None], 0.0)
        shown = _shown(subjects, hits, held, points)
        views = [view_of(eye, s) for s in shown]
        stood = self.cells.stood((moment.x_m, moment.y_m, moment.yaw_rad), scene)
        floor, surface = self.cells.floor(eye, [scene, crowd]) | stood, self.cells.surface(points[held])
        return Sensed(
            eye=eye,
            depth=_depth(hits, held, camera.depth_unit_m).reshape(camera.height, camera.width),
            row=_row(step, shown, views, floor, surface),
            detections=tuple(detection_of(s, v) for s, v in zip(shown, views, strict=True)),
            ids=tuple(v.id for v in views),
        )


def _shown(subjects: list[Subject], hits: Hits, held: NDArray[np.bool_], points: Floats) -> list[Shown]:
    """The visible pixels of everything nameable, in the subjects' order."""
    found = []
    for n in np.unique(hits.mesh[held & (hits.mesh != NOTHING)]):
        if subjects[int(n)].words:
            pixels = np.flatnonzero(held & (hits.mesh == n))
            found.append(Shown(subjects[int(n)], pixels, points[pixels]))
    return found


def _depth(hits: Hits, held: NDArray[np.bool_], unit_m: float) -> NDArray[np.uint16]:
    return np.where(held, np.rint(np.where(held, hits.distance, 0.0) / unit_m), 0).astype(np.uint16)


def _row(step: int, shown: list[Shown], views: list[ThingView], floor: Mask, surface: Mask) -> VisibilityRow:
    pairs = list(zip(shown, views, strict=True))
    return VisibilityRow(
        step=step,
        things=tuple(v for s, v in pairs if not s.subject.person),
        people=tuple(v for s, v in pairs if s.subject.person),
        floor=runs_of(floor),
        surface=runs_of(surface),
    )
