"""Runs a system as a ROS 2 brain: from the topics alone it assembles steps, acknowledges them and answers `ask`.

It never opens a release; what it knows came over topics. In lockstep one step is in flight, so callbacks may block.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import cv2
import numpy as np
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.utilities import remove_ros_args
from sensor_msgs.msg import CompressedImage, Image
from std_srvs.srv import Trigger

from stbench_harness.mirrored import KIND_NAMES
from stbench_harness.protocol import Ask, Finish, Step, System, TaskStart
from stbench_harness.ros import convert
from stbench_harness.ros.images import to_array
from stbench_harness.ros.qos import LATCHED, STEP_DONE, STREAM
from stbench_harness.ros.spinning import Spinner, ros_process
from stbench_harness.systems import make_system
from stbench_harness.systems.user_class import is_user_class, load_class
from stbench_msgs.msg import AnswerValue, CaseInfo, DetectionArray, RobotStatus, StepDone, Task
from stbench_msgs.srv import Ask as AskSrv
from stbench_scoring.errors import MalformedAnswer, StbenchError
from stbench_scoring.records import parse_answer

PARTS = ("image", "pose", "odom", "status")
DETECTION_PARTS = ("depth", "detections")


class BrainNode(Node):
    """One system a case; the service `reset` forgets it and makes a fresh one for the next."""

    def __init__(self, make: Callable[[], System], name: str = "brain", **options: Any) -> None:
        super().__init__(name, **options)
        self._make = make
        self._forget()
        self._done = self.create_publisher(StepDone, "stbench/step_done", STEP_DONE)
        self.create_subscription(CaseInfo, "stbench/case_info", self._on_info, LATCHED)
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
        self.create_service(Trigger, "reset", self._on_reset)

    def _forget(self) -> None:
        self._system = self._make()
        self._info: CaseInfo | None = None
        self._tasks: dict[int, str] = {}
        self._told_task = -1
        self._parts: dict[int, dict[str, Any]] = {}
        self._done_step = -1

    def _on_reset(self, request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        if self._info is not None:
            self.finish()
        self._forget()
        response.success = True
        return response

    def _on_info(self, message: CaseInfo) -> None:
        """A case begins; one of another nonce is a new case, of which the old one's memory must know nothing."""
        if self._info is not None:
            if self._info.nonce == message.nonce:
                return
            self.finish()
            self._forget()
        self._info = message
        self._system.start(convert.from_case_info(message))
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
        if self._info is None:
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
        expected = KIND_NAMES[request.expected]
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


def spin(make: Callable[[], System], args: Sequence[str] | None = None) -> int:
    """Runs a system as a brain until the process is told to end.

    Args:
        make: Makes a fresh system; called for each case, e.g. the system's class.
        args: The process's arguments, with `--ros-args`.

    Returns:
        The process's exit code: 1 where the system raised, as its case is then broken.
    """
    with ros_process(list(args) if args is not None else sys.argv) as ended:
        node = BrainNode(make)
        with Spinner(node) as spinner:
            while not ended.wait(0.2) and spinner.failure is None:
                pass
        with contextlib.suppress(Exception):
            node.finish()
        node.destroy_node()
        return 1 if spinner.failure is not None else 0


def main() -> int:
    """`brain_node SYSTEM`: a scripted system, or FILE.py:Class, as a brain."""
    names = remove_ros_args(sys.argv)[1:]
    if len(names) != 1:
        print("usage: brain_node SYSTEM: name a scripted system, e.g. all_unknown, or FILE.py:Class", file=sys.stderr)
        return 2
    name = names[0]
    try:
        make = load_class(name) if is_user_class(name) else partial(make_system, name)
        if not is_user_class(name):
            make()  # an unknown name is told here, not in the first callback
    except StbenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return spin(make)


if __name__ == "__main__":
    sys.exit(main())
