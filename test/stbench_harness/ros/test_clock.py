"""ROS time of a case: it never runs back, never reaches a frame that has not gone out, and holds after settling."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("rclpy", reason="no ROS 2 here")

from stbench_harness.ros.clock import LEAD_NS, CaseClock

SECOND_NS = 1_000_000_000


def test_it_ticks_before_the_first_frame_and_never_reaches_it() -> None:
    told: list[int] = []
    clock = CaseClock(told.append, [0], settle_s=0.25)
    clock.start()
    time.sleep(0.3)
    clock.stop()
    assert len(told) >= 5  # 30 ticks are due; a busy machine may skip some
    assert told[0] >= -LEAD_NS and told[-1] < 0
    assert told == sorted(set(told))


@pytest.mark.parametrize("waited_s", [0.0, 1.0, 30.0, 3600.0])
def test_long_waits_come_no_nearer_than_a_nanosecond(waited_s: float) -> None:
    assert -LEAD_NS <= CaseClock(lambda _: None, [0], 0.25)._now_ns(waited_s) <= -1


def test_after_a_frame_it_settles_short_of_the_next_stamp() -> None:
    told: list[int] = []
    clock = CaseClock(told.append, [0, SECOND_NS // 10, 2 * SECOND_NS], settle_s=0.25)
    clock.start()
    clock.frame(0)
    time.sleep(0.3)
    before_next = list(told)
    clock.frame(SECOND_NS // 10)
    time.sleep(0.5)
    clock.stop()
    assert max(before_next) < SECOND_NS // 10  # settling ends before the next frame, 0.1 s on
    assert SECOND_NS // 10 in told
    assert max(told) == SECOND_NS // 10 + SECOND_NS // 4  # the whole settling time, then it holds
    assert told == sorted(set(told))
