"""What a robot's sensors gave: `sensors/pose.jsonl` and `perception/oracle.jsonl`, a line a keyframe."""

from __future__ import annotations

from stbench_scoring.records.io import Record


class PoseRow(Record, frozen=True, kw_only=True):
    """One keyframe's pose and status. Pictures are `rgb/<step:06d>.jpg`, depth `private/<sid>/depth/<step:06d>.png`.

    Attributes:
        step: Number of the keyframe in the script, from 0.
        stamp_ns: Since the script's start.
        task: Number of the task in the script, from 0.
        x_m, y_m, z_m, yaw_rad: `base_link` in `map`.
        vx_mps, vy_mps, vz_mps: Own velocity in `base_link`.
        yaw_rate_radps: Own turn rate, left positive.
        phase: What the robot is doing, e.g. `driving`.
        battery_pct: 0 to 100.
    """

    step: int
    stamp_ns: int
    task: int
    x_m: float
    y_m: float
    z_m: float
    yaw_rad: float
    vx_mps: float
    vy_mps: float
    vz_mps: float
    yaw_rate_radps: float
    phase: str
    battery_pct: float


class Detection(Record, frozen=True, kw_only=True):
    """One thing or person in view, as a perfect detector gives it. It bears no id. Positions in `map`, metres.

    Attributes:
        words: What a person would call it, as a question would (`red mug`).
        person: Whether it is a person.
        hazard: What it endangers (`brush`), or "".
        clear: Whether it is seen clearly enough to be recognised; a glimpse otherwise.
        centre: (x, y, z) of the middle of its bounding box.
        nearest: (x, y) of the visible surface point that is horizontally nearest to the camera.
        outline: Visible ground outline: (x, y) corners of the convex hull of what is visible, put down on the floor.
        top_m: Height of its top.
        bottom_m: Height of its underside.
        pixels: Pixels it covers.
    """

    words: str
    person: bool
    hazard: str
    clear: bool
    centre: tuple[float, float, float]
    nearest: tuple[float, float]
    outline: tuple[tuple[float, float], ...]
    top_m: float
    bottom_m: float
    pixels: int


class OracleRow(Record, frozen=True, kw_only=True):
    """`perception/oracle.jsonl`: everything nameable in view at a keyframe. For the `detections` channel alone."""

    step: int
    detections: tuple[Detection, ...]


class PerceptionIds(Record, frozen=True, kw_only=True):
    """A line of `perception_ids.jsonl`: the ids behind a keyframe's detections, in their order."""

    step: int
    ids: tuple[str, ...]
