"""How a question ends: the one place that turns a reply into an outcome and an answer."""

from __future__ import annotations

from stbench_harness.protocol import Outcome, Reply
from stbench_scoring.errors import MalformedAnswer
from stbench_scoring.records.answer import Answer, AnswerKind, parse_answer


class Cancelled(Exception):
    """The run was asked to end: the case is cancelled, not scored, and run again on resume."""


def judge_reply(reply: Reply, expected: AnswerKind) -> tuple[Outcome, Answer | None, str]:
    """Returns the outcome, the answer where there is one, and a word for people.

    A transport's own verdict (`timed_out`, `crashed`, `refused`, …) stands; `answered` and `unknown` it cannot
    claim, since only the strict reading of the payload gives them.
    """
    if reply.outcome not in (None, Outcome.ANSWERED, Outcome.UNKNOWN):
        return reply.outcome, None, reply.detail
    try:
        answer = parse_answer(reply.payload, expected)
    except (MalformedAnswer, UnicodeError, RecursionError) as error:
        return Outcome.MALFORMED, None, str(error)
    return (Outcome.UNKNOWN if answer.unknown else Outcome.ANSWERED), answer, reply.detail
