"""What was seen from a case's first frame up to a step: things, people, floor and surfaces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stbench_scoring.geometry.solids import Solid, person_solid, pose_at
from stbench_scoring.records import ThingView, VisibilityRow
from stbench_scoring.records.visibility import Runs
from stbench_scoring.seen.script import Script

NEVER = -1


@dataclass(frozen=True)
class Sight:
    """A thing or person seen at a step of the script."""

    step: int
    view: ThingView


@dataclass(frozen=True)
class Seen:
    """The as-seen world. Steps are the script's; both ends are included."""

    script: Script
    first_step: int
    step: int

    @cached_property
    def rows(self) -> tuple[VisibilityRow, ...]:
        """Rows shown so far."""
        return self.script.rows[self.first_step : self.step + 1]

    @cached_property
    def clear(self) -> dict[str, tuple[Sight, ...]]:
        """Clear sights of each thing and person, oldest first."""
        return self._sights(clear_only=True)

    @cached_property
    def any(self) -> dict[str, tuple[Sight, ...]]:
        """All sights, glimpses too."""
        return self._sights(clear_only=False)

    def _sights(self, clear_only: bool) -> dict[str, tuple[Sight, ...]]:
        found: dict[str, list[Sight]] = {}
        for row in self.rows:
            for view in (*row.things, *row.people):
                if view.clear or not clear_only:
                    found.setdefault(view.id, []).append(Sight(row.step, view))
        return {key: tuple(sights) for key, sights in found.items()}

    def last_clear(self, identity: str) -> Sight | None:
        """The newest clear sight of a thing or person."""
        sights = self.clear.get(identity)
        return sights[-1] if sights else None

    @cached_property
    def solids(self) -> list[Solid]:
        """What stands solid as last clearly seen: structure always, a thing or person only once seen."""
        solids: list[Solid | None] = []
        for thing in self.script.timeline.things:
            sight = self.last_clear(thing.id)
            if sight is not None:
                solids.append(self.script.solid(thing, self.script.stamp_ns(sight.step)))
            elif thing.structure:
                solids.append(self.script.solid(thing, self.script.stamp_ns(self.step)))
        for person in self.script.timeline.people:
            sight = self.last_clear(person.id)
            if sight is not None:
                solids.append(person_solid(person, *sight.view.middle))
        return [s for s in solids if s is not None]

    @cached_property
    def floor_step(self) -> NDArray[np.int64]:
        """Step at which each grid cell's floor was last seen in the present task, (rows, columns); NEVER elsewhere."""
        return self._cells("floor", present_task=True)

    @cached_property
    def floor_ever(self) -> NDArray[np.int64]:
        """The same in any task of the case."""
        return self._cells("floor", present_task=False)

    @cached_property
    def surface_step(self) -> NDArray[np.int64]:
        """The same for cells that hold a visible surface at the body's height, in the present task."""
        return self._cells("surface", present_task=True)

    @cached_property
    def surface_ever(self) -> NDArray[np.int64]:
        """The same in any task of the case."""
        return self._cells("surface", present_task=False)

    def _cells(self, name: str, present_task: bool) -> NDArray[np.int64]:
        grid, frames = self.script.timeline.grid, self.script.timeline.frames
        cells = np.full((grid.rows, grid.columns), NEVER, dtype=np.int64)
        for row in self.rows:
            if present_task and frames[row.step].task != frames[self.step].task:
                continue
            runs: Runs = getattr(row, name)
            for r, first, length in runs:
                cells[r, first : first + length] = row.step
        return cells

    def moved_since(self, sight: Sight) -> bool:
        """Whether a thing was glimpsed, after its last clear sight, at another pose than it had then."""
        thing = self.script.things.get(sight.view.id)
        if thing is None:
            return True
        then = pose_at(thing, self.script.stamp_ns(sight.step))
        later = [s for s in self.any.get(thing.id, ()) if s.step > sight.step]
        return any(pose_at(thing, self.script.stamp_ns(s.step)) != then for s in later)
