"""When a recorder may close its bag: once all that the case's last state counts has come, and nothing more is coming."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from stbench_harness.mirrored import STARTED, STATE_NAMES

PICTURES, QUESTIONS, ANSWERS = "camera/image_raw/compressed", "stbench/question", "stbench/answer"
STATE, CASE_SCORE, SCORE = "stbench/case_state", "stbench/case_score", "stbench/score"
WATCHED = frozenset({PICTURES, QUESTIONS, ANSWERS, STATE, SCORE, CASE_SCORE})
FINISHING_S = 20.0
QUIET_S = 0.5  # after the last message of WATCHED: what was sent together may come apart
GONE_S = 30.0


@dataclass(frozen=True)
class _End:
    nonce: str
    at_s: float
    wanted: dict[str, int]


class Ending:
    """Keeps count of one case.

    Args:
        clock: Seconds, steady.
        begun_ns: When the recorder began, ns of the system's clock. An end that was sent before is an earlier case's.
    """

    def __init__(self, clock: Callable[[], float], begun_ns: int) -> None:
        self._clock, self._begun_ns = clock, begun_ns
        self._counts: Counter[str] = Counter()
        self._scored: set[str] = set()
        self._started: set[str] = set()
        self._end: _End | None = None
        self._last_s = clock()
        self._harness_s: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether a case has begun and not ended."""
        return bool(self._started) and self._end is None

    def came(self, topic: str) -> None:
        """A message came on a topic, by its relative name."""
        self._counts[topic] += 1
        if topic in WATCHED:
            self._last_s = self._clock()

    def state(self, nonce: str, state: int, sent_ns: int, steps: int, questions: int, answers: int) -> None:
        """What `stbench/case_state` said; `sent_ns` is 0 where it is not known."""
        if state == STARTED:
            self._started.add(nonce)
        elif state in STATE_NAMES and (nonce in self._started or not 0 < sent_ns < self._begun_ns):
            wanted = {PICTURES: steps, QUESTIONS: questions, ANSWERS: answers}
            self._end = self._end or _End(nonce, self._clock(), wanted)

    def scored(self, nonce: str) -> None:
        """`stbench/case_score` came."""
        self._scored.add(nonce)

    def harness(self, *, there: bool) -> None:
        """Whether a publisher of `stbench/case_state` is on the graph now."""
        if there:
            self._harness_s = self._clock()

    def lacking(self, *, scorer: bool) -> list[str]:
        """What has not come yet.

        Args:
            scorer: Whether a node publishes `stbench/case_score`.
        """
        if self._end is None:
            return ["the case's end on stbench/case_state"]
        missing = [
            f"{sent - self._counts[topic]} of {sent} messages of {topic}"
            for topic, sent in self._end.wanted.items()
            if self._counts[topic] < sent
        ]
        return missing + (["stbench/case_score"] if scorer and self._end.nonce not in self._scored else [])

    def is_over(self, *, scorer: bool) -> bool:
        """Whether to close: all has come and nothing follows, or it is no use to wait longer."""
        now = self._clock()
        if self._end is None:
            return self._harness_s is not None and now - self._harness_s > GONE_S
        return now - self._end.at_s > FINISHING_S or (
            not self.lacking(scorer=scorer) and now - self._last_s > QUIET_S
        )  # fmt: skip
