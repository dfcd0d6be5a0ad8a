"""One case of the harness node, in a thread of its own: the session over the ROS transport, with feedback and a result."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.client import Client
from std_srvs.srv import Trigger

from stbench_harness.ledger import Ledger
from stbench_harness.player import load_played
from stbench_harness.protocol import HarnessFault
from stbench_harness.ros.stage import Stage
from stbench_harness.ros.transport import CaseSettings, RosTransport, Timing
from stbench_harness.runs import RunFolder
from stbench_harness.session import Options, run_case
from stbench_msgs.action import RunCase
from stbench_scoring.errors import StbenchError

if TYPE_CHECKING:
    from stbench_harness.ros.harness_node import HarnessNode

PERIOD_S = 1.0
RESET_S = 20.0


class CaseRun:
    """Runs one case and reports.

    Args:
        node: The harness.
        stage: Its publishers.
        folder: The run, opened with this case.
        cid: The case.
        options: Label and deadline; its stop event is this run's.
        timing: How long to wait.
        record, score: Whether recorder and scoring node must be there.
        feedback: Called with RunCase.Feedback once a second.
        done: Called once, at the end, with the RunCase.Result.
        reset: Client of the brain's service `reset`, for a second case on the same brain.
        last_brain: Identity of the brain of the case before.
    """

    def __init__(
        self, node: HarnessNode, stage: Stage, folder: RunFolder, cid: str, options: Options, timing: Timing, *,
        record: bool, score: bool, feedback: Callable[[Any], None], done: Callable[[Any], None], reset: Client,
        last_brain: bytes | None,
    ) -> None:  # fmt: skip
        self._node, self._stage, self._folder, self._cid, self._options = node, stage, folder, cid, options
        self._feedback, self._done, self._reset, self._last_brain = feedback, done, reset, last_brain
        self._played = load_played(folder.tree, cid)
        self._transport = RosTransport(
            node, stage,
            CaseSettings(
                label=options.label, timing=timing, record=record, score=score, stop=options.stop, warn=self._warn,
                stamps_ns=[row.stamp_ns - self._played.case.start_ns for row in self._played.rows],
                ready=self._make_ready,
            ),
        )  # fmt: skip
        self._warnings: list[str] = []
        self._timer = node.create_timer(PERIOD_S, self._tell)
        self._thread = threading.Thread(target=self._work, name="stbench-case", daemon=True)

    @property
    def stop(self) -> threading.Event:
        """Set it to cancel the case."""
        return self._options.stop

    @property
    def brain_gid(self) -> bytes | None:
        """Identity of the brain that took part."""
        return self._transport.brain.gid if self._transport.brain else None

    def start(self) -> None:
        """Begins."""
        self._thread.start()

    def unreadable(self, error: Exception) -> None:
        """A message came that Python cannot hold."""
        self._transport.unreadable(error)

    def _make_ready(self) -> None:
        """A brain that has played a case before must forget it: by its service `reset`, or by being started anew."""
        if self._last_brain is None or self.brain_gid != self._last_brain:
            return
        remedy = "start it anew for each case, or offer the service reset (std_srvs/Trigger) that forgets"
        if not self._reset.service_is_ready():
            raise StbenchError(f"the brain has played a case before and offers no service reset: {remedy}")
        answered = threading.Event()
        future = self._reset.call_async(Trigger.Request())
        future.add_done_callback(lambda _: answered.set())
        if not answered.wait(RESET_S) or future.result() is None or not future.result().success:
            raise StbenchError(f"the brain's service reset did not succeed in {RESET_S:g} s: {remedy}")

    def _work(self) -> None:
        try:
            result = self._session()
        except Exception as error:  # a bad release, a full disk: the thread must still end the goal
            self._node.get_logger().error(f"{self._cid}: {error}")
            result = RunCase.Result(valid=False, outcome="invalid", detail=str(error), headline=math.nan)
        self._node.destroy_timer(self._timer)
        self._tell()
        self._done(result)

    def _session(self) -> Any:
        path = self._folder.ledger(self._cid)
        with Ledger(path) as ledger:
            responses = run_case(self._played, self._transport, ledger, self._options)
        detail = self._transport.detail
        result = RunCase.Result(
            valid=responses.outcome == "completed", outcome=responses.outcome, detail=detail, headline=math.nan
        )
        told = f"{self._cid}: {responses.outcome}" + (f", {detail}" if detail else "")
        if result.valid:
            self._node.get_logger().info(told)
        else:  # a line of its own: rclpy allows one severity a line
            self._node.get_logger().error(told)
        score = self._node.wait_for_score(self._transport.nonce) if result.valid else None
        if score is not None:
            result.headline, result.results = score.headline, score.results
        return result

    def _warn(self, text: str) -> None:
        self._warnings.append(text)
        self._node.get_logger().warning(text)

    def _tell(self) -> None:
        """Feedback and diagnostics; a word on viewers that came meanwhile."""
        with contextlib.suppress(HarnessFault):  # what the brain asks for was checked before the case
            self._transport.check_subscribers()
        counts = self._transport.counts
        self._feedback(
            RunCase.Feedback(step=counts.steps, steps=len(self._played.rows), questions_asked=counts.questions)
        )
        told = [KeyValue(key=name, value=str(value)) for name, value in vars(counts).items()]
        status = DiagnosticStatus(name="stbench: case", hardware_id="stbench_harness", values=told)
        status.level, status.message = DiagnosticStatus.OK, "in order"
        if counts.resent or counts.late or self._warnings:
            status.level = DiagnosticStatus.WARN
            status.message = self._warnings[-1] if self._warnings else "frames sent twice or answers late"
        self._stage.publish("/diagnostics", DiagnosticArray(status=[status]), self._transport.stamp_ns)
