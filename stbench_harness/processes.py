"""The processes of a case over ROS 2, described once: the launch file and `stbench run --transport ros` both start these.

No ROS is imported here. A description says what to start, not how; `commands.py` and `launch/case.launch.py` do that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from stbench_harness.systems import SYSTEMS, channel_for
from stbench_harness.systems.user_class import is_user_class
from stbench_scoring.errors import StbenchError
from stbench_scoring.records.results import RunLabel

PACKAGE = "stbench_harness"
Value = str | bool | float | int


@dataclass(frozen=True)
class NodeProcess:
    """One node in a process of its own.

    Attributes:
        executable: Its name below the package's `lib/` folder.
        name: The node's name.
        parameters: ROS parameters; texts stay texts, also those of digits alone.
        arguments: Plain arguments, before `--ros-args`.
        package: The ROS package that holds the executable.
        required: Its end is the end of the case.
    """

    executable: str
    name: str
    parameters: Mapping[str, Value] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    package: str = PACKAGE
    required: bool = False


@dataclass(frozen=True)
class LaunchInclude:
    """A launch file of another package that brings up the brain."""

    package: str
    file: str


@dataclass(frozen=True)
class CaseOrder:
    """What is to be run.

    Attributes:
        data: The release's folder. Only the harness and the scoring node are told it.
        case: The case's id.
        system: A scripted system, `FILE.py:Class`, `package/executable`, `package/file.launch.py`, or `external` for a
            brain that is brought up otherwise.
        out: The run's folder.
        bag: Where the recorder writes; None for no bag.
        deadline_s, preflight_s, step_s, settle_s: See docs/ros.md.
    """

    data: Path
    case: str
    system: str
    channel: str
    out: Path
    pace: str = "lockstep"
    bag: Path | None = None
    during: bool = True
    brief: str = "correct"
    live_score: bool = False
    deadline_s: float = 120.0
    preflight_s: float = 30.0
    step_s: float = 10.0
    settle_s: float = 0.25


def free_bag(out: Path, case: str) -> Path:
    """Where a new bag of a case goes: `bag` in the case's folder, or `bag-2` and so on where one lies there already."""
    folder = out / "cases" / case
    return next(path for n in count(1) if not (path := folder / (f"bag-{n}" if n > 1 else "bag")).exists())


def ros_label(
    system: str, channel: str | None, *, pace: str = "lockstep", during: bool = True, brief: str = "correct",
    live_score: bool = False,
) -> RunLabel:  # fmt: skip
    """What stands in the results of a case over ROS 2: the same from the command line, the launch file and the node.

    Raises:
        StbenchError: A value is none of those there are.
    """
    if pace != "lockstep":
        raise StbenchError(f"pace is {pace!r}: lockstep is what there is")
    if brief not in ("correct", "neutral"):
        raise StbenchError(f"brief is {brief!r}: give correct or neutral")
    return RunLabel(
        system=system, channel=channel_for(system, channel), pace=pace, transport="ros", sandbox="ros",
        feedback="live" if live_score else "after", during=during, brief="neutral" if brief == "neutral" else "correct",
    )  # fmt: skip


def case_processes(order: CaseOrder) -> tuple[NodeProcess | LaunchInclude, ...]:
    """The processes of a case, the required harness first, the brain last.

    Raises:
        StbenchError: The system is of no known form.
    """
    harness = NodeProcess(
        "harness_node", "stbench_harness", required=True,
        parameters={
            "data": str(order.data), "case": order.case, "system": order.system, "channel": order.channel,
            "pace": order.pace, "out": str(order.out), "record": order.bag is not None, "score": True,
            "during": order.during, "brief": order.brief, "live_score": order.live_score, "deadline_s": order.deadline_s,
            "preflight_s": order.preflight_s, "step_s": order.step_s, "settle_s": order.settle_s, "autostart": True,
        },
    )  # fmt: skip
    scorer = NodeProcess(
        "scoring_node", "stbench_scorer",
        parameters={"data": str(order.data), "out": str(order.out), "live_score": order.live_score, "once": True},
    )  # fmt: skip
    recorder = () if order.bag is None else (NodeProcess("recorder_node", "stbench_recorder", {"bag": str(order.bag)}),)
    return (harness, scorer, *recorder, *brain_processes(order.system))


def brain_processes(system: str) -> tuple[NodeProcess | LaunchInclude, ...]:
    """What brings the brain up; nothing for `external`. The brain is never told where the release lies."""
    if system == "external":
        return ()
    if system in SYSTEMS or is_user_class(system):
        return (NodeProcess("brain_node", "brain", arguments=(system,)),)
    package, slash, file = system.partition("/")
    if not slash or not package or not file or "/" in file:
        raise StbenchError(
            f"system {system!r}: give one of {', '.join(sorted(SYSTEMS))}, FILE.py:Class, package/executable, "
            "package/file.launch.py, or external"
        )
    if file.endswith((".launch.py", ".launch.xml", ".launch.yaml")):
        return (LaunchInclude(package, file),)
    return (NodeProcess(file, "brain", package=package),)
