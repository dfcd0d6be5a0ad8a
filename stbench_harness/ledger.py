"""The run's ledger: JSON lines, append only, every message and every reply. Results are computed from it.

Only a line feed ends a line. A tail without one is a write that was cut off: it is dropped when reading and removed
before the first append. A bad line anywhere else is an error with its number. A case that is begun again begins a new
attempt, with a line of kind `case`; only the last attempt counts, the earlier ones stay for the record.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import TracebackType

import msgspec

from stbench_scoring.errors import RecordError
from stbench_scoring.records.answer import Answer
from stbench_scoring.records.io import Record
from stbench_scoring.records.results import CaseOutcome, CaseResponses, OutcomeName, Response, RunLabel


class Line(Record, frozen=True, kw_only=True, omit_defaults=True):
    """One line.

    Attributes:
        seq: From 0, one more each line.
        kind: `case` (an attempt begins), `start`, `task`, `step`, `ask`, `reply`, `finish`, `end` (the case has ended).
        step: Of the case, where the line has one.
        digest: SHA-256 of the payload, hex.
        latency_s: Steady clock, until the system had taken the message or replied.
        qid, outcome, answer, detail: Of a reply.
        cid, label: Of a case's begin.
        case_outcome: Of a case's end.
    """

    seq: int
    kind: str
    step: int | None = None
    digest: str = ""
    latency_s: float | None = None
    qid: str = ""
    outcome: OutcomeName | None = None
    answer: Answer | None = None
    detail: str = ""
    cid: str = ""
    label: RunLabel | None = None
    case_outcome: CaseOutcome | None = None


def digest_of(payload: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(payload).hexdigest()


def printable(text: str, limit: int = 500) -> str:
    """Text as the ledger keeps it: valid UTF-8 (lone surrogates escaped), at most `limit` characters."""
    return text.encode("utf-8", "backslashreplace").decode()[:limit]


def read_lines(path: Path) -> tuple[Line, ...]:
    """Reads a ledger's whole lines; a cut-off tail is left out. Raises RecordError with the number of a bad line."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(path, f"cannot be read: {error.strerror}") from None
    lines = []
    for number, raw in enumerate(data.split(b"\n")[:-1], start=1):
        try:
            line = msgspec.json.decode(raw, type=Line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RecordError(path, f"not a line of a ledger: {error}", number) from None
        if line.seq != number - 1:
            raise RecordError(path, f"seq must be {number - 1}, not {line.seq}: lines are missing or twice", number)
        lines.append(line)
    return tuple(lines)


def read_responses(path: Path) -> CaseResponses:
    """Reads the last attempt of a ledger. An attempt without an end counts as `cancelled`.

    Raises:
        RecordError: The file cannot be read, has a bad line, holds no attempt, or answers a question twice.
    """
    lines = read_lines(path)
    begins = [index for index, line in enumerate(lines) if line.kind == "case"]
    if not begins:
        raise RecordError(path, "no line of kind case: nothing was run")
    attempt = lines[begins[-1] :]
    label = attempt[0].label
    if label is None:
        raise RecordError(path, "label is missing", begins[-1] + 1)
    responses: dict[str, Response] = {}
    outcome: CaseOutcome = "cancelled"
    for number, line in enumerate(attempt, start=begins[-1] + 1):
        if line.kind == "reply" and line.outcome is not None:
            if line.qid in responses:
                raise RecordError(path, f"question {line.qid} ends twice", number)
            responses[line.qid] = Response(qid=line.qid, outcome=line.outcome, answer=line.answer)
        elif line.kind == "end" and line.case_outcome is not None:
            outcome = line.case_outcome
    return CaseResponses(cid=attempt[0].cid, outcome=outcome, label=label, responses=tuple(responses.values()))


class Ledger:
    """Appends to a ledger. Use as a context manager."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        if path.exists():
            data = path.read_bytes()
            kept = data.rfind(b"\n") + 1
            self._seq = len(read_lines(path))
            if kept != len(data):
                with path.open("r+b") as file:
                    file.truncate(kept)
                    os.fsync(file.fileno())
        else:
            self._seq = 0
        self._file = path.open("ab")

    def append(
        self,
        kind: str,
        *,
        sync: bool = False,
        step: int | None = None,
        digest: str = "",
        latency_s: float | None = None,
        qid: str = "",
        outcome: OutcomeName | None = None,
        answer: Answer | None = None,
        detail: str = "",
        cid: str = "",
        label: RunLabel | None = None,
        case_outcome: CaseOutcome | None = None,
    ) -> None:
        """Writes one line; with `sync` it and all before it are on the disk when this returns."""
        line = Line(
            seq=self._seq, kind=kind, step=step, digest=digest, qid=qid, outcome=outcome, answer=answer,
            latency_s=None if latency_s is None else round(latency_s, 6), detail=printable(detail),
            cid=cid, label=label, case_outcome=case_outcome,
        )  # fmt: skip
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()
        if sync:
            os.fsync(self._file.fileno())
        self._seq += 1

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
