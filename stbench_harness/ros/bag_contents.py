"""What a bag tells of a case: its sessions, questions and answers, found by type and not by topic.

MCAP files are read by the salvaging reader, whole or not; everything else (SQLite, compressed files) by rosbags.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rosbags.interfaces import MessageDefinitionFormat
from rosbags.rosbag2 import Reader
from ruamel.yaml import YAML

from stbench_harness.mirrored import STARTED
from stbench_harness.ros.bag_salvage import McapSalvage, RawMessage
from stbench_harness.ros.bag_types import decode
from stbench_scoring.errors import StbenchError

QUESTION, ANSWER = "stbench_msgs/msg/Question", "stbench_msgs/msg/Answer"
STATE, STATUS = "stbench_msgs/msg/CaseState", "stbench_msgs/msg/RobotStatus"
IMAGE = "sensor_msgs/msg/CompressedImage"
KINDS = frozenset({QUESTION, ANSWER, STATE, STATUS, IMAGE})
MOST_UNREADABLE = 5  # that are told one by one


@dataclass(frozen=True)
class Told:
    """A message of a bag.

    Attributes:
        log_ns: When it was received.
        message: Its fields as attributes.
        spoiled: Its texts that are not UTF-8.
    """

    log_ns: int
    message: Any
    spoiled: tuple[str, ...] = ()


@dataclass
class Contents:
    """What was found. `frames` holds the time of receipt and the stamp of each picture, `steps` those of each status."""

    states: list[Told] = field(default_factory=list)
    questions: list[Told] = field(default_factory=list)
    answers: list[Told] = field(default_factory=list)
    frames: list[tuple[int, tuple[int, int]]] = field(default_factory=list)
    steps: list[tuple[int, int]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def between(self, begin_ns: int | None, end_ns: int | None) -> Contents:
        """Those that were received in a span of time; its end is not in it. None is no bound."""

        def inside(log_ns: int) -> bool:
            return (begin_ns is None or log_ns >= begin_ns) and (end_ns is None or log_ns < end_ns)

        return Contents(
            [told for told in self.states if inside(told.log_ns)],
            [told for told in self.questions if inside(told.log_ns)],
            [told for told in self.answers if inside(told.log_ns)],
            [pair for pair in self.frames if inside(pair[0])], [pair for pair in self.steps if inside(pair[0])],
            self.problems,
        )  # fmt: skip


@dataclass(frozen=True)
class Session:
    """One run of a case in a bag. `told` holds what belongs to it, its own states first of all."""

    nonce: str
    states: tuple[Any, ...]
    told: Contents

    def shown(self) -> str:
        """In a word."""
        ended = any(state.state != STARTED for state in self.states)
        return f"{self.nonce} of {self.states[0].system} ({'ended' if ended else 'no end'})"


def read_contents(bag: Path) -> Contents:
    """Reads a bag: a folder, whole or not, or one .mcap or .db3 file.

    Raises:
        StbenchError: It is no bag, or nothing of it can be read.
    """
    contents, unreadable = Contents(), 0
    for raw in _messages(bag, contents.problems):
        try:
            decoded = decode(raw.kind, raw.definition, raw.is_idl, raw.data)
        except StbenchError as error:
            unreadable += 1
            if unreadable <= MOST_UNREADABLE:
                contents.problems.append(f"{raw.topic}: {error}")
            continue
        _keep(contents, raw, Told(raw.log_ns, decoded.message, decoded.spoiled))
    if unreadable > MOST_UNREADABLE:
        contents.problems.append(f"{unreadable} messages in all cannot be read")
    return contents


def _keep(contents: Contents, raw: RawMessage, told: Told) -> None:
    if raw.kind == IMAGE:
        stamp = told.message.header.stamp
        contents.frames.append((raw.log_ns, (stamp.sec, stamp.nanosec)))
    elif raw.kind == STATUS:
        contents.steps.append((raw.log_ns, told.message.step))
    else:
        {STATE: contents.states, QUESTION: contents.questions, ANSWER: contents.answers}[raw.kind].append(told)


def _messages(bag: Path, problems: list[str]) -> Iterator[RawMessage]:
    for path in _parts(bag, problems):
        if path.suffix != ".mcap":
            yield from _by_rosbags(path)
            continue
        salvage = McapSalvage(path)
        try:
            yield from salvage.messages(KINDS)
        except StbenchError as error:
            if path == bag:
                raise
            problems.append(str(error))
        problems.extend(salvage.problems)


def _parts(bag: Path, problems: list[str]) -> list[Path]:
    """The files to read, or the folder itself where rosbags is to read it."""
    if bag.is_file():
        if bag.suffix not in (".mcap", ".db3"):
            raise StbenchError(f"{bag} is no bag: give a rosbag2 folder, a .mcap or a .db3 file")
        return [bag]
    if not bag.is_dir():
        raise StbenchError(f"{bag} does not exist: give a rosbag2 folder, a .mcap or a .db3 file")
    metadata = _metadata(bag / "metadata.yaml", problems)
    if metadata is None:
        there = sorted(path for path in bag.iterdir() if path.suffix in (".mcap", ".db3"))
        if not there:
            raise StbenchError(f"{bag} is no bag: it holds no metadata.yaml, no .mcap and no .db3 file")
        problems.append("no metadata.yaml that can be read: the recorder did not end in order")
        return there
    if not metadata.is_plain_mcap:
        return [bag]
    listed = [bag / name for name in metadata.files]
    problems.extend(f"{path.name} is missing from the bag" for path in listed if not path.is_file())
    return [path for path in listed if path.is_file()]


@dataclass(frozen=True)
class _Metadata:
    is_plain_mcap: bool
    files: tuple[str, ...]


def _metadata(path: Path, problems: list[str]) -> _Metadata | None:
    if not path.is_file():
        return None
    try:
        found = YAML(typ="safe").load(path.read_text(encoding="utf-8"))["rosbag2_bagfile_information"]
        mode = str(found.get("compression_mode") or "none").lower()
        files = tuple(Path(name).name for name in found["relative_file_paths"])
        return _Metadata(found["storage_identifier"] == "mcap" and mode == "none", files)
    except Exception as error:  # a YAML reader's, over any text
        problems.append(f"{path.name} cannot be read: {error}")
        return None


def _by_rosbags(path: Path) -> Iterator[RawMessage]:
    try:
        with Reader(path) as reader:
            for connection, log_ns, data in reader.messages([c for c in reader.connections if c.msgtype in KINDS]):
                definition = connection.msgdef
                is_idl = definition.format == MessageDefinitionFormat.IDL
                yield RawMessage(connection.topic, connection.msgtype, definition.data, is_idl, log_ns, data)
    except StbenchError:
        raise
    except Exception as error:  # SQLite's, a decompressor's or rosbags' own, over files that may hold anything
        raise StbenchError(f"bag {path} cannot be read: {error}") from None


def sessions_of(contents: Contents) -> list[Session]:
    """The runs in a bag, by the nonce that each `case_state` carries, in order of their beginning.

    Where one run was recorded, all belongs to it, in whatever order it lies there. Several are told apart by the times of
    receipt.

    Raises:
        StbenchError: No `case_state` can be read, or two runs began at one time.
    """
    ordered = sorted(contents.states, key=lambda told: told.log_ns)
    # A last state that was still latched from an earlier run has no beginning here.
    begun = [told for told in ordered if told.message.state == STARTED] or ordered
    begins: dict[str, int] = {}
    for told in begun:
        begins.setdefault(told.message.nonce, told.log_ns)
    if not begins:
        raise StbenchError("the bag holds no stbench_msgs/msg/CaseState that can be read, so it cannot be told what was run")
    if len(set(begins.values())) < len(begins):
        raise StbenchError(f"the bag's sessions {', '.join(begins)} began at one time and cannot be told apart")
    edges = [None, *list(begins.values())[1:], None]
    return [
        Session(
            nonce, tuple(told.message for told in ordered if told.message.nonce == nonce),
            contents.between(edges[number], edges[number + 1]),
        )
        for number, nonce in enumerate(begins)
    ]  # fmt: skip
