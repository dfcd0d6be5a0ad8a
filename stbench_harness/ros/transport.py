"""The lockstep ROS 2 transport: one step in flight, acknowledged by the brain before the next.

A step that is not acknowledged is sent once more, then the case is invalid: a loss is never scored as the brain's.
Deadlines use the steady clock. One `ask` is outstanding at a time; a reply after its deadline does not count.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rclpy.node import Node

from stbench_harness.mirrored import STATES
from stbench_harness.outcomes import Cancelled
from stbench_harness.protocol import Ask, Finish, HarnessFault, Outcome, Reply, Start, Step, SystemCrashed, TaskStart
from stbench_harness.ros import convert
from stbench_harness.ros.asking import Asker
from stbench_harness.ros.clock import CaseClock
from stbench_harness.ros.peers import RECORDER, SCORER, Brain, Peers
from stbench_harness.ros.qos import STEP_DONE
from stbench_harness.ros.stage import IMAGE, Stage
from stbench_msgs.msg import CaseState, StepDone
from stbench_scoring.errors import StbenchError
from stbench_scoring.records.answer import Answer
from stbench_scoring.records.results import CaseOutcome, RunLabel

SCORED = ("stbench/question", "stbench/answer", "stbench/case_state")
DELIVERY_S = 2.0
LEASE_S = 22.0  # a brain that was killed leaves the graph when its lease of 20 s ends



@dataclass(frozen=True)
class Timing:
    """How long the harness waits, seconds of the steady clock.

    Attributes:
        preflight_s: For exactly one brain to stand there and answer the handshake; for the recorder likewise.
        step_s: For a step's acknowledgement, before it is sent once more, and again after that.
        settle_s: ROS time goes on so long after a frame.
    """

    preflight_s: float = 30.0
    step_s: float = 10.0
    settle_s: float = 0.25


@dataclass
class Counts:
    """What was sent and came back; the last `case_state` tells them, so that a bag can be checked."""

    steps: int = 0
    resent: int = 0
    questions: int = 0
    answers: int = 0
    late: int = 0


@dataclass(frozen=True)
class CaseSettings:
    """What a transport must know of a case before it begins.

    Attributes:
        label: What is run and how; told in `case_state`.
        stamps_ns: Of the case's frames, case time: ROS time never reaches the next one early.
        timing: How long to wait.
        record: Whether a recorder must be subscribed to every topic before the first frame.
        score: Whether the scoring node must be there before the first frame.
        stop: Set it to leave every wait at once.
        warn: Called with each warning about other nodes.
        ready: Called once the brain is found, before the handshake. May raise StbenchError.
    """

    label: RunLabel
    stamps_ns: Sequence[int] = ()
    timing: Timing = field(default_factory=Timing)
    record: bool = False
    score: bool = False
    stop: threading.Event = field(default_factory=threading.Event)
    warn: Callable[[str], None] = lambda text: None
    ready: Callable[[], None] = lambda: None


class RosTransport:
    """Carries one case to the one brain on the domain of a node that is spun elsewhere.

    Attributes:
        nonce: Of this case; every `step_done` carries it.
        detail: Why the case was not completed, once it has ended.
        stamp_ns: Case time of the newest frame.
        counts: What was sent and came back so far.
    """

    def __init__(self, node: Node, stage: Stage, settings: CaseSettings) -> None:
        self._node, self._stage, self._settings = node, stage, settings
        self.nonce = secrets.token_hex(8)
        self.detail = ""
        self.stamp_ns = 0
        self._peers = Peers(node, settings.stop)
        self._condition = threading.Condition()
        self._acknowledged: set[tuple[int, int]] = set()
        self._handshakes = 0
        self._lag_told = False
        self._warned: set[str] = set()
        self._brain: Brain | None = None
        self.counts = Counts()  # of this case, growing
        self._asker = Asker(node, stage, self.counts, self._check_brain)
        self._clock = CaseClock(stage.clock, settings.stamps_ns, settings.timing.settle_s)
        self._done = node.create_subscription(StepDone, "stbench/step_done", self._on_step_done, STEP_DONE)

    @property
    def brain(self) -> Brain | None:
        """The brain that the preflight found."""
        return self._brain

    def open(self) -> None:
        """Waits for exactly one brain, and for the recorder where a bag is wanted; checks every subscriber."""
        timing = self._settings.timing
        self._clock.start()
        self._brain = self._peers.wait_for_brain(self._asker.client, timing.preflight_s)
        if self._settings.record:
            self._peers.wait_for_listener(RECORDER, self._stage.recorded(), timing.preflight_s)
        if self._settings.score:
            self._peers.wait_for_listener(SCORER, SCORED, timing.preflight_s)
        self.check_subscribers()
        try:
            self._settings.ready()
        except StbenchError as error:
            raise HarnessFault(str(error)) from None

    def check_subscribers(self) -> None:
        """Warns of each subscriber that will lose messages, once; also of those that came late.

        Raises:
            HarnessFault: The brain asks for what is not offered.
        """
        if self._brain is None:
            return
        for warning in self._peers.check_subscribers(self._stage.topics(), self._brain):
            if warning not in self._warned:
                self._warned.add(warning)
                self._settings.warn(warning)

    def _on_step_done(self, message: StepDone) -> None:
        if message.nonce != self.nonce:
            return
        with self._condition:
            self._handshakes += message.step == -1
            # The handshake acknowledges no frame: its stamp may be anything.
            stamp_ns = 0 if message.step == -1 else convert.from_time(message.stamp)
            self._acknowledged.add((message.step, stamp_ns))
            self._condition.notify_all()

    def start(self, start: Start) -> None:
        """Tells the brain what case this is and waits for its handshake."""
        self._tell_state(CaseState.STARTED, "")
        self._stage.start(start, self.nonce)
        seconds = self._settings.timing.preflight_s
        if not self._wait_acknowledged(-1, 0, seconds):
            raise HarnessFault(
                f"the brain is matched but did not answer the handshake in {seconds:g} s. If it runs "
                "in a container, give it the harness's /dev/shm and IPC namespace (--ipc=host) or disable shared memory"
            )

    def _tell_state(self, state: int, detail: str) -> None:
        label, counts = self._settings.label, self.counts
        message = CaseState(
            state=state, nonce=self.nonce, system=label.system, channel=label.channel, pace=label.pace,
            sandbox=label.sandbox, feedback=label.feedback, during=label.during, brief=label.brief, detail=detail,
            steps_sent=counts.steps, questions_sent=counts.questions, answers_received=counts.answers,
        )  # fmt: skip
        self._stage.publish("stbench/case_state", message, self.stamp_ns)

    def _check_brain(self) -> None:
        """Raises SystemCrashed where the brain of the preflight is gone or was started anew; Cancelled on `stop`."""
        if self._settings.stop.is_set():
            raise Cancelled
        if self._brain is None:
            return
        if not self._peers.is_there(self._brain):
            raise SystemCrashed(f"the brain {self._brain.name} has left the ROS graph")
        if self._handshakes > 1 and len(self._peers.brains()) > 1:
            raise SystemCrashed(
                f"a brain joined after the case had begun: {self._brain.name} was started anew and what it remembered "
                "is lost, or a second one was started"
            )

    def _wait_acknowledged(self, step: int, stamp_ns: int, seconds: float) -> bool:
        end = time.monotonic() + seconds
        with self._condition:
            while (step, stamp_ns) not in self._acknowledged:
                left = end - time.monotonic()
                if left <= 0:
                    return False
                self._condition.wait(min(left, 0.2))
                if (step, stamp_ns) not in self._acknowledged:
                    self._check_brain()
            self._acknowledged.clear()
        if self._handshakes > 1:
            self._check_brain()
        return True

    def task(self, task: TaskStart) -> None:
        """Publishes the brief; a brain holds a step until it knows the step's task."""
        self._stage.task(task, self.stamp_ns)

    def observe(self, step: Step) -> None:
        """Publishes a step, the image last, and waits for its acknowledgement; sends it once more, then gives up."""
        self.stamp_ns = step.stamp_ns
        self._clock.frame(step.stamp_ns)
        seconds, begun = self._settings.timing.step_s, time.monotonic()
        self.counts.steps += 1
        for attempt in range(2):
            self.counts.resent += attempt
            self._stage.step(step)
            if self._wait_acknowledged(step.step, step.stamp_ns, seconds):
                self._wait_for_listeners()
                return
        # A killed brain leaves the graph only when its lease ends: that is its crash, not our loss.
        if self._wait_acknowledged(step.step, step.stamp_ns, LEASE_S - (time.monotonic() - begun)):
            return
        raise HarnessFault(
            f"step {step.step} was not acknowledged in twice {seconds:g} s: the case is invalid. "
            "Does the brain publish stbench/step_done after every frame?"
        )

    def _wait_for_listeners(self) -> None:
        """A recorder that lags must not lose a frame to the next ones: publishers keep the last few alone."""
        if self._settings.record and not self._stage.delivered(IMAGE, DELIVERY_S) and not self._lag_told:
            self._lag_told = True
            self._settings.warn(f"a subscriber of {IMAGE} did not take a frame in {DELIVERY_S:g} s: it may lose some")

    def ask(self, ask: Ask) -> Reply:
        """Asks over the service and mirrors question and answer on topics, as services are not in bags."""
        return self._asker.ask(ask)

    def settled(self, ask: Ask, outcome: Outcome, answer: Answer | None, detail: str, latency_s: float) -> None:
        """Mirrors how a question ended."""
        self._asker.settled(ask, outcome, answer, detail, latency_s)

    def unreadable(self, error: Exception) -> None:
        """The executor could not turn a message into Python; where an ask is open it was the reply to it."""
        self._asker.unreadable(error)

    def finish(self, finish: Finish) -> None:
        """The brain hears of the end by `case_state`, in `ended`."""

    def ended(self, outcome: CaseOutcome, detail: str) -> None:
        """Tells everybody how the case ended, once what they should have received is delivered."""
        self.detail = detail
        self._asker.close()
        if self._settings.record and outcome == "completed" and not self._peers.is_listening(RECORDER, IMAGE):
            self._settings.warn("the recorder has left: the bag is not whole")
        for topic in (IMAGE, "stbench/question", "stbench/answer"):
            self._stage.delivered(topic, 2.0)
        self._tell_state(STATES[outcome], detail)
        self._stage.delivered("stbench/case_state", 2.0)

    def close(self) -> None:
        """Takes back what this case put on the node."""
        self._clock.stop()
        self._asker.close()
        self._node.destroy_subscription(self._done)
