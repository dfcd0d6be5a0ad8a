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
        try:
            yield domain
        finally:
            file.close()
        return
    raise StbenchError(f"all DDS domains from {FIRST} to {LAST} are taken by running cases: use fewer workers")
