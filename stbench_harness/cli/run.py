"""`stbench run`."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from stbench_harness.cli.ending import show_end
from stbench_harness.data import find_case
from stbench_harness.protocol import Transport
from stbench_harness.runs import finish_run, open_run, run_cases
from stbench_harness.session import Options
from stbench_harness.systems import channel_for, make_system
from stbench_harness.systems.user_class import is_user_class, load_class
from stbench_harness.transports.in_process import InProcessTransport
from stbench_scoring.errors import StbenchError
from stbench_scoring.records.results import RunLabel
from stbench_scoring.results import Results


@click.command()
@click.argument("system")
@click.argument("case", required=False)
@click.option("--data", type=click.Path(path_type=Path), help="A release's folder; the sample if not given.")
@click.option("--out", type=click.Path(path_type=Path), help="The run's folder; runs/SYSTEM-CASE if not given.")
@click.option("--channel", help="rgb_pose or detections; the system's own if not given.")
@click.option("--transport", type=click.Choice(["local", "ros"]), default="local", show_default=True)
@click.option("--local", "unsandboxed", is_flag=True, help="Let FILE.py:Class run in this process, without a sandbox.")
@click.option("--during", type=click.Choice(["on", "off"]), default="on", show_default=True,
              help="Whether questions are asked during the drive too.")  # fmt: skip
@click.option("--brief", type=click.Choice(["correct", "neutral"]), default="correct", show_default=True)
@click.option("--deadline", type=click.FloatRange(min=0.001), default=120.0, show_default=True,
              help="Seconds for an answer.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def run(
    system: str, case: str | None, data: Path | None, out: Path | None, channel: str | None, transport: str,
    unsandboxed: bool, during: str, brief: str, deadline: float, as_json: bool,
) -> None:  # fmt: skip
    """Run SYSTEM on CASE: a case's id or folder, a script's id, or `all`. Run again with the same --out to go on.

    SYSTEM is a scripted system (all_unknown, perfect_memory), or FILE.py:Class with --local.
    """
    tree, cases = find_case(data, case)
    wanted = channel_for(system, channel)
    root = out or Path("runs") / f"{Path(system).name.replace(':', '-')}-{Path(case or '').name}"
    over_ros = transport == "ros"
    make = _ros_transport(system, root) if over_ros else _local_transport(system, unsandboxed)
    sandbox = "ros" if over_ros else "none" if is_user_class(system) else "in_process"
    label = RunLabel(
        system=system, channel=wanted, pace="lockstep", transport=transport, sandbox=sandbox,
        during=during == "on", brief="neutral" if brief == "neutral" else "correct",
    )  # fmt: skip
    began = time.monotonic()
    options = Options(label=label, deadline_s=deadline)
    _end_in_order(options.stop)
    folder = open_run(root, tree, label, cases)
    run_cases(folder, cases, partial(make, options.stop), options, partial(click.echo, err=True))
    results = finish_run(folder, began)
    show_end(results, root, as_json=as_json)
    sys.exit(_code(results, stopped=options.stop.is_set()))


def _local_transport(system: str, unsandboxed: bool) -> Callable[[threading.Event, str], Transport]:
    """Makes a case's in-process transport."""
    if is_user_class(system):
        if not unsandboxed:
            raise StbenchError(f"{system} would run in this process, without a sandbox: allow it with --local")
        factory = load_class(system)
    else:
        make_system(system)
        factory = partial(make_system, system)
    return lambda stop, cid: InProcessTransport(factory, stop=stop)


def _ros_transport(system: str, root: Path) -> Callable[[threading.Event, str], Transport]:
    """Makes a case's ROS transport, with a scripted system as a brain node of its own."""
    if is_user_class(system):
        raise StbenchError(f"{system} cannot run over ROS: name a scripted system, or use --transport local")
    make_system(system)
    try:
        from stbench_harness.ros.brain_process import scripted_brain
        from stbench_harness.ros.launched import LaunchedTransport
    except ImportError as error:
        raise StbenchError(f"--transport ros needs ROS 2 and stbench_msgs, which are not all here: {error}") from None
    return lambda stop, cid: LaunchedTransport(scripted_brain(system), root / "cases" / cid / "brain.log")


def _end_in_order(stop: threading.Event) -> None:
    """The first signal ends the run in order, with the results so far; a second one at once."""

    def on_signal(number: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)


def _code(results: Results, *, stopped: bool) -> int:
    if stopped:
        return 130
    return 1 if results.coverage.unscored else 0
