"""Damaged and cut bags: what is whole is read, what is not is named, and no damage changes a score."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcap.reader import make_reader

from stbench_harness.ros.bag_reader import BagReading, read_bag
from stbench_scoring.errors import StbenchError

CUTS, FLIPS = 60, 150


def chunks_of(file: Path) -> list[Any]:
    with file.open("rb") as stream:
        summary = make_reader(stream).get_summary()
    assert summary is not None
    return sorted(summary.chunk_indexes, key=lambda index: index.chunk_start_offset)


def flip(file: Path, at: int) -> None:
    data = bytearray(file.read_bytes())
    data[at] ^= 0x10
    file.write_bytes(data)


def read(bag: Path, run: Any) -> BagReading | None:
    """The reading, or None where the bag is refused in words."""
    try:
        return read_bag(bag, run.tree)
    except StbenchError as error:
        assert str(error)
        return None


def unchanged_or_unscored(reading: BagReading | None, run: Any) -> bool:
    return reading is None or reading.responses.outcome != "completed" or reading.responses == run.ledger


def copies(bag: Path, tmp_path: Path, count: int) -> Iterator[Path]:
    for number in range(count):
        copy = tmp_path / f"copy{number}"
        shutil.copytree(bag, copy)
        yield copy
        shutil.rmtree(copy)


def test_a_byte_in_a_chunk_of_answers(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    """R02: its answer is missing, which is our fault; later chunks are read."""
    bag = maker.write(tmp_path / "bag", run.items)
    file = bag / "bag_0.mcap"
    chunks = chunks_of(file)
    bad = chunks[2]  # the state, then one chunk an answer: q1's
    flip(file, bad.chunk_start_offset + bad.chunk_length - 3)
    reading = read_bag(bag, run.tree)
    assert reading.responses.outcome == "invalid"
    assert "the answers to 1 of 6 questions: q1" in reading.detail
    assert [r.qid for r in reading.responses.responses] == ["q0", "q2", "q3", "q4", "q5"]
    begin, end = ((t - maker.BEGIN_NS) / 1e9 for t in (bad.message_start_time, bad.message_end_time))
    assert any(f"of {begin:.3f} s to {end:.3f} s is left out" in note for note in reading.notes)


def test_a_byte_in_a_chunk_without_answers(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    """R02: only a picture is lost; the score is the same and the loss is told."""
    from stbench_harness.ros.bag_writer import BagWriter, offered_qos

    bag = tmp_path / "bag"
    with BagWriter(bag, maker.STORE) as writer:
        for name, topic in maker.TOPICS.items():
            writer.add_topic(topic, maker.full_name(name), offered_qos(latched=False, depth=1))
        for item in run.items:
            writer.write(maker.TOPICS[item.name], item.raw(), item.log_ns, item.log_ns)
            writer.flush()
    file = bag / "bag_0.mcap"
    bad = chunks_of(file)[2]  # the state, the status, the picture
    flip(file, bad.chunk_start_offset + bad.chunk_length // 2)
    reading = read_bag(bag, run.tree)
    assert maker.results(run.tree, reading.responses, tmp_path) == run.results
    assert any("left out" in note for note in reading.notes)
    assert "pictures: 2 of 3 are in the bag" in reading.notes


def test_the_first_chunk_holds_the_names_and_the_index_repeats_them(
    run: Any, maker: SimpleNamespace, tmp_path: Path
) -> None:
    bag = maker.write(tmp_path / "bag", run.items)
    file = bag / "bag_0.mcap"
    first = chunks_of(file)[0]
    flip(file, first.chunk_start_offset + first.chunk_length - 3)
    reading = read_bag(bag, run.tree)  # STARTED is lost; ENDED bears the same label
    assert maker.results(run.tree, reading.responses, tmp_path) == run.results


@pytest.mark.parametrize("at", [0, 1, 3, 8], ids=["opcode", "length", "length in the file", "length beyond it"])
def test_the_frame_of_a_record_is_damaged(at: int, run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    bag = maker.write(tmp_path / "bag", run.items)
    file = bag / "bag_0.mcap"
    bad = chunks_of(file)[3]
    flip(file, bad.chunk_start_offset + at)
    reading = read_bag(bag, run.tree)
    assert {r.qid for r in reading.responses.responses} >= {"q0", "q1", "q3", "q4", "q5"}
    assert unchanged_or_unscored(reading, run)


def test_no_flipped_byte_changes_a_score(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    bag = maker.write(tmp_path / "bag", run.items)
    size = (bag / "bag_0.mcap").stat().st_size
    places = random.Random(2).sample(range(size), FLIPS)
    for at, copy in zip(places, copies(bag, tmp_path, FLIPS), strict=True):
        flip(copy / "bag_0.mcap", at)
        assert unchanged_or_unscored(read(copy, run), run), at


@pytest.mark.parametrize("keeps_metadata", [True, False])
def test_a_bag_cut_anywhere(keeps_metadata: bool, run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    bag = maker.write(tmp_path / "bag", run.items)
    file = bag / "bag_0.mcap"
    whole, ends = file.read_bytes(), [c.chunk_start_offset + c.chunk_length for c in chunks_of(file)]
    if not keeps_metadata:
        (bag / "metadata.yaml").unlink()
    places = sorted({0, 1, 7, 8, 9, len(whole) - 1, *random.Random(1).sample(range(len(whole)), CUTS), *ends})
    scored = 0
    for at in places:
        file.write_bytes(whole[:at])
        reading = read(bag, run)
        # The chunks: STARTED, one an answer, ENDED. What is in a whole chunk is read.
        answers = max(0, sum(end <= at for end in ends[:7]) - 1)
        assert unchanged_or_unscored(reading, run), at
        if answers == 0:
            assert reading is None or not reading.responses.responses
            continue
        assert reading is not None and len(reading.responses.responses) == answers, at
        assert reading.notes or at >= ends[-1]
        if answers < 6:
            missing = ", ".join(f"q{number}" for number in range(answers, 6))
            assert reading.detail.startswith("the bag ends before the case did") and missing in reading.detail
        scored += reading.responses.outcome == "completed"
    assert scored > 0


def test_a_torn_chunk_is_told_with_its_time(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    bag = maker.write(tmp_path / "bag", run.items)
    file = bag / "bag_0.mcap"
    torn = chunks_of(file)[4]
    file.write_bytes(file.read_bytes()[: torn.chunk_start_offset + torn.chunk_length - 1])
    notes = read_bag(bag, run.tree).notes
    assert any(re.search(r"a chunk of \d+\.\d+ s to \d+\.\d+ s that is cut or damaged", note) for note in notes)


def test_a_killed_recorder_leaves_what_it_wrote(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    """No index, no metadata: everything up to the last answer is there."""
    from stbench_harness.ros.bag_writer import BagWriter, offered_qos

    writer = BagWriter(tmp_path / "bag", maker.STORE)
    for name, topic in maker.TOPICS.items():
        writer.add_topic(topic, maker.full_name(name), offered_qos(latched=False, depth=1))
    for item in run.items:
        writer.write(maker.TOPICS[item.name], item.raw(), item.log_ns, item.log_ns)
        if item.name == "Answer":
            writer.flush()
    reading = read_bag(tmp_path / "bag", run.tree)  # before any close: the end state is still in the writer's hands
    assert maker.results(run.tree, reading.responses, tmp_path) == run.results
    assert any("no metadata.yaml" in note for note in reading.notes)
    assert any("without an index" in note for note in reading.notes)
    writer.abort()


def test_no_mcap_file_at_all(run: Any, tmp_path: Path) -> None:
    (tmp_path / "x.mcap").write_bytes(b"SQLite format 3\0" * 9)
    with pytest.raises(StbenchError, match=r"x\.mcap: not an MCAP file"):
        read_bag(tmp_path / "x.mcap", run.tree)
    (tmp_path / "x.db3").write_bytes(b"nothing" * 99)
    with pytest.raises(StbenchError, match=r"x\.db3 cannot be read"):
        read_bag(tmp_path / "x.db3", run.tree)


@pytest.mark.parametrize(
    "text", ["", "\x00", "a: [", "rosbag2_bagfile_information: 3", "rosbag2_bagfile_information:\n  relative_file_paths:\n"]
)
def test_metadata_that_cannot_be_read(text: str, run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    bag = maker.write(tmp_path / "bag", run.items)
    (bag / "metadata.yaml").write_text(text)
    reading = read_bag(bag, run.tree)
    assert maker.results(run.tree, reading.responses, tmp_path) == run.results
    assert any("metadata.yaml cannot be read" in note for note in reading.notes)
