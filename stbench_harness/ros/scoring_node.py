"""The scoring node: the only one that reads the gold. It hears questions and answers and scores them as the ledger's are.

Scores go out after the case has ended, so that no brain can hear them in time; with `live_score` they go out at once, and
the run is stamped so by the harness.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rclpy.duration import Duration
from rclpy.node import Node

from stbench_harness.data import sample_dir
from stbench_harness.mirrored import STARTED, STATE_NAMES, CaseFinder, label_of, response_of
from stbench_harness.ros import convert
from stbench_harness.ros.parameters import Given, declare
from stbench_harness.ros.qos import BURST, LATCHED
from stbench_harness.ros.spinning import Spinner, ros_process
from stbench_harness.runs import Run, RunFolder, score_run
from stbench_msgs.msg import Answer, CaseScore, CaseState, Question, Score
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Release, ReleaseTree, read_json
from stbench_scoring.records.results import CaseOutcome, CaseResponses, QuestionResult
from stbench_scoring.results import Results
from stbench_scoring.score import CaseKey, read_key, score_one

PARAMETERS = {
    "data": Given("", "Folder of the release that is run; the installed sample where empty"),
    "out": Given("runs/ros", "Where results.json and results.html go: the run's folder, or any other"),
    "live_score": Given(False, "Publish each score at once, within the brain's hearing"),
    "once": Given(True, "End after one case"),
}
ALL_HEARD_S = 10.0  # for answers that are still on their way when the case has ended
HARNESS_GONE_S = 30.0


class ScoringNode(Node):
    """Collects one case at a time."""

    def __init__(self) -> None:
        super().__init__("stbench_scorer")
        self.values = declare(self, PARAMETERS)
        self.tree = ReleaseTree(Path(self.values["data"]) if self.values["data"] else sample_dir())
        self.release = read_json(self.tree.release_json, Release)
        self._finder = CaseFinder(self.tree)
        self.finished = threading.Event()
        self.exit_code = 1
        self._harness_seen: float | None = None
        self._scores = self.create_publisher(Score, "stbench/score", BURST)
        self._score = self.create_publisher(CaseScore, "stbench/case_score", LATCHED)
        self._forget()
        self.create_subscription(Question, "stbench/question", self._on_question, BURST)
        self.create_subscription(Answer, "stbench/answer", self._on_answer, BURST)
        self.create_subscription(CaseState, "stbench/case_state", self._on_state, LATCHED)
        self.create_timer(0.1, self._watch)

    def _forget(self) -> None:
        self._started: Any = None
        self._ended: Any = None
        self._ended_at = 0.0
        self._questions: dict[str, Any] = {}
        self._answers: dict[str, Any] = {}
        self._broken: dict[str, str] = {}
        self._key: CaseKey | None = None

    def _on_question(self, message: Any) -> None:
        self._questions[message.qid] = message

    def _on_answer(self, message: Any) -> None:
        if message.late:
            return
        self._answers[message.qid] = message
        if self.values["live_score"]:
            self._tell_live(message)

    def _on_state(self, message: Any) -> None:
        if message.state == STARTED:
            self._forget()
            self._started = message
        elif message.state in STATE_NAMES and self._ended is None:
            self._ended, self._ended_at = message, time.monotonic()

    def _watch(self) -> None:
        """Finishes once all is heard; gives up where the harness has gone."""
        now = time.monotonic()
        if self._ended is not None:
            whole = len(self._answers) >= self._ended.answers_received
            if whole or now - self._ended_at > ALL_HEARD_S:
                self._finish()
            return
        if self.count_publishers(self.resolve_topic_name("stbench/case_state")):
            self._harness_seen = now
        elif self._harness_seen is not None and now - self._harness_seen > HARNESS_GONE_S and self.values["once"]:
            self.get_logger().error("the harness has left without ending the case: nothing is scored")
            self.finished.set()

    def _finish(self) -> None:
        message = CaseScore(nonce=self._ended.nonce, headline=math.nan)
        message.header.stamp = self._ended.header.stamp
        try:
            case = self._responses()
            results = self._write(case)
            self._fill(message, case, results)
            rows = [row for row in results.rows if row.cid == case.cid]
            for row in [] if self.values["live_score"] else rows:
                self._publish(row)
        except (StbenchError, OSError) as error:
            message.scored, message.detail = False, str(error)
        log = self.get_logger()
        if message.scored:
            log.info(f"headline {message.headline:+.3f}, {message.questions_scored} questions scored: {message.results}")
        else:
            log.error(f"not scored: {message.detail}")
        self._scores.wait_for_all_acked(Duration(seconds=2.0))
        self._score.publish(message)
        self._score.wait_for_all_acked(Duration(seconds=2.0))
        self.exit_code = 0 if message.scored else 1
        self._forget()
        if self.values["once"]:
            self.finished.set()

    def _case_key(self) -> CaseKey:
        if self._key is None:
            self._key = read_key(self.tree, self._finder.find(self._questions))
        return self._key

    def _responses(self) -> CaseResponses:
        """The case as its topics told it. Raises StbenchError where something is missing: that is never "no answer"."""
        label = label_of(self._ended)
        outcome: CaseOutcome = STATE_NAMES[self._ended.state]
        if outcome != "completed":
            raise StbenchError(f"the case is {outcome}: {self._ended.detail}")
        key = self._case_key()
        expected = {question.qid: question.expected for question in key.asked(label)}
        missing = sorted(set(expected) - set(self._answers))
        if missing:
            raise StbenchError(
                f"{len(missing)} of {len(expected)} answers never reached the scoring node, e.g. {missing[0]}: "
                "score the run's ledger instead"
            )
        responses = tuple(response_of(self._answers[qid], kind) for qid, kind in expected.items())
        return CaseResponses(cid=key.case.cid, outcome="completed", label=label, responses=responses)

    def _write(self, case: CaseResponses) -> Results:
        """Results of the run's folder, this case from its topics; in a folder that holds no run, of this case alone."""
        root = Path(self.values["out"])
        path = root / "run.json"
        run = read_json(path, Run) if path.is_file() else None
        if run is None or case.cid not in run.cases or run.label != case.label:
            run = Run(format_version=1, label=case.label, release_digest=self.release.digest, cases=(case.cid,))
        root.mkdir(parents=True, exist_ok=True)
        return score_run(RunFolder(root, self.tree, self.release, run), {case.cid: case})

    def _fill(self, message: Any, case: CaseResponses, results: Results) -> None:
        message.scored = True
        message.questions_asked = results.coverage.questions_asked
        message.questions_scored = results.coverage.questions_scored
        heads = [a.headline for a in results.aggregates if a.job == self._case_key().case.job]
        message.headline = heads[0] if heads and heads[0] is not None else math.nan
        message.results = str((Path(self.values["out"]) / "results.json").resolve())
        message.page = str((Path(self.values["out"]) / "results.html").resolve())

    def _tell_live(self, answer: Any) -> None:
        try:
            key = self._case_key()
            question = next(q for q in key.questions if q.qid == answer.qid)
            self._publish(score_one(key, question, response_of(answer, question.expected)))
        except (StbenchError, StopIteration) as error:
            self.get_logger().warning(f"no live score for {answer.qid}: {error}")

    def _publish(self, row: QuestionResult) -> None:
        asked = self._questions[row.qid]
        message = Score(
            header=asked.header, qid=row.qid, step=asked.step, family=row.family, outcome=row.outcome,
            gold=convert.to_value(row.gold), score_gate=row.score_gate, score=row.score, catastrophe=row.catastrophe,
        )  # fmt: skip
        if row.credit is not None:
            message.direction, message.thing = row.credit.direction, row.credit.thing
            message.amount, message.precision = row.credit.amount, row.credit.precision
        self._scores.publish(message)


def main(args: Sequence[str] | None = None) -> int:
    """`scoring_node`."""
    with ros_process(list(args) if args is not None else sys.argv) as ended:
        try:
            node = ScoringNode()
        except StbenchError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        with Spinner(node):
            while not ended.wait(0.1) and not node.finished.is_set():
                pass
        node.destroy_node()
        return node.exit_code


if __name__ == "__main__":
    sys.exit(main())
