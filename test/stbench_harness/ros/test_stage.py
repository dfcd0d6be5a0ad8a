"""What a listener hears of a case: every topic, one stamp a step, the release's own bytes, a whole tree for who comes late."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

pytest.importorskip("rclpy", reason="no ROS 2 here")

import rclpy
from sensor_msgs.msg import Image

from stbench_harness.ledger import Ledger
from stbench_harness.player import load_played
from stbench_harness.ros import convert
from stbench_harness.ros.brain_process import BrainProcess, scripted_brain
from stbench_harness.ros.images import to_array
from stbench_harness.ros.qos import STREAM
from stbench_harness.ros.spinning import Spinner
from stbench_harness.ros.topics import TOPICS
from stbench_harness.session import Options, run_case
from stbench_msgs.msg import CaseState
from stbench_scoring.records import ReleaseTree, Robot, read_json
from stbench_scoring.records.results import RunLabel

LABEL = RunLabel(system="all_unknown", channel="detections", pace="lockstep", transport="ros", sandbox="ros")
# Of the release by hand (conftest): three frames a second apart, at x = 0, 0.5 and 1, facing +x.
STAMPS_NS = [0, 1_000_000_000, 2_000_000_000]
PER_FRAME = {
    "/tf", "camera/camera_info", "camera/image_raw/compressed", "pose", "odom", "battery_state", "stbench/status",
    "camera/depth/camera_info", "camera/depth/image_raw", "stbench/detections",
}  # fmt: skip


def picture() -> bytes:
    """Pure red, as a JPEG."""
    red = np.zeros((121, 161, 3), np.uint8)
    red[..., 2] = 255  # OpenCV's order is blue, green, red
    return cv2.imencode(".jpg", red)[1].tobytes()


@pytest.fixture
def heard(harness: Any, hand_release: ReleaseTree, tmp_path: Path) -> Iterator[dict[str, list[Any]]]:
    """Every message of a case of the release by hand, by topic, in order of arrival; `late` is who came after it."""
    sid = next((hand_release.root / "scripts").iterdir()).name
    for path in hand_release.rgb(sid, 0).parent.glob("*.jpg"):
        path.write_bytes(picture())
    listener = rclpy.create_node("listener", context=harness.node.context)
    messages: dict[str, list[Any]] = defaultdict(list)
    for topic in TOPICS:
        listener.create_subscription(topic.kind, topic.name, messages[topic.name].append, topic.profile)
    listener.create_subscription(Image, "camera/image_raw", messages["raw"].append, STREAM)
    cid = next((hand_release.root / "private").glob("*/case.json")).parent.name
    played = load_played(hand_release, cid)
    with Spinner(listener), BrainProcess(scripted_brain("all_unknown"), harness.domain, tmp_path / "brain.log"):
        end = time.monotonic() + 20
        while time.monotonic() < end and not all(
            any(info.node_name == "listener" for info in harness.node.get_subscriptions_info_by_topic(name))
            for name in map(harness.node.resolve_topic_name, harness.stage.topics())
        ):
            time.sleep(0.05)
        with Ledger(tmp_path / "ledger.jsonl") as ledger:
            run_case(played, harness.transport(LABEL, stamps_ns=STAMPS_NS), ledger, Options(label=LABEL, deadline_s=10.0))
        while time.monotonic() < end and len(messages["stbench/case_state"]) < 2:
            time.sleep(0.05)
        yield messages
    listener.destroy_node()


def stamps(messages: list[Any]) -> list[int]:
    return [convert.from_time(message.header.stamp) for message in messages]


def test_all_of_a_case_is_heard(heard: dict[str, list[Any]], harness: Any, hand_release: ReleaseTree) -> None:
    for topic in PER_FRAME - {"/tf"}:
        assert stamps(heard[topic]) == STAMPS_NS, topic
    assert [bytes(message.data) for message in heard["camera/image_raw/compressed"]] == [picture()] * 3
    raw = to_array(heard["raw"][0])
    assert heard["raw"][0].encoding == "rgb8" and heard["raw"][0].step == 161 * 3
    assert (raw[..., 0] > 250).all() and (raw[..., 1:] < 5).all()  # red stayed red
    clock = [convert.from_time(message.clock) for message in heard["/clock"]]
    assert clock == sorted(set(clock)) and set(STAMPS_NS) <= set(clock) and clock[0] < 0
    assert [message.percentage for message in heard["battery_state"]] == pytest.approx([0.8] * 3)
    assert [(o.twist.twist.linear.x, o.child_frame_id) for o in heard["odom"]] == [(0.5, "base_link")] * 3
    k = heard["camera/camera_info"][-1]
    assert (k.k[0], k.k[2], k.p[0], k.p[3], k.width, k.height) == (80.0, 80.0, 80.0, 0.0, 161, 121)
    started, ended = heard["stbench/case_state"]
    assert (started.state, ended.state) == (CaseState.STARTED, CaseState.ENDED)
    assert (ended.steps_sent, ended.questions_sent, ended.answers_received) == (3, 6, 6)
    assert (ended.system, ended.channel, ended.sandbox, ended.feedback) == ("all_unknown", "detections", "ros", "after")
    assert len(heard["stbench/question"]) == len(heard["stbench/answer"]) == 6
    assert {message.nonce for message in heard["stbench/step_done"]} == {ended.nonce}
    _check_transforms(heard, read_json(hand_release.robot_json("aa" * 8), Robot))
    _check_latecomer(harness)


def _check_transforms(heard: dict[str, list[Any]], robot: Robot) -> None:
    """By hand: the camera is 0.1 m ahead and 1 m up, looking 30 degrees down."""
    pairs = [(t.header.frame_id, t.child_frame_id) for t in heard["/tf"][-1].transforms]
    assert pairs == [("map", "odom"), ("odom", "base_link")]
    assert [m.transforms[1].transform.translation.x for m in heard["/tf"]] == pytest.approx([0.0, 0.5, 1.0])
    camera, optical = heard["/tf_static"][-1].transforms
    assert (camera.header.frame_id, optical.child_frame_id) == ("base_link", "camera_optical_frame")
    shift = camera.transform.translation
    assert (shift.x, shift.y, shift.z) == pytest.approx((0.1, 0.0, 1.0))
    # The optical axis, z of the optical frame, in base_link: straight ahead, turned down by 30 degrees.
    axis = rotate(camera.transform.rotation, rotate(optical.transform.rotation, (0.0, 0.0, 1.0)))
    assert axis == pytest.approx((math.cos(math.pi / 6), 0.0, -0.5))
    # The picture's right, x of the optical frame, is the robot's right.
    right = rotate(camera.transform.rotation, rotate(optical.transform.rotation, (1.0, 0.0, 0.0)))
    assert right == pytest.approx((0.0, -1.0, 0.0))


def rotate(q: Any, v: tuple[float, float, float]) -> tuple[float, ...]:
    """A vector turned by a unit quaternion: v + 2 w (u × v) + 2 u × (u × v)."""
    u, vector = np.array([q.x, q.y, q.z]), np.array(v)
    cross = np.cross(u, vector)
    return tuple(vector + 2 * q.w * cross + 2 * np.cross(u, cross))


def _check_latecomer(harness: Any) -> None:
    """Who subscribes after the last frame has the whole tree, the body and the case all the same."""
    late = rclpy.create_node("late", context=harness.node.context)
    got: dict[str, list[Any]] = defaultdict(list)
    latched = [topic for topic in TOPICS if topic.latched and topic.publisher == "harness"]
    for topic in latched:
        late.create_subscription(topic.kind, topic.name, got[topic.name].append, topic.profile)
    with Spinner(late):
        end = time.monotonic() + 10
        while time.monotonic() < end and len(got) < len(latched):
            time.sleep(0.05)
        time.sleep(0.5)
    late.destroy_node()
    assert {name: len(messages) for name, messages in got.items()} == {topic.name: 1 for topic in latched}
    assert "<robot" in got["robot_description"][0].data
    corner = got["footprint"][0].polygon.points[0]
    assert (corner.x, corner.y) == pytest.approx((0.2, 0.2))
