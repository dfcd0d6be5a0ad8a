"""A DDS domain a run, taken by a lock file, so that runs on one machine never hear each other.

Domains 1 to 101 are safe on every platform's default port ranges (ROS 2 documentation, "The ROS_DOMAIN_ID"); 0 is
everybody's.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stbench_scoring.errors import StbenchError

FIRST, LAST = 1, 101


_held: dict[int, int] = {}


def lock_of(domain_id: int) -> tuple[int, ...]:
    """The open lock of a domain that this process holds, for its children to inherit; empty where it holds none.

    A lock lives until all who have it open have ended. So a run that was killed keeps its domain until its nodes, which
    then still tell of the end, are gone: nobody else hears them.
    """
    return (_held[domain_id],) if domain_id in _held else ()


def _folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"stbench-domains-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


@contextmanager
def take_domain() -> Iterator[int]:
    """Holds a domain that no other run here holds; the kernel frees it when the process ends, however it does.

    Raises:
        StbenchError: All are taken.
    """
    for domain in range(FIRST, LAST + 1):
        file = (_folder() / f"{domain}.lock").open("w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            continue
        _held[domain] = file.fileno()
        try:
            yield domain
        finally:
            del _held[domain]
            file.close()
        return
    raise StbenchError(f"all DDS domains from {FIRST} to {LAST} are taken by running cases: use fewer workers")
