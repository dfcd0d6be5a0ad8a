"""What the recorder writes, read by other people's readers."""

from __future__ import annotations

import errno
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcap.reader import make_reader
from mcap.records import Chunk
from mcap.stream_reader import StreamReader
from rosbags.highlevel import AnyReader
from rosbags.interfaces import QosDurability

from stbench_harness.ros import bag_writer
from stbench_harness.ros.bag_reader import read_bag
from stbench_harness.ros.bag_writer import BagWriter, offered_qos
from stbench_scoring.errors import StbenchError


def test_rosbags_reads_every_message_back(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    bag = maker.write(tmp_path / "bag", run.items)
    with AnyReader([bag]) as reader:
        found = [(c.topic, c.msgtype, time, bytes(data)) for c, time, data in reader.messages()]
        asked = [reader.deserialize(d, c.msgtype) for c, _, d in reader.messages() if c.topic == "/stbench/question"]
        latched = next(c for c in reader.connections if c.topic == "/stbench/case_state").ext.offered_qos_profiles
    expected = [(maker.TOPICS[i.name], maker.full_name(i.name), i.log_ns, i.raw()) for i in run.items]
    assert found == expected
    assert [message.qid for message in asked] == ["q0", "q1", "q2", "q3", "q4", "q5"]
    assert [qos.durability for qos in latched] == [QosDurability.TRANSIENT_LOCAL]


def test_mcap_reads_it_and_every_chunk_has_a_checksum(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    file = maker.write(tmp_path / "bag", run.items) / "bag_0.mcap"
    with file.open("rb") as stream:
        reader = make_reader(stream, validate_crcs=True)
        found = [(channel.topic, message.data, message.sequence) for _, channel, message in reader.iter_messages()]
        header = reader.get_header()
    assert header.profile == "ros2"
    assert [(topic, data) for topic, data, _ in found] == [(maker.TOPICS[i.name], i.raw()) for i in run.items]
    assert [sequence for topic, _, sequence in found if topic == "/stbench/answer"] == [1, 2, 3, 4, 5, 6]
    with file.open("rb") as stream:
        chunks = [record for record in StreamReader(stream, emit_chunks=True).records if isinstance(record, Chunk)]
    assert len(chunks) == 8  # a start, six answers, an end
    assert all(chunk.uncompressed_crc for chunk in chunks)


def test_both_times_are_kept(maker: SimpleNamespace, tmp_path: Path) -> None:
    with BagWriter(tmp_path / "bag", maker.STORE) as writer:
        writer.add_topic("/s", "stbench_msgs/msg/CaseState", offered_qos(latched=True, depth=1))
        writer.write("/s", maker.state(1, 0).raw(), 2000, 1500)
    with (tmp_path / "bag" / "bag_0.mcap").open("rb") as stream:
        (times,) = [(m.log_time, m.publish_time) for _, _, m in make_reader(stream).iter_messages()]
    assert times == (2000, 1500)


def test_an_existing_folder_is_refused_by_name(maker: SimpleNamespace, tmp_path: Path) -> None:
    with pytest.raises(StbenchError, match=f"bag {tmp_path} is there already"):
        BagWriter(tmp_path, maker.STORE)


def test_a_full_disk_leaves_what_was_written(
    run: Any, maker: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk takes half of a chunk and then no more."""
    with (maker.write(tmp_path / "whole", run.items) / "whole_0.mcap").open("rb") as stream:
        third_answer = sorted(c.chunk_start_offset for c in make_reader(stream).get_summary().chunk_indexes)[3]
    real, room = bag_writer._File.write, [third_answer + 50]

    def write(self: Any, data: bytes) -> int:
        fits = data[: room[0]]
        real(self, fits)
        room[0] -= len(fits)
        if len(fits) < len(data):
            raise OSError(errno.ENOSPC, "No space left on device")
        return len(data)

    monkeypatch.setattr(bag_writer._File, "write", write)
    writer = BagWriter(tmp_path / "full", maker.STORE)
    for name, topic in maker.TOPICS.items():
        writer.add_topic(topic, maker.full_name(name), offered_qos(latched=name == "CaseState", depth=1))
    with pytest.raises(OSError, match="No space left"):
        for item in run.items:
            writer.write(maker.TOPICS[item.name], item.raw(), item.log_ns, item.log_ns)
            if item.name in ("Answer", "CaseState"):
                writer.flush()
    writer.abort()
    reading = read_bag(tmp_path / "full", run.tree)
    assert reading.responses.outcome == "invalid"
    assert reading.responses.responses == run.responses[:2]
