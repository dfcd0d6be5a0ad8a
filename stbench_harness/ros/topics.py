"""The topics of a case, in one table: what the harness publishes, what a recorder subscribes to, what a bag holds.

`camera/image_raw` is not among them: it is decoded only while somebody subscribes, and a bag holds the JPEG itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PolygonStamped, PoseStamped
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import BatteryState, CameraInfo, CompressedImage, Image
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from stbench_harness.ros.qos import BURST, LATCHED, STREAM
from stbench_msgs.msg import (
    Answer,
    CaseInfo,
    CaseScore,
    CaseState,
    DetectionArray,
    Question,
    RobotStatus,
    Score,
    StepDone,
    Task,
)


@dataclass(frozen=True)
class Topic:
    """One topic.

    Attributes:
        name: Relative, but for `/tf`, `/tf_static`, `/clock` and `/diagnostics`, whose names are the system's.
        kind: Class of its messages.
        latched: Whether who comes late still receives the last message.
        publisher: `harness`, `brain` or `scorer`.
        burst: Whether many may go out at once, so that they must be kept until everybody has them.
    """

    name: str
    kind: Any
    latched: bool = False
    publisher: str = "harness"
    burst: bool = False

    @property
    def profile(self) -> QoSProfile:
        """What its publisher offers."""
        return LATCHED if self.latched else BURST if self.burst else STREAM


TOPICS = (
    Topic("/clock", Clock),
    Topic("/tf", TFMessage),
    Topic("/tf_static", TFMessage, latched=True),
    Topic("/diagnostics", DiagnosticArray),
    Topic("robot_description", String, latched=True),
    Topic("footprint", PolygonStamped, latched=True),
    Topic("camera/camera_info", CameraInfo, latched=True),
    Topic("camera/image_raw/compressed", CompressedImage),
    Topic("pose", PoseStamped),
    Topic("odom", Odometry),
    Topic("battery_state", BatteryState),
    Topic("camera/depth/camera_info", CameraInfo),
    Topic("camera/depth/image_raw", Image),
    Topic("stbench/detections", DetectionArray),
    Topic("stbench/status", RobotStatus),
    Topic("stbench/case_info", CaseInfo, latched=True),
    Topic("stbench/task", Task, latched=True),
    Topic("stbench/case_state", CaseState, latched=True),
    Topic("stbench/question", Question, burst=True),
    Topic("stbench/answer", Answer, burst=True),
    Topic("stbench/step_done", StepDone, latched=True, publisher="brain"),
    Topic("stbench/score", Score, publisher="scorer", burst=True),
    Topic("stbench/case_score", CaseScore, latched=True, publisher="scorer"),
)
