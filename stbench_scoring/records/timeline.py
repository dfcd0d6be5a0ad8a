"""`private/<sid>/timeline.json`: the whole truth of a script. Metres and radians in `map`, times in ns since its start."""

from __future__ import annotations

from collections.abc import Mapping

from stbench_scoring.records.io import Record


class Part(Record, frozen=True, kw_only=True):
    """A slab of a thing: everything it holds between two heights, put down on the floor.

    Attributes:
        rings: Closed rings of (x, y) corners in the thing's own frame, metres: the outer one counter-clockwise, then holes.
        bottom_m, top_m: Heights above the thing's own origin.
    """

    rings: tuple[tuple[tuple[float, float], ...], ...]
    bottom_m: float
    top_m: float


class PoseSpan(Record, frozen=True, kw_only=True):
    """A thing's pose from `from_ns` until the next span. While `carried` it is in the robot's or a person's hands."""

    from_ns: int
    x_m: float
    y_m: float
    z_m: float
    yaw_rad: float
    carried: bool = False


class ThingRecord(Record, frozen=True, kw_only=True):
    """One thing, structure included.

    Attributes:
        id: Unique in the script; never sent to a system.
        kind, colour, words: As a person would say; `words` is what a question uses, "" where it is never named.
        structure: Walls, floors, fitted parts: solid, never named.
        hazard: What it endangers (`brush`), or "".
        support: Id of what it stands on at the start, or "".
        length_m: Longest horizontal extent.
        parts: Its slabs, exact to the meshes that the sensor and the renderer use.
        poses: In time order, the first from 0.
    """

    id: str
    kind: str
    colour: str
    words: str
    structure: bool
    hazard: str
    support: str
    length_m: float
    parts: tuple[Part, ...]
    poses: tuple[PoseSpan, ...]


class TrackPoint(Record, frozen=True, kw_only=True):
    """A point of a track; linear between points."""

    stamp_ns: int
    x_m: float
    y_m: float
    yaw_rad: float


class Person(Record, frozen=True, kw_only=True):
    """A person: an upright cylinder round the mesh, present from the first to the last point of each of its tracks."""

    id: str
    words: str
    radius_m: float
    height_m: float
    tracks: tuple[tuple[TrackPoint, ...], ...]


class Path2D(Record, frozen=True, kw_only=True):
    """The robot's whole path, also between keyframes: equally long columns, linear between samples (0.1 s or less apart)."""

    stamp_ns: tuple[int, ...]
    x_m: tuple[float, ...]
    y_m: tuple[float, ...]
    z_m: tuple[float, ...]
    yaw_rad: tuple[float, ...]


class Frame(Record, frozen=True, kw_only=True):
    """A keyframe. `decision`: the robot decides something here (where to turn, whether to go), so it is asked first."""

    step: int
    stamp_ns: int
    task: int
    phase: str
    decision: bool


class Task(Record, frozen=True, kw_only=True):
    """A task. The brief is composed from `kind` and `facts` at run time; `things` are the ids it names."""

    index: int
    kind: str
    start_ns: int
    end_ns: int
    facts: Mapping[str, str]
    things: tuple[str, ...]


class GapChange(Record, frozen=True, kw_only=True):
    """A thing that moved in a gap, with its new pose's start in the thing's `poses`."""

    thing: str
    at_ns: int


class Gap(Record, frozen=True, kw_only=True):
    """The time between two tasks, in which the robot is unobserved and the place changes."""

    after_task: int
    start_ns: int
    end_ns: int
    changes: tuple[GapChange, ...]


class RoomRecord(Record, frozen=True, kw_only=True):
    """A room's floor: `outline` is a counter-clockwise polygon of (x, y)."""

    id: str
    name: str
    outline: tuple[tuple[float, float], ...]


class Grid(Record, frozen=True, kw_only=True):
    """The floor's cells: cell (row, column) spans `cell_m` from (origin + column, origin + row) · cell_m."""

    origin_x_m: float
    origin_y_m: float
    cell_m: float
    rows: int
    columns: int


class Timeline(Record, frozen=True, kw_only=True):
    """The whole truth of a script."""

    format_version: int
    sid: str
    job: str
    robot: str
    layout: str
    variant_seed: int
    seed: int
    time_of_day: str
    grid: Grid
    rooms: tuple[RoomRecord, ...]
    things: tuple[ThingRecord, ...]
    people: tuple[Person, ...]
    tasks: tuple[Task, ...]
    gaps: tuple[Gap, ...]
    frames: tuple[Frame, ...]
    path: Path2D
