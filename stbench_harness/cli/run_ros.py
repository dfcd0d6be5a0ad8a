"""`stbench run --transport ros`: each case on a DDS domain of its own, with a fresh brain process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from stbench_harness.cli.ending import show_end
from stbench_harness.protocol import Channel, Transport
from stbench_harness.runs import finish_run, open_run, run_cases
from stbench_harness.session import Options
from stbench_harness.systems import make_system
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import ReleaseTree
from stbench_scoring.records.results import RunLabel


def run_over_ros(
    system: str, tree: ReleaseTree, cases: Sequence[str], root: Path, channel: Channel, options: Options | None = None, *,
    record: bool, deadline_s: float, as_json: bool,
) -> int:  # fmt: skip
    """Runs a scripted system as a brain over ROS 2 and returns the exit code.

    Raises:
        StbenchError: No ROS 2 here, an unknown system, or a recording asked for.
    """
    try:
        import rclpy  # noqa: F401

        import stbench_msgs.msg  # noqa: F401
    except ImportError as error:
        raise StbenchError(f"--transport ros needs ROS 2 and the messages ({error}): run `make setup`") from error
    if record:
        raise StbenchError("--record: this version has no recorder; leave it out, or record with `ros2 bag record`")
    make_system(system)
    label = RunLabel(system=system, channel=channel, pace="lockstep", transport="ros", sandbox="ros")
    began = time.monotonic()
    folder = open_run(root, tree, label, cases)
    chosen = options or Options(label=label, deadline_s=deadline_s)
    run_cases(folder, cases, partial(_transport, system, root), chosen, partial(click.echo, err=True))
    results = finish_run(folder, began)
    show_end(results, root, as_json=as_json)
    return 1 if results.coverage.unscored else 0


def _transport(system: str, root: Path, cid: str) -> Transport:
    from stbench_harness.ros.brain_process import scripted_brain
    from stbench_harness.ros.launched import LaunchedTransport

    return LaunchedTransport(scripted_brain(system), root / "cases" / cid / "brain.log")
