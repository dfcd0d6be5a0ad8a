"""Routes through rooms whose walls are boxes."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
import shapely

from stbench_scoring.errors import StbenchError
from stbench_world.plan.floor import LEAST_MARGIN_M, Floor

WALL = shapely.box(1.9, -0.1, 2.1, 3.0)  # leaves a gap of 1 m below y = 4
EDGES = [
    shapely.box(-0.2, -0.2, 4.2, 0.0),
    shapely.box(-0.2, 4.0, 4.2, 4.2),
    shapely.box(-0.2, 0, 0, 4),
    shapely.box(4, 0, 4.2, 4),
]


def floor(*more: shapely.Polygon, margin_m: float = 0.15) -> Floor:
    return Floor([*EDGES, WALL, *more], (0.0, 0.0, 4.0, 4.0), 0.2, margin_m)


def test_a_free_line_is_driven_straight() -> None:
    assert floor().route((1.0, 1.0), (1.0, 3.0)) == ((1.0, 1.0), (1.0, 3.0))


def test_a_route_goes_through_the_gap_and_keeps_the_margin() -> None:
    route = floor().route((1.0, 1.0), (3.0, 1.0))
    assert route is not None and route[0] == (1.0, 1.0) and route[-1] == (3.0, 1.0)
    way = shapely.LineString(route)
    # A disc of 0.2 m with 0.15 m beside it has 0.3 m to spare in the gap.
    assert way.distance(shapely.union_all([*EDGES, WALL])) >= 0.35 - 1e-6
    # Round the wall's end at (2, 3): at least twice the hypotenuse of 1 m across and 2 m up to there.
    assert 2 * math.hypot(1.0, 2.0) < way.length < 5.6
    for a, b in pairwise(route):
        assert math.dist(a, b) > 0.01


def test_a_tight_gap_is_driven_with_what_room_there_is() -> None:
    # The gap is narrowed to 0.5 m: 0.05 m on either side of the disc.
    tight = floor(shapely.box(1.9, 3.5, 2.1, 4.0))
    route = tight.route((1.0, 1.0), (3.0, 1.0))
    assert route is not None
    room = shapely.LineString(route).distance(shapely.union_all([*EDGES, WALL, shapely.box(1.9, 3.5, 2.1, 4.0)])) - 0.2
    assert LEAST_MARGIN_M - 1e-9 <= room <= 0.05


def test_a_closed_gap_has_no_route() -> None:
    assert floor(shapely.box(1.9, 3.4, 2.1, 4.0)).route((1.0, 1.0), (3.0, 1.0)) is None


def test_a_body_that_does_not_fit_is_named() -> None:
    with pytest.raises(StbenchError, match=r"does not fit at \(0.05, 1.00\)"):
        floor().route((0.05, 1.0), (1.0, 3.0))
