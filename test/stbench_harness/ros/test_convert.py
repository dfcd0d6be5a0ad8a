"""Records to messages and back: nothing lost, radians on topics, degrees on the stream."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("rclpy", reason="no ROS 2 here")

from hypothesis import given
from hypothesis import strategies as st
from rclpy.serialization import deserialize_message, serialize_message

from stbench_harness.mirrored import to_payload
from stbench_harness.protocol import PROTOCOL_VERSION, Start, Step, StepPose, StepStatus, StepVelocity
from stbench_harness.ros import convert
from stbench_msgs.msg import AnswerValue, CaseInfo
from stbench_msgs.msg import Detection as DetectionMsg
from stbench_scoring.records import (
    Answer,
    Body,
    Camera,
    CameraMount,
    Detection,
    Needs,
    Params,
    PlaceXY,
    Robot,
    parse_answer,
)

number = st.floats(-1e6, 1e6)
CAMERA = Camera(
    format_version=1, width=640, height=480, fx=554.0, fy=554.0, cx=319.5, cy=239.5, depth_unit_m=0.001, near_m=0.05, far_m=20.0
)  # fmt: skip
ROBOT = Robot(
    format_version=1, job="helper/1", layout="", name="stretch",
    body=Body(outline=((-0.2, -0.17), (0.14, -0.17), (0.14, 0.17), (-0.2, 0.17)), bottom_m=0.02, top_m=1.41, blind_ring_m=0.5),
    camera_mount=CameraMount(x_m=0.02, y_m=0.0, z_m=1.30, pitch_rad=0.4),
    needs=Needs(clearance_m=0.15, reacquire_m=1.0, match_m={"task_things": 0.5}, horizon_m=5.0),
    max_speed_mps=0.3, max_turn_radps=0.6, depth=True, depth_unit_m=0.001, near_m=0.05, far_m=20.0,
)  # fmt: skip


def over_the_wire(message: object) -> object:
    return deserialize_message(serialize_message(message), type(message))


answers = st.one_of(
    st.just(Answer(unknown=True)),
    st.builds(lambda d: Answer(distance_m=d), number),
    st.builds(lambda a, b: Answer(ahead_m=a, left_m=b), number, number),
    st.builds(lambda h: Answer(heading_deg=round(h, 9)), st.floats(-179.9, 180.0)),
    st.builds(lambda x, y: Answer(x_m=x, y_m=y), number, number),
    st.builds(
        lambda ps: Answer(places=tuple(PlaceXY(x_m=x, y_m=y) for x, y in ps)), st.lists(st.tuples(number, number), max_size=5)
    ),
)


@given(answers)
def test_an_answer_comes_back_as_it_was(answer: Answer) -> None:
    value = over_the_wire(convert.to_value(answer))
    expected = "number" if answer.kind == "unknown" else answer.kind
    assert parse_answer(to_payload(value), expected) == answer


def test_a_heading_is_radians_on_the_topic() -> None:
    value = convert.to_value(Answer(heading_deg=90.0))
    assert value.heading_rad == pytest.approx(math.pi / 2)


@pytest.mark.parametrize("kind", [AnswerValue.NOT_SET, 7, 255])
def test_an_empty_reply_is_no_answer(kind: int) -> None:
    assert to_payload(AnswerValue(kind=kind)) is None


@pytest.mark.parametrize("stamp_ns", [0, 1, 999_999_999, 1_000_000_000, 3_600_123_456_789])
def test_ros_time_is_case_time_and_ten_seconds(stamp_ns: int) -> None:
    stamp = convert.to_time(stamp_ns)
    assert stamp.sec * 10**9 + stamp.nanosec == stamp_ns + 10 * 10**9
    assert convert.from_time(stamp) == stamp_ns


@given(st.floats(-179.999, 180.0))
def test_a_yaw_survives_the_quaternion(yaw_deg: float) -> None:
    pose = convert.from_pose(convert.to_pose(StepPose(x_m=1.0, y_m=-2.0, z_m=0.5, yaw_deg=yaw_deg)))
    turned = math.radians(pose.yaw_deg - yaw_deg)
    assert math.hypot(math.cos(turned) - 1, math.sin(turned)) < 1e-9
    assert (pose.x_m, pose.y_m, pose.z_m) == (1.0, -2.0, 0.5)


def test_a_pitched_camera_looks_down() -> None:
    q = convert.to_quaternion(math.pi / 2, math.pi / 6)
    # The camera's x axis, turned: yaw 90° makes it +y, pitch 30° tips it down by sin 30° = 0.5.
    x = 1 - 2 * (q.y**2 + q.z**2)
    y = 2 * (q.x * q.y + q.w * q.z)
    z = 2 * (q.x * q.z - q.w * q.y)
    assert (x, y, z) == pytest.approx((0.0, math.cos(math.pi / 6), -0.5), abs=1e-12)


def test_case_info_says_all_of_the_start_but_the_layout() -> None:
    start = Start(protocol_version=PROTOCOL_VERSION, channel="detections", pace="lockstep", robot=ROBOT, camera=CAMERA)
    message = over_the_wire(convert.to_case_info(start, "nonce"))
    assert convert.from_case_info(message) == start
    fields = CaseInfo.get_fields_and_field_types()
    assert not [name for name in fields if name in ("cid", "sid", "case", "layout", "room")]


@pytest.mark.parametrize("params", [Params(), Params(turn="left", horizon_m=5.0), Params(words="red mug", task=0)])
def test_params_come_back(params: Params) -> None:
    assert convert.from_params(over_the_wire(convert.to_params(params))) == params


def test_camera_info_has_no_distortion_and_p_is_k() -> None:
    info = convert.to_camera_info(CAMERA)
    assert list(info.p) == [554.0, 0.0, 319.5, 0.0, 0.0, 554.0, 239.5, 0.0, 0.0, 0.0, 1.0, 0.0]
    assert set(info.d) == {0.0}


def test_velocity_and_status_come_back() -> None:
    step = Step(
        step=3, stamp_ns=0, pose=StepPose(x_m=0.0, y_m=0.0, z_m=0.0, yaw_deg=0.0),
        velocity=StepVelocity(forward_mps=0.3, left_mps=0.0, up_mps=-0.1, yaw_rate_degps=12.5),
        status=StepStatus(phase="driving", task=1, battery_pct=96.5), image=b"",
    )  # fmt: skip
    assert convert.velocity_of(over_the_wire(convert.to_odometry(step))) == step.velocity
    assert convert.from_status(over_the_wire(convert.to_status(step))) == step.status


def test_a_detection_comes_back_and_bears_no_id() -> None:
    detection = Detection(
        words="red mug", person=False, hazard="", clear=True, centre=(1.0, 2.0, 0.8), nearest=(0.95, 2.0),
        outline=((0.9, 1.9), (1.0, 1.9), (1.0, 2.0)), top_m=0.85, bottom_m=0.75, pixels=321,
    )  # fmt: skip
    assert convert.from_detection(over_the_wire(convert.to_detection(detection))) == detection
    assert "id" not in DetectionMsg.get_fields_and_field_types()
