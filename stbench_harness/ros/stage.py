"""Everything the harness publishes of a case: one publisher a topic, and a step as the messages that share its stamp."""

from __future__ import annotations

from typing import Any

from builtin_interfaces.msg import Time
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import BatteryState, Image
from std_msgs.msg import Header, String
from tf2_msgs.msg import TFMessage

from stbench_harness.protocol import Start, Step, TaskStart
from stbench_harness.ros import convert, description
from stbench_harness.ros.images import decode_rgb, depth_to_image, to_compressed, to_image
from stbench_harness.ros.qos import STREAM
from stbench_harness.ros.topics import TOPICS
from stbench_msgs.msg import DetectionArray, Task

IMAGE, RAW = "camera/image_raw/compressed", "camera/image_raw"


class Stage:
    """The publishers of a harness node. Headers are set here: case time + 10 s, one stamp a step."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._publishers = {
            topic.name: node.create_publisher(topic.kind, topic.name, topic.profile)
            for topic in TOPICS
            if topic.publisher == "harness"
        }
        self._raw = node.create_publisher(Image, RAW, STREAM)
        self._start: Start | None = None

    def topics(self) -> tuple[str, ...]:
        """Everything published here, as named here."""
        return (*self._publishers, RAW)

    def recorded(self) -> tuple[str, ...]:
        """What a bag must hold of it: all but the decoded pictures."""
        return tuple(self._publishers)

    def publish(self, topic: str, message: Any, stamp_ns: int = 0, frame: str = "map") -> None:
        """Publishes a message with a header at case time `stamp_ns` in `frame`."""
        message.header = Header(stamp=convert.to_time(stamp_ns), frame_id=frame)
        self._publishers[topic].publish(message)

    def clock(self, stamp_ns: int) -> None:
        """Tells ROS time."""
        self._publishers["/clock"].publish(Clock(clock=convert.to_time(stamp_ns)))

    def start(self, start: Start, nonce: str) -> None:
        """Publishes what is latched: transforms, footprint, description, and the case's info last."""
        self._start = start
        fixed = description.fixed_transforms(start.robot.camera_mount)
        self._transforms("/tf_static", fixed, convert.to_time(0))
        self.publish("footprint", description.footprint(start.robot), 0, "base_link")
        self._publishers["robot_description"].publish(String(data=description.urdf(start.robot)))
        self.publish("stbench/case_info", convert.to_case_info(start, nonce))

    def task(self, task: TaskStart, stamp_ns: int) -> None:
        """Publishes the brief."""
        self.publish("stbench/task", Task(task=task.task, brief=task.brief), stamp_ns)

    def step(self, step: Step) -> None:
        """Publishes a step, the image last: who has it has had the rest sent before it."""
        assert self._start is not None
        at, stamp = step.stamp_ns, convert.to_time(step.stamp_ns)
        self._transforms("/tf", description.moving_transforms(step.pose), stamp)
        self._intrinsics(self._start, at)
        self.publish("pose", convert.to_pose(step.pose), at)
        self.publish("odom", convert.to_odometry(step), at, "odom")
        self.publish("stbench/status", convert.to_status(step), at, "base_link")
        self.publish("battery_state", _battery(step), at, "base_link")
        if step.depth is not None:
            depth = depth_to_image(step.depth, self._start.camera.depth_unit_m)
            self.publish("camera/depth/image_raw", depth, at, "camera_optical_frame")
        if step.detections is not None:
            listed = [convert.to_detection(detection) for detection in step.detections]
            self.publish("stbench/detections", DetectionArray(step=step.step, detections=listed), at)
        if self._raw.get_subscription_count():
            raw = to_image(decode_rgb(step.image), "rgb8")
            raw.header = Header(stamp=stamp, frame_id="camera_optical_frame")
            self._raw.publish(raw)
        self.publish(IMAGE, to_compressed(step.image), at, "camera_optical_frame")

    def _transforms(self, topic: str, transforms: list[Any], stamp: Time) -> None:
        for transform in transforms:
            transform.header.stamp = stamp
        self._publishers[topic].publish(TFMessage(transforms=transforms))

    def _intrinsics(self, start: Start, stamp_ns: int) -> None:
        topics = ["camera/camera_info"] + (["camera/depth/camera_info"] if start.channel == "detections" else [])
        for topic in topics:
            self.publish(topic, convert.to_camera_info(start.camera), stamp_ns, "camera_optical_frame")

    def delivered(self, topic: str, seconds: float) -> bool:
        """Waits until every reliable subscriber has acknowledged what was published on a topic."""
        from rclpy.duration import Duration

        return bool(self._publishers[topic].wait_for_all_acked(Duration(seconds=seconds)))


def _battery(step: Step) -> BatteryState:
    """The share alone is known; what is not is NaN, as sensor_msgs/BatteryState says."""
    unknown = float("nan")
    return BatteryState(
        percentage=step.status.battery_pct / 100.0, voltage=unknown, current=unknown, charge=unknown, capacity=unknown,
        design_capacity=unknown, temperature=unknown, present=True,
        power_supply_status=BatteryState.POWER_SUPPLY_STATUS_UNKNOWN,
        power_supply_technology=BatteryState.POWER_SUPPLY_TECHNOLOGY_UNKNOWN,
    )  # fmt: skip
