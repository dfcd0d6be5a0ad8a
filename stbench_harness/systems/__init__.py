"""The scripted systems: baselines that read the stream only."""

from __future__ import annotations

from stbench_harness.protocol import Channel, System
from stbench_harness.systems.all_unknown import AllUnknown
from stbench_scoring.errors import StbenchError

# Name to the channel that the system needs, or None where either will do.
SYSTEMS: dict[str, Channel | None] = {"all_unknown": None, "perfect_memory": "detections"}


def make_system(name: str) -> System:
    """Returns a fresh object of a scripted system. Raises StbenchError that lists the known names."""
    if name == "all_unknown":
        return AllUnknown()
    if name == "perfect_memory":
        from stbench_harness.systems.perfect_memory import PerfectMemory

        return PerfectMemory()
    raise StbenchError(f"unknown system {name!r}: known are {', '.join(SYSTEMS)}, or FILE.py:Class")


def channel_for(name: str, wanted: str | None) -> Channel:
    """Returns the channel of a run: the one wanted, else the system's own, else `rgb_pose`.

    Raises:
        StbenchError: The system cannot work on the channel, or there is no such channel.
    """
    need = SYSTEMS.get(name)
    if wanted is None:
        return need or "rgb_pose"
    if wanted == "rgbd_pose":
        raise StbenchError(
            "channel rgbd_pose is not offered: depth goes out only with the detections, as the scorer's own sensor; "
            "use rgb_pose or detections"
        )
    if wanted not in ("rgb_pose", "detections"):
        raise StbenchError(f"unknown channel {wanted!r}: use rgb_pose or detections")
    if need is not None and wanted != need:
        raise StbenchError(f"{name} reads depth and detections: run it with --channel {need}, not {wanted}")
    return "detections" if wanted == "detections" else "rgb_pose"
