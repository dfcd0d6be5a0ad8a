"""Records every topic of a case into a bag, as raw bytes, and closes it once the case has ended and all has come.

Only `case_state` and the nonce of `case_score` are read. Where the harness is a lifecycle node that waits for the recorder
(its parameter `record`), the first frame is in the bag; the counts in the last `case_state` tell whether all of them are.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message

from stbench_harness.ros.bag_ending import ANSWERS, CASE_SCORE, STATE, Ending
from stbench_harness.ros.bag_types import empty_store, load_types
from stbench_harness.ros.bag_writer import BagWriter, offered_qos
from stbench_harness.ros.parameters import Given, declare
from stbench_harness.ros.peers import RECORDER
from stbench_harness.ros.spinning import ros_process
from stbench_harness.ros.topics import TOPICS, Topic
from stbench_msgs.msg import CaseScore, CaseState
from stbench_scoring.errors import StbenchError

PARAMETERS = {"bag": Given("", "Folder of the new bag; it must not be there yet")}
SIGNALLED_S = 3.0  # a cancelled case's end may still come
LOOK_S = 0.5  # between looks at the graph


def kind_of(topic: Topic) -> str:
    """The type of a topic's messages as `package/msg/Name`."""
    return f"{topic.kind.__module__.partition('.')[0]}/msg/{topic.kind.__name__}"


def wanted_qos(topic: Topic) -> QoSProfile:
    """What the recorder asks for: everything, and what is latched also from before."""
    return QoSProfile(
        history=HistoryPolicy.KEEP_ALL, reliability=ReliabilityPolicy.RELIABLE,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if topic.latched else DurabilityPolicy.VOLATILE,
    )  # fmt: skip


class RecorderNode(Node):
    """One bag, one case.

    Attributes:
        bag: What is written.
        ending: Tells when to close it.
        failure: The error that ended the writing, if any.

    Raises:
        StbenchError: No new folder is given, or it cannot be made.
    """

    def __init__(self) -> None:
        super().__init__(RECORDER)
        path = declare(self, PARAMETERS)["bag"]
        if not path:
            raise StbenchError(f"node {self.get_name()}: parameter bag is empty: give the folder of the new bag")
        types = load_types(empty_store(), {kind_of(topic) for topic in TOPICS})
        self.failure: OSError | None = None
        self._scorer = False
        self.ending = Ending(time.monotonic, time.time_ns())
        self.bag = BagWriter(Path(path), types)
        for topic in TOPICS:
            name = self.resolve_topic_name(topic.name)
            qos = offered_qos(latched=topic.latched, depth=topic.profile.depth)
            self.bag.add_topic(name, kind_of(topic), qos)
        for topic in TOPICS:
            self.create_subscription(topic.kind, topic.name, self._callback(topic), wanted_qos(topic), raw=True)
        self.create_timer(LOOK_S, self._look)

    def _callback(self, topic: Topic) -> Callable[[bytes, Mapping[str, Any]], None]:
        name = self.resolve_topic_name(topic.name)

        def on_message(data: bytes, info: Mapping[str, Any]) -> None:
            self._record(topic.name, name, data, info)

        return on_message

    def _record(self, topic: str, name: str, data: bytes, info: Mapping[str, Any]) -> None:
        if self.failure is not None:
            return
        received_ns = info.get("received_timestamp") or time.time_ns()
        sent_ns = info.get("source_timestamp") or 0
        try:
            self.bag.write(name, data, received_ns, sent_ns or received_ns)
        except OSError as error:
            self.failure = error
            return
        if topic in (ANSWERS, STATE):
            self.flush()
        self.ending.came(topic)
        self._understand(topic, data, sent_ns)

    def _understand(self, topic: str, data: bytes, sent_ns: int) -> None:
        if topic not in (STATE, CASE_SCORE):
            return
        try:
            message = deserialize_message(data, CaseState if topic == STATE else CaseScore)
        except Exception as error:  # bytes of whoever publishes there; they are in the bag all the same
            self.get_logger().warning(f"a message of {topic} cannot be read: {error}")
            return
        if topic == CASE_SCORE:
            self.ending.scored(message.nonce)
            return
        counts = (message.steps_sent, message.questions_sent, message.answers_received)
        self.ending.state(message.nonce, message.state, sent_ns, *counts)

    def _look(self) -> None:
        self.ending.harness(there=self._has_publisher(STATE))
        self._scorer = self._has_publisher(CASE_SCORE)

    def _has_publisher(self, topic: str) -> bool:
        return self.count_publishers(self.resolve_topic_name(topic)) > 0

    def is_over(self) -> bool:
        """Whether to close the bag."""
        return self.failure is not None or self.ending.is_over(scorer=self._scorer)

    def flush(self) -> None:
        """Ends the chunk in progress."""
        try:
            self.bag.flush()
        except OSError as error:
            self.failure = self.failure or error

    def close(self) -> int:
        """Closes the bag and says what is missing. Returns the exit code."""
        try:
            if self.failure is not None:
                self.bag.abort()
                raise self.failure
            self.bag.close()
        except OSError as error:
            self._say(f"error: bag {self.bag.path}: {error.strerror or error}; what was written before can be read")
            return 1
        lacking = self.ending.lacking(scorer=self._scorer)
        if lacking:
            self._say(f"error: bag {self.bag.path} is closed without {', '.join(lacking)}")
        self.get_logger().info(f"{sum(self.bag.counts.values())} messages in {self.bag.path}")
        return 1 if lacking else 0

    @staticmethod
    def _say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)


def _spin(node: RecorderNode, stopped: threading.Event) -> None:
    """Takes messages until the case is over, or until a while after a signal."""
    executor = SingleThreadedExecutor(context=node.context)
    executor.add_node(node)
    until: float | None = None
    while not node.is_over():
        executor.spin_once(timeout_sec=0.1)
        if stopped.is_set() and until is None:
            node.flush()
            until = time.monotonic() + (SIGNALLED_S if node.ending.is_open else 0.0)
        if until is not None and time.monotonic() > until:
            return


def main(args: Sequence[str] | None = None) -> int:
    """`recorder_node`: exit 0 where the bag holds the whole case, 1 where something is missing, 2 for a bad parameter."""
    with ros_process(list(args) if args is not None else sys.argv) as stopped:
        try:
            node = RecorderNode()
        except StbenchError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        try:
            _spin(node, stopped)
        finally:
            code = node.close()
        node.destroy_node()
        return code


if __name__ == "__main__":
    sys.exit(main())
