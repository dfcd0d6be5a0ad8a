"""The harness as a lifecycle node: replays cases of a release to the brain on its domain, by the action `run_case`.

configure loads and checks the release, activate accepts goals, deactivate cancels. With `case` set the node sends itself the
goal, and ends with the case: exit 0 where it was completed, else 1. It reads no gold; the scoring node does.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rclpy.action import ActionClient, ActionServer, CancelResponse, GoalResponse
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.task import Future
from std_srvs.srv import Trigger

from stbench_harness.data import find_case
from stbench_harness.player import load_played
from stbench_harness.processes import ros_label
from stbench_harness.ros.case_run import CaseRun
from stbench_harness.ros.parameters import Given, declare
from stbench_harness.ros.qos import LATCHED
from stbench_harness.ros.spinning import Spinner, ros_process
from stbench_harness.ros.stage import Stage
from stbench_harness.ros.transport import Timing
from stbench_harness.runs import RunFolder, open_run
from stbench_harness.session import Options
from stbench_msgs.action import RunCase
from stbench_msgs.msg import CaseScore
from stbench_scoring.errors import StbenchError
from stbench_scoring.records.results import RunLabel

PARAMETERS = {
    "data": Given("", "Folder of the release; the installed sample where empty"),
    "case": Given("", "Id of the case to run at once; where empty the node waits for goals of stbench/run_case"),
    "system": Given("external", "What is run, as it stands in the results"),
    "channel": Given("", "rgb_pose or detections; the system's own where empty"),
    "pace": Given("lockstep", "lockstep: the next frame follows the brain's step_done"),
    "out": Given("runs/ros", "Folder of the run: ledgers, and the scoring node's results"),
    "record": Given(False, "Wait until the recorder is subscribed to every topic"),
    "score": Given(False, "Wait until the scoring node is there"),
    "during": Given(True, "Ask during the drive too, not at the end alone"),
    "brief": Given("correct", "correct, or neutral to withhold the task"),
    "live_score": Given(False, "The scoring node shows scores during the run; stamps the results"),
    "deadline_s": Given(120.0, "Time for an answer, seconds"),
    "preflight_s": Given(30.0, "Time for brain and recorder to be there, seconds"),
    "step_s": Given(10.0, "Time for step_done before a frame is sent once more, seconds"),
    "settle_s": Given(0.25, "ROS time goes on so long after a frame, seconds"),
    "score_wait_s": Given(30.0, "Time for the scoring node's word after the case, where there is one, seconds"),
    "autostart": Given(True, "Configure and activate at once"),
}


class HarnessNode(LifecycleNode):
    """One harness a domain. A session runs in a thread of its own; no callback blocks."""

    def __init__(self) -> None:
        super().__init__("stbench_harness")
        self.values = declare(self, PARAMETERS)
        self.finished = threading.Event()
        self.exit_code = 1
        self._run: CaseRun | None = None
        self._stage: Stage | None = None
        self._folder: RunFolder | None = None
        self._active = False
        self._last_brain: bytes | None = None
        self._score: CaseScore | None = None
        self.create_subscription(CaseScore, "stbench/case_score", self._on_score, LATCHED)
        self._reset = self.create_client(Trigger, "reset")
        self._server = ActionServer(
            self, RunCase, "stbench/run_case", execute_callback=self._execute, goal_callback=self._on_goal,
            cancel_callback=self._on_cancel,
        )  # fmt: skip
        self._client = ActionClient(self, RunCase, "stbench/run_case")

    def label(self) -> RunLabel:
        """What is run and how."""
        names = ("pace", "during", "brief", "live_score")
        chosen = {name: self.values[name] for name in names}
        return ros_label(self.values["system"], self.values["channel"] or None, **chosen)

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Loads the release and checks every case that may be asked for."""
        try:
            data = Path(self.values["data"]) if self.values["data"] else None
            tree, cases = find_case(data, self.values["case"] or "all")
            for cid in cases:
                load_played(tree, cid)
            self._folder = open_run(Path(self.values["out"]), tree, self.label(), cases if self.values["case"] else ())
        except StbenchError as error:
            return self._refuse(str(error))
        self._stage = Stage(self)
        return TransitionCallbackReturn.SUCCESS

    def _refuse(self, problem: str) -> TransitionCallbackReturn:
        self.get_logger().error(problem)
        if self.values["case"]:
            self.finished.set()
        return TransitionCallbackReturn.FAILURE

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """From now on goals are accepted; the one of parameter `case` is sent."""
        self._active = True
        if self.values["case"]:
            self._client.send_goal_async(RunCase.Goal(cid=self.values["case"])).add_done_callback(self._on_response)
        return TransitionCallbackReturn.SUCCESS

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Cancels a case in flight."""
        self._active = False
        self.cancel()
        return TransitionCallbackReturn.SUCCESS

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Takes the publishers back."""
        self._stage = None
        return TransitionCallbackReturn.SUCCESS

    def cancel(self) -> None:
        """Ends the case in flight, if any, in order: it is cancelled."""
        if self._run is not None:
            self._run.stop.set()

    def busy(self) -> bool:
        """Whether a case is in flight."""
        return self._run is not None

    def unreadable(self, error: Exception) -> None:
        """A message came that Python cannot hold."""
        if self._run is not None:
            self._run.unreadable(error)

    def _on_goal(self, goal: RunCase.Goal) -> GoalResponse:
        known = {entry.cid for entry in self._folder.release.cases} if self._folder else set()
        problem = ""
        if not self._active:
            problem = "the node is not active"
        elif self._run is not None:
            problem = "a case is in flight"
        elif goal.cid not in known:
            problem = f"the release has no such case; it has {', '.join(sorted(known))}"
        if problem:
            self.get_logger().error(f"goal {goal.cid!r} refused: {problem}")
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    def _on_cancel(self, goal: Any) -> CancelResponse:
        self.cancel()
        return CancelResponse.ACCEPT

    async def _execute(self, goal: Any) -> RunCase.Result:
        """Runs the case in a thread and gives its outcome."""
        assert self._folder is not None and self._stage is not None
        cid, self._score = goal.request.cid, None
        done: Future[Any] = Future(executor=self.executor)
        values = self.values
        timing = Timing(preflight_s=values["preflight_s"], step_s=values["step_s"], settle_s=values["settle_s"])
        run = CaseRun(
            self, self._stage, open_run(self._folder.root, self._folder.tree, self.label(), [cid]), cid,
            Options(label=self.label(), deadline_s=values["deadline_s"]), timing,
            record=values["record"], score=values["score"], feedback=goal.publish_feedback, done=done.set_result,
            reset=self._reset, last_brain=self._last_brain,
        )  # fmt: skip
        self._run = run
        run.start()
        result: RunCase.Result = await done
        self._last_brain, self._run = run.brain_gid, None
        if result.outcome == "completed":
            goal.succeed()
        elif goal.is_cancel_requested:
            goal.canceled()
        else:
            goal.abort()
        return result

    def wait_for_score(self, nonce: str) -> CaseScore | None:
        """The scoring node's word on a case, or None where there is no scoring node or it says nothing in time."""
        end = time.monotonic() + self.values["score_wait_s"]
        while time.monotonic() < end and self.count_publishers(self.resolve_topic_name("stbench/case_score")):
            if self._score is not None and self._score.nonce == nonce:
                return self._score
            time.sleep(0.05)
        return self._score if self._score is not None and self._score.nonce == nonce else None

    def _on_score(self, message: CaseScore) -> None:
        self._score = message

    def _on_response(self, future: Future[Any]) -> None:
        handle = future.result()
        if handle is None or not handle.accepted:
            self.finished.set()
            return
        handle.get_result_async().add_done_callback(self._on_result)

    def _on_result(self, future: Future[Any]) -> None:
        result = future.result().result
        self.exit_code = 0 if result.valid else 1
        self.finished.set()


def main(args: Sequence[str] | None = None) -> int:
    """`harness_node`."""
    with ros_process(list(args) if args is not None else sys.argv) as ended:
        try:
            node = HarnessNode()
        except StbenchError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        with Spinner(node, node.unreadable):
            if node.values["autostart"] and node.trigger_configure() == TransitionCallbackReturn.SUCCESS:
                node.trigger_activate()
            while not ended.wait(0.1) and not node.finished.is_set():
                pass
            node.cancel()
            while node.busy():
                time.sleep(0.05)
        node.destroy_node()
        return node.exit_code


if __name__ == "__main__":
    sys.exit(main())
