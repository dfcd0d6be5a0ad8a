"""How close a person would come if they and the robot went on straight, and how sure the pictures make it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from stbench_scoring.families.base import Look
from stbench_scoring.geometry.sweep import Array, outline_at
from stbench_scoring.records import Person
from stbench_scoring.seen.memory import Sight
from stbench_scoring.seen.script import Script

# A person's velocity is their mean one between the first and last clear picture of this long; then both go on for `AHEAD_S`.
BACK_S, AHEAD_S = 2.0, 5.0
# Stamps are whole nanoseconds, so a keyframe planned 2 s earlier may fall just outside.
_SLACK_S = 1e-3
# The robot's velocity at a keyframe: its mean one over this long before and after.
_VELOCITY_S = 0.05

HOW = (
    "the least horizontal distance from the outline of your body to the person, taken as an upright cylinder round "
    "them, in metres as distance_m, 0 if you would touch"
)


@dataclass(frozen=True)
class Approach:
    """A person who goes on straight for `AHEAD_S` from now, as does the robot, without turning.

    Attributes:
        look: Now.
        person: Who.
        first, last: The clear sights between which the velocity is taken; the same for one who stands.
    """

    look: Look
    person: Person
    first: Sight
    last: Sight

    @cached_property
    def gold_m(self) -> float:
        """The least distance."""
        return self._least_m(np.zeros(2), np.zeros(2), robot_velocity(self.look.script, self.look.step))

    @property
    def standing_m(self) -> float:
        """The least distance if the person stood still where they are now."""
        return _least_m(self._body, self.place, -robot_velocity(self.look.script, self.look.step), self.person.radius_m)

    @property
    def place(self) -> Array:
        """Where the person is now: (x, y) in `map`."""
        return self._place(np.zeros(2), np.zeros(2))

    @cached_property
    def resolution_m(self) -> float:
        """p: the largest change of the gold when a sight's picture point moves by one pixel on the floor."""
        velocity, none = robot_velocity(self.look.script, self.look.step), np.zeros(2)
        moved = [self._least_m(none, shift, velocity) for shift in _pixel_shifts(self.look.script, self.last)]
        if self.first.step == self.last.step:
            moved = [self._least_m(shift, shift, velocity) for shift in _pixel_shifts(self.look.script, self.last)]
        else:
            moved += [self._least_m(shift, none, velocity) for shift in _pixel_shifts(self.look.script, self.first)]
        return max(abs(other - self.gold_m) for other in moved)

    @property
    def settled(self) -> bool:
        """Whether the robot's velocity before and after the keyframe give the same gold to within N/2."""
        none = np.zeros(2)
        found = [
            self._least_m(none, none, robot_velocity(self.look.script, self.look.step, before, after))
            for before, after in ((2 * _VELOCITY_S, 0.0), (0.0, 2 * _VELOCITY_S))
        ]
        return all(abs(other - self.gold_m) <= self.look.need_m(self.gold_m) / 2 for other in found)

    @cached_property
    def _body(self) -> Array:
        return outline_at(self.look.script.robot.body.outline, self.look.script.pose(self.look.step))

    def _velocity(self, first_shift: Array, last_shift: Array) -> Array:
        if self.first.step == self.last.step:
            return np.zeros(2)
        script = self.look.script
        between_s = (script.stamp_ns(self.last.step) - script.stamp_ns(self.first.step)) / 1e9
        moved = np.array(self.last.view.middle) + last_shift - np.array(self.first.view.middle) - first_shift
        return np.asarray(moved / between_s)

    def _place(self, first_shift: Array, last_shift: Array) -> Array:
        script = self.look.script
        since_s = (script.stamp_ns(self.look.step) - script.stamp_ns(self.last.step)) / 1e9
        here = np.array(self.last.view.middle) + last_shift
        return np.asarray(here + since_s * self._velocity(first_shift, last_shift))

    def _least_m(self, first_shift: Array, last_shift: Array, robot: Array) -> float:
        relative = self._velocity(first_shift, last_shift) - robot
        return _least_m(self._body, self._place(first_shift, last_shift), relative, self.person.radius_m)


def _least_m(body: Array, place: Array, relative_mps: Array, radius_m: float) -> float:
    """Least distance from a still outline to a cylinder that moves straight, metres."""
    end = place + AHEAD_S * relative_mps
    line = shapely.LineString([place, end]) if math.dist(place, end) > 1e-9 else shapely.Point(place)
    return max(0.0, float(shapely.distance(shapely.Polygon(body), line)) - radius_m)


def robot_velocity(script: Script, step: int, before_s: float = _VELOCITY_S, after_s: float = _VELOCITY_S) -> Array:
    """The body's velocity in `map` at a keyframe, m/s: its mean one over a moment round it."""
    path = script.timeline.path
    stamps = np.array([script.stamp_ns(step) - before_s * 1e9, script.stamp_ns(step) + after_s * 1e9])
    stamps = np.clip(stamps, path.stamp_ns[0], path.stamp_ns[-1])
    if stamps[1] <= stamps[0]:
        return np.zeros(2)
    moved = [float(np.diff(np.interp(stamps, path.stamp_ns, column))[0]) for column in (path.x_m, path.y_m)]
    return np.asarray(np.array(moved) / ((stamps[1] - stamps[0]) / 1e9))


def _pixel_shifts(script: Script, sight: Sight) -> list[Array]:
    """How a person's place on the floor moves when their picture point moves by a pixel up, down, left or right."""
    at = script.viewpoint(sight.step)
    away = np.array(sight.view.middle) - np.array([at.x_m, at.y_m])
    distance = float(np.hypot(*away))
    ahead = away / distance if distance > 0 else np.array([1.0, 0.0])
    along, across = at.pixel_steps_m(distance, 0.0)
    left = np.array([-ahead[1], ahead[0]])
    return [along * ahead, -along * ahead, across * left, -across * left]


def sights_before(look: Look, person: str, step: int) -> list[Sight]:
    """Clear sights of a person in the last `BACK_S` up to a step, oldest first."""
    since = look.script.stamp_ns(step) - (BACK_S + _SLACK_S) * 1e9
    return [s for s in look.seen.clear.get(person, ()) if s.step <= step and look.script.stamp_ns(s.step) >= since]
