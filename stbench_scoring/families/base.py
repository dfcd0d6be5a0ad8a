"""What every family is given and gives: a look at the as-seen world, and drafts of questions with their gold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from stbench_scoring.geometry.camera import Viewpoint
from stbench_scoring.jobs import JobSpec
from stbench_scoring.records import Answer, AnswerKind, Params, PlaceXY
from stbench_scoring.records.answer import UNKNOWN
from stbench_scoring.records.case import Ability, AgeBand, Column, Contact, Harmful, Kind
from stbench_scoring.records.robot import Needs
from stbench_scoring.seen.memory import Seen
from stbench_scoring.seen.script import Script

_RECENT_S = 30.0


@dataclass(frozen=True)
class Look:
    """A moment at which a question may be asked. Steps are the script's.

    Attributes:
        seen: The as-seen world up to the moment.
        job: The job's numbers.
        last_step: The case's last step, for what still lies ahead.
    """

    seen: Seen
    job: JobSpec
    last_step: int

    @property
    def script(self) -> Script:
        return self.seen.script

    @property
    def step(self) -> int:
        return self.seen.step

    @property
    def needs(self) -> Needs:
        return self.script.robot.needs

    @cached_property
    def viewpoint(self) -> Viewpoint:
        """The camera now."""
        return self.script.viewpoint(self.step)

    def age(self, step: int, column: Column) -> tuple[float, AgeBand]:
        """Age in seconds and its band, of evidence from `step`."""
        frames = self.script.timeline.frames
        age_s = (frames[self.step].stamp_ns - frames[step].stamp_ns) / 1e9
        if column == "now":
            return age_s, "now"
        if age_s <= _RECENT_S:
            return age_s, "recent"
        return age_s, "task" if frames[step].task == frames[self.step].task else "earlier"

    def critical(self, thing: str, point: tuple[float, float] | None) -> bool:
        """Whether a thing is named in the present brief, or a point lies within C of the path still ahead."""
        timeline = self.script.timeline
        if thing and thing in timeline.tasks[timeline.frames[self.step].task].things:
            return True
        if point is None:
            return False
        stamps = np.array(timeline.path.stamp_ns)
        ahead = (stamps >= self.script.stamp_ns(self.step)) & (stamps <= self.script.stamp_ns(self.last_step))
        dx = np.array(timeline.path.x_m)[ahead] - point[0]
        dy = np.array(timeline.path.y_m)[ahead] - point[1]
        return bool(ahead.any() and np.hypot(dx, dy).min() <= self.needs.clearance_m)

    def need_m(self, distance_m: float) -> float:
        """N = max(C, D/10, 2q), metres."""
        return max(self.needs.clearance_m, distance_m / 10.0, 2.0 * self.pixel_m(distance_m))

    def pixel_m(self, distance_m: float) -> float:
        """q = D/f, metres."""
        return distance_m / self.script.camera.fx


@dataclass(frozen=True)
class Draft:
    """A question with its gold, before it is numbered. Steps of the evidence are the script's."""

    family: str
    text: str
    expected: AnswerKind
    params: Params
    kind: Kind
    ability: Ability
    column: Column
    answer: Answer
    evidence: tuple[int, ...]
    age_s: float | None
    age_band: AgeBand | None
    need_m: float
    resolution_m: float
    pixel_m: float
    distance_m: float
    harmful: Harmful
    contact: Contact = "none"
    half_width_m: float = 0.0
    critical: bool = False
    thing: str = ""
    balance: str = ""
    runs_m: tuple[float, ...] = ()
    ignored: tuple[PlaceXY, ...] = ()
    item_resolutions_m: tuple[float, ...] = ()


class Family(Protocol):
    """A family: what it asks and every question that it could ask at a look, screened, in a fixed order."""

    @property
    def name(self) -> str: ...

    @property
    def when(self) -> Literal["during", "end"]: ...

    @property
    def drafts(self) -> Callable[[Look], Iterable[Draft]]: ...


@dataclass(frozen=True)
class FamilySpec:
    """The plain form of a family."""

    name: str
    when: Literal["during", "end"]
    drafts: Callable[[Look], Iterable[Draft]]


__all__ = ["UNKNOWN", "Draft", "Family", "FamilySpec", "Look"]
