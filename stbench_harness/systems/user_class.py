"""Loads a user's own class, given as `FILE.py:Class`."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

from stbench_harness.protocol import System
from stbench_scoring.errors import StbenchError

_METHODS = ("start", "task", "observe", "ask", "finish")


def is_user_class(name: str) -> bool:
    """Whether a system's name is of the form FILE.py:Class."""
    return ".py:" in name


def load_class(name: str) -> Callable[[], System]:
    """Returns the class. Raises StbenchError: no such file or class, the file fails, or a method is missing."""
    file, _, attribute = name.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise StbenchError(f"system {name!r}: no such file {path}")
    spec = importlib.util.spec_from_file_location(f"stbench_user_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise StbenchError(f"system {name!r}: {path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses in the file look their module up here
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise StbenchError(f"system {name!r}: importing it raised {type(error).__name__}: {error}") from error
    made = getattr(module, attribute, None)
    missing = [m for m in _METHODS if not callable(getattr(made, m, None))]
    if not callable(made) or missing:
        raise StbenchError(f"system {name!r}: {attribute} must be a class with {', '.join(missing or _METHODS)}")
    return cast("Callable[[], System]", made)
