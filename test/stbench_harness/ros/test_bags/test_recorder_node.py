"""The recorder as a process, against publishers over real DDS; its bags are read with rosbags and mcap, not our code."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

rclpy = pytest.importorskip("rclpy", reason="no ROS 2 here")

from mcap.reader import make_reader
from mcap.records import Chunk
from mcap.stream_reader import StreamReader
from rclpy.context import Context
from rclpy.serialization import serialize_message
from rosbags.highlevel import AnyReader
from sensor_msgs.msg import CompressedImage
from std_msgs.msg import Header

from stbench_harness.ros.bag_reader import read_bag
from stbench_harness.ros.brain_process import BrainProcess
from stbench_harness.ros.recorder_node import kind_of
from stbench_harness.ros.topics import TOPICS
from stbench_msgs.msg import Answer, CaseScore, CaseState, Question, RobotStatus

FRAMES, PICTURE_BYTES, UP_S = 60, 60_000, 30.0
IMAGE, STATE = "camera/image_raw/compressed", "stbench/case_state"
SOURCE = Path(__file__).resolve().parents[4]


class Stand:
    """Publishes what a harness and a scoring node publish."""

    def __init__(self, domain: int, namespace: str = "", scorer: bool = True) -> None:
        self.context = Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.node = rclpy.create_node("stand", context=self.context, namespace=namespace)
        self.publishers = {
            topic.name: self.node.create_publisher(topic.kind, topic.name, topic.profile)
            for topic in TOPICS
            if scorer or topic.publisher != "scorer"
        }
        self.sent: Counter[str] = Counter()
        self.bytes: list[tuple[str, bytes]] = []

    def wait_for_recorder(self) -> None:
        end = time.monotonic() + UP_S
        names = [self.node.resolve_topic_name(topic.name) for topic in TOPICS]
        while not all(
            any(info.node_name == "stbench_recorder" for info in self.node.get_subscriptions_info_by_topic(name))
            for name in names
        ):
            assert time.monotonic() < end, "the recorder did not come up"
            time.sleep(0.05)

    def send(self, topic: str, message: Any) -> None:
        self.publishers[topic].publish(message)
        resolved = self.node.resolve_topic_name(topic)
        self.sent[resolved] += 1
        self.bytes.append((resolved, bytes(serialize_message(message))))

    def state(self, state: int, counts: tuple[int, int, int] = (0, 0, 0), nonce: str = "n1") -> None:
        self.send(STATE, CaseState(
            state=state, nonce=nonce, system="by_hand", channel="rgb_pose", pace="lockstep", sandbox="ros",
            feedback="after", during=True, brief="correct", steps_sent=counts[0], questions_sent=counts[1],
            answers_received=counts[2],
        ))  # fmt: skip

    def frame(self, step: int) -> None:
        header = Header(frame_id="camera_optical_frame")
        header.stamp.sec = 10 + step
        self.send("stbench/status", RobotStatus(header=header, step=step))
        self.send(IMAGE, CompressedImage(header=header, format="jpeg", data=os.urandom(PICTURE_BYTES)))

    def close(self) -> None:
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)


@pytest.fixture
def stand(domain: int) -> Iterator[Callable[..., Stand]]:
    made: list[Stand] = []

    def make(**options: Any) -> Stand:
        made.append(Stand(domain, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


def recorder(domain: int, bag: Path, log: Path, namespace: str = "") -> BrainProcess:
    command = [sys.executable, str(SOURCE / "libexec" / "recorder_node"), "--ros-args", "-p", f'bag:="{bag}"']
    if namespace:
        command += ["-r", f"__ns:={namespace}"]
    path = os.pathsep.join(filter(None, (str(SOURCE), os.environ.get("PYTHONPATH", ""))))
    return BrainProcess(command, domain, log, {"PYTHONPATH": path})


def ended(process: BrainProcess, seconds: float) -> int:
    return process.process.wait(seconds)


def play(stand: Stand, run: Any, maker: SimpleNamespace) -> None:
    """The case by hand with more frames, at full speed between answers, as one that is acknowledged would come."""
    stand.state(CaseState.STARTED)
    by_step: dict[int, list[Any]] = {}
    for item in run.items:
        if item.name in ("Question", "Answer"):
            by_step.setdefault(item.message.step, []).append(item)
    for step in range(FRAMES):
        stand.frame(step)
        time.sleep(0.005)
        for item in by_step.get(step, ()):
            kind = Question if item.name == "Question" else Answer
            stand.send(maker.TOPICS[item.name][1:], rclpy.serialization.deserialize_message(item.raw(), kind))


@pytest.mark.parametrize("namespace", ["", "/robot_7"])
def test_every_message_is_in_the_bag(
    namespace: str, run: Any, maker: SimpleNamespace, domain: int, stand: Any, tmp_path: Path
) -> None:
    bag, log = tmp_path / "bag", tmp_path / "recorder.log"
    one = stand(namespace=namespace)
    with recorder(domain, bag, log, namespace) as process:
        one.wait_for_recorder()
        play(one, run, maker)
        one.state(CaseState.ENDED, (FRAMES, 6, 6))
        time.sleep(1.5)
        assert process.process.poll() is None, "it must wait for the scoring node's word"
        one.send("stbench/case_score", CaseScore(nonce="n1", scored=True))
        assert ended(process, 15.0) == 0, log.read_text()
    with AnyReader([bag]) as reader:
        kinds = {connection.topic: connection.msgtype for connection in reader.connections}
        store = reader.typestore

        def tidy(topic: str, data: bytes) -> tuple[str, bytes]:
            """The same message with zeros between its fields: what stands there on the wire is anything."""
            return topic, bytes(store.serialize_cdr(store.deserialize_cdr(data, kinds[topic]), kinds[topic]))

        found = sorted(tidy(connection.topic, bytes(data)) for connection, _, data in reader.messages())
        sent = sorted(tidy(topic, data) for topic, data in one.bytes)
    assert Counter(topic for topic, _ in found) == one.sent
    assert found == sent
    assert set(kinds) == {one.node.resolve_topic_name(topic.name) for topic in TOPICS}
    with (bag / "bag_0.mcap").open("rb") as stream:
        messages = [(c.topic, m) for _, c, m in make_reader(stream, validate_crcs=True).iter_messages()]
    assert Counter(topic for topic, _ in messages) == one.sent
    assert all(m.publish_time <= m.log_time < m.publish_time + 5_000_000_000 for _, m in messages)
    with (bag / "bag_0.mcap").open("rb") as stream:
        chunks = [record for record in StreamReader(stream, emit_chunks=True).records if isinstance(record, Chunk)]
    assert chunks and all(chunk.uncompressed_crc for chunk in chunks)
    reading = read_bag(bag, run.tree)
    assert reading.notes == () and maker.results(run.tree, reading.responses, tmp_path) == run.results


def test_types_in_a_bag_are_those_on_the_wire(domain: int, stand: Any, tmp_path: Path) -> None:
    """`ros2 bag play` compares the hash of a type; the one in the bag is the one that DDS tells."""
    bag, log = tmp_path / "bag", tmp_path / "recorder.log"
    one = stand()
    with recorder(domain, bag, log) as process:
        one.wait_for_recorder()
        one.state(CaseState.STARTED)
        one.state(CaseState.INVALID)
        one.send("stbench/case_score", CaseScore(nonce="n1"))
        assert ended(process, 15.0) == 0, log.read_text()
    with AnyReader([bag]) as reader:
        in_bag = {connection.msgtype: connection.digest for connection in reader.connections}
    for topic in TOPICS:
        (info,) = one.node.get_publishers_info_by_topic(one.node.resolve_topic_name(topic.name))
        assert in_bag[kind_of(topic)] == str(info.topic_type_hash), topic.name


def test_what_is_missing_at_the_end_is_named(domain: int, stand: Any, tmp_path: Path) -> None:
    bag, log = tmp_path / "bag", tmp_path / "recorder.log"
    one = stand(scorer=False)
    with recorder(domain, bag, log) as process:
        one.wait_for_recorder()
        one.state(CaseState.STARTED)
        one.frame(0)
        one.state(CaseState.ENDED, (3, 1, 0))
        assert ended(process, 40.0) == 1
    assert "without 2 of 3 messages of camera/image_raw/compressed, 1 of 1 messages of stbench/question" in log.read_text()
    with AnyReader([bag]) as reader:
        assert sum(1 for _ in reader.messages()) == len(one.bytes)


def test_a_signal_closes_the_bag_in_order(domain: int, stand: Any, tmp_path: Path) -> None:
    bag, log = tmp_path / "bag", tmp_path / "recorder.log"
    one = stand(scorer=False)
    with recorder(domain, bag, log) as process:
        one.wait_for_recorder()
        one.state(CaseState.STARTED)
        one.frame(0)
        time.sleep(1.0)
        process.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        one.state(CaseState.CANCELLED, (1, 0, 0))  # a harness that was told as well cancels
        assert ended(process, 10.0) == 0, log.read_text()
    with AnyReader([bag]) as reader:
        assert sum(1 for _ in reader.messages()) == len(one.bytes)


def test_a_harness_that_was_killed_leaves_a_closed_bag(domain: int, tmp_path: Path, stand: Any) -> None:
    """SIGINT without any end: the bag is closed, and its exit code says that it is not whole."""
    bag, log = tmp_path / "bag", tmp_path / "recorder.log"
    one = stand(scorer=False)
    with recorder(domain, bag, log) as process:
        one.wait_for_recorder()
        one.state(CaseState.STARTED)
        one.frame(0)
        time.sleep(1.0)
        process.interrupt()
        assert ended(process, 10.0) == 1
    assert "closed without the case's end on stbench/case_state" in log.read_text()
    assert (bag / "metadata.yaml").is_file()


def test_a_recorder_that_is_killed_keeps_every_answer(
    run: Any, maker: SimpleNamespace, domain: int, stand: Any, tmp_path: Path
) -> None:
    bag, log = tmp_path / "bag", tmp_path / "recorder.log"
    one = stand()
    with recorder(domain, bag, log) as process:
        one.wait_for_recorder()
        play(one, run, maker)
        time.sleep(2.0)
        process.process.kill()
        process.process.wait(5.0)
    reading = read_bag(bag, run.tree)
    assert maker.results(run.tree, reading.responses, tmp_path) == run.results
    assert any("recorder did not end in order" in note for note in reading.notes)


def test_a_full_disk_is_named_and_what_was_written_can_be_read(
    run: Any, maker: SimpleNamespace, domain: int, stand: Any, tmp_path: Path
) -> None:
    """The kernel lets the recorder's file grow to 1.5 MB; a write beyond fails as on a full disk."""
    bag, log = tmp_path / "bag", tmp_path / "recorder.log"
    one = stand()
    with recorder(domain, bag, log) as process:
        one.wait_for_recorder()
        resource.prlimit(process.process.pid, resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))
        play(one, run, maker)
        assert ended(process, 15.0) == 1
    assert f"error: bag {bag}: File too large; what was written before can be read" in log.read_text()
    reading = read_bag(bag, run.tree)
    assert reading.responses.responses == run.responses


def test_a_bag_that_is_there_is_refused_by_name(domain: int, tmp_path: Path) -> None:
    log = tmp_path / "recorder.log"
    with recorder(domain, tmp_path, log) as process:
        assert ended(process, 20.0) == 2
    assert f"error: bag {tmp_path} is there already" in log.read_text()
