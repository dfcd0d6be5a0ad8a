"""Fixtures that tests of every package share."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


def _load() -> ModuleType:
    """Loads test/synthetic.py as `synthetic`: under importlib mode the test folder is on no path."""
    if "synthetic" not in sys.modules:
        spec = importlib.util.spec_from_file_location("synthetic", Path(__file__).parent / "synthetic.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["synthetic"] = module
        spec.loader.exec_module(module)
    return sys.modules["synthetic"]


_load()


@pytest.fixture(scope="session")
def synthetic() -> ModuleType:
    """The builder of the tiny release."""
    return _load()


@pytest.fixture(scope="session")
def tiny_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Root of a compiled tiny release with questions and gold of all four families. Copy it before changing it."""
    root: Path = _load().write_release(tmp_path_factory.mktemp("tiny_release"))
    return root
