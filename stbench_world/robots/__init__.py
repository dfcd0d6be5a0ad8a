"""The robots by name, one a file: body, camera and limits of motion."""

from __future__ import annotations

from collections.abc import Mapping

from stbench_scoring.errors import StbenchError
from stbench_world.robots.helper import HELPER
from stbench_world.robots.spec import RobotSpec

ROBOTS: Mapping[str, RobotSpec] = {HELPER.name: HELPER}


def robot_spec(name: str) -> RobotSpec:
    """Returns the robot of a name. Raises StbenchError that lists the known ones."""
    try:
        return ROBOTS[name]
    except KeyError:
        raise StbenchError(f"unknown robot {name!r}: known are {', '.join(sorted(ROBOTS))}") from None


__all__ = ["ROBOTS", "RobotSpec", "robot_spec"]
