"""What `launch/case.launch.py` decides, apart from ROS: its arguments, the order they make, and how a run ended.

No launch library is imported here, so that all of it is tested where none is installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from stbench_harness.data import find_case
from stbench_harness.ledger import read_lines, read_responses
from stbench_harness.processes import CaseOrder, brain_processes, free_bag, ros_label
from stbench_harness.runs import open_run
from stbench_harness.systems import channel_for
from stbench_harness.systems.user_class import is_user_class
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import ReleaseTree

TRUE, FALSE = ("true", "1", "on", "yes"), ("false", "0", "off", "no")


@dataclass(frozen=True)
class LaunchArgument:
    """An argument of the launch file: a default as text (empty: chosen from the others), and a line for people."""

    name: str
    default: str
    text: str


ARGUMENTS = (
    LaunchArgument("data", "", "Folder of the release. Empty: the sample that comes with the package."),
    LaunchArgument("case", "", "Id of the case, or its folder private/<id>. Empty: the first case of the release."),
    LaunchArgument(
        "system",
        "all_unknown",
        "The brain: a scripted system (all_unknown, perfect_memory, ...), FILE.py:Class, package/executable, "
        "package/file.launch.py, or external for one that is brought up otherwise.",
    ),
    LaunchArgument("channel", "", "rgb_pose or detections. Empty: the system's own."),
    LaunchArgument("pace", "lockstep", "lockstep: the next frame follows the brain's step_done."),
    LaunchArgument("rate", "", "Speed of a real-time replay; lockstep has none. Leave empty."),
    LaunchArgument("record", "false", "true: record a bag below OUT/cases/CASE."),
    LaunchArgument("out", "", "Folder of the run. Empty: runs/SYSTEM-CASE."),
    LaunchArgument("rviz", "false", "true: start rviz2 beside the case."),
    LaunchArgument("foxglove", "false", "true: start foxglove_bridge beside the case."),
    LaunchArgument("namespace", "", "ROS namespace of every node; /tf and /clock stay absolute."),
    LaunchArgument("deadline", "120.0", "Time for an answer, seconds."),
    LaunchArgument("live_score", "false", "true: scores go out during the run; the results are stamped feedback: live."),
    LaunchArgument("during", "true", "false: ask at the end alone."),
    LaunchArgument("brief", "correct", "correct, or neutral to withhold what the task is."),
)


def truth(name: str, value: str) -> bool:
    """A launch argument that is true or false. Raises StbenchError where it is neither."""
    if value.lower() in TRUE + FALSE:
        return value.lower() in TRUE
    raise StbenchError(f"argument {name}:={value}: give true or false")


def order_from(given: Mapping[str, str]) -> CaseOrder:
    """Returns what is to be run.

    Args:
        given: Every argument of `ARGUMENTS` as text.

    Raises:
        StbenchError: An argument is wrong; names it, its value and what would be right.
    """
    _refuse_other_paces(given["pace"], given["rate"])
    if given["brief"] not in ("correct", "neutral"):
        raise StbenchError(f"argument brief:={given['brief']}: give correct or neutral")
    system = given["system"]
    _check_system(system)
    data, case = _case(given["data"], given["case"])
    name = Path(system).name.replace(":", "-")
    out = Path(given["out"] or f"runs/{name}-{case}").expanduser().absolute()
    return CaseOrder(
        data=data, case=case, system=system, channel=channel_for(system, given["channel"] or None), out=out,
        pace=given["pace"], bag=free_bag(out, case) if truth("record", given["record"]) else None,
        during=truth("during", given["during"]), brief=given["brief"],
        live_score=truth("live_score", given["live_score"]), deadline_s=_seconds("deadline", given["deadline"]),
    )  # fmt: skip


def _refuse_other_paces(pace: str, rate: str) -> None:
    if pace != "lockstep":
        raise StbenchError(f"argument pace:={pace}: lockstep is the one pace there is; leave pace out")
    if rate not in ("", "0", "0.0"):
        raise StbenchError(f"argument rate:={rate}: lockstep has no rate, the brain's step_done sets it; leave rate out")


def _check_system(system: str) -> None:
    brain_processes(system)
    if is_user_class(system) and not Path(system.rpartition(":")[0]).is_file():
        raise StbenchError(f"argument system:={system}: there is no file {system.rpartition(':')[0]} in {Path.cwd()}")


def _case(data: str, case: str) -> tuple[Path, str]:
    tree, cases = find_case(Path(data).expanduser() if data else None, case or "all")
    if case and len(cases) > 1:
        raise StbenchError(f"argument case:={case} means {len(cases)} cases; a launch runs one: {', '.join(cases)}")
    return tree.root.absolute(), cases[0]


def _seconds(name: str, value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < float("inf"):
        raise StbenchError(f"argument {name}:={value}: give seconds, more than 0")
    return seconds


def open_folder(order: CaseOrder) -> None:
    """Makes the run's folder, or opens the one there is, before any node writes into it.

    Raises:
        StbenchError: It holds another system's, release's or arm's run, or something else.
    """
    label = ros_label(
        order.system, order.channel, pace=order.pace, during=order.during, brief=order.brief, live_score=order.live_score
    )
    open_run(order.out, ReleaseTree(order.data), label, [order.case])


def crash_in(order: CaseOrder) -> str | None:
    """What the ledger says of a brain that did not live to the case's end, or None where it did.

    A case whose brain died is complete, with `crashed` on the questions that were left: a result, but no success.
    """
    path = order.out / "cases" / order.case / "ledger.jsonl"
    if not path.is_file():
        return f"the harness left no ledger at {path}"
    crashed = sum(response.outcome == "crashed" for response in read_responses(path).responses)
    if not crashed:
        return None
    details = [line.detail for line in read_lines(path) if line.outcome == "crashed" and line.detail]
    return f"{crashed} questions ended as crashed" + (f": {details[-1]}" if details else "")
