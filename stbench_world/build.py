"""Builds a script: plans it, lets people walk, senses every keyframe, and writes its files."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from stbench_scoring.errors import StbenchError
from stbench_scoring.jobs import JobSpec, job_spec
from stbench_scoring.records import Frame, OracleRow, Path2D, PerceptionIds, PoseRow, ReleaseTree, RoomRecord, Timeline
from stbench_scoring.records.io import write_bytes, write_json, write_jsonl
from stbench_scoring.records.release import FORMAT_VERSION
from stbench_scoring.seeds import hex_id
from stbench_world import scene_file
from stbench_world.cast import Cast, cast, poses_at
from stbench_world.jobs import Plan, PlanOrder, planner
from stbench_world.people import Figure, Standing, standing_at
from stbench_world.places import LAYOUTS
from stbench_world.plan.motion import Leg, Moment, samples
from stbench_world.robots import robot_spec
from stbench_world.scene import Place, Pose
from stbench_world.sensor.cells import grid_of
from stbench_world.sensor.eye import Eye
from stbench_world.sensor.sense import Sensed, Sensor
from stbench_world.things import records

# Which layout a job is done in.
JOB_LAYOUTS: Mapping[str, str] = {"helper/1": "apartment_a"}
_BATTERY_START_PCT = (85.0, 99.0)
# A Stretch runs for two to five hours on its battery; four hours of work are 100 %.
_BATTERY_PCT_PER_S = 100.0 / (4 * 3600)
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Script:
    """A planned script, before it is sensed."""

    sid: str
    seed: int
    job: str
    order: PlanOrder
    plan: Plan
    cast: Cast

    @property
    def figures(self) -> dict[str, Figure]:
        """Bodies of the people, by id."""
        return {p.id: f for p, f in zip(self.cast.people, self.cast.figures, strict=True)}

    def moment(self, stamp_ns: int) -> Moment:
        """The body at a time."""
        return _leg_at(self.plan.legs, stamp_ns).at(stamp_ns)

    def people_at(self, stamp_ns: int) -> dict[str, tuple[Figure, Standing]]:
        """Who stands where at a time."""
        found = {}
        for person, body in zip(self.cast.people, self.cast.figures, strict=True):
            standing = standing_at(body, person, stamp_ns)
            if standing is not None:
                found[person.id] = (body, standing)
        return found


def script_id(job: str, seed: int, variant_seed: int, tasks: int, frames_per_task: int | None) -> str:
    """The id of a script of these numbers."""
    return hex_id("script", job, seed, variant_seed, tasks, frames_per_task or 0)


def known_job(job: str) -> JobSpec:
    """The job of an id. Raises StbenchError where there is none, or no layout to build it in; lists those there are."""
    spec = job_spec(job)
    if job not in JOB_LAYOUTS:
        raise StbenchError(f"job {job!r} has no layout to be built in: known are {', '.join(sorted(JOB_LAYOUTS))}")
    return spec


def plan_script(job: str, seed: int, *, variant_seed: int = 0, tasks: int = 2, frames_per_task: int | None = None) -> Script:
    """Plans a script without sensing it.

    Raises:
        StbenchError: The job is not known, or cannot be done in its place with this seed.
    """
    spec = known_job(job)
    if tasks < 1:
        raise StbenchError(f"a script needs 1 task or more, not {tasks}")
    place = LAYOUTS[JOB_LAYOUTS[job]](variant_seed)
    order = PlanOrder(place, robot_spec(spec.robot), spec.needs, seed, tasks, frames_per_task)
    plan = planner(job)(order)
    sid = script_id(job, seed, variant_seed, tasks, frames_per_task)
    return Script(sid, seed, job, order, plan, cast(order, plan))


def build_script(
    job: str,
    seed: int,
    root: Path,
    *,
    variant_seed: int = 0,
    tasks: int = 2,
    frames_per_task: int | None = None,
    scenes: Path | None = None,
    progress: Progress | None = None,
) -> str:
    """Plans, senses and writes a script.

    Args:
        job: E.g. `helper/1`.
        seed: All draws derive from it.
        root: The release's folder.
        variant_seed: Of the layout; 0 is the pinned variant.
        tasks: How many tasks.
        frames_per_task: At most so many keyframes a task; None for the job's own density.
        scenes: Where to write the renderer's scene folder, under the script's id; None for nowhere.
        progress: Called with (frames sensed, frames).

    Returns:
        The script's id. A script that is there already, whole, is left alone.
    """
    tree = ReleaseTree(root)
    sid = script_id(job, seed, variant_seed, tasks, frames_per_task)
    scene = scenes / sid / "scene.json" if scenes is not None else None
    if tree.timeline_json(sid).is_file() and (scene is None or scene.is_file()):
        return sid
    script = plan_script(job, seed, variant_seed=variant_seed, tasks=tasks, frames_per_task=frames_per_task)
    _write(tree, script, progress)
    if scenes is not None:
        write_scene(scenes / sid, script)
    # The timeline comes last: a script that has one is whole.
    write_json(tree.timeline_json(sid), timeline_of(script))
    return sid


def _leg_at(legs: tuple[Leg, ...], stamp_ns: int) -> Leg:
    ends = [leg.end_ns for leg in legs]
    return legs[min(int(np.searchsorted(ends, stamp_ns)), len(legs) - 1)]


def _write(tree: ReleaseTree, script: Script, progress: Progress | None) -> None:
    sid, order = script.sid, script.order
    sensor = Sensor(order.place, order.robot)
    shutil.rmtree(tree.private(sid) / "depth", ignore_errors=True)
    sensed: list[Sensed] = []
    for step, key in enumerate(script.plan.keys):
        poses, carried = poses_at(order.place, script.plan, key.stamp_ns)
        people = script.people_at(key.stamp_ns)
        found = sensor.sense(step, script.moment(key.stamp_ns), poses, frozenset(carried), people)
        _write_depth(tree.depth(sid, step), found)
        sensed.append(found)
        if progress is not None:
            progress(step + 1, len(script.plan.keys))
    write_json(tree.robot_json(sid), order.robot.record(script.job, order.place.layout, order.needs))
    write_json(tree.camera_json(sid), order.robot.camera)
    write_jsonl(tree.pose_jsonl(sid), pose_rows(script))
    write_jsonl(tree.visibility_jsonl(sid), [s.row for s in sensed])
    write_jsonl(tree.oracle_jsonl(sid), [OracleRow(step=s.row.step, detections=s.detections) for s in sensed])
    write_jsonl(tree.perception_ids_jsonl(sid), [PerceptionIds(step=s.row.step, ids=s.ids) for s in sensed])


def _write_depth(path: Path, found: Sensed) -> None:
    good, data = cv2.imencode(".png", found.depth, [cv2.IMWRITE_PNG_COMPRESSION, 6])
    if not good:
        raise StbenchError(f"{path}: the depth picture could not be encoded")
    write_bytes(path, data.tobytes())


def pose_rows(script: Script) -> list[PoseRow]:
    """A row a keyframe: pose, own velocity and status."""
    draw = np.random.Generator(np.random.PCG64(int(hex_id("battery", script.seed), 16)))
    start = float(draw.uniform(*_BATTERY_START_PCT))
    rows = []
    for step, key in enumerate(script.plan.keys):
        moment = script.moment(key.stamp_ns)
        task = script.plan.tasks[key.task]
        worked = (key.stamp_ns - task.start_ns) / 1e9
        # The dock charges it full again in a gap.
        level = (start if key.task == 0 else 100.0) - worked * _BATTERY_PCT_PER_S
        rows.append(
            PoseRow(
                step=step,
                stamp_ns=key.stamp_ns,
                task=key.task,
                x_m=round(moment.x_m, 5),
                y_m=round(moment.y_m, 5),
                z_m=0.0,
                yaw_rad=round(math.remainder(moment.yaw_rad, math.tau), 6),
                vx_mps=round(moment.speed_mps, 4),
                vy_mps=0.0,
                vz_mps=0.0,
                yaw_rate_radps=round(moment.turn_radps, 4),
                phase=key.phase,
                battery_pct=round(level, 1),
            )
        )
    return rows


def timeline_of(script: Script) -> Timeline:
    """The whole truth of a planned script."""
    order, plan = script.order, script.plan
    place = order.place
    path = samples(list(plan.legs), {key.stamp_ns for key in plan.keys})
    return Timeline(
        format_version=FORMAT_VERSION,
        sid=script.sid,
        job=script.job,
        robot=order.robot.name,
        layout=place.layout,
        variant_seed=place.variant_seed,
        seed=script.seed,
        time_of_day=place.time_of_day,
        grid=grid_of(place),
        rooms=tuple(RoomRecord(id=r.id, name=r.name, outline=r.outline) for r in place.rooms),
        things=records(place, plan.spans),
        people=script.cast.people,
        tasks=plan.tasks,
        gaps=plan.gaps,
        frames=tuple(
            Frame(step=n, stamp_ns=k.stamp_ns, task=k.task, phase=k.phase, decision=k.decision)
            for n, k in enumerate(plan.keys)
        ),
        path=Path2D(
            stamp_ns=tuple(m.stamp_ns for m in path),
            x_m=tuple(round(m.x_m, 5) for m in path),
            y_m=tuple(round(m.y_m, 5) for m in path),
            z_m=tuple(0.0 for _ in path),
            yaw_rad=tuple(round(math.remainder(m.yaw_rad, math.tau), 6) for m in path),
        ),
    )


def write_scene(folder: Path, script: Script) -> None:
    """Writes the renderer's scene folder of a script: a frame a keyframe."""
    camera = script.order.robot.camera
    pinhole = scene_file.PinholeCamera(camera.width, camera.height, camera.fx, camera.fy, camera.cx, camera.cy)
    frames = [_scene_frame(script, step, key.stamp_ns) for step, key in enumerate(script.plan.keys)]
    scene_file.write_scene(folder, script.order.place, pinhole, frames)


def _scene_frame(script: Script, step: int, stamp_ns: int) -> scene_file.SceneFrame:
    order = script.order
    poses, carried = poses_at(order.place, script.plan, stamp_ns)
    moment = script.moment(stamp_ns)
    eye = Eye.on_body(order.robot.camera, order.robot.mount, moment.x_m, moment.y_m, moment.yaw_rad)
    placed = _moved(order.place, poses)
    for key, (_, standing) in script.people_at(stamp_ns).items():
        placed[key] = scene_file.Placed(standing.mesh, standing.pose)
    return scene_file.SceneFrame(f"{step:06d}", eye.camera_to_map, placed, frozenset(carried))


def _moved(place: Place, poses: Mapping[str, Pose]) -> dict[str, scene_file.Placed]:
    """Things that do not stand where the place has them."""
    return {t.id: scene_file.Placed(t.mesh, poses[t.id]) for t in place.things if poses[t.id] != t.pose}
