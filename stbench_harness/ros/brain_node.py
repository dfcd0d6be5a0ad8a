"""Runs a system as a ROS 2 brain: from the topics alone it assembles steps, acknowledges them and answers `ask`.

It never opens a release; what it knows came over topics. In lockstep one step is in flight, so callbacks may block.
"""

from __future__ import annotations

import sys
from typing import Any

import cv2
import numpy as np
import rclpy
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, CompressedImage, Image

from stbench_harness.protocol import Ask, Finish, Step, System, TaskStart
from stbench_harness.ros import convert
from stbench_harness.ros.images import to_array
from stbench_harness.ros.qos import LATCHED, STEP_DONE, STREAM
from stbench_msgs.msg import AnswerValue, CaseInfo, DetectionArray, RobotStatus, StepDone, Task
from stbench_msgs.srv import Ask as AskSrv
from stbench_scoring.errors import MalformedAnswer
from stbench_scoring.records import parse_answer

PARTS = ("image", "pose", "odom", "status")
DETECTION_PARTS = ("depth", "detections")


class BrainNode(Node):
    """One system, one case."""

    def __init__(self, system: System, name: str = "brain", **options: Any) -> None:
        super().__init__(name, **options)
        self._system = system
        self._info: CaseInfo | None = None
        self._camera: CameraInfo | None = None
        self._started = False
        self._tasks: dict[int, str] = {}
        self._told_task = -1
        self._parts: dict[int, dict[str, Any]] = {}
        self._done_step = -1
        self._done = self.create_publisher(StepDone, "stbench/step_done", STEP_DONE)
        self.create_subscription(CaseInfo, "stbench/case_info", self._on_info, LATCHED)
        self.create_subscription(CameraInfo, "camera/camera_info", self._on_camera, LATCHED)
        self.create_subscription(Task, "stbench/task", self._on_task, LATCHED)
        for part, kind, topic in (
            ("image", CompressedImage, "camera/image_raw/compressed"),
            ("pose", PoseStamped, "pose"),
            ("odom", Odometry, "odom"),
            ("status", RobotStatus, "stbench/status"),
            ("depth", Image, "camera/depth/image_raw"),
            ("detections", DetectionArray, "stbench/detections"),
        ):
            self.create_subscription(kind, topic, lambda message, part=part: self._on_part(part, message), STREAM)
        self.create_service(AskSrv, "ask", self._on_ask)

    def _on_info(self, message: CaseInfo) -> None:
        self._info = message
        self._start()

    def _on_camera(self, message: CameraInfo) -> None:
        self._camera = message
        self._start()

    def _start(self) -> None:
        """Starts the system once both the case and the camera are known, then answers the handshake."""
        info, camera = self._info, self._camera
        if info is None or camera is None:
            return
        if not self._started:
            pinhole = convert.from_camera_info(camera, info.depth_unit_m, info.near_m, info.far_m)
            self._system.start(convert.from_case_info(info, pinhole))
            self._started = True
            self._acknowledge(-1, 0)

    def _acknowledge(self, step: int, stamp_ns: int) -> None:
        assert self._info is not None
        self._done.publish(StepDone(nonce=self._info.nonce, step=step, stamp=convert.to_time(stamp_ns)))

    def _on_task(self, message: Task) -> None:
        self._tasks[message.task] = message.brief
        self._observe_whole_steps()

    def _on_part(self, part: str, message: Any) -> None:
        stamp_ns = convert.from_time(message.header.stamp)
        self._parts.setdefault(stamp_ns, {})[part] = message
        self._observe_whole_steps()

    def _observe_whole_steps(self) -> None:
        if not self._started or self._info is None:
            return
        needed = PARTS + (DETECTION_PARTS if self._info.channel == "detections" else ())
        for stamp_ns in sorted(self._parts):
            parts = self._parts[stamp_ns]
            if all(part in parts for part in needed) and parts["status"].task in self._tasks:
                del self._parts[stamp_ns]
                self._observe(stamp_ns, parts)

    def _observe(self, stamp_ns: int, parts: dict[str, Any]) -> None:
        status: RobotStatus = parts["status"]
        if status.step > self._done_step:  # a step sent once more is acknowledged again, not seen twice
            if status.task > self._told_task:
                self._system.task(TaskStart(task=status.task, brief=self._tasks[status.task]))
                self._told_task = status.task
            self._system.observe(self._step(stamp_ns, parts))
            self._done_step = status.step
        self._acknowledge(status.step, stamp_ns)

    def _step(self, stamp_ns: int, parts: dict[str, Any]) -> Step:
        status = parts["status"]
        depth = parts.get("depth")
        listed = parts.get("detections")
        return Step(
            step=status.step,
            stamp_ns=stamp_ns,
            pose=convert.from_pose(parts["pose"]),
            velocity=convert.velocity_of(parts["odom"]),
            status=convert.from_status(status),
            image=bytes(parts["image"].data),
            depth=None if depth is None else self._depth_png(depth),
            detections=None if listed is None else tuple(map(convert.from_detection, listed.detections)),
        )

    def _depth_png(self, message: Image) -> bytes:
        """Depth as the stream carries it: a 16-bit PNG in the robot's depth unit."""
        assert self._info is not None
        depth = to_array(message)
        if message.encoding == "32FC1":
            depth = np.rint(depth / self._info.depth_unit_m).astype(np.uint16)
        return bytes(cv2.imencode(".png", depth, [cv2.IMWRITE_PNG_COMPRESSION, 0])[1])

    def _on_ask(self, request: AskSrv.Request, response: AskSrv.Response) -> AskSrv.Response:
        expected = convert.KIND_NAMES[request.expected]
        payload = self._system.ask(
            Ask(
                qid=request.qid, text=request.text, family=request.family, expected=expected,
                params=convert.from_params(request.params), step=request.step,
                stamp_ns=convert.from_time(request.header.stamp), deadline_s=request.deadline_s,
            )
        )  # fmt: skip
        try:
            response.value = convert.to_value(parse_answer(payload, expected))
        except MalformedAnswer as error:
            response.value = AnswerValue(kind=AnswerValue.NOT_SET)
            response.note = str(error)
        return response

    def finish(self) -> None:
        """Tells the system that the case is over."""
        self._system.finish(Finish())


def spin(system: System, args: list[str] | None = None) -> None:
    """Runs a system as a brain until the process is told to end."""
    rclpy.init(args=args)
    node = BrainNode(system)
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        node.finish()
        node.destroy_node()
        rclpy.try_shutdown()


def main() -> None:
    """`python -m stbench_harness.ros.brain_node SYSTEM`: a scripted system as a brain."""
    from stbench_harness.systems import make_system

    if len(sys.argv) < 2:
        sys.exit("usage: brain_node SYSTEM [--ros-args …]: name a scripted system, e.g. all_unknown")
    spin(make_system(sys.argv[1]), args=sys.argv)


if __name__ == "__main__":
    main()
