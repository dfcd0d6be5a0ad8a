"""What the robot is, as ROS tools want it: fixed transforms, footprint and a URDF of body and camera."""

from __future__ import annotations

import math
from xml.sax.saxutils import quoteattr

from geometry_msgs.msg import Point32, PolygonStamped, TransformStamped

from stbench_harness.protocol import StepPose
from stbench_harness.ros.convert import to_quaternion
from stbench_scoring.records import CameraMount, Robot

# An optical frame looks along z with x to the right and y down (REP-103): roll -90 and yaw -90 degrees.
_OPTICAL_RPY = (-math.pi / 2, 0.0, -math.pi / 2)


def footprint(robot: Robot) -> PolygonStamped:
    """The body's outline in `base_link`; the header's stamp is left to the caller."""
    message = PolygonStamped()
    message.header.frame_id = "base_link"
    message.polygon.points = [Point32(x=x, y=y, z=0.0) for x, y in robot.body.outline]
    return message


def moving_transforms(pose: StepPose) -> list[TransformStamped]:
    """map→odom (the replay has no drift: identity) and odom→base_link."""
    odom, base = _transform("map", "odom"), _transform("odom", "base_link")
    base.transform.translation.x, base.transform.translation.y = pose.x_m, pose.y_m
    base.transform.translation.z = pose.z_m
    base.transform.rotation = to_quaternion(math.radians(pose.yaw_deg))
    return [odom, base]


def fixed_transforms(mount: CameraMount) -> list[TransformStamped]:
    """base_link→camera_link (x along the view) and camera_link→camera_optical_frame."""
    camera, optical = _transform("base_link", "camera_link"), _transform("camera_link", "camera_optical_frame")
    camera.transform.translation.x, camera.transform.translation.y = mount.x_m, mount.y_m
    camera.transform.translation.z = mount.z_m
    camera.transform.rotation = to_quaternion(0.0, mount.pitch_rad)
    rotation = optical.transform.rotation
    rotation.x, rotation.y, rotation.z, rotation.w = -0.5, 0.5, -0.5, 0.5
    return [camera, optical]


def _transform(parent: str, child: str) -> TransformStamped:
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id = parent
    return message


def urdf(robot: Robot) -> str:
    """The body as its bounding box, the camera as a small one: enough to see it move in a viewer."""
    xs, ys = zip(*robot.body.outline, strict=True)
    low, high = robot.body.bottom_m, robot.body.top_m
    size = (max(xs) - min(xs), max(ys) - min(ys), high - low)
    middle = ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2, (high + low) / 2)
    mount = robot.camera_mount
    return (
        f"<robot name={quoteattr(robot.name)}>"
        f'<link name="base_link"><visual><origin xyz="{_numbers(middle)}"/>'
        f'<geometry><box size="{_numbers(size)}"/></geometry></visual></link>'
        '<link name="camera_link"><visual><geometry><box size="0.03 0.08 0.03"/></geometry></visual></link>'
        '<link name="camera_optical_frame"/>'
        '<joint name="camera_joint" type="fixed"><parent link="base_link"/><child link="camera_link"/>'
        f'<origin xyz="{_numbers((mount.x_m, mount.y_m, mount.z_m))}" rpy="0 {mount.pitch_rad:.6g} 0"/></joint>'
        '<joint name="camera_optical_joint" type="fixed"><parent link="camera_link"/>'
        f'<child link="camera_optical_frame"/><origin xyz="0 0 0" rpy="{_numbers(_OPTICAL_RPY)}"/></joint>'
        "</robot>"
    )


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:.6g}" for value in values)
