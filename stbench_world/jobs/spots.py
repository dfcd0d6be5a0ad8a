"""Free spots on surfaces: where a thing could be put down without touching another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from stbench_world.scene import Place, Pose, Thing
from stbench_world.things import extent, footprint

REST_CLEARANCE_M = 0.0005
GAP_M = 0.03
LEAST_HEIGHT_M = 0.3
"""Lower surfaces are rugs and the undersides of shelves, where nobody puts a mug."""


@dataclass(frozen=True)
class Spot:
    """A place for a thing on a surface of another."""

    on: str
    pose: Pose


@dataclass(frozen=True)
class Shelf:
    """One usable top surface: whose it is, its height in `map`, and its rectangle in the owner's frame."""

    thing: Thing
    z_m: float
    rectangle: tuple[float, float, float, float]


def shelves(place: Place, highest_m: float) -> Iterator[Shelf]:
    """Surfaces of fixed furniture that a person would put things on, in the place's order.

    Only the lowest one of a piece that is high enough, as a higher one may hang above it, and none too high to be seen.
    """
    for thing in place.things:
        if thing.structure or thing.movable or thing.support == "wall":
            continue
        tops = sorted(s for s in thing.surface_m if LEAST_HEIGHT_M <= s[0] + thing.pose.z_m <= highest_m)
        highest = max((s[0] for s in thing.surface_m), default=0.0)
        for z, *rectangle in tops:
            if z == highest or len(thing.surface_m) > 3:
                x0, y0, x1, y1 = rectangle
                yield Shelf(thing, z + thing.pose.z_m, (x0, y0, x1, y1))


@dataclass
class Layout:
    """Where everything stands now; things can be taken away and put down."""

    place: Place
    poses: dict[str, Pose]
    absent: set[str]

    @staticmethod
    def of(place: Place) -> Layout:
        """The place's start."""
        return Layout(place, {t.id: t.pose for t in place.things}, set())

    def touches(self, thing: Thing, pose: Pose) -> bool:
        """Whether a thing at a pose would touch or stand inside another, within a small gap beside it."""
        mesh = self.place.meshes[thing.mesh]
        low, high = extent(mesh)
        bottom, top = pose.z_m + low[2] + REST_CLEARANCE_M, pose.z_m + high[2]
        area = footprint(mesh, pose, bottom, top).buffer(GAP_M)
        reach = math.hypot(high[0] - low[0], high[1] - low[1]) + GAP_M
        for other in self.place.things:
            if other.id == thing.id or other.id in self.absent:
                continue
            where = self.poses[other.id]
            (x0, y0, _), (x1, y1, _) = extent(self.place.meshes[other.mesh])
            far = max(math.hypot(x, y) for x in (x0, x1) for y in (y0, y1))
            if math.hypot(where.x_m - pose.x_m, where.y_m - pose.y_m) > far + reach:
                continue
            if shapely.intersects(area, footprint(self.place.meshes[other.mesh], where, bottom, top)):
                return True
        return False

    def spot(self, thing: Thing, options: Sequence[Shelf], draw: np.random.Generator, tries: int = 12) -> Spot | None:
        """A free spot for a thing on one of some surfaces, drawn; None where none was found."""
        low, high = extent(self.place.meshes[thing.mesh])
        half = max(abs(v) for v in (*low[:2], *high[:2])) + 0.01
        for _ in range(tries):
            shelf = options[int(draw.integers(len(options)))]
            x0, y0, x1, y1 = shelf.rectangle
            if x1 - x0 < 2 * half or y1 - y0 < 2 * half:
                continue
            x, y = draw.uniform(x0 + half, x1 - half), draw.uniform(y0 + half, y1 - half)
            under = self.poses[shelf.thing.id]
            c, s = math.cos(under.yaw_rad), math.sin(under.yaw_rad)
            yaw = under.yaw_rad + math.radians(float(draw.integers(-6, 7)) * 10)
            at = (under.x_m + c * x - s * y, under.y_m + s * x + c * y, shelf.z_m + REST_CLEARANCE_M)
            pose = Pose(round(at[0], 4), round(at[1], 4), round(at[2] - low[2], 5), round(yaw, 4))
            if not self.touches(thing, pose):
                return Spot(shelf.thing.id, pose)
        return None


def on_surface(place: Place, poses: Mapping[str, str]) -> list[Thing]:
    """Movable things that stand on another now, by the support each has."""
    return [t for t in place.things if t.movable and poses.get(t.id, t.support) not in ("", "wall")]
