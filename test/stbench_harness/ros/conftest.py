"""A harness node on a domain of the test's own, for tests over real DDS."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from stbench_harness.ros.domain import take_domain
from stbench_scoring.records.results import RunLabel


@dataclass
class Harness:
    """The node and what is published by it; `transport` makes a case's transport."""

    node: Any
    stage: Any
    domain: int
    warnings: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)
    _unreadable: list[Callable[[Exception], None]] = field(default_factory=list)

    def transport(self, label: RunLabel, **settings: Any) -> Any:
        from stbench_harness.ros.transport import CaseSettings, RosTransport, Timing

        settings.setdefault("timing", Timing(preflight_s=20.0, step_s=4.0))
        made = RosTransport(
            self.node, self.stage, CaseSettings(label=label, stop=self.stop, warn=self.warnings.append, **settings)
        )
        self._unreadable.append(made.unreadable)
        return made

    def unreadable(self, error: Exception) -> None:
        for told in self._unreadable:
            told(error)


@pytest.fixture
def domain() -> Iterator[int]:
    with take_domain() as number:
        yield number


@pytest.fixture
def harness(domain: int) -> Iterator[Harness]:
    """As harness_node has it, without lifecycle and action."""
    rclpy = pytest.importorskip("rclpy", reason="no ROS 2 here")
    from rclpy.context import Context

    from stbench_harness.ros.spinning import Spinner
    from stbench_harness.ros.stage import Stage

    context = Context()
    rclpy.init(context=context, domain_id=domain)
    node = rclpy.create_node("stbench_harness", context=context)
    made = Harness(node, Stage(node), domain)
    with Spinner(node, made.unreadable):
        yield made
    node.destroy_node()
    rclpy.try_shutdown(context=context)
