"""Where this package lies: in a checkout, or installed under a prefix by pip or colcon."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def checkout() -> Path | None:
    """The checkout that this package is imported from; None where it is installed."""
    root = _HERE.parent
    return root if (root / "libexec").is_dir() and (root / "package.xml").is_file() else None


def prefixes() -> tuple[Path, ...]:
    """Prefixes under which `lib/<package>` and `share/<package>` may lie: sourced workspaces, this Python, this package."""
    sourced = [Path(p) for p in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if p]
    own = next((p.parent for p in _HERE.parents if p.name == "lib"), Path(sys.prefix))
    return tuple(dict.fromkeys((*sourced, Path(sys.prefix), own)))
