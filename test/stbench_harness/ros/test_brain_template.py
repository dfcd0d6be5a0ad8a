"""The template that users copy: short, and a brain that plays a whole case."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rclpy", reason="no ROS 2 here")

from stbench_harness.ledger import Ledger
from stbench_harness.player import load_played
from stbench_harness.ros.brain_process import BrainProcess
from stbench_harness.session import Options, run_case
from stbench_scoring.records import Question, ReleaseTree, read_jsonl
from stbench_scoring.records.results import RunLabel

TEMPLATE = Path(__file__).resolve().parents[3] / "docs" / "brain_template.py"
LABEL = RunLabel(system="external", channel="rgb_pose", pace="lockstep", transport="ros", sandbox="ros")


def test_it_is_short_and_stands_alone() -> None:
    text = TEMPLATE.read_text()
    assert len(text.splitlines()) < 80
    assert "stbench_harness." not in text and "stbench_scoring" not in text  # messages alone: no package of ours


def test_it_plays_a_case(harness: Any, hand_release: ReleaseTree, tmp_path: Path) -> None:
    cid = "cc" * 8
    brain = BrainProcess([sys.executable, str(TEMPLATE)], harness.domain, tmp_path / "brain.log")
    with brain, Ledger(tmp_path / "ledger.jsonl") as ledger:
        transport = harness.transport(LABEL, stamps_ns=[0, 1_000_000_000, 2_000_000_000])
        responses = run_case(load_played(hand_release, cid), transport, ledger, Options(label=LABEL, deadline_s=10.0))
    assert responses.outcome == "completed", (tmp_path / "brain.log").read_text()
    asked = {question.qid for question in read_jsonl(hand_release.questions_jsonl(cid), Question)}
    assert {response.qid for response in responses.responses} == asked
    assert {response.outcome for response in responses.responses} == {"unknown"}
