"""Message definitions of bags: the installed ones for writing; those that a bag holds itself for reading.

A bag is read without ROS. The texts of a message are read as bytes first, so that a text that is not UTF-8 spoils itself
alone and not the whole message: in CDR a string and a sequence of bytes look the same but for the string's last NUL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_idl, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from stbench_scoring.errors import StbenchError

_BYTES = (Nodetype.SEQUENCE, ((Nodetype.BASE, ("uint8", 0)), 0))


def installed_folder(package: str) -> Path:
    """Where an installed message package keeps its .msg files: in the share of the prefix that its Python lies in.

    Raises:
        StbenchError: The package is not installed.
    """
    spec = find_spec(package)
    for prefix in Path(spec.origin).parents if spec is not None and spec.origin else ():
        if (prefix / "share" / package / "msg").is_dir():
            return prefix / "share" / package / "msg"
    raise StbenchError(f"the ROS package {package} is not installed here: source the workspace that has it")


def load_types(
    store: Typestore, names: Iterable[str], folder_of: Callable[[str], Path] = installed_folder
) -> Typestore:  # fmt: skip
    """Adds the definitions of messages, and of the messages in them, from .msg files.

    Args:
        store: Types that are there already are kept.
        names: `package/msg/Name`.
        folder_of: Package to the folder of its .msg files.

    Raises:
        StbenchError: A .msg file is not there.
    """
    wanted, found = list(names), {}
    while wanted:
        name = wanted.pop()
        if name in found or name in store.fielddefs:
            continue
        package, _, short = name.split("/")
        path = folder_of(package) / f"{short}.msg"
        try:
            types = get_types_from_msg(path.read_text(encoding="utf-8"), name)
        except OSError as error:
            raise StbenchError(f"{path}: the definition of {name} cannot be read: {error.strerror}") from None
        found.update(types)
        wanted += [part for _, parts in types.values() for part in _named(parts)]
    store.register(found)
    return store


def _named(parts: Iterable[tuple[str, Any]]) -> Iterable[str]:
    for _, (node, value) in parts:
        node, value = value[0] if node in (Nodetype.ARRAY, Nodetype.SEQUENCE) else (node, value)
        if node == Nodetype.NAME:
            yield value


def empty_store() -> Typestore:
    """A store without types."""
    return get_typestore(Stores.EMPTY)


@dataclass(frozen=True)
class Decoded:
    """A message that was read.

    Attributes:
        message: Its fields as attributes; texts that are not UTF-8 hold U+FFFD for what could not be read.
        spoiled: The fields whose text is not UTF-8.
    """

    message: Any
    spoiled: tuple[str, ...]


def decode(kind: str, definition: str, is_idl: bool, data: bytes) -> Decoded:
    """Reads one message by the definition that comes with it.

    Args:
        kind: `package/msg/Name`.
        definition: With the definitions of the messages in it; empty where the bag holds none.
        is_idl: Whether it is IDL.
        data: CDR bytes.

    Raises:
        StbenchError: The definition or the bytes cannot be read.
    """
    try:
        store = _store_of(kind, definition, is_idl)
        message = store.deserialize_cdr(data, kind)
    except StbenchError:
        raise
    except Exception as error:  # bytes of anybody's making: whatever fails in reading them is theirs
        raise StbenchError(f"a {kind} cannot be read: {error}") from None
    return Decoded(message, tuple(_decode_texts(message, store.texts[kind])))


class _BytesStore(Typestore):
    """Types whose single texts are read as bytes. `texts` names those fields, by message."""

    def __init__(self, types: dict[str, Any]) -> None:
        super().__init__()
        self.texts = {
            name: [field for field, (node, value) in parts if node == Nodetype.BASE and value[0] == "string"]
            for name, (_, parts) in types.items()
        }
        # Constants are left out: nothing here reads them, and so they never reach generated code.
        self.register({
            name: ([], [(field, _BYTES if field in self.texts[name] else kind) for field, kind in parts])
            for name, (_, parts) in types.items()
        })  # fmt: skip


@lru_cache(maxsize=64)  # working through a definition takes some 10 ms
def _store_of(kind: str, definition: str, is_idl: bool) -> _BytesStore:
    if definition:
        types = get_types_from_idl(definition) if is_idl else get_types_from_msg(definition, kind)
        return _BytesStore(dict(types))
    try:
        return _BytesStore(dict(load_types(empty_store(), [kind]).fielddefs))
    except StbenchError as error:
        raise StbenchError(f"the bag holds no definition of {kind}: {error}") from None


def _decode_texts(message: Any, names: Iterable[str]) -> Iterable[str]:
    for name in names:
        data = bytes(getattr(message, name)).removesuffix(b"\0")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = data.decode("utf-8", "replace")
            yield name
        setattr(message, name, text)
