"""Who else is on the ROS graph: the one brain, the recorder, and subscribers whose quality of service will not do.

A publisher of `stbench/step_done` is a brain; recorders, scorers and viewers publish none and never count as one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rclpy.client import Client
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSCompatibility, QoSProfile, ReliabilityPolicy, qos_check_compatible

from stbench_harness.outcomes import Cancelled
from stbench_harness.protocol import HarnessFault

RECORDER, SCORER = "stbench_recorder", "stbench_scorer"
POLL_S = 0.05
NAMING_S = 10.0  # how long discovery may take to name a node
MOST_PARTICIPANTS = 30  # a domain's ports run short beyond; discovery is then slow and partial


@dataclass(frozen=True)
class Brain:
    """The brain that the preflight found.

    Attributes:
        name: Its node, with namespace.
        gid: Of its `step_done` publisher; a brain started anew has another.
    """

    name: str
    gid: bytes


def full_name(info: Any) -> str:
    """The node of an endpoint, with its namespace."""
    return f"{info.node_namespace.rstrip('/')}/{info.node_name}"


class Peers:
    """Looks at the graph for one node. Every wait leaves at once, by Cancelled, when `stop` is set."""

    def __init__(self, node: Node, stop: threading.Event) -> None:
        self._node = node
        self._stop = stop

    def _poll(self, done: Callable[[], bool], seconds: float) -> bool:
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                return False
            if self._stop.wait(POLL_S):
                raise Cancelled
        return True

    def brains(self) -> list[Any]:
        """Every publisher of `stbench/step_done`."""
        return list(self._node.get_publishers_info_by_topic(self._node.resolve_topic_name("stbench/step_done")))

    def is_there(self, brain: Brain) -> bool:
        """Whether the brain is still matched; after a SIGKILL it stays so for the lease of 20 s."""
        return any(bytes(info.endpoint_gid) == brain.gid for info in self.brains())

    def wait_for_brain(self, client: Client, seconds: float) -> Brain:
        """Waits for exactly one brain with its `ask` server.

        Raises:
            HarnessFault: None after `seconds`, more than one, or one with a volatile `step_done`; named.
        """
        found: list[Any] = []

        def ready() -> bool:
            nonlocal found
            self._poll(lambda: not any("UNKNOWN" in info.node_name for info in self.brains()), NAMING_S)
            found = self.brains()
            self._refuse_wrong(found)
            return len(found) == 1 and client.service_is_ready()

        if not self._poll(ready, seconds):
            raise HarnessFault(self._what_is_missing(found, client, seconds))
        return Brain(full_name(found[0]), bytes(found[0].endpoint_gid))

    @staticmethod
    def _refuse_wrong(brains: Sequence[Any]) -> None:
        names = sorted(map(full_name, brains))
        if len(brains) > 1:
            raise HarnessFault(f"more than one brain publishes stbench/step_done: {', '.join(names)}; stop all but one")
        for brain in brains:
            if brain.qos_profile.durability == DurabilityPolicy.VOLATILE:
                raise HarnessFault(
                    f"{names[0]} offers stbench/step_done with durability VOLATILE; it must be TRANSIENT_LOCAL "
                    "(depth 1), so that an acknowledgement sent before discovery has ended is not lost"
                )

    def _what_is_missing(self, brains: Sequence[Any], client: Client, seconds: float) -> str:
        missing = [] if brains else ["no publisher of stbench/step_done"]
        if not client.service_is_ready():
            missing.append("no server of the service ask")
        here = self._node.get_node_names_and_namespaces()
        others = sorted(f"{space.rstrip('/')}/{name}" for name, space in here if name != self._node.get_name())
        crowd = f" {len(here)} nodes are on this domain: {MOST_PARTICIPANTS} is the most that discovers well."
        return (
            f"no brain after {seconds:g} s: {' and '.join(missing)}. Is it running, on the same ROS_DOMAIN_ID and "
            f"namespace, with the same RMW_IMPLEMENTATION? Other nodes seen: {', '.join(others[:10]) or 'none'}."
            + (crowd if len(here) > MOST_PARTICIPANTS else "")
        )

    def wait_for_listener(self, name: str, topics: Iterable[str], seconds: float) -> None:
        """Waits until a node is subscribed to every topic, so that it hears the first message.

        Args:
            name: The node's name, e.g. RECORDER.
            topics: As this node names them.
            seconds: How long.

        Raises:
            HarnessFault: It is not; the topics that it lacks are named.
        """
        names = [self._node.resolve_topic_name(topic) for topic in topics]
        lacking: list[str] = names

        def matched() -> bool:
            nonlocal lacking
            lacking = [n for n in names if not any(i.node_name == name for i in self.subscriptions(n))]
            return not lacking

        if not self._poll(matched, seconds):
            raise HarnessFault(
                f"after {seconds:g} s no node {name} subscribes to {', '.join(lacking)}; start it on this domain and "
                "namespace, or run without it"
            )

    def is_listening(self, name: str, topic: str) -> bool:
        """Whether a node still subscribes to a topic."""
        return any(info.node_name == name for info in self.subscriptions(self._node.resolve_topic_name(topic)))

    def subscriptions(self, topic: str) -> list[Any]:
        """Every subscription of a resolved topic."""
        return list(self._node.get_subscriptions_info_by_topic(topic))

    def _offered(self, topic: str) -> QoSProfile | None:
        """What this node offers on a topic, as the graph tells it, with every policy filled in."""
        for info in self._node.get_publishers_info_by_topic(topic):
            if info.node_name == self._node.get_name():
                profile: QoSProfile = info.qos_profile
                return profile
        return None

    def check_subscribers(self, topics: Iterable[str], brain: Brain) -> list[str]:
        """Compares every subscriber's quality of service with what this node offers.

        Args:
            topics: As this node names them.
            brain: The brain; what is incompatible there is refused, elsewhere a warning.

        Returns:
            Warnings that name node, topic and policy.

        Raises:
            HarnessFault: The brain asks for what is not offered, so that it would receive nothing.
        """
        warnings = []
        for topic in map(self._node.resolve_topic_name, topics):
            profile = self._offered(topic)
            for info in self.subscriptions(topic) if profile is not None else ():
                verdict, reason = qos_check_compatible(profile, info.qos_profile)
                if verdict == QoSCompatibility.ERROR:
                    text = f"{full_name(info)} will receive nothing on {topic}: {reason.strip().rstrip('.;')}"
                    if full_name(info) == brain.name:
                        raise HarnessFault(f"{text}; subscribe reliable and, to what is not latched, volatile")
                    warnings.append(text)
                elif info.qos_profile.reliability == ReliabilityPolicy.BEST_EFFORT:
                    warnings.append(
                        f"{full_name(info)} subscribes to {topic} with reliability BEST_EFFORT and may lose messages "
                        "without notice; subscribe RELIABLE"
                    )
        return warnings
