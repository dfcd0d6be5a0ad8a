"""Bags made message by message, without ROS, of the release by hand; and the ledger of the same run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("rosbags", reason="no rosbags here")
pytest.importorskip("mcap", reason="no mcap here")

from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_typestore

from stbench_harness.ledger import Ledger, read_responses
from stbench_harness.mirrored import KINDS
from stbench_harness.ros.bag_types import load_types
from stbench_harness.ros.bag_writer import BagWriter, offered_qos
from stbench_scoring.records import Answer, Question, Release, ReleaseTree, read_json, read_jsonl
from stbench_scoring.records.results import CaseResponses, Response, RunLabel
from stbench_scoring.results import make_results, write_results

MSG = Path(__file__).resolve().parents[4] / "stbench_msgs" / "msg"
TOPICS = {
    "Question": "/stbench/question", "Answer": "/stbench/answer", "CaseState": "/stbench/case_state",
    "RobotStatus": "/stbench/status", "CompressedImage": "/camera/image_raw/compressed",
}  # fmt: skip
LABEL = RunLabel(system="by_hand", channel="rgb_pose", pace="lockstep", transport="ros", sandbox="ros")
STORE = get_typestore(Stores.ROS2_KILTED)
load_types(STORE, [f"stbench_msgs/msg/{name}" for name in TOPICS if name != "CompressedImage"], lambda _: MSG)
BEGIN_NS, TICK_NS = 1_700_000_000_000_000_000, 10_000_000


def full_name(name: str) -> str:
    return f"{'sensor_msgs' if name == 'CompressedImage' else 'stbench_msgs'}/msg/{name}"


def blank(kind: str) -> Any:
    """A message of which every field is 0 or empty, with attributes to set."""
    values = {}
    for name, (node, value) in STORE.fielddefs[kind][1]:
        if node == Nodetype.NAME:
            values[name] = blank(value)
        elif node == Nodetype.SEQUENCE:
            values[name] = []
        else:
            values[name] = {"string": "", "bool": False}.get(value[0], 0.0 if value[0].startswith("float") else 0)
    return STORE.types[kind](**values)


@dataclass(frozen=True)
class Item:
    """One message of a bag: `message` or its bytes."""

    name: str
    message: Any
    log_ns: int
    topic: str = ""
    data: bytes = b""

    def raw(self) -> bytes:
        return self.data or bytes(STORE.serialize_cdr(self.message, full_name(self.name)))


def value_of(answer: Answer) -> Any:
    value = blank("stbench_msgs/msg/AnswerValue")
    value.kind = KINDS[answer.kind]
    value.distance_m, value.ahead_m, value.left_m = answer.distance_m or 0.0, answer.ahead_m or 0.0, answer.left_m or 0.0
    value.heading_rad = math.radians(answer.heading_deg or 0.0)
    value.place.x_m, value.place.y_m = answer.x_m or 0.0, answer.y_m or 0.0
    return value


def state_item(
    state: int, log_ns: int, nonce: str = "n1", system: str = "by_hand", counts: Sequence[int] = (0, 0, 0)
) -> Item:
    message = blank("stbench_msgs/msg/CaseState")
    message.state, message.nonce, message.system, message.channel = state, nonce, system, LABEL.channel
    message.pace, message.sandbox, message.feedback = LABEL.pace, LABEL.sandbox, LABEL.feedback
    message.during, message.brief = LABEL.during, LABEL.brief
    message.steps_sent, message.questions_sent, message.answers_received = counts
    return Item("CaseState", message, log_ns)


def run_items(
    questions: Sequence[Question], responses: Sequence[Response], begin_ns: int = BEGIN_NS, nonce: str = "n1"
) -> list[Item]:  # fmt: skip
    """What a bag of a whole run holds, in the order in which it was sent."""
    by_qid = {response.qid: response for response in responses}
    items = [state_item(1, begin_ns, nonce)]

    def add(name: str, message: Any) -> None:
        items.append(Item(name, message, begin_ns + len(items) * TICK_NS))

    steps = sorted({question.step for question in questions})
    for step in steps:
        status, image = blank("stbench_msgs/msg/RobotStatus"), blank("sensor_msgs/msg/CompressedImage")
        status.step = step
        for message in (status, image):
            message.header.stamp.sec = 10 + step
        image.format, image.data = "rgb8; jpeg compressed bgr8", memory(bytes(range(256)) * 8)
        add("RobotStatus", status)
        add("CompressedImage", image)
        for question in (q for q in questions if q.step == step):
            asked, answered = blank("stbench_msgs/msg/Question"), blank("stbench_msgs/msg/Answer")
            for message in (asked, answered):
                message.qid, message.step = question.qid, question.step
                message.header.stamp.sec = 10 + step
            asked.family, asked.expected, asked.text = question.family, KINDS[question.expected], question.text
            response = by_qid[question.qid]
            answered.outcome = response.outcome
            if response.answer is not None:
                answered.value = value_of(response.answer)
            add("Question", asked)
            add("Answer", answered)
    items.append(state_item(2, begin_ns + len(items) * TICK_NS, nonce, counts=(len(steps), len(questions), len(questions))))
    return items


def memory(data: bytes) -> Any:
    import numpy as np

    return np.frombuffer(data, dtype=np.uint8)


def write_bag(path: Path, items: Iterable[Item], prefix: str = "") -> Path:
    """Writes a bag as the recorder does: a chunk ends with each answer."""
    with BagWriter(path, STORE) as bag:
        for name, topic in TOPICS.items():
            bag.add_topic(prefix + topic, full_name(name), offered_qos(latched=name == "CaseState", depth=1))
        for item in items:
            bag.write(prefix + TOPICS[item.name], item.raw(), item.log_ns, item.log_ns)
            if item.name in ("Answer", "CaseState"):
                bag.flush()
    return path


def results_bytes(tree: ReleaseTree, case: CaseResponses, folder: Path) -> bytes:
    release = read_json(tree.release_json, Release)
    write_results(folder / "r.json", make_results(release, case.label, [case], tree))
    return (folder / "r.json").read_bytes()


@dataclass(frozen=True)
class Run:
    """A run of the release by hand: what its bag holds, what its ledger says, and its results from the ledger."""

    tree: ReleaseTree
    cid: str
    questions: tuple[Question, ...]
    responses: tuple[Response, ...]
    items: list[Item]
    ledger: CaseResponses
    results: bytes


def responses_of(qids: Sequence[str]) -> tuple[Response, ...]:
    """Right, dangerous, malformed, timed out, near, unknown: one a question of the release by hand."""
    answers = (
        ("answered", Answer(distance_m=2.75)), ("answered", Answer(distance_m=4.0)), ("malformed", None),
        ("timed_out", None), ("answered", Answer(x_m=1.4 + 1e-13, y_m=0.7)), ("unknown", Answer(unknown=True)),
    )  # fmt: skip
    return tuple(
        Response(qid=qid, outcome=outcome, answer=answer) for qid, (outcome, answer) in zip(qids, answers, strict=True)
    )


@pytest.fixture
def run(hand_release: ReleaseTree, tmp_path: Path) -> Run:
    cid = read_json(hand_release.release_json, Release).cases[0].cid
    questions = read_jsonl(hand_release.questions_jsonl(cid), Question)
    responses = responses_of([question.qid for question in questions])
    with Ledger(tmp_path / "ledger.jsonl") as ledger:
        ledger.append("case", cid=cid, label=LABEL)
        for response in responses:
            ledger.append("reply", qid=response.qid, outcome=response.outcome, answer=response.answer)
        ledger.append("end", case_outcome="completed")
    told = read_responses(tmp_path / "ledger.jsonl")
    results = results_bytes(hand_release, told, tmp_path)
    return Run(hand_release, cid, questions, responses, run_items(questions, responses), told, results)


@pytest.fixture
def maker() -> SimpleNamespace:
    """The functions above, for tests."""
    return SimpleNamespace(
        write=write_bag, items=run_items, state=state_item, blank=blank, Item=Item, STORE=STORE, replace=replace,
        results=results_bytes, full_name=full_name, TOPICS=TOPICS, LABEL=LABEL, BEGIN_NS=BEGIN_NS, TICK_NS=TICK_NS,
        responses_of=responses_of,
    )  # fmt: skip


Make = Callable[..., Any]
