"""Trapezoids and drives whose times are known by hand."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from stbench_world.plan.keyframes import keyframes
from stbench_world.plan.motion import SECOND_NS, Driver, Profile, samples
from stbench_world.scene import Pose


def driver() -> Driver:
    return Driver(0.3, 0.3, 1.0, 1.0, Pose(0.0, 0.0))


def test_a_long_stretch_reaches_its_top_speed() -> None:
    # 1 s up (0.15 m), 2 s at 0.3 m/s (0.6 m), 1 s down (0.15 m).
    profile = Profile(0.9, 0.3, 0.3)
    assert profile.duration_s == pytest.approx(4.0)
    assert profile.at(0.5) == pytest.approx((0.0375, 0.15))
    assert profile.at(2.0) == pytest.approx((0.45, 0.3))
    assert profile.at(3.5) == pytest.approx((0.8625, 0.15))
    assert profile.at(9.0) == pytest.approx((0.9, 0.0))


def test_a_short_stretch_never_does() -> None:
    # Half of 0.12 m is sped up over: t = sqrt(0.12 / 0.3), and as long again to stop.
    assert Profile(0.12, 0.3, 0.3).duration_s == pytest.approx(2 * math.sqrt(0.4))


def test_turns_go_the_short_way_and_drives_end_where_they_should() -> None:
    d = driver()
    d.follow(((0.0, 0.0), (0.0, 1.5), (-1.0, 1.5)), "driving")
    assert (d.pose.x_m, d.pose.y_m) == pytest.approx((-1.0, 1.5))
    assert d.pose.yaw_rad == pytest.approx(math.pi)
    d.face(-math.pi / 2, "driving")
    assert d.pose.yaw_rad == pytest.approx(math.pi * 1.5)  # on by 90 degrees to the left, not back by 270
    d.straight(-0.5, "parking")
    assert (d.pose.x_m, d.pose.y_m) == pytest.approx((-1.0, 2.0))  # backwards while it faces -y


def test_the_dense_path_keeps_to_a_tenth_of_a_second_and_holds_the_extra_stamps() -> None:
    d = driver()
    d.straight(0.9, "driving")
    d.turn_by(math.pi / 2, "driving")
    extra = 1_234_567_891
    path = samples(d.legs, {extra})
    stamps = [m.stamp_ns for m in path]
    assert extra in stamps and stamps == sorted(set(stamps))
    assert max(b - a for a, b in pairwise(stamps)) <= SECOND_NS // 10
    assert stamps[0] == 0 and stamps[-1] == d.now_ns


def test_a_frame_every_stretch_of_motion_and_before_each_decision() -> None:
    d = driver()
    d.straight(3.0, "driving")
    d.wait(5.0, "picking", decides=True)
    d.turn_by(math.radians(66.0), "driving")
    keys = keyframes(d.legs)
    end_of_drive = d.legs[0].end_ns
    during = [k for k in keys if k.stamp_ns < end_of_drive]
    places = [d.legs[0].at(k.stamp_ns).x_m for k in during]
    assert places == pytest.approx([0.0, 0.6, 1.2, 1.8, 2.4], abs=1e-6)
    # The fifth stretch ends with the drive, where the decision's frame falls as well: one frame, not two.
    assert sum(k.stamp_ns == end_of_drive for k in keys) == 1
    turned = [math.degrees(d.legs[2].at(k.stamp_ns).yaw_rad) for k in keys if k.stamp_ns > d.legs[2].start_ns]
    assert turned == pytest.approx([22.0, 44.0, 66.0], abs=1e-3)


def test_few_frames_keep_the_decisions() -> None:
    d = driver()
    for _ in range(4):
        d.straight(3.0, "driving")
        d.turn_by(math.pi / 2, "driving", decides=True)
    plenty, few = keyframes(d.legs), keyframes(d.legs, 12)
    assert len(plenty) > 12 >= len(few)
    assert sum(k.decision for k in few) == sum(k.decision for k in plenty) == 4
