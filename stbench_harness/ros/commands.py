"""Turns the description of a case's processes into commands, where no launch system is at hand."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

from stbench_harness.install import checkout, prefixes
from stbench_harness.processes import PACKAGE, LaunchInclude, NodeProcess, Value
from stbench_scoring.errors import StbenchError


def source_environment() -> dict[str, str]:
    """Where this package runs from its sources, its processes do too; nothing for an installed one."""
    source = checkout()
    if source is None:
        return {}
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(source), os.environ.get("PYTHONPATH", ""))))}


def command_of(process: NodeProcess | LaunchInclude, namespace: str = "") -> list[str]:
    """The command that starts a process.

    Raises:
        StbenchError: The executable, or `ros2 launch`, is not there; says where it was looked for.
    """
    if isinstance(process, LaunchInclude):
        ros2 = shutil.which("ros2")
        if ros2 is None:
            raise StbenchError(f"{process.package}/{process.file} needs ros2 launch, and there is no ros2 on PATH")
        return [ros2, "launch", process.package, process.file]
    path = _executable(process.package, process.executable)
    program = [sys.executable, str(path)] if process.package == PACKAGE else [str(path)]
    arguments = [*process.arguments, "--ros-args", "-r", f"__node:={process.name}"]
    if namespace:
        arguments += ["-r", f"__ns:={namespace}"]
    for name, value in process.parameters.items():
        arguments += ["-p", f"{name}:={_as_yaml(value)}"]
    return program + arguments


def _as_yaml(value: Value) -> str:
    """As `-p` reads it: texts quoted, so that an id of digits alone stays a text."""
    return json.dumps(value, ensure_ascii=False)  # YAML knows no pairs of surrogates


def _executable(package: str, name: str) -> Path:
    source = checkout()
    places = [prefix / "lib" / package for prefix in prefixes()]
    if package == PACKAGE and source is not None:
        places.insert(0, source / "libexec")
    for place in places:
        if os.access(place / name, os.X_OK):
            return place / name
    looked = ", ".join(dict.fromkeys(map(str, places)))
    raise StbenchError(f"no executable {name} of package {package}: looked in {looked}; is its workspace sourced?")
