"""Sessions in process: the stream, its outcomes, and systems that hang, lie and die."""

from __future__ import annotations

import math
import time
from pathlib import Path

import pytest

from stbench_harness.ledger import Ledger, read_lines
from stbench_harness.player import load_played, play
from stbench_harness.protocol import Ask, HarnessFault, Start, Step, TaskStart
from stbench_harness.session import Options, run_case
from stbench_harness.systems import make_system
from stbench_harness.systems.all_unknown import AllUnknown
from stbench_harness.transports.in_process import InProcessTransport
from stbench_scoring.records.results import CaseResponses, RunLabel

CID = "cc" * 8
LABEL = RunLabel(system="s", channel="detections", pace="lockstep", transport="local", sandbox="in_process")


def run(tree, path: Path, factory, *, deadline_s=5.0, frame_deadline_s=5.0) -> CaseResponses:
    transport = InProcessTransport(factory, frame_deadline_s=frame_deadline_s)
    with Ledger(path) as ledger:
        return run_case(load_played(tree, CID), transport, ledger, Options(label=LABEL, deadline_s=deadline_s))


def outcomes(responses: CaseResponses) -> list[str]:
    assert [r.qid for r in responses.responses] == ["q0", "q1", "q2", "q3", "q4", "q5"]
    return [r.outcome for r in responses.responses]


def test_stream_in_the_cases_own_numbers(hand_release):
    messages = list(play(load_played(hand_release, CID), "detections"))
    kinds = [type(m).__name__ for m in messages]
    assert kinds == [
        "Start", "TaskStart", "Step", "Ask", "Step", "Ask", "Ask", "Step", "Ask", "Ask", "Ask", "Finish"
    ]  # fmt: skip
    steps = [m for m in messages if isinstance(m, Step)]
    assert [(s.step, s.stamp_ns, s.status.task) for s in steps] == [(0, 0, 0), (1, 10**9, 0), (2, 2 * 10**9, 0)]
    assert steps[0].image == hand_release.rgb("aa" * 8, 1).read_bytes()
    assert isinstance(messages[1], TaskStart)
    assert messages[1].brief.startswith("Carry the red mug from the table to the shelf")
    asks = [m for m in messages if isinstance(m, Ask)]
    assert [(a.qid, a.step) for a in asks] == [("q0", 0), ("q1", 1), ("q2", 1), ("q3", 2), ("q4", 2), ("q5", 2)]


def test_no_depth_or_detections_on_rgb_pose(hand_release):
    for message in play(load_played(hand_release, CID), "rgb_pose"):
        if isinstance(message, Step):
            assert message.depth is None and message.detections is None


def test_nothing_names_the_case_or_the_script(hand_release):
    for message in play(load_played(hand_release, CID), "detections"):
        assert CID not in repr(message) and "aa" * 8 not in repr(message)


def test_arms(hand_release):
    messages = list(play(load_played(hand_release, CID), "rgb_pose", during=False, brief="neutral"))
    assert [m.qid for m in messages if isinstance(m, Ask)] == ["q4", "q5"]
    assert "mug" not in next(m.brief for m in messages if isinstance(m, TaskStart))


def test_perfect_memory_by_hand(hand_release, tmp_path):
    """The values by hand: the wall at 3 m, the front at 0.2 m; to the left nothing was looked at beyond the ring."""
    by_id = {r.qid: r for r in run(hand_release, tmp_path / "l", lambda: make_system("perfect_memory")).responses}
    assert by_id["q0"].answer.distance_m == pytest.approx(2.8, abs=0.01)
    assert by_id["q1"].outcome == "unknown"
    assert (by_id["q2"].answer.ahead_m, by_id["q2"].answer.left_m) == pytest.approx((0.85, 0.65))
    assert (by_id["q3"].answer.ahead_m, by_id["q3"].answer.left_m) == pytest.approx((0.35, 0.65))
    assert (by_id["q4"].answer.x_m, by_id["q4"].answer.y_m) == (1.5, 0.7)
    assert by_id["q5"].outcome == "unknown"


class Says(AllUnknown):
    def __init__(self, payload):
        self.payload = payload

    def ask(self, ask):
        return self.payload


@pytest.mark.parametrize(
    "payload",
    [
        None, True, 1.2, [], {}, {"distance_m": math.nan}, {"distance_m": math.inf}, {"distance_m": True},
        {"distance_m": "1.2"}, 'I think {"unknown": true}', "{", b"\xff", {"unknown": False}, object(), {1: {2, 3}},
        {"distance_m": 10**400}, "\ud800", {"distance_m": 1.2, "note": "x"}, "[" * 100_000,
    ],
)  # fmt: skip
def test_malformed(hand_release, tmp_path, payload):
    assert outcomes(run(hand_release, tmp_path / "l", lambda: Says(payload))) == ["malformed"] * 6


def test_json_text_is_an_answer(hand_release, tmp_path):
    assert outcomes(run(hand_release, tmp_path / "l", lambda: Says('{"unknown": true}'))) == ["unknown"] * 6


class CrashesAtSecondAsk(AllUnknown):
    asked = 0

    def ask(self, ask):
        self.asked += 1
        if self.asked == 2:
            raise SystemExit("gone")
        return {"unknown": True}


def test_crash_ends_the_rest_as_crashed(hand_release, tmp_path):
    responses = run(hand_release, tmp_path / "l", CrashesAtSecondAsk)
    assert responses.outcome == "completed"
    assert outcomes(responses) == ["unknown"] + ["crashed"] * 5


def test_crash_of_the_constructor(hand_release, tmp_path):
    def fails():
        raise RuntimeError("no model")

    assert outcomes(run(hand_release, tmp_path / "l", fails)) == ["crashed"] * 6


class HangsAt(AllUnknown):
    def __init__(self, what):
        self.what = what

    def observe(self, step):
        if self.what == "observe" and step.step == 1:
            time.sleep(60)

    def ask(self, ask):
        if self.what == ask.qid:
            time.sleep(60)
        return {"unknown": True}


def test_hung_ask_ends_in_bounded_time(hand_release, tmp_path):
    began = time.monotonic()
    responses = run(hand_release, tmp_path / "l", lambda: HangsAt("q0"), deadline_s=0.3, frame_deadline_s=0.3)
    assert outcomes(responses) == ["timed_out"] * 6
    assert time.monotonic() - began < 5


def test_hung_frame_times_the_rest_out(hand_release, tmp_path):
    responses = run(hand_release, tmp_path / "l", lambda: HangsAt("observe"), frame_deadline_s=0.3)
    assert outcomes(responses) == ["unknown"] + ["timed_out"] * 5


class Late(AllUnknown):
    def ask(self, ask):
        if ask.qid == "q0":
            time.sleep(0.6)
        return {"unknown": True}


def test_late_once_goes_on(hand_release, tmp_path):
    responses = run(hand_release, tmp_path / "l", Late, deadline_s=0.3)
    assert outcomes(responses) == ["timed_out"] + ["unknown"] * 5


class Faulty(InProcessTransport):
    def observe(self, step):
        raise HarnessFault("the frame was lost on our side")


def test_our_fault_makes_the_case_invalid(hand_release, tmp_path):
    with Ledger(tmp_path / "l") as ledger:
        responses = run_case(load_played(hand_release, CID), Faulty(AllUnknown), ledger, Options(label=LABEL))
    assert responses.outcome == "invalid"
    assert "lost on our side" in read_lines(tmp_path / "l")[-1].detail


def test_cancelled_while_a_system_hangs(hand_release, tmp_path):
    options = Options(label=LABEL)

    class Stops(AllUnknown):
        def ask(self, ask):
            options.stop.set()
            time.sleep(60)

    began = time.monotonic()
    with Ledger(tmp_path / "l") as ledger:
        transport = InProcessTransport(Stops, stop=options.stop)
        assert run_case(load_played(hand_release, CID), transport, ledger, options).outcome == "cancelled"
    assert time.monotonic() - began < 5


def test_perfect_memory_refuses_rgb_pose(hand_release):
    start = next(m for m in play(load_played(hand_release, CID), "rgb_pose") if isinstance(m, Start))
    with pytest.raises(ValueError, match="channel detections"):
        make_system("perfect_memory").start(start)


def test_a_list_of_a_million_is_malformed_at_once(hand_release, tmp_path):
    million = {"places": [{"x_m": 0.0, "y_m": 0.0}] * 1_000_000}

    class Huge(AllUnknown):
        def ask(self, ask):
            return million

    begun = time.monotonic()
    assert outcomes(run(hand_release, tmp_path / "l.jsonl", Huge)) == ["malformed"] * 6
    assert time.monotonic() - begun < 5  # copying the list six times takes tens of seconds
