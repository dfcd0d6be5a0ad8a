"""The harness as a lifecycle node: goals of `run_case`, refusals, cancel, and a brain that must forget between cases."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rclpy", reason="no ROS 2 here")

import rclpy
from lifecycle_msgs.srv import ChangeState, GetState
from rclpy.action import ActionClient
from rclpy.context import Context

from stbench_harness.ledger import read_lines
from stbench_harness.processes import NodeProcess
from stbench_harness.ros.brain_process import BrainProcess, scripted_brain
from stbench_harness.ros.commands import command_of, source_environment
from stbench_harness.ros.spinning import Spinner
from stbench_msgs.action import RunCase
from stbench_scoring.records import ReleaseTree
from stbench_scoring.results import read_results

CID = "cc" * 8  # of the release by hand


class User:
    """A client of the action, as a robotics lab would write one."""

    def __init__(self, node: Any) -> None:
        self.node = node
        self.client = ActionClient(node, RunCase, "stbench/run_case")
        self.feedback: list[Any] = []

    def wait(self, future: Any, seconds: float = 60.0) -> Any:
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        assert done.wait(seconds), "no word from the harness"
        return future.result()

    def goal(self, cid: str = CID) -> Any:
        assert self.client.wait_for_server(20.0)
        return self.wait(self.client.send_goal_async(RunCase.Goal(cid=cid), lambda m: self.feedback.append(m.feedback)))

    def wait_until_active(self) -> None:
        service = self.node.create_client(GetState, "stbench_harness/get_state")
        assert service.wait_for_service(20.0)
        end = time.monotonic() + 20
        while self.wait(service.call_async(GetState.Request())).current_state.label != "active":
            assert time.monotonic() < end, "the harness did not become active"
            time.sleep(0.05)

    def run(self, cid: str = CID) -> Any:
        self.wait_until_active()
        handle = self.goal(cid)
        return self.wait(handle.get_result_async()).result if handle.accepted else None

    def transition(self, number: int) -> bool:
        service = self.node.create_client(ChangeState, "stbench_harness/change_state")
        assert service.wait_for_service(20.0)
        request = ChangeState.Request()
        request.transition.id = number
        return bool(self.wait(service.call_async(request)).success)


@pytest.fixture
def user(domain: int) -> Iterator[User]:
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    node = rclpy.create_node("user", context=context)
    with Spinner(node):
        yield User(node)
    node.destroy_node()
    rclpy.try_shutdown(context=context)


@pytest.fixture
def start(domain: int, hand_release: ReleaseTree, tmp_path: Path) -> Iterator[Callable[..., BrainProcess]]:
    """Starts a node of the suite; everything is ended after the test."""
    started: list[BrainProcess] = []

    def run(executable: str, name: str, **parameters: Any) -> BrainProcess:
        given = {"data": str(hand_release.root), "out": str(tmp_path / "run"), **parameters}
        command = command_of(NodeProcess(executable, name, given))
        started.append(BrainProcess(command, domain, tmp_path / f"{name}.log", source_environment()))
        return started[-1]

    yield run
    for process in started:
        process.end()


def harness(start: Callable[..., BrainProcess], **parameters: Any) -> BrainProcess:
    return start("harness_node", "stbench_harness", system="all_unknown", preflight_s=15.0, **parameters)


def test_goals_run_cases_and_a_reset_brain_may_play_again(
    start: Callable[..., BrainProcess], user: User, domain: int, tmp_path: Path
) -> None:
    harness(start, score=True)
    start("scoring_node", "stbench_scorer", once=False)
    with BrainProcess(scripted_brain("all_unknown"), domain, tmp_path / "brain.log"):
        results = [user.run(), user.run()]
    assert [(r.valid, r.outcome) for r in results] == [(True, "completed")] * 2
    # 2 of 6 golds are unknown (conftest): one of 2 in clearance, one of 4 in memory, weighed 2/20 and 4/20.
    assert [r.headline for r in results] == pytest.approx([(0.1 * 0.5 + 0.2 * 0.25) / 0.3] * 2)
    assert read_results(Path(results[0].results)).coverage.questions_scored == 6
    assert user.feedback and user.feedback[-1].steps == 3
    cases = [line for line in read_lines(tmp_path / "run" / "cases" / CID / "ledger.jsonl") if line.kind == "end"]
    assert [line.case_outcome for line in cases] == ["completed"] * 2


BRAIN_WITHOUT_RESET = """
import sys
from stbench_harness.ros import brain_node
from stbench_harness.systems import make_system
create = brain_node.BrainNode.create_service
def without_reset(self, kind, name, *more, **options):
    return None if name == "reset" else create(self, kind, name, *more, **options)
brain_node.BrainNode.create_service = without_reset
brain_node.spin(lambda: make_system("all_unknown"))
"""


def test_a_brain_that_cannot_forget_plays_once(
    start: Callable[..., BrainProcess], user: User, domain: int, tmp_path: Path
) -> None:
    harness(start)
    with BrainProcess([sys.executable, "-c", BRAIN_WITHOUT_RESET], domain, tmp_path / "brain.log"):
        first, second = user.run(), user.run()
    assert first.outcome == "completed"
    assert second.outcome == "invalid" and "offers no service reset" in second.detail


def test_goals_are_refused_where_they_cannot_be_run(start: Callable[..., BrainProcess], user: User, tmp_path: Path) -> None:
    harness(start, autostart=False)
    assert not user.goal().accepted  # neither configured nor active
    assert user.transition(1) and user.transition(3)
    assert not user.goal("no such case").accepted
    log = (tmp_path / "stbench_harness.log").read_text()
    assert "the node is not active" in log and f"the release has no such case; it has {CID}" in log


def test_a_bad_release_fails_to_configure(start: Callable[..., BrainProcess], user: User, tmp_path: Path) -> None:
    harness(start, autostart=False, data=str(tmp_path / "nowhere"))
    assert not user.transition(1)
    assert "nowhere" in (tmp_path / "stbench_harness.log").read_text()


SLOW_BRAIN = """
import time
from stbench_harness.ros.brain_node import spin
from stbench_harness.systems.all_unknown import AllUnknown
AllUnknown.observe = lambda self, step: time.sleep(2)
spin(AllUnknown)
"""


@pytest.mark.parametrize("way", ["cancel", "deactivate"])
def test_a_case_can_be_cancelled(
    start: Callable[..., BrainProcess], user: User, domain: int, tmp_path: Path, way: str
) -> None:
    harness(start)
    with BrainProcess([sys.executable, "-c", SLOW_BRAIN], domain, tmp_path / "brain.log"):
        user.wait_until_active()
        handle = user.goal()
        end = time.monotonic() + 30
        while not any(f.step for f in user.feedback) and time.monotonic() < end:
            time.sleep(0.1)
        assert not user.goal().accepted  # a case is in flight
        if way == "cancel":
            user.wait(handle.cancel_goal_async())
        else:
            assert user.transition(4)
        result = user.wait(handle.get_result_async()).result
    assert (result.valid, result.outcome) == (False, "cancelled")


def test_a_case_named_at_the_start_ends_the_node(
    start: Callable[..., BrainProcess], domain: int, tmp_path: Path
) -> None:
    with BrainProcess(scripted_brain("all_unknown"), domain, tmp_path / "brain.log"):
        assert harness(start, case=CID).process.wait(60) == 0


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"case": "00"}, "case '00' is not in"),
        ({"case": CID, "preflight_s": 0.5}, "no brain after 0.5 s"),
        ({"case": CID, "channel": "rgbd_pose"}, "channel rgbd_pose is not offered"),
        ({"case": CID, "pace": "real_time"}, "lockstep is what there is"),
        ({"case": 12}, "parameter case is 12"),
    ],
)
def test_what_cannot_be_run_ends_the_node_with_a_reason(
    start: Callable[..., BrainProcess], tmp_path: Path, wrong: dict[str, Any], told: str
) -> None:
    node = start("harness_node", "stbench_harness", **{"system": "all_unknown", **wrong})
    assert node.process.wait(60) in (1, 2)
    assert told in (tmp_path / "stbench_harness.log").read_text()
