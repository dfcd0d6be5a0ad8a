"""Runs one case: `ros2 launch stbench_harness case.launch.py system:=perfect_memory record:=true`.

What to start is told by `stbench_harness.processes`, what the arguments mean by `stbench_harness.launch_support`; here both
become launch actions. Everything that can be checked is checked before the first process starts, and the launcher exits
0 only after a case that was completed by a brain that lived to its end.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchContext, LaunchDescription, LaunchDescriptionEntity
from launch.actions import (
    DeclareLaunchArgument,
    EmitEvent,
    GroupAction,
    IncludeLaunchDescription,
    LogInfo,
    OpaqueFunction,
    RegisterEventHandler,
    TimerAction,
)
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown
from launch.events.process import ProcessExited
from launch.launch_description_sources import AnyLaunchDescriptionSource
from launch.logging import get_logger
from launch.substitutions.substitution_failure import SubstitutionFailure
from launch_ros.actions import Node, PushRosNamespace
from launch_ros.substitutions import ExecutableInPackage

try:
    from stbench_harness.launch_support import ARGUMENTS, crash_in, open_folder, order_from, truth
    from stbench_harness.processes import PACKAGE, CaseOrder, LaunchInclude, NodeProcess, case_processes
    from stbench_scoring.errors import StbenchError
except ModuleNotFoundError as error:
    raise RuntimeError(
        f"the Python that runs ros2 launch, {sys.executable}, has no module {error.name}: install stbench and what it "
        "needs for that Python, or source the setup file of the place where it is installed (docs/install.md)"
    ) from error

FINISH_S = 20.0  # for the scoring node and the recorder to end by themselves once the harness has
ORDERLY = (0, 1)  # exit codes of a harness that told everybody how the case ended
VIEWERS = {"rviz": ("rviz2", "rviz2"), "foxglove": ("foxglove_bridge", "foxglove_bridge")}
LAYOUT = Path(__file__).parent.parent / "config" / "stbench.rviz"


def generate_launch_description() -> LaunchDescription:
    """The arguments, then what they ask for."""
    declared = [DeclareLaunchArgument(a.name, default_value=a.default, description=a.text) for a in ARGUMENTS]
    return LaunchDescription([*declared, OpaqueFunction(function=_start)])


def _start(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    """The actions of one case. Raises StbenchError, which ends the launcher with 1, before anything has started."""
    given = {argument.name: context.launch_configurations[argument.name] for argument in ARGUMENTS}
    for word in context.argv:  # ros2 launch takes any name without a word; another launch file may include this one
        if ":=" in word and word.partition(":=")[0] not in given:
            get_logger("stbench").warning(f"argument {word}: case.launch.py has none of this name (--show-args lists them)")
    _check_messages()
    order = order_from(given)
    described = case_processes(order)
    viewers = [_viewer(name) for name in VIEWERS if truth(name, given[name])]
    for item in [*described, *viewers]:
        _check(item, context)
    open_folder(order)
    actions = [_include(item) if isinstance(item, LaunchInclude) else _node(item) for item in described]
    watch = Watch(order, dict(zip(actions, described, strict=True)))
    space = [PushRosNamespace(given["namespace"])] if given["namespace"] else []
    # Without forwarding, a brain's launch file sees none of our arguments: not where the release lies, and not our
    # `namespace` or `rviz` in the place of its own.
    group = GroupAction([*space, *actions, *map(_node, viewers)], scoped=True, forwarding=False)
    told = LogInfo(msg=f"case {order.case} of {order.data}, system {order.system}; its outputs go to {order.out}")
    return [RegisterEventHandler(OnProcessExit(on_exit=watch.on_exit)), told, group]


def _viewer(name: str) -> NodeProcess:
    package, executable = VIEWERS[name]
    return NodeProcess(executable, f"stbench_{name}", {"use_sim_time": True}, package=package)


def _check_messages() -> None:
    try:
        get_package_share_directory("stbench_msgs")
    except PackageNotFoundError:
        raise StbenchError(
            "the messages, package stbench_msgs, are not built or not sourced: in a parent workspace colcon finds them with "
            "--base-paths src src/stbench/stbench_msgs alone (docs/install.md)"
        ) from None


def _check(item: NodeProcess | LaunchInclude, context: LaunchContext) -> None:
    """Raises StbenchError that names the package or the file that is not there."""
    try:
        if isinstance(item, LaunchInclude):
            AnyLaunchDescriptionSource(str(_launch_file(item))).get_launch_description(context)
        else:
            ExecutableInPackage(package=item.package, executable=item.executable).perform(context)
    except PackageNotFoundError:
        raise StbenchError(
            f"the package {item.package} is not installed, or the setup file of its workspace is not sourced in this "
            "shell (ros2 pkg list names what is found)"
        ) from None
    except SubstitutionFailure:
        raise StbenchError(
            f"the package {item.package} has no executable {item.executable} "
            f"(ros2 pkg executables {item.package} lists them)"
        ) from None


def _launch_file(item: LaunchInclude) -> Path:
    share = Path(get_package_share_directory(item.package))
    found = sorted(share.rglob(item.file))
    if len(found) != 1:
        raise StbenchError(f"the package {item.package} has {len(found) or 'no'} launch files {item.file} in {share}")
    return found[0]


def _include(item: LaunchInclude) -> IncludeLaunchDescription:
    return IncludeLaunchDescription(AnyLaunchDescriptionSource(str(_launch_file(item))))


def _node(process: NodeProcess) -> Node:
    """Our own nodes get their name, the Python that runs this file, and end when the launcher is killed."""
    # Node(parameters=) writes a file in which PyYAML leaves 0123456789 and 12e34 unquoted, also as ParameterValue(…,
    # value_type=str), as they are texts to it; rcl then reads such an id as a number. So they are quoted here.
    quoted = [f"{name}:={json.dumps(value, ensure_ascii=False)}" for name, value in process.parameters.items()]
    options = {"arguments": list(process.arguments), "ros_arguments": [w for text in quoted for w in ("-p", text)]}
    if process.package == PACKAGE:
        options["name"] = process.name
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        options["additional_env"] = {"PATH": path, "STBENCH_END_WITH_PARENT": str(os.getpid())}
    elif shutil.which("setpriv"):  # util-linux; what is not ours does not look after itself
        options |= {"prefix": "setpriv --pdeathsig TERM", "exec_name": process.executable}
    if process.executable == "rviz2" and LAYOUT.is_file():
        options["arguments"] += ["-d", str(LAYOUT)]
    return Node(
        package=process.package, executable=process.executable, output="screen", emulate_tty=True, **options
    )  # fmt: skip


def _ended(code: int) -> str:
    return f"was ended by signal {-code}" if code < 0 else f"exited with code {code}"


class Watch:
    """Follows the processes of a case to its end and says how it ended."""

    def __init__(self, order: CaseOrder, described: dict[LaunchDescriptionEntity, NodeProcess | LaunchInclude]) -> None:
        self._order = order
        self._nodes = {action: item for action, item in described.items() if isinstance(item, NodeProcess)}
        self._codes: dict[str, int] = {}
        self._harness = next(item.name for item in self._nodes.values() if item.required)
        self._finishers = {i.name for i in self._nodes.values() if i.package == PACKAGE and i.name != "brain"}
        self._finishers.discard(self._harness)
        self._problems: list[str] = []
        self._told = False

    def on_exit(self, event: ProcessExited, context: LaunchContext) -> list[LaunchDescriptionEntity] | None:
        """Notes how a process ended; ends the launch when the harness and those that finish after it have."""
        item = self._nodes.get(event.action)
        if item is None:
            return None
        self._codes[item.name] = event.returncode
        if self._harness not in self._codes:
            if item.name not in self._finishers and not context.is_shutdown:
                self._early(item, event.returncode)
            return None
        if self._finishers <= set(self._codes) or self._codes[self._harness] not in ORDERLY or context.is_shutdown:
            return self._end()
        if item.name == self._harness:
            return [TimerAction(period=FINISH_S, actions=[OpaqueFunction(function=self._late)])]
        return None

    def _early(self, brain: NodeProcess, code: int) -> None:
        """Tells at once that the brain is gone. One that left with 0 may have heard of the end; else the ledger knows."""
        told = f"the brain {brain.package}/{brain.executable} {_ended(code)}"
        if code:
            self._problems.append(told)
        log = get_logger("stbench")
        (log.error if code else log.info)(f"{told} before the harness; the harness will record what that means")

    def _late(self, context: LaunchContext) -> list[LaunchDescriptionEntity]:
        left = sorted(self._finishers - set(self._codes))
        self._problems.append(f"{' and '.join(left)} did not end within {FINISH_S:g} s of the harness")
        return self._end()

    def _end(self) -> list[LaunchDescriptionEntity]:
        """A raised error is what makes the launcher exit with 1; a Shutdown always gives 0."""
        if self._told:
            return []
        self._told = True
        problems, code = self._problems, self._codes[self._harness]
        if code:
            problems.append(f"the case was not completed: the harness {_ended(code)}")
        else:
            # Where the case failed, so do they, for that reason alone.
            problems += [f"{n} {_ended(c)}" for n, c in self._codes.items() if n in self._finishers and c]
            problems += filter(None, [crash_in(self._order)])
        if problems:
            raise StbenchError(f"{'; '.join(problems)}. What there is lies in {self._order.out}")
        done = f"case {self._order.case} is completed; its outputs are in {self._order.out}"
        return [LogInfo(msg=done), EmitEvent(event=Shutdown(reason="the case is completed"))]
