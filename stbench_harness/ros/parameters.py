"""Parameters of a node from one table: declared read-only with a description, texts of digits kept as texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node

from stbench_scoring.errors import StbenchError


@dataclass(frozen=True)
class Given:
    """A parameter: its default, whose type it has, and a line for people."""

    default: str | bool | float
    text: str


def declare(node: Node, table: Mapping[str, Given]) -> dict[str, Any]:
    """Declares the parameters and returns their values.

    Raises:
        StbenchError: A value is of another type; names node, parameter, value and how to give it.
    """
    values: dict[str, Any] = {}
    for name, given in table.items():
        descriptor = ParameterDescriptor(description=given.text, read_only=True, dynamic_typing=True)
        value = node.declare_parameter(name, given.default, descriptor).value
        values[name] = _typed(node.get_name(), name, given.default, value)
    return values


def _typed(node: str, name: str, default: str | bool | float, value: object) -> object:
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is type(default):
        return value
    hint = f"; quote it so that it stays a text: -p '{name}:=\"{value}\"'" if isinstance(default, str) else ""
    raise StbenchError(
        f"node {node}: parameter {name} is {value!r}, of type {type(value).__name__}; it must be "
        f"{type(default).__name__}{hint}"
    )


