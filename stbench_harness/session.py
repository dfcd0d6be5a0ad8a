"""One case, one system, one transport: sends the stream, records every line, ends each question in one outcome."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import cast

from stbench_harness.ledger import Ledger, digest_of, read_responses
from stbench_harness.outcomes import Cancelled, judge_reply
from stbench_harness.player import Message, PlayedCase, play
from stbench_harness.protocol import (
    Ask,
    Channel,
    HarnessFault,
    Outcome,
    Pace,
    Reply,
    Start,
    Step,
    SystemCrashed,
    SystemTimedOut,
    TaskStart,
    Transport,
    encode,
)
from stbench_scoring.records.results import CaseOutcome, CaseResponses, OutcomeName, RunLabel


@dataclass(frozen=True)
class Options:
    """How a case is run.

    Attributes:
        label: Stands in the ledger and the results; channel, pace and arms are taken from it.
        deadline_s: Time for an answer, seconds of the steady clock.
        stop: Set it to end the run in order; the case is then cancelled.
    """

    label: RunLabel
    deadline_s: float = 120.0
    stop: threading.Event = field(default_factory=threading.Event)


class _Session:
    """The state of one case: `verdict` is None while the system lives, then how its remaining questions end."""

    def __init__(self, transport: Transport, ledger: Ledger, stop: threading.Event) -> None:
        self.transport = transport
        self.ledger = ledger
        self.stop = stop
        self.verdict: tuple[Outcome, str] | None = None

    def guarded(self, call: object, *args: object) -> object:
        """Calls the transport; a crash or a time-out of the system becomes the verdict."""
        try:
            return call(*args)  # type: ignore[operator]
        except SystemCrashed as error:
            self.verdict = (Outcome.CRASHED, str(error))
        except SystemTimedOut as error:
            self.verdict = (Outcome.TIMED_OUT, str(error))
        return None

    def send(self, message: Message) -> None:
        if self.stop.is_set():
            raise Cancelled
        if isinstance(message, Ask):
            self._ask(message)
        elif self.verdict is None:
            self._tell(message)

    def _tell(self, message: Message) -> None:
        name, call = _call(self.transport, message)
        begun = time.monotonic()
        self.guarded(call, message)
        self.ledger.append(
            name,
            step=message.step if isinstance(message, Step) else None,
            digest=digest_of(encode(message)),
            latency_s=time.monotonic() - begun,
            detail="" if self.verdict is None else f"{self.verdict[0]}: {self.verdict[1]}",
        )

    def _ask(self, ask: Ask) -> None:
        reply = None
        if self.verdict is None:
            self.ledger.append("ask", step=ask.step, qid=ask.qid, digest=digest_of(encode(ask)), sync=True)
            reply = cast("Reply | None", self.guarded(self.transport.ask, ask))
        if reply is None:
            verdict = self.verdict or (Outcome.CRASHED, "no reply")
            reply = Reply(payload=None, outcome=verdict[0], detail=verdict[1])
        outcome, answer, detail = judge_reply(reply, ask.expected)
        if outcome is Outcome.HARNESS_FAULT:
            raise HarnessFault(detail)
        self.ledger.append(
            "reply", step=ask.step, qid=ask.qid, outcome=cast(OutcomeName, outcome.value), answer=answer, detail=detail,
            digest=digest_of(repr(reply.payload).encode("utf-8", "backslashreplace")), latency_s=reply.latency_s,
            sync=True,
        )  # fmt: skip
        self.transport.settled(ask, outcome, answer, detail, reply.latency_s)


def _call(transport: Transport, message: Message) -> tuple[str, object]:
    if isinstance(message, Start):
        return "start", transport.start
    if isinstance(message, TaskStart):
        return "task", transport.task
    if isinstance(message, Step):
        return "step", transport.observe
    return "finish", transport.finish


def run_case(case: PlayedCase, transport: Transport, ledger: Ledger, options: Options) -> CaseResponses:
    """Runs one case from step 0 in a new attempt of the ledger.

    Args:
        case: The case.
        transport: Carries the messages; opened and closed here.
        ledger: Where every line goes.
        options: Label, deadline and the event that ends the run.

    Returns:
        What the ledger now says: `completed` with an outcome a question, `invalid` after a fault of the harness, or
        `cancelled`.

    Raises:
        StbenchError: The release is bad.
    """
    label = options.label
    ledger.append("case", cid=case.case.cid, label=label, sync=True)
    try:
        outcome, detail = _play_through(case, _Session(transport, ledger, options.stop), options)
        ledger.append("end", case_outcome=outcome, detail=detail, sync=True)
        transport.ended(outcome, detail)
    finally:
        transport.close()
    return read_responses(ledger.path)


def _play_through(case: PlayedCase, session: _Session, options: Options) -> tuple[CaseOutcome, str]:
    """Sends the whole stream. Returns how the case ended and, where it was not completed, why."""
    label = options.label
    try:
        session.guarded(session.transport.open)
        for message in play(
            case, cast(Channel, label.channel), pace=cast(Pace, label.pace), deadline_s=options.deadline_s,
            during=label.during, brief=label.brief,
        ):  # fmt: skip
            session.send(message)
    except HarnessFault as error:
        return "invalid", str(error)
    except Cancelled:
        return "cancelled", "the run was asked to end"
    return "completed", ""
