#!/usr/bin/env python3
"""A brain for stbench in plain rclpy. Copy this file, then fill in see() and answer(). MIT, as the project.

Try it: make setup, make this file executable as WS/lib/my_package/my_brain, then
  AMENT_PREFIX_PATH=WS stbench run my_package/my_brain all --transport ros
"""

import contextlib

import rclpy
from geometry_msgs.msg import PoseStamped
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import CompressedImage

from stbench_msgs.msg import AnswerValue, CaseInfo, RobotStatus, StepDone, Task
from stbench_msgs.srv import Ask

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class Brain(Node):
    def __init__(self):
        super().__init__("brain")
        self.case = self.task = self.pose = self.status = None
        self.done = self.create_publisher(StepDone, "stbench/step_done", LATCHED)
        self.create_subscription(CaseInfo, "stbench/case_info", self.on_case, LATCHED)
        self.create_subscription(Task, "stbench/task", self.on_task, LATCHED)
        self.create_subscription(PoseStamped, "pose", self.on_pose, 10)
        self.create_subscription(RobotStatus, "stbench/status", self.on_status, 10)
        self.create_subscription(CompressedImage, "camera/image_raw/compressed", self.on_image, 10)
        self.create_service(Ask, "ask", self.on_ask)

    def on_case(self, case):  # body, camera and needs of the robot; a new case, so forget the old one
        self.case, self.waiting = case, None
        self.done.publish(StepDone(nonce=case.nonce, step=-1))  # the handshake

    def on_task(self, task):
        self.task = task.brief

    def on_pose(self, pose):
        self.pose = pose
        self.see_when_whole()

    def on_status(self, status):
        self.status = status
        self.see_when_whole()

    def on_image(self, image):
        self.waiting = image
        self.see_when_whole()

    def see_when_whole(self):  # all messages of a step share one stamp; topics may overtake each other
        image, parts = self.waiting, (self.pose, self.status)
        if image is None or any(part is None or part.header.stamp != image.header.stamp for part in parts):
            return
        self.waiting = None
        self.see(bytes(image.data), self.pose.pose, self.status)
        self.done.publish(StepDone(nonce=self.case.nonce, step=self.status.step, stamp=image.header.stamp))

    def see(self, jpeg, pose, status):
        """Look at the picture and remember: `pose` is base_link in map, `status` has phase, task and battery."""

    def on_ask(self, request, response):
        response.value = self.answer(request)
        return response

    def answer(self, ask):
        """Answer `ask.text`. ask.expected names the kind of answer, ask.params what it is about, without English."""
        if ask.family == "clear_path" and ask.params.turn == "back":
            return AnswerValue(kind=AnswerValue.NUMBER, distance_m=0.5)  # e.g. half a metre of room
        return AnswerValue(kind=AnswerValue.UNKNOWN)


rclpy.init()
with contextlib.suppress(KeyboardInterrupt, ExternalShutdownException):  # the case has ended
    rclpy.spin(Brain())
