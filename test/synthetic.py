"""A tiny release worked out by plain geometry: a square room with a few boxes, two tasks of eight keyframes.

Built without the package's own geometry, so that tests can hold one against the other. The room spans 0 to 6 m in x and
y; the body is a square of 0.4 m; the camera sits above its middle, 1.3 m up, and looks down by 0.45 rad.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import shapely

from stbench_scoring.jobs import HELPER_1
from stbench_scoring.records import (
    Body,
    Camera,
    CameraMount,
    Detection,
    Frame,
    Grid,
    OracleRow,
    Part,
    Path2D,
    PoseRow,
    PoseSpan,
    ReleaseTree,
    Robot,
    RoomRecord,
    Task,
    ThingRecord,
    ThingView,
    Timeline,
    VisibilityRow,
    write_json,
    write_jsonl,
)  # fmt: skip
from stbench_scoring.seeds import hex_id

SID = hex_id("synthetic")
HALF = 0.2
CAMERA_UP = 1.3
PITCH = 0.45
CELL = 0.1
SECOND = 1_000_000_000
CAMERA = Camera(
    format_version=1, width=640, height=480, fx=554.0, fy=554.0, cx=319.5, cy=239.5, depth_unit_m=0.001, near_m=0.2,
    far_m=10.0,
)  # fmt: skip
ROBOT = Robot(
    format_version=1, job="helper/1", layout="square_room", name="home helper",
    body=Body(outline=((-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF)), bottom_m=0.02, top_m=1.4,
              blind_ring_m=0.7),
    camera_mount=CameraMount(x_m=0.0, y_m=0.0, z_m=CAMERA_UP, pitch_rad=PITCH), needs=HELPER_1.needs,
    max_speed_mps=0.3, max_turn_radps=1.0, depth=True, depth_unit_m=0.001, near_m=0.2, far_m=10.0,
)  # fmt: skip


@dataclass(frozen=True)
class Box:
    """An upright box, sides along the axes: middle, half sides and height, metres."""

    id: str
    words: str
    x: float
    y: float
    half_x: float
    half_y: float
    height: float
    structure: bool = False

    @property
    def shape(self) -> shapely.Polygon:
        return shapely.box(self.x - self.half_x, self.y - self.half_y, self.x + self.half_x, self.y + self.half_y)


WALLS = (
    Box("wall_w", "", -0.05, 3.0, 0.05, 3.1, 2.5, True), Box("wall_e", "", 6.05, 3.0, 0.05, 3.1, 2.5, True),
    Box("wall_s", "", 3.0, -0.05, 3.1, 0.05, 2.5, True), Box("wall_n", "", 3.0, 6.05, 3.1, 0.05, 2.5, True),
)  # fmt: skip
BOXES = (
    Box("red", "red box", 4.0, 1.5, 0.2, 0.2, 0.4), Box("blue", "blue crate", 4.0, 3.2, 0.3, 0.2, 0.5),
    Box("green", "green bin", 2.0, 5.0, 0.2, 0.2, 0.5), Box("grey", "grey stool", 0.5, 5.5, 0.2, 0.2, 0.4),
    Box("yellow", "yellow case", 5.5, 5.5, 0.2, 0.2, 0.4),
)  # fmt: skip
# x, y, heading in degrees of the two tasks' keyframes, a second apart.
DRIVES = (
    ((1.5, 1.5, 0), (1.8, 1.5, 0), (2.1, 1.5, 0), (2.1, 1.5, 40), (2.1, 1.5, 80), (2.1, 2.0, 80), (2.1, 2.4, 60),
     (2.1, 2.4, 20)),
    ((2.1, 2.4, 90), (2.1, 2.8, 90), (2.1, 2.8, 60), (2.1, 2.8, 30), (2.4, 2.8, 0), (2.4, 2.8, -40), (2.4, 2.8, -80),
     (2.4, 2.8, -120)),
)  # fmt: skip
GAP_S = 60


@dataclass(frozen=True)
class World:
    """The room's things and the drive, mirrored about the x axis (y → -y) where asked."""

    boxes: tuple[Box, ...] = WALLS + BOXES
    drives: Sequence[Sequence[tuple[float, float, float]]] = DRIVES
    origin_y: float = -0.5
    cells: int = 70
    sid: str = SID
    things: tuple[ThingRecord, ...] = field(default=())

    def mirrored(self) -> World:
        boxes = tuple(Box(b.id, b.words, b.x, -b.y, b.half_x, b.half_y, b.height, b.structure) for b in self.boxes)
        drives = tuple(tuple((x, -y, -h) for x, y, h in drive) for drive in self.drives)
        return World(boxes, drives, -(self.origin_y + self.cells * CELL), self.cells, self.sid)

    def keyframes(self) -> list[tuple[int, int, float, float, float]]:
        """(task, stamp in ns, x, y, yaw) of every keyframe."""
        found, second = [], 0
        for task, drive in enumerate(self.drives):
            second += GAP_S * (task > 0)
            for x, y, degrees in drive:
                found.append((task, second * SECOND, x, y, math.radians(degrees)))
                second += 1
        return found


def project(pose: tuple[float, float, float], points: np.ndarray) -> np.ndarray:
    """Pixels (n, 3: u, v, depth) of points (n, 3), by turning the world into the camera's axes with matrices."""
    x, y, yaw = pose
    level = np.array([[math.cos(yaw), math.sin(yaw), 0], [-math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]])
    c, s = math.cos(PITCH), math.sin(PITCH)
    tilt = np.array([[0, -1, 0], [-s, 0, -c], [c, 0, -s]])
    local = (points - np.array([x, y, CAMERA_UP])) @ (tilt @ level).T
    z = np.where(local[:, 2] > 0.05, local[:, 2], np.nan)
    return np.column_stack([CAMERA.cx + CAMERA.fx * local[:, 0] / z, CAMERA.cy + CAMERA.fy * local[:, 1] / z, z])


def inside(pixels: np.ndarray) -> np.ndarray:
    u, v, z = pixels.T
    with np.errstate(invalid="ignore"):
        return (u >= 0) & (u <= CAMERA.width - 1) & (v >= 0) & (v <= CAMERA.height - 1) & (z < CAMERA.far_m)


def _open(pose: tuple[float, float, float], points: np.ndarray, shapes: Sequence[shapely.Polygon]) -> np.ndarray:
    """Whether nothing stands on the straight line from the camera to each point (n, 2), seen from above."""
    start = np.broadcast_to(np.array(pose[:2]), points.shape)
    lines = shapely.linestrings(np.stack([start, points + (start - points) * 1e-3], axis=1))
    clear = np.ones(len(points), dtype=bool)
    for shape in shapes:
        clear &= ~shapely.intersects(lines, shape)
    return clear


def _runs(mask: np.ndarray) -> tuple[tuple[int, int, int], ...]:
    found = []
    for row in range(mask.shape[0]):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], mask[row].astype(np.int8), [0]])))
        found += [(row, int(a), int(b - a)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return tuple(found)


def _border(box: Box) -> np.ndarray:
    line = box.shape.exterior
    return np.array([line.interpolate(t).coords[0] for t in np.arange(0, line.length, 0.05)])


def _view(box: Box, pose: tuple[float, float, float], others: Sequence[shapely.Polygon]) -> ThingView | None:
    border = _border(box)
    points = np.vstack([np.column_stack([border, np.full(len(border), z)]) for z in (0.0, box.height)])
    seen = inside(project(pose, points)) & _open(pose, points[:, :2], others)
    if not seen.any():
        return None
    candidates = points[seen]
    distance = np.hypot(candidates[:, 0] - pose[0], candidates[:, 1] - pose[1])
    nearest = candidates[int(np.argmin(distance))]
    u, v, _ = project(pose, nearest[None])[0]
    share = float(seen.mean())
    return ThingView(
        id=box.id, pixels=int(400 * share) + 1, share=share, clear=share > 0.3,
        nearest=(float(nearest[0]), float(nearest[1]), float(nearest[2])), nearest_px=(round(u), round(v)),
        middle=(box.x, box.y), top_above_camera=box.height > CAMERA_UP,
    )  # fmt: skip


def _see(world: World, pose: tuple[float, float, float]) -> tuple[list[ThingView], np.ndarray, np.ndarray]:
    shapes = [b.shape for b in world.boxes]
    views = []
    for i, box in enumerate(world.boxes):
        view = None if box.structure else _view(box, pose, shapes[:i] + shapes[i + 1 :])
        views += [view] if view else []
    rows, columns = np.indices((world.cells, world.cells))
    middles = np.column_stack([-0.5 + (columns.ravel() + 0.5) * CELL, world.origin_y + (rows.ravel() + 0.5) * CELL])
    floor = inside(project(pose, np.column_stack([middles, np.zeros(len(middles))]))) & _open(pose, middles, shapes)
    near = shapely.box(pose[0] - 0.7, pose[1] - 0.7, pose[0] + 0.7, pose[1] + 0.7)
    floor |= shapely.contains_xy(near, middles[:, 0], middles[:, 1]) & _open(pose, middles, shapes)
    surface = np.zeros((world.cells, world.cells), dtype=bool)
    for i, box in enumerate(world.boxes):
        border = _border(box)
        heights = np.arange(0.05, min(box.height, 1.4), 0.1)
        visible = np.zeros(len(border), dtype=bool)
        for z in heights:
            visible |= inside(project(pose, np.column_stack([border, np.full(len(border), z)])))
        visible &= _open(pose, border, [*shapes[:i], *shapes[i + 1 :], box.shape.buffer(-0.01)])
        cells = np.floor((border[visible] - np.array([-0.5, world.origin_y])) / CELL).astype(int)
        ok = ((cells >= 0) & (cells < world.cells)).all(axis=1)
        surface[cells[ok, 1], cells[ok, 0]] = True
    return views, floor.reshape(world.cells, world.cells), surface


def timeline_of(world: World) -> Timeline:
    """The world's truth."""
    frames = world.keyframes()
    things = []
    for b in world.boxes:
        ring = ((-b.half_x, -b.half_y), (b.half_x, -b.half_y), (b.half_x, b.half_y), (-b.half_x, b.half_y))
        colour, _, kind = b.words.partition(" ")
        things.append(
            ThingRecord(
                id=b.id,
                kind=kind,
                colour=colour,
                words=b.words,
                structure=b.structure,
                hazard="",
                support="",
                length_m=2 * max(b.half_x, b.half_y),
                parts=(Part(rings=(ring,), bottom_m=0.0, top_m=b.height),),
                poses=(PoseSpan(from_ns=0, x_m=b.x, y_m=b.y, z_m=0.0, yaw_rad=0.0),),
            )
        )
    tasks = []
    for index in range(len(world.drives)):
        stamps = [f[1] for f in frames if f[0] == index]
        facts = {"thing": "red box", "from": "floor", "to": "blue crate"}
        tasks.append(
            Task(index=index, kind="carry", start_ns=stamps[0], end_ns=stamps[-1], facts=facts, things=("red",))
        )
    low, high = world.origin_y, world.origin_y + world.cells * CELL
    return Timeline(
        format_version=1, sid=world.sid, job="helper/1", robot="home helper", layout="square_room", variant_seed=0,
        seed=0, time_of_day="day", grid=Grid(origin_x_m=-0.5, origin_y_m=world.origin_y, cell_m=CELL, rows=world.cells,
                                     columns=world.cells),
        rooms=(RoomRecord(id="room", name="room", outline=((-0.5, low), (6.5, low), (6.5, high), (-0.5, high))),),
        things=tuple(things), people=(), tasks=tuple(tasks), gaps=(),
        frames=tuple(Frame(step=i, stamp_ns=f[1], task=f[0], phase="driving", decision=i % 3 == 0)
                     for i, f in enumerate(frames)),
        path=Path2D(stamp_ns=tuple(f[1] for f in frames), x_m=tuple(f[2] for f in frames),
                    y_m=tuple(f[3] for f in frames), z_m=tuple(0.0 for _ in frames),
                    yaw_rad=tuple(f[4] for f in frames)),
    )  # fmt: skip


def visibility_of(world: World) -> tuple[VisibilityRow, ...]:
    """What each keyframe saw."""
    rows = []
    for step, (_, _, x, y, yaw) in enumerate(world.keyframes()):
        views, floor, surface = _see(world, (x, y, yaw))
        rows.append(
            VisibilityRow(step=step, things=tuple(views), people=(), floor=_runs(floor), surface=_runs(surface))
        )
    return tuple(rows)


def _detections(world: World, row: VisibilityRow) -> OracleRow:
    by_id = {b.id: b for b in world.boxes}
    found = []
    for view in row.things:
        box = by_id[view.id]
        corners = tuple((float(x), float(y)) for x, y in list(box.shape.exterior.coords)[:-1])
        found.append(
            Detection(
                words=box.words,
                person=False,
                hazard="",
                clear=view.clear,
                centre=(box.x, box.y, box.height / 2),
                nearest=view.nearest[:2],
                outline=corners,
                top_m=box.height,
                bottom_m=0.0,
                pixels=view.pixels,
            )
        )
    return OracleRow(step=row.step, detections=tuple(found))


def depth_of(world: World, pose: tuple[float, float, float]) -> np.ndarray:
    """The 16-bit depth picture (height, width) of the floor and the boxes, in millimetres along the optical axis."""
    rows, columns = np.indices((CAMERA.height, CAMERA.width))
    right, down = (columns - CAMERA.cx) / CAMERA.fx, (rows - CAMERA.cy) / CAMERA.fy
    c, s = math.cos(PITCH), math.sin(PITCH)
    ahead, up = c - s * down, -s - c * down
    cos, sin = math.cos(pose[2]), math.sin(pose[2])
    rays = np.stack([cos * ahead + sin * right, sin * ahead - cos * right, up], axis=-1)
    rays = np.where(np.abs(rays) < 1e-12, 1e-12, rays)
    start = np.array([pose[0], pose[1], CAMERA_UP])
    depth = np.where(rays[..., 2] < 0, -CAMERA_UP / rays[..., 2], np.inf)
    for b in world.boxes:
        low = np.array([b.x - b.half_x, b.y - b.half_y, 0.0])
        high = np.array([b.x + b.half_x, b.y + b.half_y, b.height])
        first, second = (low - start) / rays, (high - start) / rays
        enter, leave = np.minimum(first, second).max(axis=-1), np.maximum(first, second).min(axis=-1)
        depth = np.where((enter < leave) & (enter > 0), np.minimum(depth, enter), depth)
    held = (depth >= CAMERA.near_m) & (depth <= CAMERA.far_m)
    return np.where(held, np.rint(np.where(held, depth, 0) / CAMERA.depth_unit_m), 0).astype(np.uint16)


def write_script(root: Path, world: World | None = None, *, pictures: bool = True) -> str:
    """Writes a script's whole folder and returns its id; without pictures where only the gold is looked at."""
    world = world or World()
    tree, sid = ReleaseTree(root), world.sid
    timeline, rows = timeline_of(world), visibility_of(world)
    write_json(tree.robot_json(sid), ROBOT)
    write_json(tree.camera_json(sid), CAMERA)
    write_json(tree.timeline_json(sid), timeline)
    write_jsonl(tree.visibility_jsonl(sid), rows)
    write_jsonl(tree.oracle_jsonl(sid), [_detections(world, row) for row in rows])
    poses = []
    for step, (task, stamp, x, y, yaw) in enumerate(world.keyframes()):
        poses.append(
            PoseRow(step=step, stamp_ns=stamp, task=task, x_m=x, y_m=y, z_m=0.0, yaw_rad=yaw, vx_mps=0.0, vy_mps=0.0,
                    vz_mps=0.0, yaw_rate_radps=0.0, phase="driving", battery_pct=90.0)
        )  # fmt: skip
        if not pictures:
            continue
        for path in (tree.rgb(sid, step), tree.depth(sid, step)):
            path.parent.mkdir(parents=True, exist_ok=True)
        grey = np.full((CAMERA.height, CAMERA.width, 3), 100 + step, dtype=np.uint8)
        assert cv2.imwrite(str(tree.rgb(sid, step)), grey)
        plane = depth_of(world, (x, y, yaw))
        assert cv2.imwrite(str(tree.depth(sid, step)), plane)
    write_jsonl(tree.pose_jsonl(sid), poses)
    return sid


def write_release(root: Path, *, pictures: bool = True) -> Path:
    """Writes the tiny release with its compiled cases."""
    from stbench_scoring.release import compile_release

    write_script(root, pictures=pictures)
    compile_release(root, name="tiny", version="0", seed=0)
    return root
