"""Asks over the service `ask`, with the harness's own deadline, and mirrors question and answer on topics."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rclpy.node import Node
from rclpy.task import Future

from stbench_harness.ledger import printable
from stbench_harness.mirrored import KINDS, to_payload
from stbench_harness.protocol import Ask, Outcome, Reply, SystemCrashed
from stbench_harness.ros import convert
from stbench_msgs.msg import Answer, Question
from stbench_msgs.srv import Ask as AskSrv
from stbench_scoring.records.answer import Answer as AnswerRecord

if TYPE_CHECKING:
    from stbench_harness.ros.stage import Stage
    from stbench_harness.ros.transport import Counts

MOST_LATE = 32  # unanswered requests that are kept, so that a late reply can be told
POLL_S = 0.2


class Asker:
    """The client of the brain's service, for one case.

    Args:
        node: Spun elsewhere.
        stage: Publishes the mirrors.
        counts: Of the case; updated here.
        check_brain: Raises SystemCrashed where the brain is gone.
    """

    def __init__(self, node: Node, stage: Stage, counts: Counts, check_brain: Callable[[], None]) -> None:
        self._node, self._stage, self._counts, self._check_brain = node, stage, counts, check_brain
        self.client = node.create_client(AskSrv, "ask")
        self._open: deque[tuple[Any, Ask, float]] = deque()
        self._told = ""
        self._response: Any = None
        self._unreadable: Exception | None = None
        self._wake = threading.Event()

    def ask(self, ask: Ask) -> Reply:
        """Asks and waits until the reply, the deadline, or the brain's end."""
        self._tell_question(ask)
        request = AskSrv.Request(**_shared(ask))
        request.header.stamp, request.header.frame_id = convert.to_time(ask.stamp_ns), "map"
        reply = self._call(request, ask, time.monotonic())
        if isinstance(reply.payload, AskSrv.Response):
            self._response = reply.payload
            reply = read_response(reply.payload, reply.latency_s)
        return reply

    def _tell_question(self, ask: Ask) -> None:
        self._stage.publish("stbench/question", Question(**_shared(ask)), ask.stamp_ns)
        self._told, self._response = ask.qid, None
        self._counts.questions += 1

    def settled(self, ask: Ask, outcome: Outcome, answer: AnswerRecord | None, detail: str, latency_s: float) -> None:
        """Mirrors how a question ended, with the brain's own words where it replied."""
        if self._told != ask.qid:  # never put to a brain that had died: the bag holds it all the same
            self._tell_question(ask)
        mirror = Answer(qid=ask.qid, step=ask.step, outcome=outcome.value, detail=printable(detail), latency_s=latency_s)
        if self._response is not None:
            mirror.value, mirror.note = self._response.value, self._response.note
        elif answer is not None:
            mirror.value = convert.to_value(answer)
        self._stage.publish("stbench/answer", mirror, ask.stamp_ns)
        self._counts.answers += 1

    def unreadable(self, error: Exception) -> None:
        """A reply came that cannot be turned into Python, e.g. for bytes that are not UTF-8: the open ask ends."""
        self._unreadable = error
        self._wake.set()

    def _call(self, request: AskSrv.Request, ask: Ask, begun: float) -> Reply:
        self._unreadable = None
        self._wake = done = threading.Event()
        future = self.client.call_async(request)
        future.add_done_callback(lambda _: done.set())
        while not done.wait(min(POLL_S, max(0.0, begun + ask.deadline_s - time.monotonic()))):
            waited = time.monotonic() - begun
            if waited > ask.deadline_s:
                self._keep(future, ask, begun)
                return Reply(None, Outcome.TIMED_OUT, f"no reply in {ask.deadline_s:g} s", waited)
            try:
                self._check_brain()
            except SystemCrashed as error:
                self.client.remove_pending_request(future)
                return Reply(None, Outcome.CRASHED, str(error), waited)
        waited = time.monotonic() - begun
        failure = self._unreadable or future.exception()
        if failure is not None:
            self.client.remove_pending_request(future)
            return Reply(None, Outcome.MALFORMED, f"the reply cannot be read: {failure}", waited)
        return Reply(future.result(), None, "", waited)

    def _keep(self, future: Future[Any], ask: Ask, begun: float) -> None:
        """Keeps an unanswered request for a late reply; the oldest gives way beyond MOST_LATE."""
        self._open.append((future, ask, begun))
        future.add_done_callback(lambda done: self._on_late(done, ask, begun))
        if len(self._open) > MOST_LATE:
            self.client.remove_pending_request(self._open.popleft()[0])

    def _on_late(self, future: Future[Any], ask: Ask, begun: float) -> None:
        self._open = deque(item for item in self._open if item[0] is not future)
        if future.cancelled() or future.exception() is not None:
            return
        self._counts.late += 1
        response = future.result()
        mirror = Answer(
            qid=ask.qid, step=ask.step, latency_s=time.monotonic() - begun, late=True, outcome=Outcome.TIMED_OUT.value,
            value=response.value, note=response.note, detail="the reply came after the deadline; it does not count",
        )  # fmt: skip
        self._stage.publish("stbench/answer", mirror, ask.stamp_ns)

    def close(self) -> None:
        """Forgets every request that was never answered. Safe to call twice."""
        while self._open:
            self.client.remove_pending_request(self._open.popleft()[0])
        self._node.destroy_client(self.client)


def _shared(ask: Ask) -> dict[str, Any]:
    """The fields that request and mirror have in common."""
    return {
        "qid": ask.qid, "family": ask.family, "expected": KINDS[ask.expected], "step": ask.step,
        "text": ask.text, "deadline_s": ask.deadline_s, "params": convert.to_params(ask.params),
    }  # fmt: skip


def read_response(response: AskSrv.Response, latency_s: float) -> Reply:
    """A brain's reply as the session judges it."""
    if "\ufffd" in response.note:  # what rclpy makes of bytes that are not UTF-8
        return Reply(None, Outcome.MALFORMED, "the reply's note holds bytes that are not UTF-8", latency_s)
    if response.refused:
        return Reply(None, Outcome.REFUSED, response.note, latency_s)
    payload = to_payload(response.value)
    if payload is None:
        detail = response.note or f"value.kind is {response.value.kind}: no answer was set"
        return Reply(None, Outcome.MALFORMED, detail, latency_s)
    return Reply(payload, None, response.note, latency_s)
