"""A bag gives what the ledger of the same run gives, byte for byte, or says what is missing; never a lower score."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin
from rosbags.rosbag2 import Writer as RosbagsWriter

from stbench_harness.ros.bag_reader import read_bag, read_responses
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import ReleaseTree

INVALID, CANCELLED, STARTED = 3, 4, 1


def scored(run: Any, maker: SimpleNamespace, bag: Path, tmp_path: Path, **options: Any) -> bytes:
    reading = read_bag(bag, run.tree, **options)
    assert reading.detail == ""
    return maker.results(run.tree, reading.responses, tmp_path)


def test_a_bag_scores_as_the_ledger_to_the_byte(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    bag = maker.write(tmp_path / "bag", run.items)
    reading = read_bag(bag, run.tree)
    assert reading.responses.outcome == "completed" and reading.notes == ()
    assert reading.responses == run.ledger
    assert read_responses(bag, run.tree) == run.ledger
    assert scored(run, maker, bag, tmp_path) == run.results


def test_topics_are_found_by_type(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    assert scored(run, maker, maker.write(tmp_path / "bag", run.items, "/robot_7/lab"), tmp_path) == run.results


def test_pairs_by_id_and_step_whatever_the_order(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    """R04: one stamp for all, answers stored first, and all shuffled."""
    rank = {"Answer": 0, "Question": 1, "CompressedImage": 2, "RobotStatus": 3, "CaseState": 4}
    one_time = [maker.replace(item, log_ns=maker.BEGIN_NS) for item in run.items]
    bag = maker.write(tmp_path / "answers_first", sorted(one_time, key=lambda item: rank[item.name]))
    assert scored(run, maker, bag, tmp_path) == run.results
    random.Random(4).shuffle(one_time)
    assert scored(run, maker, maker.write(tmp_path / "shuffled", one_time), tmp_path) == run.results


def test_a_bag_split_into_eleven_files(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    """R04: the question lies in _10, its answer in _2."""
    parts: list[list[Any]] = [[] for _ in range(11)]
    for number, item in enumerate(run.items):
        place = {"Question": 10, "Answer": 2}.get(item.name, number % 11)
        parts[place].append(item)
    bag = tmp_path / "split"
    bag.mkdir()
    for number, items in enumerate(parts):
        part = maker.write(tmp_path / f"part{number}", items)
        (part / f"part{number}_0.mcap").rename(bag / f"split_{number}.mcap")
        if number == 0:
            text = (part / "metadata.yaml").read_text()
    listed = "".join(f"  - split_{number}.mcap\n" for number in range(11))
    assert "  - part0_0.mcap\n" in text
    (bag / "metadata.yaml").write_text(text.replace("  - part0_0.mcap\n", listed, 1))
    assert scored(run, maker, bag, tmp_path) == run.results
    (bag / "split_2.mcap").unlink()
    reading = read_bag(bag, run.tree)
    assert reading.responses.outcome == "invalid"
    assert "split_2.mcap is missing from the bag" in reading.notes


@pytest.mark.parametrize("storage", list(StoragePlugin), ids=lambda plugin: plugin.name)
@pytest.mark.parametrize("mode", list(CompressionMode), ids=lambda mode: mode.name)
def test_bags_that_others_recorded(
    storage: StoragePlugin, mode: CompressionMode, run: Any, maker: SimpleNamespace, tmp_path: Path
) -> None:
    if storage is StoragePlugin.SQLITE3 and mode is CompressionMode.STORAGE:
        pytest.skip("SQLite has no compression of its own")
    writer = RosbagsWriter(tmp_path / "bag", version=9, storage_plugin=storage)
    writer.set_compression(mode, CompressionFormat.ZSTD)
    with writer:
        topics = {
            name: writer.add_connection(topic, maker.full_name(name), typestore=maker.STORE)
            for name, topic in maker.TOPICS.items()
        }
        for item in run.items:
            writer.write(topics[item.name], item.log_ns, item.raw())
    assert scored(run, maker, tmp_path / "bag", tmp_path) == run.results


def test_a_bare_file(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    bag = maker.write(tmp_path / "bag", run.items)
    assert scored(run, maker, bag / "bag_0.mcap", tmp_path) == run.results
    with pytest.raises(StbenchError, match=r"other\.txt does not exist"):
        read_bag(tmp_path / "other.txt", run.tree)
    (tmp_path / "empty").mkdir()
    with pytest.raises(StbenchError, match=r"no metadata\.yaml, no \.mcap and no \.db3"):
        read_bag(tmp_path / "empty", run.tree)


def test_line_ends_that_are_none(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    """R25: texts of an answer hold what some readers take for line ends."""
    for item in run.items:
        if item.name == "Answer":
            item.message.note = "a\u2028b\u0085c\x1cd\re"
    assert scored(run, maker, maker.write(tmp_path / "bag", run.items), tmp_path) == run.results


def test_two_sessions_are_told_apart_or_refused(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    """R06: the same case twice, with differing answers, the second broken off half-way."""
    others = [r if r.answer is None else type(r)(qid=r.qid, outcome="malformed") for r in run.responses]
    later = maker.items(run.questions, others, run.items[-1].log_ns + maker.TICK_NS, "n2")
    bag = maker.write(tmp_path / "bag", [*run.items, *later[: len(later) // 2]])
    with pytest.raises(StbenchError, match=r"2 sessions: 1: n1 of by_hand \(ended\); 2: n2 of by_hand \(no end\)"):
        read_bag(bag, run.tree)
    assert scored(run, maker, bag, tmp_path, session=1) == run.results
    second = read_bag(bag, run.tree, session=2)
    assert second.responses.outcome == "invalid" and "the bag ends before the case did" in second.detail
    with pytest.raises(StbenchError, match="has no session 3"):
        read_bag(bag, run.tree, session=3)


def test_an_earlier_end_that_was_still_latched_is_no_session(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    stale = maker.state(2, maker.BEGIN_NS - 1, nonce="n0", counts=(9, 9, 9))
    assert scored(run, maker, maker.write(tmp_path / "bag", [stale, *run.items]), tmp_path) == run.results


def test_a_foreign_case_is_refused(run: Any, maker: SimpleNamespace, tiny_release: Path, tmp_path: Path) -> None:
    """R06: a bag of another case scored against this one."""
    bag = maker.write(tmp_path / "bag", run.items)
    with pytest.raises(StbenchError, match="asks none of these questions"):
        read_bag(bag, ReleaseTree(tiny_release))
    with pytest.raises(StbenchError, match=f"is of case {run.cid}, not of dddd"):
        read_bag(bag, run.tree, case="dddd")


def test_a_question_that_the_release_asks_otherwise(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    next(item for item in run.items if item.name == "Question").message.step = 2
    with pytest.raises(StbenchError, match=r"question q0 was asked as .* was it run on another release\?"):
        read_bag(maker.write(tmp_path / "bag", run.items), run.tree)


def test_the_denominator_is_the_cases_own(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    """R32: a bag that holds the three easiest questions only is not a case of three questions."""
    easy = ("q0", "q1", "q5")
    kept = [i for i in run.items if i.name not in ("Question", "Answer") or i.message.qid in easy]
    reading = read_bag(maker.write(tmp_path / "bag", kept), run.tree)
    assert reading.responses.outcome == "invalid"
    assert "the answers to 3 of 6 questions: q2, q3, q4" in reading.detail
    assert "answers: 3 of 6 are in the bag" in reading.notes


def test_an_id_of_no_question_is_named_and_not_scored(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    """R32."""
    answer = maker.blank("stbench_msgs/msg/Answer")
    answer.qid, answer.outcome = "q99", "unknown"
    bag = maker.write(tmp_path / "bag", [*run.items[:-1], maker.Item("Answer", answer, maker.BEGIN_NS + 1), run.items[-1]])
    assert scored(run, maker, bag, tmp_path) == run.results
    assert any("'q99'" in note and "not scored" in note for note in read_bag(bag, run.tree).notes)


def test_an_answer_of_another_step_is_not_its_questions(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    next(item for item in run.items if item.name == "Answer").message.step = 2
    reading = read_bag(maker.write(tmp_path / "bag", run.items), run.tree)
    assert reading.responses.outcome == "invalid" and "1 of 6 questions: q0" in reading.detail
    assert "not scored: answer q0 is of step 2, its question of step 0" in reading.notes


def test_a_late_answer_does_not_count(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    late = maker.blank("stbench_msgs/msg/Answer")
    late.qid, late.step, late.late, late.outcome = "q3", 2, True, "timed_out"
    late.value.kind, late.value.ahead_m = 3, 0.35
    bag = maker.write(tmp_path / "bag", [*run.items[:-1], maker.Item("Answer", late, maker.BEGIN_NS + 1), run.items[-1]])
    assert scored(run, maker, bag, tmp_path) == run.results


def test_the_same_answer_twice_is_one_and_two_that_differ_are_refused(
    run: Any, maker: SimpleNamespace, tmp_path: Path
) -> None:
    first = next(item for item in run.items if item.name == "Answer")
    assert scored(run, maker, maker.write(tmp_path / "twice", [*run.items, first]), tmp_path) == run.results
    other = maker.blank("stbench_msgs/msg/Answer")
    other.qid, other.outcome = "q0", "refused"
    bag = maker.write(tmp_path / "differ", [*run.items, maker.Item("Answer", other, first.log_ns)])
    with pytest.raises(StbenchError, match="question q0 has two answers that differ"):
        read_bag(bag, run.tree)


@pytest.mark.parametrize("field", ["note", "detail", "outcome"])
def test_bytes_that_are_not_utf8_are_malformed(field: str, run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    """R08: a text of question 1's answer holds 78 79 ff fe; the others are scored as they are."""
    items = list(run.items)
    at = next(i for i, item in enumerate(items) if item.name == "Answer")
    before = len(getattr(items[at].message, field)) + 5
    setattr(items[at].message, field, "xyQQ" if field != "outcome" else "answxyQQ")
    raw = items[at].raw()
    assert raw.count(b"xyQQ") == 1 and before
    items[at] = maker.replace(items[at], data=raw.replace(b"xyQQ", b"\x78\x79\xff\xfe"))
    bag = maker.write(tmp_path / "bag", items)
    reading = read_bag(bag, run.tree)
    assert reading.responses.outcome == "completed"
    assert [r.outcome for r in reading.responses.responses] == ["malformed", *(r.outcome for r in run.responses[1:])]
    assert reading.responses.responses[1:] == run.responses[1:]


def test_outcome_and_value_must_agree(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    """An answer that claims to be one and is none was not written by the harness: missing, not zero."""
    message = next(item for item in run.items if item.name == "Answer").message
    message.value = maker.blank("stbench_msgs/msg/AnswerValue")
    reading = read_bag(maker.write(tmp_path / "bag", run.items), run.tree)
    assert reading.responses.outcome == "invalid" and "q0" in reading.detail


@pytest.mark.parametrize(("state", "outcome"), [(INVALID, "invalid"), (CANCELLED, "cancelled")])
def test_the_harness_says_how_it_ended(state: int, outcome: str, run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    run.items[-1].message.state, run.items[-1].message.detail = state, "step 2 was not acknowledged"
    reading = read_bag(maker.write(tmp_path / "bag", run.items), run.tree)
    assert (reading.responses.outcome, reading.detail) == (outcome, "step 2 was not acknowledged")


def test_no_end_but_every_answer_is_a_whole_case_with_a_warning(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    bag = maker.write(tmp_path / "bag", run.items[:-1])
    assert scored(run, maker, bag, tmp_path) == run.results
    assert any("ends before the case's end was told" in note for note in read_bag(bag, run.tree).notes)


def test_a_lost_picture_is_told_and_changes_no_score(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    lost = next(item for item in run.items if item.name == "CompressedImage")
    bag = maker.write(tmp_path / "bag", [item for item in run.items if item is not lost])
    assert scored(run, maker, bag, tmp_path) == run.results
    assert read_bag(bag, run.tree).notes == ("pictures: 2 of 3 are in the bag",)


def test_a_case_that_never_asked_needs_its_name(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    end = maker.state(INVALID, maker.BEGIN_NS)
    end.message.detail = "no brain after 30 s"
    bag = maker.write(tmp_path / "bag", [end])
    with pytest.raises(StbenchError, match=r"give --case, which ended as invalid: no brain after 30 s"):
        read_bag(bag, run.tree)
    reading = read_bag(bag, run.tree, case=run.cid)
    assert (reading.responses.outcome, reading.responses.cid) == ("invalid", run.cid)


def test_without_a_state_nothing_says_what_was_run(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    bag = maker.write(tmp_path / "bag", [item for item in run.items if item.name != "CaseState"])
    with pytest.raises(StbenchError, match="cannot be told what was run"):
        read_bag(bag, run.tree)
