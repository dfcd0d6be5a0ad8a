"""Motion along moves within limits of speed, turn and acceleration: turns in place, straight drives, waits."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from stbench_world.scene import Pose

SECOND_NS = 1_000_000_000
SAMPLE_S = 0.1


@dataclass(frozen=True)
class Profile:
    """A trapezoid over a length from rest to rest: how far along, and how fast, at a time. Any consistent units."""

    length: float
    top: float
    accel: float

    @property
    def ramp_s(self) -> float:
        """Seconds of speeding up."""
        return min(self.top / self.accel, math.sqrt(self.length / self.accel)) if self.length else 0.0

    @property
    def duration_s(self) -> float:
        """Seconds from rest to rest."""
        if not self.length:
            return 0.0
        ramp = self.ramp_s
        return 2 * ramp + (self.length - self.accel * ramp * ramp) / (self.accel * ramp)

    def at(self, t: float) -> tuple[float, float]:
        """(way, speed) after `t` seconds."""
        ramp, end = self.ramp_s, self.duration_s
        t = min(max(t, 0.0), end)
        if t <= ramp:
            return self.accel * t * t / 2, self.accel * t
        if t >= end - ramp:
            left = end - t
            return self.length - self.accel * left * left / 2, self.accel * left
        speed = self.accel * ramp
        return speed * (t - ramp / 2), speed


@dataclass(frozen=True)
class Moment:
    """The body at a time: pose, and its speed ahead and turn rate."""

    stamp_ns: int
    x_m: float
    y_m: float
    yaw_rad: float
    speed_mps: float = 0.0
    turn_radps: float = 0.0


@dataclass(frozen=True)
class Leg:
    """One move: a turn in place, a straight drive (backwards where `back`), or a wait.

    Attributes:
        start_ns, end_ns: When it runs.
        x_m, y_m, yaw_rad: The pose it starts from; yaw is not wrapped.
        phase: What the robot is doing.
        drive, turn: The profile of the one that it is; neither for a wait.
        left: Whether a turn is to the left.
        back: Whether a drive is backwards.
        decides: Whether the robot decides something just before it.
        task: Number of its task.
    """

    start_ns: int
    end_ns: int
    x_m: float
    y_m: float
    yaw_rad: float
    phase: str
    task: int
    drive: Profile | None = None
    turn: Profile | None = None
    left: bool = True
    back: bool = False
    decides: bool = False

    def at(self, stamp_ns: int) -> Moment:
        """The body at a time within the leg."""
        t = (stamp_ns - self.start_ns) / SECOND_NS
        if self.drive is not None:
            way, speed = self.drive.at(t)
            sign = -1.0 if self.back else 1.0
            x = self.x_m + sign * way * math.cos(self.yaw_rad)
            y = self.y_m + sign * way * math.sin(self.yaw_rad)
            return Moment(stamp_ns, x, y, self.yaw_rad, sign * speed, 0.0)
        if self.turn is not None:
            angle, rate = self.turn.at(t)
            sign = 1.0 if self.left else -1.0
            return Moment(stamp_ns, self.x_m, self.y_m, self.yaw_rad + sign * angle, 0.0, sign * rate)
        return Moment(stamp_ns, self.x_m, self.y_m, self.yaw_rad)

    @property
    def quantity(self) -> tuple[float, float]:
        """(metres driven, radians turned)."""
        return (self.drive.length if self.drive else 0.0, self.turn.length if self.turn else 0.0)

    def stamp_after(self, metres: float, radians: float) -> int:
        """When the leg has driven that far or turned that much: found by halving, to the nanosecond."""
        profile = self.drive or self.turn
        wanted = metres if self.drive else radians
        if profile is None:
            return self.start_ns
        low, high = self.start_ns, self.end_ns
        while high - low > 1:
            half = (low + high) // 2
            low, high = (half, high) if profile.at((half - self.start_ns) / SECOND_NS)[0] < wanted else (low, half)
        return high


@dataclass
class Driver:
    """Strings legs together from a pose and a time on.

    Attributes:
        speed_mps, accel_mps2, turn_radps, turn_accel_radps2: Limits.
        pose: Where it is; yaw is not wrapped.
        now_ns: The time.
        task: Number of the present task.
        legs: What it has done.
    """

    speed_mps: float
    accel_mps2: float
    turn_radps: float
    turn_accel_radps2: float
    pose: Pose
    now_ns: int = 0
    task: int = 0
    legs: list[Leg] = field(default_factory=list)

    def _add(self, seconds: float, phase: str, **how: object) -> Leg:
        end = self.now_ns + max(1, round(seconds * SECOND_NS))
        leg = Leg(self.now_ns, end, self.pose.x_m, self.pose.y_m, self.pose.yaw_rad, phase, self.task, **how)  # type: ignore[arg-type]
        after = leg.at(end)
        self.pose = Pose(after.x_m, after.y_m, 0.0, after.yaw_rad)
        self.now_ns = end
        self.legs.append(leg)
        return leg

    def wait(self, seconds: float, phase: str, decides: bool = False) -> Leg:
        """Stands still."""
        return self._add(seconds, phase, decides=decides)

    def turn_by(self, angle_rad: float, phase: str, decides: bool = False) -> None:
        """Turns in place, left positive; nothing happens below a hundredth of a degree."""
        if abs(angle_rad) < 1.7e-4:
            return
        profile = Profile(abs(angle_rad), self.turn_radps, self.turn_accel_radps2)
        self._add(profile.duration_s, phase, turn=profile, left=angle_rad > 0, decides=decides)

    def face(self, yaw_rad: float, phase: str, decides: bool = False) -> None:
        """Turns in place to a heading, the short way."""
        self.turn_by(math.remainder(yaw_rad - self.pose.yaw_rad, math.tau), phase, decides)

    def straight(self, metres: float, phase: str, decides: bool = False) -> None:
        """Drives straight, backwards where negative."""
        if abs(metres) < 1e-4:
            return
        profile = Profile(abs(metres), self.speed_mps, self.accel_mps2)
        self._add(profile.duration_s, phase, drive=profile, back=metres < 0, decides=decides)

    def follow(self, corners: tuple[tuple[float, float], ...], phase: str) -> None:
        """Drives along a route; a turn of 30 degrees or more at a corner is a decision."""
        for x, y in corners[1:]:
            dx, dy = x - self.pose.x_m, y - self.pose.y_m
            if math.hypot(dx, dy) < 1e-4:
                continue
            heading = math.atan2(dy, dx)
            turns = abs(math.remainder(heading - self.pose.yaw_rad, math.tau)) >= math.radians(30)
            self.face(heading, phase, decides=turns)
            self.straight(math.hypot(dx, dy), phase, decides=not turns and math.hypot(dx, dy) > 1.5)


def samples(legs: list[Leg], extra_ns: set[int]) -> list[Moment]:
    """The dense path: every leg at a tenth of a second or less, with the extra stamps among them.

    Between two tasks the robot stands parked, so no samples are needed there.
    """
    found: dict[int, Moment] = {}
    extras = sorted(extra_ns)
    for leg in legs:
        count = max(1, math.ceil((leg.end_ns - leg.start_ns) / (SAMPLE_S * SECOND_NS)))
        stamps = {leg.start_ns + (leg.end_ns - leg.start_ns) * n // count for n in range(count + 1)}
        stamps |= {s for s in extras if leg.start_ns <= s <= leg.end_ns}
        for stamp in sorted(stamps):
            found.setdefault(stamp, leg.at(stamp))
    return [found[stamp] for stamp in sorted(found)]
