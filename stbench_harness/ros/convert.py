"""Records of the stream protocol as ROS messages and back. Pure functions; degrees become radians on the way.

ROS time is case time + 10 s, since tf2 reads stamp 0 as "latest".
"""

from __future__ import annotations

import math

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, Point32, PoseStamped, Quaternion
from nav_msgs.msg import Odometry
from sensor_msgs.msg import CameraInfo

from stbench_harness.mirrored import KINDS
from stbench_harness.protocol import Start, Step, StepPose, StepStatus, StepVelocity
from stbench_msgs.msg import AnswerValue, CaseInfo, RobotStatus
from stbench_msgs.msg import Detection as DetectionMsg
from stbench_msgs.msg import Params as ParamsMsg
from stbench_msgs.msg import Place as PlaceMsg
from stbench_scoring.records import Answer, Body, Camera, CameraMount, Detection, Needs, Params, Robot

TIME_OFFSET_NS = 10_000_000_000


def to_time(stamp_ns: int) -> Time:
    """Case time in ns as ROS time."""
    seconds, rest = divmod(stamp_ns + TIME_OFFSET_NS, 1_000_000_000)
    return Time(sec=seconds, nanosec=rest)


def from_time(stamp: Time) -> int:
    """ROS time as case time in ns."""
    return int(stamp.sec) * 1_000_000_000 + int(stamp.nanosec) - TIME_OFFSET_NS


def to_quaternion(yaw_rad: float, pitch_rad: float = 0.0) -> Quaternion:
    """Rotation about z by yaw, then about the turned y by pitch (positive looks down)."""
    cy, sy = math.cos(yaw_rad / 2), math.sin(yaw_rad / 2)
    cp, sp = math.cos(pitch_rad / 2), math.sin(pitch_rad / 2)
    return Quaternion(x=-sy * sp, y=cy * sp, z=sy * cp, w=cy * cp)


def yaw_of(rotation: Quaternion) -> float:
    """The yaw of a rotation, radians in [-π, π]."""
    q = rotation
    return math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))


def to_value(answer: Answer) -> AnswerValue:
    """An answer as a message."""
    value = AnswerValue(kind=KINDS[answer.kind])
    if answer.distance_m is not None:
        value.distance_m = answer.distance_m
    if answer.ahead_m is not None and answer.left_m is not None:
        value.ahead_m, value.left_m = answer.ahead_m, answer.left_m
    if answer.heading_deg is not None:
        value.heading_rad = math.radians(answer.heading_deg)
    if answer.x_m is not None and answer.y_m is not None:
        value.place = PlaceMsg(x_m=answer.x_m, y_m=answer.y_m)
    value.places = [PlaceMsg(x_m=place.x_m, y_m=place.y_m) for place in answer.places or ()]
    return value


def to_params(params: Params) -> ParamsMsg:
    """A question's parameters; what is not set is "", -1 or NaN."""

    def number(value: float | None) -> float:
        return math.nan if value is None else value

    return ParamsMsg(
        turn=params.turn or "",
        words=params.words or "",
        task=-1 if params.task is None else params.task,
        radius_m=number(params.radius_m),
        horizon_m=number(params.horizon_m),
        window_s=number(params.window_s),
    )


def from_params(message: ParamsMsg) -> Params:
    """The parameters of a message."""

    def number(value: float) -> float | None:
        return None if math.isnan(value) else value

    return Params(
        turn=message.turn or None,
        words=message.words or None,
        task=None if message.task < 0 else message.task,
        radius_m=number(message.radius_m),
        horizon_m=number(message.horizon_m),
        window_s=number(message.window_s),
    )


def to_case_info(start: Start, nonce: str) -> CaseInfo:
    """What a brain is told before the first frame. It bears no id of the case."""
    robot, needs, mount, camera = start.robot, start.robot.needs, start.robot.camera_mount, start.camera
    return CaseInfo(
        protocol_version=start.protocol_version, nonce=nonce, channel=start.channel, pace=start.pace,
        job=robot.job, robot=robot.name,
        body_outline=[Point32(x=x, y=y, z=0.0) for x, y in robot.body.outline],
        body_bottom_m=robot.body.bottom_m, body_top_m=robot.body.top_m, blind_ring_m=robot.body.blind_ring_m,
        camera_x_m=mount.x_m, camera_y_m=mount.y_m, camera_z_m=mount.z_m, camera_pitch_rad=mount.pitch_rad,
        image_width=camera.width, image_height=camera.height, fx=camera.fx, fy=camera.fy, cx=camera.cx, cy=camera.cy,
        near_m=robot.near_m, far_m=robot.far_m, depth_unit_m=robot.depth_unit_m,
        max_speed_mps=robot.max_speed_mps, max_turn_radps=robot.max_turn_radps,
        clearance_m=needs.clearance_m, reacquire_m=needs.reacquire_m, horizon_m=needs.horizon_m,
        match_families=list(needs.match_m), match_m=list(needs.match_m.values()),
    )  # fmt: skip


def from_case_info(message: CaseInfo, layout: str = "") -> Start:
    """What the harness said at the start, as a brain rebuilds it. The layout is not sent over ROS."""
    body = Body(
        outline=tuple((round(p.x, 6), round(p.y, 6)) for p in message.body_outline),  # Point32 is single precision
        bottom_m=message.body_bottom_m, top_m=message.body_top_m, blind_ring_m=message.blind_ring_m,
    )  # fmt: skip
    mount = CameraMount(
        x_m=message.camera_x_m, y_m=message.camera_y_m, z_m=message.camera_z_m, pitch_rad=message.camera_pitch_rad
    )
    needs = Needs(
        clearance_m=message.clearance_m, reacquire_m=message.reacquire_m, horizon_m=message.horizon_m,
        match_m=dict(zip(message.match_families, message.match_m, strict=True)),
    )  # fmt: skip
    robot = Robot(
        format_version=1, job=message.job, layout=layout, name=message.robot, body=body, camera_mount=mount,
        needs=needs, max_speed_mps=message.max_speed_mps, max_turn_radps=message.max_turn_radps,
        depth=message.channel == "detections", depth_unit_m=message.depth_unit_m, near_m=message.near_m,
        far_m=message.far_m,
    )  # fmt: skip
    camera = Camera(
        format_version=1, width=message.image_width, height=message.image_height, fx=message.fx, fy=message.fy,
        cx=message.cx, cy=message.cy, depth_unit_m=message.depth_unit_m, near_m=message.near_m, far_m=message.far_m,
    )  # fmt: skip
    return Start(
        protocol_version=message.protocol_version, channel=message.channel, pace=message.pace, robot=robot,
        camera=camera,
    )  # fmt: skip


def to_camera_info(camera: Camera) -> CameraInfo:
    """Intrinsics without distortion, P = [K 0]; the header is left to the caller."""
    k = [camera.fx, 0.0, camera.cx, 0.0, camera.fy, camera.cy, 0.0, 0.0, 1.0]
    p = [camera.fx, 0.0, camera.cx, 0.0, 0.0, camera.fy, camera.cy, 0.0, 0.0, 0.0, 1.0, 0.0]
    r = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    return CameraInfo(
        width=camera.width, height=camera.height, distortion_model="plumb_bob", d=[0.0] * 5, k=k, p=p, r=r
    )


def to_pose(pose: StepPose) -> PoseStamped:
    """`base_link` in `map`; the header is left to the caller."""
    message = PoseStamped()
    message.pose.position = Point(x=pose.x_m, y=pose.y_m, z=pose.z_m)
    message.pose.orientation = to_quaternion(math.radians(pose.yaw_deg))
    return message


def from_pose(message: PoseStamped) -> StepPose:
    """`base_link` in `map`; the yaw is rounded to 1e-9 degree as headings are."""
    position = message.pose.position
    yaw_deg = round(math.degrees(yaw_of(message.pose.orientation)), 9)
    return StepPose(x_m=position.x, y_m=position.y, z_m=position.z, yaw_deg=yaw_deg)


def to_odometry(step: Step) -> Odometry:
    """Pose in `odom` (which coincides with `map`: the replay has no drift) and own velocity in `base_link`."""
    message = Odometry(child_frame_id="base_link")
    message.pose.pose = to_pose(step.pose).pose
    twist, velocity = message.twist.twist, step.velocity
    twist.linear.x, twist.linear.y, twist.linear.z = velocity.forward_mps, velocity.left_mps, velocity.up_mps
    twist.angular.z = math.radians(velocity.yaw_rate_degps)
    return message


def velocity_of(message: Odometry) -> StepVelocity:
    """Own velocity of an Odometry."""
    twist = message.twist.twist
    return StepVelocity(
        forward_mps=twist.linear.x, left_mps=twist.linear.y, up_mps=twist.linear.z,
        yaw_rate_degps=round(math.degrees(twist.angular.z), 9),
    )  # fmt: skip


def to_status(step: Step) -> RobotStatus:
    """Status of a step; the header is left to the caller."""
    return RobotStatus(
        step=step.step, task=step.status.task, phase=step.status.phase, battery_pct=step.status.battery_pct
    )


def from_status(message: RobotStatus) -> StepStatus:
    """Status of a message."""
    return StepStatus(phase=message.phase, task=message.task, battery_pct=message.battery_pct)


def to_detection(detection: Detection) -> DetectionMsg:
    """One detection as a message."""
    x, y, z = detection.centre
    return DetectionMsg(
        words=detection.words, person=detection.person, hazard=detection.hazard, clear=detection.clear,
        centre=Point(x=x, y=y, z=z), nearest=PlaceMsg(x_m=detection.nearest[0], y_m=detection.nearest[1]),
        outline=[PlaceMsg(x_m=a, y_m=b) for a, b in detection.outline], top_m=detection.top_m,
        bottom_m=detection.bottom_m, pixels=detection.pixels,
    )  # fmt: skip


def from_detection(message: DetectionMsg) -> Detection:
    """One detection of a message."""
    centre = message.centre
    return Detection(
        words=message.words, person=message.person, hazard=message.hazard, clear=message.clear,
        centre=(centre.x, centre.y, centre.z), nearest=(message.nearest.x_m, message.nearest.y_m),
        outline=tuple((place.x_m, place.y_m) for place in message.outline), top_m=message.top_m,
        bottom_m=message.bottom_m, pixels=message.pixels,
    )  # fmt: skip
