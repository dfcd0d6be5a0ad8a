"""The lockstep transport against brains in processes of their own, over real DDS."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rclpy", reason="no ROS 2 here")

from stbench_harness.ledger import Ledger
from stbench_harness.player import load_played
from stbench_harness.protocol import HarnessFault
from stbench_harness.ros.brain_process import BrainProcess, scripted_brain
from stbench_harness.ros.domain import take_domain
from stbench_harness.ros.transport import Timing
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
spin(Odd)
"""


def a_case(root: Path) -> tuple[ReleaseTree, str]:
    tree = ReleaseTree(root)
    release = read_json(tree.release_json, Release)
    return tree, max(release.cases, key=lambda entry: entry.questions).cid


def label(system: str) -> RunLabel:
    channel = "detections" if system == "perfect_memory" else "rgb_pose"
    return RunLabel(system=system, channel=channel, pace="lockstep", transport="ros", sandbox="ros")


def run(harness: Any, root: Path, out: Path, system: str = "all_unknown", deadline_s: float = 20.0) -> CaseResponses:
    tree, cid = a_case(root)
    played = load_played(tree, cid)
    options = Options(label=label(system), deadline_s=deadline_s)
    stamps = [row.stamp_ns - played.case.start_ns for row in played.rows]
    with Ledger(out / "ledger.jsonl") as ledger:
        return run_case(played, harness.transport(label(system), stamps_ns=stamps), ledger, options)


def odd_brain(observe: str = "pass", ask: str = "pass") -> list[str]:
    return [sys.executable, "-c", BRAIN.format(observe=observe, ask=ask)]


@pytest.mark.parametrize("system", ["all_unknown", "perfect_memory"])
def test_a_brain_over_ros_answers_as_in_process(system: str, tiny_release: Path, tmp_path: Path, harness: Any) -> None:
    with BrainProcess(scripted_brain(system), harness.domain, tmp_path / "brain.log"):
        over_ros = run(harness, tiny_release, tmp_path, system)
    tree, cid = a_case(tiny_release)
    with Ledger(tmp_path / "local.jsonl") as ledger:
        transport = InProcessTransport(lambda: make_system(system))
        local = run_case(load_played(tree, cid), transport, ledger, Options(label=label(system)))
    assert over_ros.outcome == "completed", (tmp_path / "brain.log").read_text()
    assert over_ros.responses == local.responses
    assert len(over_ros.responses) > 0


def test_no_brain_is_a_fault_that_names_what_is_missing(harness: Any) -> None:
    transport = harness.transport(label("all_unknown"), timing=Timing(preflight_s=0.5))
    with pytest.raises(HarnessFault, match=r"no publisher of stbench/step_done and no server of the service ask"):
        transport.open()
    transport.close()


def test_two_brains_are_refused_by_name(tiny_release: Path, tmp_path: Path, harness: Any) -> None:
    first = BrainProcess(scripted_brain("all_unknown"), harness.domain, tmp_path / "one.log")
    second = BrainProcess([*scripted_brain("all_unknown"), "--ros-args", "-r", "__node:=other"], harness.domain, tmp_path / "two.log")
    with first, second:
        time.sleep(4.0)  # both must be up before the harness looks
        responses = run(harness, tiny_release, tmp_path)
    assert responses.outcome == "invalid"
    assert "/brain" in (tmp_path / "ledger.jsonl").read_text() and "/other" in (tmp_path / "ledger.jsonl").read_text()


def test_a_brain_that_comes_late_is_told_everything(harness: Any, tiny_release: Path, tmp_path: Path) -> None:
    late = ["sh", "-c", 'sleep 3; exec "$@"', "sh", *scripted_brain("perfect_memory")]
    with BrainProcess(late, harness.domain, tmp_path / "brain.log"):
        responses = run(harness, tiny_release, tmp_path, "perfect_memory")
    assert responses.outcome == "completed"
    assert any(response.outcome == "answered" for response in responses.responses)


def test_a_brain_that_dies_crashes_the_rest(tiny_release: Path, tmp_path: Path, harness: Any) -> None:
    dies = "if self.asked == 2: os.kill(os.getpid(), 9)"
    with BrainProcess(odd_brain(ask=dies), harness.domain, tmp_path / "brain.log"):
        # SIGKILL leaves the brain matched until its lease of 20 s ends: the deadline comes first.
        responses = run(harness, tiny_release, tmp_path, deadline_s=2.0)
    outcomes = [response.outcome for response in responses.responses]
    assert responses.outcome == "completed"
    assert outcomes[:2] == ["unknown", "timed_out"] and set(outcomes[2:]) == {"crashed"}


def test_a_brain_that_hangs_on_an_answer_times_out(tiny_release: Path, tmp_path: Path, harness: Any) -> None:
    begun = time.monotonic()
    with BrainProcess(odd_brain(ask="if self.asked == 1: time.sleep(2.0)"), harness.domain, tmp_path / "brain.log"):
        responses = run(harness, tiny_release, tmp_path, deadline_s=1.0)
    assert responses.outcome == "completed"
    outcomes = [response.outcome for response in responses.responses]
    assert outcomes[0] == "timed_out" and set(outcomes[2:]) == {"unknown"}
    assert time.monotonic() - begun < 60


def test_a_malformed_answer_is_the_systems(tiny_release: Path, tmp_path: Path, harness: Any) -> None:
    with BrainProcess(odd_brain(ask='if self.asked == 1: return {"prose": "about 2 m"}'), harness.domain, tmp_path / "brain.log"):
        responses = run(harness, tiny_release, tmp_path)
    assert [response.outcome for response in responses.responses][:2] == ["malformed", "unknown"]


def test_a_frame_never_acknowledged_makes_the_case_invalid(tiny_release: Path, tmp_path: Path, harness: Any) -> None:
    with BrainProcess(odd_brain(observe="time.sleep(600)"), harness.domain, tmp_path / "brain.log") as brain:
        responses = run(harness, tiny_release, tmp_path)
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


def test_a_volatile_step_done_is_refused_by_name(tmp_path: Path, harness: Any) -> None:
    with BrainProcess([sys.executable, "-c", VOLATILE_BRAIN], harness.domain, tmp_path / "brain.log"):
        transport = harness.transport(label("all_unknown"))
        with pytest.raises(HarnessFault, match=r"/hasty offers stbench/step_done with durability VOLATILE"):
            transport.open()
        transport.close()


def test_a_late_reply_is_told_and_does_not_count(harness: Any, tiny_release: Path, tmp_path: Path) -> None:
    from stbench_harness.ros.qos import BURST
    from stbench_msgs.msg import Answer

    heard: list[Any] = []
    harness.node.create_subscription(Answer, "stbench/answer", heard.append, BURST)
    with BrainProcess(odd_brain(ask="if self.asked == 1: time.sleep(2.0)"), harness.domain, tmp_path / "brain.log"):
        responses = run(harness, tiny_release, tmp_path, deadline_s=1.0)
    first = responses.responses[0]
    mirrors = [(answer.outcome, answer.late) for answer in heard if answer.qid == first.qid]
    assert first.outcome == "timed_out" and mirrors == [("timed_out", False), ("timed_out", True)]


def test_a_brain_started_anew_in_a_case_crashes_the_rest(harness: Any, tiny_release: Path, tmp_path: Path) -> None:
    # The second brain does all that a brain must, but it has not seen what the first one saw.
    log = tmp_path / "brain.log"
    again = f"import subprocess; subprocess.Popen({scripted_brain('all_unknown')!r}); time.sleep(5); os.kill(os.getpid(), 9)"
    with BrainProcess(odd_brain(observe=f"if self.seen == 3: {again}"), harness.domain, log):
        responses = run(harness, tiny_release, tmp_path, deadline_s=3.0)
    outcomes = [response.outcome for response in responses.responses]
    assert responses.outcome == "completed" and outcomes[-1] == "crashed"
    assert "joined after the case had begun" in (tmp_path / "ledger.jsonl").read_text()


BAD_BYTES = """
import ctypes, sys
text = "".join(["xy", "~~"])  # a fresh object: its bytes are overwritten in place, as a C++ node could send them
ctypes.memmove(id(text) + sys.getsizeof(text) - len(text) - 1, b"xy" + bytes([255, 254]), 4)
"""


def test_bytes_that_are_not_utf8_end_one_question_alone(harness: Any, tiny_release: Path, tmp_path: Path) -> None:
    brain = BRAIN.format(observe="pass", ask="pass").replace("spin(Odd)", BAD_BYTES + """
from stbench_harness.ros import brain_node
answer = brain_node.BrainNode._on_ask
def bad(self, request, response):
    response = answer(self, request, response)
    if self._system.asked == 2: response.note = text
    return response
brain_node.BrainNode._on_ask = bad
spin(Odd)
""")
    with BrainProcess([sys.executable, "-c", brain], harness.domain, tmp_path / "brain.log"):
        responses = run(harness, tiny_release, tmp_path)
    outcomes = [response.outcome for response in responses.responses]
    assert outcomes[1] == "malformed" and set(outcomes[:1] + outcomes[2:]) == {"unknown"}


def test_a_best_effort_viewer_is_warned_of_and_a_deaf_one_named(
    harness: Any, tiny_release: Path, tmp_path: Path
) -> None:
    import rclpy
    from geometry_msgs.msg import PoseStamped
    from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
    from sensor_msgs.msg import CompressedImage

    viewer = rclpy.create_node("viewer", context=harness.node.context)
    viewer.create_subscription(CompressedImage, "camera/image_raw/compressed", lambda m: None, qos_profile_sensor_data)
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    viewer.create_subscription(PoseStamped, "pose", lambda m: None, latched)
    with BrainProcess(scripted_brain("all_unknown"), harness.domain, tmp_path / "brain.log"):
        assert run(harness, tiny_release, tmp_path).outcome == "completed"
    viewer.destroy_node()
    best_effort, deaf = sorted(harness.warnings)  # "subscribes" before "will"
    assert "/viewer subscribes to /camera/image_raw/compressed with reliability BEST_EFFORT" in best_effort
    assert "/viewer will receive nothing on /pose" in deaf and "olatile" in deaf


def test_a_brain_that_asks_for_what_is_not_offered_is_refused(harness: Any, tmp_path: Path) -> None:
    brain = """
import rclpy
from rclpy.qos import QoSProfile, DurabilityPolicy
from stbench_msgs.msg import StepDone
from stbench_msgs.srv import Ask
from sensor_msgs.msg import CompressedImage
rclpy.init()
node = rclpy.create_node("deaf")
latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
node.create_subscription(CompressedImage, "camera/image_raw/compressed", print, latched)
node.create_publisher(StepDone, "stbench/step_done", latched)
node.create_service(Ask, "ask", lambda request, response: response)
rclpy.spin(node)
"""
    with BrainProcess([sys.executable, "-c", brain], harness.domain, tmp_path / "brain.log"):
        transport = harness.transport(label("all_unknown"))
        with pytest.raises(HarnessFault, match=r"/deaf will receive nothing on /camera/image_raw/compressed.*[Vv]olatile"):
            transport.open()
        transport.close()


def test_runs_do_not_share_a_domain() -> None:
    with take_domain() as one, take_domain() as two:
        assert one != two and 1 <= one <= 101 and 1 <= two <= 101
