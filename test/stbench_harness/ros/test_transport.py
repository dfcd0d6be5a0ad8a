"""The lockstep transport against brains in processes of their own, over real DDS."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("rclpy", reason="no ROS 2 here")

from stbench_harness.ledger import Ledger
from stbench_harness.player import load_played
from stbench_harness.protocol import HarnessFault
from stbench_harness.ros.brain_process import BrainProcess, scripted_brain
from stbench_harness.ros.domain import take_domain
from stbench_harness.ros.transport import RosTransport, Timing
from stbench_harness.session import Options, run_case
from stbench_harness.systems import make_system
from stbench_harness.transports.in_process import InProcessTransport
from stbench_scoring.records import ReleaseTree, read_json
from stbench_scoring.records.release import Release
from stbench_scoring.records.results import CaseResponses, RunLabel

# A brain whose reply or frame goes wrong in a stated way; the rest is all_unknown's.
BRAIN = """
import sys, time, os
from stbench_harness.ros.brain_node import spin
from stbench_harness.systems import make_system
class Odd:
    def __init__(self): self.inner, self.asked, self.seen = make_system("all_unknown"), 0, 0
    def start(self, m): self.inner.start(m)
    def task(self, m): self.inner.task(m)
    def finish(self, m): self.inner.finish(m)
    def observe(self, m):
        self.seen += 1
        {observe}
        self.inner.observe(m)
    def ask(self, m):
        self.asked += 1
        {ask}
        return self.inner.ask(m)
spin(Odd())
"""


@pytest.fixture
def domain() -> Iterator[int]:
    with take_domain() as number:
        yield number


def a_case(root: Path) -> tuple[ReleaseTree, str]:
    tree = ReleaseTree(root)
    release = read_json(tree.release_json, Release)
    return tree, max(release.cases, key=lambda entry: entry.questions).cid


def label(system: str) -> RunLabel:
    channel = "detections" if system == "perfect_memory" else "rgb_pose"
    return RunLabel(system=system, channel=channel, pace="lockstep", transport="ros", sandbox="ros")


def run(root: Path, out: Path, domain: int, system: str = "all_unknown", deadline_s: float = 20.0) -> CaseResponses:
    tree, cid = a_case(root)
    transport = RosTransport(Timing(preflight_s=20.0, step_s=4.0), domain_id=domain)
    with Ledger(out / "ledger.jsonl") as ledger:
        return run_case(load_played(tree, cid), transport, ledger, Options(label=label(system), deadline_s=deadline_s))


def odd_brain(observe: str = "pass", ask: str = "pass") -> list[str]:
    return [sys.executable, "-c", BRAIN.format(observe=observe, ask=ask)]


@pytest.mark.parametrize("system", ["all_unknown", "perfect_memory"])
def test_a_brain_over_ros_answers_as_in_process(system: str, tiny_release: Path, tmp_path: Path, domain: int) -> None:
    with BrainProcess(scripted_brain(system), domain, tmp_path / "brain.log"):
        over_ros = run(tiny_release, tmp_path, domain, system)
    tree, cid = a_case(tiny_release)
    with Ledger(tmp_path / "local.jsonl") as ledger:
        transport = InProcessTransport(lambda: make_system(system))
        local = run_case(load_played(tree, cid), transport, ledger, Options(label=label(system)))
    assert over_ros.outcome == "completed", (tmp_path / "brain.log").read_text()
    assert over_ros.responses == local.responses
    assert len(over_ros.responses) > 0


def test_no_brain_is_a_fault_that_names_what_is_missing(domain: int) -> None:
    transport = RosTransport(Timing(preflight_s=0.5), domain_id=domain)
    try:
        with pytest.raises(HarnessFault, match=r"no publisher of stbench/step_done and no server of the service ask"):
            transport.open()
    finally:
        transport.close()


def test_two_brains_are_refused_by_name(tiny_release: Path, tmp_path: Path, domain: int) -> None:
    first = BrainProcess(scripted_brain("all_unknown"), domain, tmp_path / "one.log")
    second = BrainProcess([*scripted_brain("all_unknown"), "--ros-args", "-r", "__node:=other"], domain, tmp_path / "two.log")
    with first, second:
        time.sleep(4.0)  # both must be up before the harness looks
        responses = run(tiny_release, tmp_path, domain)
    assert responses.outcome == "invalid"
    assert "/brain" in (tmp_path / "ledger.jsonl").read_text() and "/other" in (tmp_path / "ledger.jsonl").read_text()


def test_a_brain_that_dies_crashes_the_rest(tiny_release: Path, tmp_path: Path, domain: int) -> None:
    dies = "if self.asked == 2: os.kill(os.getpid(), 9)"
    with BrainProcess(odd_brain(ask=dies), domain, tmp_path / "brain.log"):
        # SIGKILL leaves the brain matched until its lease of 20 s ends: the deadline comes first.
        responses = run(tiny_release, tmp_path, domain, deadline_s=2.0)
    outcomes = [response.outcome for response in responses.responses]
    assert outcomes[0] == "unknown"
    assert set(outcomes[1:]) <= {"timed_out", "crashed"} or responses.outcome == "invalid"


def test_a_brain_that_hangs_on_an_answer_times_out(tiny_release: Path, tmp_path: Path, domain: int) -> None:
    begun = time.monotonic()
    with BrainProcess(odd_brain(ask="if self.asked == 1: time.sleep(2.0)"), domain, tmp_path / "brain.log"):
        responses = run(tiny_release, tmp_path, domain, deadline_s=1.0)
    assert responses.outcome == "completed"
    outcomes = [response.outcome for response in responses.responses]
    assert outcomes[0] == "timed_out" and set(outcomes[2:]) == {"unknown"}
    assert time.monotonic() - begun < 60


def test_a_malformed_answer_is_the_systems(tiny_release: Path, tmp_path: Path, domain: int) -> None:
    with BrainProcess(odd_brain(ask='if self.asked == 1: return {"prose": "about 2 m"}'), domain, tmp_path / "brain.log"):
        responses = run(tiny_release, tmp_path, domain)
    assert [response.outcome for response in responses.responses][:2] == ["malformed", "unknown"]


def test_a_frame_never_acknowledged_makes_the_case_invalid(tiny_release: Path, tmp_path: Path, domain: int) -> None:
    with BrainProcess(odd_brain(observe="time.sleep(600)"), domain, tmp_path / "brain.log") as brain:
        responses = run(tiny_release, tmp_path, domain)
        group = brain.process.pid
    assert responses.outcome == "invalid"
    assert "step 0 was not acknowledged" in (tmp_path / "ledger.jsonl").read_text()
    with pytest.raises(ProcessLookupError):
        os.killpg(group, signal.SIGCONT)


VOLATILE_BRAIN = """
import rclpy
from stbench_msgs.msg import StepDone
from stbench_msgs.srv import Ask
rclpy.init()
node = rclpy.create_node("hasty")
node.create_publisher(StepDone, "stbench/step_done", 10)  # volatile, as a depth alone means
node.create_service(Ask, "ask", lambda request, response: response)
rclpy.spin(node)
"""


def test_a_volatile_step_done_is_refused_by_name(tmp_path: Path, domain: int) -> None:
    transport = RosTransport(Timing(preflight_s=20.0), domain_id=domain)
    with BrainProcess([sys.executable, "-c", VOLATILE_BRAIN], domain, tmp_path / "brain.log"):
        try:
            with pytest.raises(HarnessFault, match=r"/hasty offers stbench/step_done with durability VOLATILE"):
                transport.open()
        finally:
            transport.close()


def test_runs_do_not_share_a_domain() -> None:
    with take_domain() as one, take_domain() as two:
        assert one != two and 1 <= one <= 101 and 1 <= two <= 101
