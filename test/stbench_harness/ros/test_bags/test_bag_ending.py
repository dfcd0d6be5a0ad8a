"""When the recorder closes its bag, with a clock of the test's own."""

from __future__ import annotations

from stbench_harness.ros.bag_ending import ANSWERS, CASE_SCORE, FINISHING_S, GONE_S, PICTURES, QUESTIONS, STATE, Ending

STARTED, ENDED = 1, 2
BEGUN_NS = 1_000


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def case(frames: int = 2, questions: int = 1, answers: int = 1, nonce: str = "n") -> tuple[Clock, Ending]:
    clock = Clock()
    ending = Ending(clock, BEGUN_NS)
    ending.state(nonce, STARTED, BEGUN_NS + 1, 0, 0, 0)
    for topic, count in ((PICTURES, frames), (QUESTIONS, questions), (ANSWERS, answers)):
        for _ in range(count):
            ending.came(topic)
    return clock, ending


def end(ending: Ending, nonce: str = "n", sent_ns: int = BEGUN_NS + 9) -> None:
    ending.state(nonce, ENDED, sent_ns, 2, 1, 1)
    ending.came(STATE)


def test_closes_once_all_has_come_and_it_is_quiet() -> None:
    clock, ending = case()
    clock.now += 3600
    assert not ending.is_over(scorer=False)  # a case may last
    end(ending)
    assert not ending.is_over(scorer=False)
    clock.now += 1.0
    assert ending.is_over(scorer=False) and ending.lacking(scorer=False) == []


def test_waits_for_what_is_still_on_its_way() -> None:
    clock, ending = case(answers=0)
    end(ending)
    clock.now += 5.0
    assert not ending.is_over(scorer=False)
    assert ending.lacking(scorer=False) == ["1 of 1 messages of stbench/answer"]
    ending.came(ANSWERS)
    assert not ending.is_over(scorer=False)
    clock.now += 1.0
    assert ending.is_over(scorer=False)


def test_does_not_wait_for_ever() -> None:
    clock, ending = case(answers=0)
    end(ending)
    clock.now += FINISHING_S + 0.1
    assert ending.is_over(scorer=False) and ending.lacking(scorer=False)


def test_waits_for_the_word_on_this_case_where_a_node_gives_one() -> None:
    clock, ending = case()
    ending.scored("an earlier case")
    end(ending)
    clock.now += 2.0
    assert not ending.is_over(scorer=True) and ending.lacking(scorer=True) == [CASE_SCORE]
    assert ending.is_over(scorer=False)
    ending.scored("n")
    assert ending.is_over(scorer=True)


def test_the_end_of_an_earlier_case_that_was_latched_is_no_end() -> None:
    clock, ending = case()
    end(ending, "earlier", BEGUN_NS - 1)
    clock.now += 3600
    assert not ending.is_over(scorer=False)


def test_a_case_that_failed_before_it_began_has_ended() -> None:
    clock = Clock()
    ending = Ending(clock, BEGUN_NS)
    ending.state("n", 3, BEGUN_NS + 1, 0, 0, 0)
    clock.now += 1.0
    assert ending.is_over(scorer=False) and ending.lacking(scorer=False) == []


def test_a_harness_that_disappears() -> None:
    clock, ending = case()
    clock.now += 2 * GONE_S
    assert not ending.is_over(scorer=False)  # none was there yet
    ending.harness(there=True)
    clock.now += GONE_S - 1
    ending.harness(there=False)
    assert not ending.is_over(scorer=False)
    clock.now += 2
    assert ending.is_over(scorer=False) and ending.lacking(scorer=False) == ["the case's end on stbench/case_state"]
