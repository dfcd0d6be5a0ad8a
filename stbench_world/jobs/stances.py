"""Where a body stands to reach a point on a surface, facing it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from stbench_scoring.errors import StbenchError
from stbench_world.plan.floor import LEAST_MARGIN_M, Floor, Point
from stbench_world.scene import Room

REACH_M = (0.45, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80, 0.85)
BEARINGS = 24


def room_of(rooms: tuple[Room, ...], point: Point) -> Room | None:
    """The room whose floor holds a point."""
    return next((r for r in rooms if shapely.Polygon(r.outline).covers(shapely.Point(point))), None)


def _candidates(floor: Floor, rooms: tuple[Room, ...], target: Point) -> Iterator[tuple[float, Point]]:
    own = room_of(rooms, target)
    for reach in REACH_M:
        for n in range(BEARINGS):
            angle = math.tau * n / BEARINGS
            place = (round(target[0] + reach * math.cos(angle), 3), round(target[1] + reach * math.sin(angle), 3))
            if own is None or room_of(rooms, place) != own:
                continue
            room = floor.room_m(place)
            if room >= LEAST_MARGIN_M + 0.02:
                # Room beside the body is worth as much as nearness, up to the wanted margin.
                yield reach - 2 * min(room, floor.margin_m), place


def stance(floor: Floor, rooms: tuple[Room, ...], home: Point, target: Point) -> Point:
    """The best free place from which to reach a target, with a way from home.

    Raises:
        StbenchError: No place within reach is free, or none can be driven to.
    """
    for _, place in sorted(_candidates(floor, rooms, target)):
        if floor.route(home, place) is not None:
            return place
    raise StbenchError(f"no free place reaches ({target[0]:.2f}, {target[1]:.2f}) within {REACH_M[-1]} m")
