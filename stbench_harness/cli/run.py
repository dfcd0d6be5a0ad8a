"""`stbench run`."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click

from stbench_harness.cli.ending import show_end
from stbench_harness.data import find_case
from stbench_harness.processes import ros_label
from stbench_harness.protocol import Transport
from stbench_harness.runs import RunFolder, finish_run, open_run, run_cases
from stbench_harness.session import Options
from stbench_harness.systems import channel_for, make_system
from stbench_harness.systems.user_class import is_user_class, load_class
from stbench_harness.transports.in_process import InProcessTransport
from stbench_scoring.errors import StbenchError
from stbench_scoring.records.results import RunLabel


@click.command()
@click.argument("system")
@click.argument("case", required=False)
@click.option("--data", type=click.Path(path_type=Path), help="A release's folder; the sample if not given.")
@click.option("--out", type=click.Path(path_type=Path), help="The run's folder; runs/SYSTEM-CASE if not given.")
@click.option("--channel", help="rgb_pose or detections; the system's own if not given.")
@click.option("--transport", type=click.Choice(["local", "ros"]), default="local", show_default=True)
@click.option("--local", "unsandboxed", is_flag=True, help="Let FILE.py:Class run on this machine, without a sandbox.")
@click.option("--during", type=click.Choice(["on", "off"]), default="on", show_default=True,
              help="Whether questions are asked during the drive too.")  # fmt: skip
@click.option("--brief", type=click.Choice(["correct", "neutral"]), default="correct", show_default=True)
@click.option("--deadline", type=click.FloatRange(min=0.001), default=120.0, show_default=True,
              help="Seconds for an answer.")  # fmt: skip
@click.option("--record", is_flag=True, help="Over ROS: record a bag of each case.")
@click.option("--live-score", is_flag=True, help="Over ROS: show scores during the run; the results are stamped so.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def run(
    system: str, case: str | None, data: Path | None, out: Path | None, channel: str | None, transport: str,
    unsandboxed: bool, during: str, brief: str, deadline: float, record: bool, live_score: bool, as_json: bool,
) -> None:  # fmt: skip
    """Run SYSTEM on CASE: a case's id or folder, a script's id, or `all`. Run again with the same --out to go on.

    SYSTEM is a scripted system (all_unknown, perfect_memory) or FILE.py:Class with --local; over ROS also
    package/executable or package/file.launch.py. What runs over ROS runs as processes of its own, without a sandbox.
    """
    tree, cases = find_case(data, case)
    if is_user_class(system) and not unsandboxed:
        raise StbenchError(f"{system} would run on this machine without a sandbox: allow it with --local")
    root = out or Path("runs") / f"{Path(system).name.replace(':', '-')}-{Path(case or '').name}"
    if transport == "ros":
        from stbench_harness.cli.run_ros import run_over_ros

        label = ros_label(
            system.removeprefix("ros:"), channel, during=during == "on", brief=brief, live_score=live_score
        )  # fmt: skip
        runner = partial(run_over_ros, record=record)
    else:
        if record or live_score:
            raise StbenchError("--record and --live-score need ROS topics: add --transport ros")
        label = RunLabel(
            system=system, channel=channel_for(system, channel), pace="lockstep", transport="local",
            sandbox="none" if is_user_class(system) else "in_process", during=during == "on",
            brief="neutral" if brief == "neutral" else "correct",
        )  # fmt: skip
        runner = partial(_run_here, make=_local_transport(system))
    began = time.monotonic()
    options = Options(label=label, deadline_s=deadline)
    _end_in_order(options.stop)
    folder = open_run(root, tree, label, cases)
    problems = runner(folder, cases, options)
    results = finish_run(folder, began)
    show_end(results, root, as_json=as_json)
    for problem in problems:
        click.echo(f"error: {problem}", err=True)
    sys.exit(130 if options.stop.is_set() else 1 if problems or results.coverage.unscored else 0)


def _run_here(
    folder: RunFolder, cases: Sequence[str], options: Options, make: Callable[[threading.Event, str], Transport]
) -> list[str]:
    """Runs the cases in this process; what goes wrong stands in their ledgers."""
    run_cases(folder, cases, partial(make, options.stop), options, partial(click.echo, err=True))
    return []


def _local_transport(system: str) -> Callable[[threading.Event, str], Transport]:
    """Makes a case's in-process transport."""
    if is_user_class(system):
        factory = load_class(system)
    else:
        make_system(system)
        factory = partial(make_system, system)
    return lambda stop, cid: InProcessTransport(factory, stop=stop)


def _end_in_order(stop: threading.Event) -> None:
    """The first signal ends the run in order, with the results so far; a second one at once."""

    def on_signal(number: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
