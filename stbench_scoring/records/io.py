"""Reading and writing records: JSON and JSON lines, typed by msgspec, with errors that name file, line and field.

Unknown fields are ignored, so that a newer release can still be read; missing ones are named. Whole files are written
to a temporary name and renamed, so that no half file ever stands under a final name. Only a line feed ends a JSON line:
U+2028, U+0085 and a carriage return inside a text do not.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from stbench_scoring.errors import RecordError

T = TypeVar("T")


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Base of every record. Frozen, so a record can be shared between threads and used in caches."""


def _load(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise RecordError(path, "no such file: is this the folder of a release?") from None
    except OSError as error:
        raise RecordError(path, f"cannot be read: {error.strerror or error}") from error


def _decode(data: bytes, kind: type[T], path: Path, line: int | None) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise RecordError(path, f"not a {_name(kind)}: {error}", line) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(path, f"not JSON: {error}", line) from None


def _name(kind: object) -> str:
    return getattr(kind, "__name__", str(kind))


def read_json(path: Path, kind: type[T]) -> T:
    """Reads one record from a JSON file.

    Raises:
        RecordError: The file is missing, is not JSON, or a field is missing or of the wrong type.
    """
    return _decode(_load(path), kind, path, None)


def iter_jsonl(path: Path, kind: type[T]) -> Iterator[T]:
    """Yields the records of a JSON-lines file in order. A torn or bad line is an error with its number."""
    data = _load(path)
    if data and not data.endswith(b"\n"):
        count = data.count(b"\n") + 1
        raise RecordError(path, "the last line is cut off (no line feed at its end)", count)
    for number, line in enumerate(data.split(b"\n")[:-1], start=1):
        yield _decode(line, kind, path, number)


def read_jsonl(path: Path, kind: type[T]) -> tuple[T, ...]:
    """Reads every record of a JSON-lines file. Raises RecordError as `iter_jsonl` does."""
    return tuple(iter_jsonl(path, kind))


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a whole file under a temporary name, syncs it and renames it into place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, record: object) -> None:
    """Writes one record as indented JSON, fields in the order of their definition."""
    write_bytes(path, msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n")


def write_jsonl(path: Path, records: Iterable[object]) -> None:
    """Writes records as JSON lines."""
    encoder = msgspec.json.Encoder()
    write_bytes(path, b"".join(encoder.encode(record) + b"\n" for record in records))
