"""Writes a rosbag2 folder: metadata.yaml and one MCAP file whose chunks carry checksums.

rosbags writes the folder and its metadata, the mcap library the file: rosbags' own MCAP writer leaves checksums out.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

from mcap.writer import CompressionType, Writer
from rosbags.interfaces import (
    Connection,
    Qos,
    QosDurability,
    QosHistory,
    QosLiveliness,
    QosReliability,
    QosTime,
)
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as FolderWriter
from rosbags.typesys.store import Typestore

from stbench_scoring.errors import StbenchError

METADATA_VERSION = 9
CHUNK_BYTES = 1 << 20
_FOREVER = QosTime(9223372036, 854775807)  # as rosbag2 writes a duration without end


def offered_qos(*, latched: bool, depth: int) -> Qos:
    """The quality of service that `ros2 bag play` is to offer again: reliable, the last `depth` kept."""
    return Qos(
        QosHistory.KEEP_LAST, depth, QosReliability.RELIABLE,
        QosDurability.TRANSIENT_LOCAL if latched else QosDurability.VOLATILE,
        _FOREVER, _FOREVER, QosLiveliness.AUTOMATIC, _FOREVER, False,
    )  # fmt: skip


class _File:
    """An unbuffered file that writes all or raises: what is flushed is with the system, whatever becomes of us."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("xb", buffering=0)

    def write(self, data: bytes) -> int:
        left = memoryview(data)
        while left:
            left = left[self._file.write(left) :]
        return len(data)

    def tell(self) -> int:
        return self._file.tell()

    def flush(self) -> None:
        """Nothing is held back."""

    def sync(self) -> None:
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


class _Storage:
    """The storage that rosbags' folder writer writes through (its `StorageWriter` protocol)."""

    def __init__(self, path: Path, compression: object) -> None:
        self.path = path / f"{path.name}_0.mcap"
        self.publish_ns = 0  # of the next message; rosbags' protocol has one time only
        self._file = _File(self.path)
        self._writer = Writer(self._file, chunk_size=CHUNK_BYTES, compression=CompressionType.ZSTD)
        self._writer.start(profile="ros2", library="stbench")
        self._schemas: dict[str, int] = {}
        self._channels: dict[int, int] = {}
        self._sequence: Counter[int] = Counter()

    def add_msgtype(self, connection: Connection) -> None:
        self._schemas[connection.msgtype] = self._writer.register_schema(
            connection.msgtype, "ros2msg", connection.msgdef.data.encode()
        )

    def add_connection(self, connection: Connection, offered_qos_profiles: str) -> None:
        self._channels[connection.id] = self._writer.register_channel(
            connection.topic, "cdr", self._schemas[connection.msgtype], {"offered_qos_profiles": offered_qos_profiles}
        )

    def write(self, connection: Connection, timestamp: int, data: bytes) -> None:
        channel = self._channels[connection.id]
        self._sequence[channel] += 1
        self._writer.add_message(channel, timestamp, data, self.publish_ns, self._sequence[channel])

    def flush(self) -> None:
        self._writer.flush()

    def close(self, version: int, metadata: str) -> None:
        self._writer.add_metadata("rosbag2", {"serialized_metadata": metadata})
        self._writer.finish()
        self._file.sync()
        self._file.close()

    def abort(self) -> None:
        self._file.close()


class _FolderWriter(FolderWriter):
    STORAGE_PLUGINS = {StoragePlugin.MCAP: _Storage}  # noqa: RUF012  as its base has it


class BagWriter:
    """A bag that is being written. Its topics are named first; `close` writes index and metadata.

    Args:
        path: The new folder.
        types: Holds the definitions of the messages that will be written.

    Raises:
        StbenchError: The folder is there already, or cannot be made.
    """

    def __init__(self, path: Path, types: Typestore) -> None:
        if path.exists():
            raise StbenchError(f"bag {path} is there already: give a new folder, or move that one away")
        self.path = path
        self.counts: Counter[str] = Counter()
        self._types = types
        self._folder = _FolderWriter(path, version=METADATA_VERSION, storage_plugin=StoragePlugin.MCAP)
        try:
            self._folder.open()
        except OSError as error:
            raise StbenchError(f"bag {path} cannot be made: {error.strerror}") from None
        self._connections: dict[str, Connection] = {}

    @property
    def _storage(self) -> Any:
        return self._folder.storage

    def add_topic(self, topic: str, kind: str, qos: Qos) -> None:
        """Names a topic: its messages' type as `package/msg/Name`, and what its publisher offers."""
        self._connections[topic] = self._folder.add_connection(
            topic, kind, typestore=self._types, offered_qos_profiles=[qos]
        )

    def write(self, topic: str, data: bytes, log_ns: int, publish_ns: int) -> None:
        """Adds a message: CDR bytes, when it was received and when it was sent. Raises OSError."""
        self._storage.publish_ns = publish_ns
        self._folder.write(self._connections[topic], log_ns, data)
        self.counts[topic] += 1

    def flush(self) -> None:
        """Ends the chunk in progress: what was written so far survives the end of this process. Raises OSError."""
        self._storage.flush()

    def close(self) -> None:
        """Writes index and metadata.yaml. Raises OSError."""
        self._folder.close()

    def abort(self) -> None:
        """Leaves the file as it is, after a write that failed; whole chunks stay readable."""
        self._folder.abort()

    def __enter__(self) -> BagWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()
