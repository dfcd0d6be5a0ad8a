"""Reads an MCAP file chunk by chunk, also one that was cut or damaged, and says what cannot be read.

A chunk whose checksum does not fit is left out and named; the ones after it are read. Where the very frame of the records
is damaged, the file's index, where there is one, tells where the next chunk begins.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from mcap.data_stream import ReadDataStream
from mcap.opcode import Opcode
from mcap.records import Channel, Chunk, Footer, Message, Schema
from mcap.stream_reader import CRCValidationError, StreamReader, breakup_chunk

from stbench_scoring.errors import StbenchError

MAGIC = b"\x89MCAP0\r\n"
_HEAD = struct.Struct("<BQ")  # of a record: opcode, length
_TIMES = struct.Struct("<QQ")  # a chunk begins with its span
_FOOTER_BYTES = _HEAD.size + 20
_LAST_OPCODE, _FIRST_PRIVATE_OPCODE = 0x0F, 0x80
_TOPLEVEL = {Opcode.SCHEMA: Schema, Opcode.CHANNEL: Channel}


@dataclass(frozen=True)
class RawMessage:
    """One message of a bag.

    Attributes:
        topic: Its name.
        kind: `package/msg/Name`.
        definition: Of the message, as the bag holds it; empty where it holds none.
        is_idl: Whether the definition is IDL.
        log_ns: When it was received.
        data: CDR bytes.
    """

    topic: str
    kind: str
    definition: str
    is_idl: bool
    log_ns: int
    data: bytes


@dataclass
class _Index:
    """What the end of a whole file tells: definitions, and where chunks lie (offset to end)."""

    schemas: dict[int, Any] = field(default_factory=dict)
    channels: dict[int, Any] = field(default_factory=dict)
    chunks: dict[int, int] = field(default_factory=dict)


class McapSalvage:
    """Reads one MCAP file.

    Attributes:
        problems: What could not be read, for people; complete once the messages have been gone through.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[str] = []
        self._view: Any = b""
        self._index = _Index()
        self._begin_ns: int | None = None
        self._homeless = 0
        self._unchecked = 0

    def messages(self, kinds: frozenset[str]) -> Iterator[RawMessage]:
        """Goes through the messages of some types, in the file's order.

        Raises:
            StbenchError: The file cannot be opened or is no MCAP file.
        """
        try:
            with self.path.open("rb") as file:
                head = file.read(len(MAGIC))
                if head != MAGIC:
                    raise StbenchError(f"{self.path}: not an MCAP file: it does not begin as one")
                with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
                    self._view = view
                    yield from self._messages(kinds)
                    self._view = b""
        except OSError as error:
            raise StbenchError(f"{self.path}: cannot be read: {error.strerror}") from None
        if self._homeless:
            self._tell(f"{self._homeless} messages belong to topics whose names were in a part that cannot be read")
        if self._unchecked:
            self._tell("its chunks carry no checksums, so a changed byte would not be seen")

    def _tell(self, problem: str) -> None:
        self.problems.append(f"{self.path.name}: {problem}")

    def _messages(self, kinds: frozenset[str]) -> Iterator[RawMessage]:
        self._index = self._read_index()
        schemas, channels = self._index.schemas, self._index.channels
        for record in self._records():
            if isinstance(record, Schema):
                schemas[record.id] = record
            elif isinstance(record, Channel):
                channels[record.id] = record
            elif isinstance(record, Message):
                channel = channels.get(record.channel_id)
                schema = schemas.get(channel.schema_id) if channel is not None else None
                if channel is None or schema is None:
                    self._homeless += 1
                elif schema.name in kinds and channel.message_encoding == "cdr":
                    text, is_idl = schema.data.decode("utf-8", "replace"), "idl" in schema.encoding
                    yield RawMessage(channel.topic, schema.name, text, is_idl, record.log_time, record.data)

    def _read_index(self) -> _Index:
        """The summary at the end, where the file has one whose checksum fits."""
        view, index = self._view, _Index()
        end = len(view) - len(MAGIC) - _FOOTER_BYTES
        if end < 0 or view[-len(MAGIC) :] != MAGIC:
            return index
        try:
            footer = Footer.read(ReadDataStream(BytesIO(view[end + _HEAD.size : -len(MAGIC)])))
            summary = view[footer.summary_start : end]
            checksum = zlib.crc32(view[end : end + _HEAD.size + 16], zlib.crc32(summary))
            if not footer.summary_start or (footer.summary_crc and footer.summary_crc != checksum):
                return index
            for record in StreamReader(BytesIO(view[footer.summary_start :]), skip_magic=True).records:
                if isinstance(record, Schema):
                    index.schemas[record.id] = record
                elif isinstance(record, Channel):
                    index.channels[record.id] = record
                elif hasattr(record, "chunk_start_offset"):
                    index.chunks[record.chunk_start_offset] = record.chunk_start_offset + record.chunk_length
        except Exception:  # any damage: the file is then read without it
            return _Index()
        return index

    def _records(self) -> Iterator[Any]:
        """Schemas, channels and messages, in order, from whatever of the file can be read."""
        view, at, end = self._view, len(MAGIC), len(self._view)
        starts = sorted(self._index.chunks)
        while at + _HEAD.size <= end:
            opcode, length = _HEAD.unpack_from(view, at)
            known_end = self._index.chunks.get(at)
            stop = known_end or at + _HEAD.size + length
            following = starts[bisect_right(starts, at) :][:1]
            if opcode in (Opcode.DATA_END, Opcode.FOOTER) and known_end is None and not following:
                return
            if self._is_broken(at, opcode, fits=stop <= min([end, *following])):
                self._tell_broken(at, opcode, resumed=bool(following))
                if not following:
                    return
                at = following[0]
                continue
            if opcode == Opcode.CHUNK:
                yield from self._chunk(at, view[at + _HEAD.size : stop])
            elif opcode in _TOPLEVEL or opcode == Opcode.MESSAGE:
                yield from self._single(at, opcode, view[at + _HEAD.size : stop])
            at = stop
        self._tell(f"it ends at byte {end} without an index: it was cut, or its recorder did not end in order")

    def _is_broken(self, at: int, opcode: int, *, fits: bool) -> bool:
        """Whether no whole record lies there, or another one than the index says."""
        wrong = at in self._index.chunks and opcode != Opcode.CHUNK
        return not fits or wrong or opcode in (Opcode.DATA_END, Opcode.FOOTER) or _is_no_opcode(opcode)

    def _tell_broken(self, at: int, opcode: int, *, resumed: bool) -> None:
        what = "a record that is cut or damaged"
        if opcode == Opcode.CHUNK and at + _HEAD.size + _TIMES.size <= len(self._view):
            what = f"a chunk of {self._span(*_TIMES.unpack_from(self._view, at + _HEAD.size))} that is cut or damaged"
        rest = "read on at the next chunk of its index" if resumed else "what follows cannot be read"
        self._tell(f"at byte {at}: {what}; {rest}")

    def _chunk(self, at: int, content: bytes) -> list[Any]:
        span = ""
        try:
            span = f" of {self._span(*_TIMES.unpack_from(content))}"
            chunk = Chunk.read(ReadDataStream(BytesIO(content)))
            self._unchecked += chunk.uncompressed_crc == 0
            return list(breakup_chunk(chunk, validate_crc=True))
        except CRCValidationError:
            self._tell(f"the chunk at byte {at}{span} is left out: its checksum does not fit, bytes of it were changed")
        except Exception as error:  # a decompressor's or a parser's, over bytes that may be anything
            self._tell(f"the chunk at byte {at}{span} is left out: it cannot be unpacked: {error or type(error).__name__}")
        return []

    def _single(self, at: int, opcode: int, content: bytes) -> list[Any]:
        """A record outside chunks, as files without chunks have them."""
        stream = ReadDataStream(BytesIO(content))
        try:
            return [Message.read(stream, len(content)) if opcode == Opcode.MESSAGE else _TOPLEVEL[opcode].read(stream)]
        except Exception as error:
            self._tell(f"the record at byte {at} is left out: it cannot be read: {error or type(error).__name__}")
            return []

    def _span(self, begin_ns: int, end_ns: int) -> str:
        """A span of time, seconds since the first chunk began."""
        if self._begin_ns is None:
            self._begin_ns = begin_ns
        return f"{(begin_ns - self._begin_ns) / 1e9:.3f} s to {(end_ns - self._begin_ns) / 1e9:.3f} s"


def _is_no_opcode(opcode: int) -> bool:
    return opcode == 0 or _LAST_OPCODE < opcode < _FIRST_PRIVATE_OPCODE
