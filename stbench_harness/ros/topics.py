"""The topics of a case, in one table: what the harness publishes, what a recorder subscribes to, what a bag holds.

`camera/image_raw` is not among them: it is decoded only while somebody subscribes, and a bag holds the JPEG itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PolygonStamped, PoseStamped
from nav_msgs.msg import Odometry
from rclpy.qos import DurabilityPolicy, QoSProfile
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
        profile: What its publisher offers.
        publisher: `harness`, `brain` or `scorer`.
    """

    name: str
    kind: Any
    profile: QoSProfile = field(default_factory=lambda: STREAM)
    publisher: str = "harness"

    @property
    def latched(self) -> bool:
        """Whether who comes late still receives the last messages."""
        return bool(self.profile.durability == DurabilityPolicy.TRANSIENT_LOCAL)


TOPICS = (
    Topic("/clock", Clock),
    Topic("/tf", TFMessage),
    Topic("/tf_static", TFMessage, LATCHED),
    Topic("/diagnostics", DiagnosticArray),
    Topic("robot_description", String, LATCHED),
    Topic("footprint", PolygonStamped, LATCHED),
    Topic("camera/camera_info", CameraInfo),
    Topic("camera/image_raw/compressed", CompressedImage),
    Topic("pose", PoseStamped),
    Topic("odom", Odometry),
    Topic("battery_state", BatteryState),
    Topic("camera/depth/camera_info", CameraInfo),
    Topic("camera/depth/image_raw", Image),
    Topic("stbench/detections", DetectionArray),
    Topic("stbench/status", RobotStatus),
    Topic("stbench/case_info", CaseInfo, LATCHED),
    Topic("stbench/task", Task, LATCHED),
    Topic("stbench/case_state", CaseState, LATCHED),
    Topic("stbench/question", Question, BURST),
    Topic("stbench/answer", Answer, BURST),
    Topic("stbench/step_done", StepDone, LATCHED, publisher="brain"),
    Topic("stbench/score", Score, BURST, publisher="scorer"),
    Topic("stbench/case_score", CaseScore, LATCHED, publisher="scorer"),
)
