"""The errors that a user can mend: the command line prints them without a traceback and exits 2."""

from __future__ import annotations

from pathlib import Path


class StbenchError(ValueError):
    """Bad input. The message names the file, the field, the value and what would be right."""


class RecordError(StbenchError):
    """A release file that cannot be read as what it should be."""

    def __init__(self, path: Path | str, problem: str, line: int | None = None) -> None:
        where = f"{path}:{line}" if line is not None else str(path)
        super().__init__(f"{where}: {problem}")
        self.path = Path(path)
        self.line = line


class MalformedAnswer(StbenchError):
    """An answer that is not of the asked form. The message says what was wrong with it."""
