"""The lockstep ROS 2 transport: one step in flight, acknowledged by the brain before the next.

A step that is not acknowledged is sent once more, then the case is invalid: a loss is never scored as the brain's.
Deadlines use the steady clock. One `ask` is outstanding at a time; a reply after its deadline does not count.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import rclpy
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from rclpy.context import Context
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy
from sensor_msgs.msg import CameraInfo, CompressedImage, Image
from std_msgs.msg import Header

from stbench_harness.protocol import (
    Ask,
    Finish,
    HarnessFault,
    Outcome,
    Reply,
    Start,
    Step,
    SystemCrashed,
    TaskStart,
)
from stbench_harness.ros import convert
from stbench_harness.ros.images import depth_to_image, to_compressed
from stbench_harness.ros.qos import LATCHED, STEP_DONE, STREAM
from stbench_msgs.msg import Answer as AnswerMsg
from stbench_msgs.msg import CaseInfo, CaseState, DetectionArray, RobotStatus, StepDone
from stbench_msgs.msg import Question as QuestionMsg
from stbench_msgs.msg import Task as TaskMsg
from stbench_msgs.srv import Ask as AskSrv

POLL_S = 0.05
NAMING_S = 10.0  # how long discovery may take to name a node


@dataclass(frozen=True)
class Timing:
    """How long the harness waits, seconds of the steady clock.

    Attributes:
        preflight_s: For exactly one brain to stand there and answer the handshake.
        step_s: For a step's acknowledgement, before it is sent once more, and again after that.
    """

    preflight_s: float = 30.0
    step_s: float = 10.0


class RosTransport:
    """Carries one case to the one brain on this ROS domain."""

    def __init__(self, timing: Timing | None = None, namespace: str = "", domain_id: int | None = None) -> None:
        self._timing = timing or Timing()
        self._namespace = namespace
        self._domain_id = domain_id
        self._nonce = secrets.token_hex(8)
        self._condition = threading.Condition()
        self._acknowledged: set[tuple[int, int]] = set()
        self._depth_unit_m = 0.001
        self._stamp_ns = 0

    def open(self) -> None:
        """Joins the domain and waits for exactly one brain: one `ask` server and one latched `step_done`."""
        self._context = Context()
        rclpy.init(context=self._context, domain_id=self._domain_id)
        self._node = rclpy.create_node("stbench_harness", namespace=self._namespace, context=self._context)
        node = self._node
        self._latched = {
            "info": node.create_publisher(CaseInfo, "stbench/case_info", LATCHED),
            "camera_info": node.create_publisher(CameraInfo, "camera/camera_info", LATCHED),
            "task": node.create_publisher(TaskMsg, "stbench/task", LATCHED),
            "state": node.create_publisher(CaseState, "stbench/case_state", LATCHED),
        }
        self._stream = {
            name: node.create_publisher(kind, topic, STREAM)
            for name, kind, topic in (
                ("pose", PoseStamped, "pose"),
                ("odom", Odometry, "odom"),
                ("status", RobotStatus, "stbench/status"),
                ("depth", Image, "camera/depth/image_raw"),
                ("detections", DetectionArray, "stbench/detections"),
                ("image", CompressedImage, "camera/image_raw/compressed"),
                ("question", QuestionMsg, "stbench/question"),
                ("answer", AnswerMsg, "stbench/answer"),
            )
        }
        node.create_subscription(StepDone, "stbench/step_done", self._on_step_done, STEP_DONE)
        self._client = node.create_client(AskSrv, "ask")
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(node)
        self._thread = threading.Thread(target=self._spin, name="stbench-ros", daemon=True)
        self._thread.start()
        self._wait_for_one_brain()

    def _spin(self) -> None:
        with contextlib.suppress(ExternalShutdownException):
            self._executor.spin()

    def _on_step_done(self, message: StepDone) -> None:
        if message.nonce != self._nonce:
            return
        with self._condition:
            self._acknowledged.add((message.step, convert.from_time(message.stamp)))
            self._condition.notify_all()

    def _brains(self) -> list[Any]:
        return list(self._node.get_publishers_info_by_topic(self._node.resolve_topic_name("stbench/step_done")))

    def _named_brains(self) -> list[Any]:
        """The brains once the graph knows their nodes: DDS finds an endpoint some moments before it can say whose it is."""
        end = time.monotonic() + NAMING_S
        while any("UNKNOWN" in brain.node_name for brain in self._brains()) and time.monotonic() < end:
            time.sleep(POLL_S)
        return self._brains()

    def _wait_for_one_brain(self) -> None:
        end = time.monotonic() + self._timing.preflight_s
        while True:
            brains = self._named_brains()
            self._refuse_wrong_brains(brains)
            if len(brains) == 1 and self._client.service_is_ready():
                return
            if time.monotonic() > end:
                raise HarnessFault(self._what_is_missing(brains))
            time.sleep(POLL_S)

    def _refuse_wrong_brains(self, brains: list[Any]) -> None:
        names = sorted(f"{brain.node_namespace.rstrip('/')}/{brain.node_name}" for brain in brains)
        if len(brains) > 1:
            raise HarnessFault(f"more than one brain publishes stbench/step_done: {', '.join(names)}; stop all but one")
        for brain in brains:
            if brain.qos_profile.durability == DurabilityPolicy.VOLATILE:
                raise HarnessFault(
                    f"{names[0]} offers stbench/step_done with durability VOLATILE; it must be TRANSIENT_LOCAL "
                    "(depth 1), so that an acknowledgement sent before discovery has ended is not lost"
                )

    def _what_is_missing(self, brains: list[Any]) -> str:
        missing = [] if brains else ["no publisher of stbench/step_done"]
        if not self._client.service_is_ready():
            missing.append("no server of the service ask")
        return (
            f"no brain after {self._timing.preflight_s:g} s: {' and '.join(missing)}. Is it running, on the same "
            "ROS_DOMAIN_ID and namespace, with the same RMW_IMPLEMENTATION?"
        )

    def start(self, start: Start) -> None:
        """Tells the brain what case this is and waits for its handshake."""
        self._depth_unit_m = start.camera.depth_unit_m
        camera = convert.to_camera_info(start.camera)
        camera.header = self._header(0, "camera_optical_frame")
        self._latched["camera_info"].publish(camera)
        state = CaseState(state=CaseState.STARTED, nonce=self._nonce, channel=start.channel, pace=start.pace)
        self._latched["state"].publish(state)
        info = convert.to_case_info(start, self._nonce)
        info.header = self._header(0, "map")
        self._latched["info"].publish(info)
        if not self._wait_acknowledged(-1, 0, self._timing.preflight_s):
            raise HarnessFault(
                f"the brain is matched but did not answer the handshake in {self._timing.preflight_s:g} s. If it runs "
                "in a container, give it the harness's /dev/shm and IPC namespace (--ipc=host) or disable shared memory"
            )

    def _header(self, stamp_ns: int, frame: str) -> Header:
        return Header(stamp=convert.to_time(stamp_ns), frame_id=frame)

    def _wait_acknowledged(self, step: int, stamp_ns: int, seconds: float) -> bool:
        end = time.monotonic() + seconds
        with self._condition:
            while (step, stamp_ns) not in self._acknowledged:
                left = end - time.monotonic()
                if left <= 0:
                    return False
                self._condition.wait(min(left, 0.5))
                if not self._brains():
                    raise SystemCrashed("the brain has left the ROS graph")
            self._acknowledged.clear()
        return True

    def task(self, task: TaskStart) -> None:
        """Publishes the brief; a brain holds a step until it knows the step's task."""
        header = self._header(self._stamp_ns, "map")
        self._latched["task"].publish(TaskMsg(header=header, task=task.task, brief=task.brief))

    def observe(self, step: Step) -> None:
        """Publishes a step, the image last, and waits for its acknowledgement; sends it once more, then gives up."""
        self._stamp_ns = step.stamp_ns
        for _ in range(2):
            self._publish_step(step)
            if self._wait_acknowledged(step.step, step.stamp_ns, self._timing.step_s):
                return
        raise HarnessFault(
            f"step {step.step} was not acknowledged in twice {self._timing.step_s:g} s: the case is invalid. "
            "Does the brain publish stbench/step_done after every frame?"
        )

    def _publish_step(self, step: Step) -> None:
        messages: dict[str, Any] = {
            "pose": (convert.to_pose(step.pose), "map"),
            "odom": (convert.to_odometry(step), "odom"),
            "status": (convert.to_status(step), "base_link"),
        }
        if step.depth is not None:
            messages["depth"] = (depth_to_image(step.depth, self._depth_unit_m), "camera_optical_frame")
        if step.detections is not None:
            listed = [convert.to_detection(detection) for detection in step.detections]
            messages["detections"] = (DetectionArray(step=step.step, detections=listed), "map")
        messages["image"] = (to_compressed(step.image), "camera_optical_frame")
        for name, (message, frame) in messages.items():
            message.header = self._header(step.stamp_ns, frame)
            self._stream[name].publish(message)

    def ask(self, ask: Ask) -> Reply:
        """Asks over the service and mirrors question and answer on topics, as services are not in bags."""
        header = self._header(ask.stamp_ns, "map")
        shared = {
            "header": header, "qid": ask.qid, "family": ask.family, "expected": convert.KINDS[ask.expected],
            "step": ask.step, "text": ask.text, "deadline_s": ask.deadline_s, "params": convert.to_params(ask.params),
        }  # fmt: skip
        self._stream["question"].publish(QuestionMsg(**shared))
        begun = time.monotonic()
        reply = self._call(AskSrv.Request(**shared), begun, ask.deadline_s)
        mirror = AnswerMsg(
            header=header, qid=ask.qid, step=ask.step, outcome=str(reply.outcome or ""), latency_s=reply.latency_s
        )
        if isinstance(reply.payload, AskSrv.Response):
            mirror.value, mirror.note = reply.payload.value, reply.payload.note
            reply = self._read(reply.payload, reply.latency_s)
        self._stream["answer"].publish(mirror)
        return reply

    def _call(self, request: AskSrv.Request, begun: float, deadline_s: float) -> Reply:
        done = threading.Event()
        future = self._client.call_async(request)
        future.add_done_callback(lambda _: done.set())
        while not done.wait(POLL_S * 4):
            if time.monotonic() - begun > deadline_s:
                self._client.remove_pending_request(future)
                return Reply(None, Outcome.TIMED_OUT, f"no reply in {deadline_s:g} s", time.monotonic() - begun)
            if not self._brains():
                self._client.remove_pending_request(future)
                return Reply(None, Outcome.CRASHED, "the brain has left the ROS graph", time.monotonic() - begun)
        latency_s = time.monotonic() - begun
        if future.exception() is not None:  # a reply that cannot be read, e.g. a text that is not UTF-8
            return Reply(None, Outcome.MALFORMED, f"the reply cannot be read: {future.exception()}", latency_s)
        return Reply(future.result(), None, "", latency_s)

    @staticmethod
    def _read(response: AskSrv.Response, latency_s: float) -> Reply:
        if response.refused:
            return Reply(None, Outcome.REFUSED, response.note, latency_s)
        payload = convert.to_payload(response.value)
        if payload is None:
            detail = response.note or f"value.kind is {response.value.kind}: no answer was set"
            return Reply(None, Outcome.MALFORMED, detail, latency_s)
        return Reply(payload, None, response.note, latency_s)

    def finish(self, finish: Finish) -> None:
        """Says that the case has ended."""
        self._latched["state"].publish(CaseState(state=CaseState.ENDED, nonce=self._nonce, detail=finish.reason))

    def close(self) -> None:
        """Leaves the domain. Safe to call after a failed `open`."""
        steps: tuple[Callable[[], object], ...] = ()
        if hasattr(self, "_executor"):
            steps = (self._executor.shutdown, self._thread.join)
        for step in steps:
            step()
        if hasattr(self, "_node"):
            self._node.destroy_node()
        if hasattr(self, "_context"):
            rclpy.try_shutdown(context=self._context)
