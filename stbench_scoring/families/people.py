"""How far people are from the body, and when they were clearly seen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from numpy.typing import NDArray

from stbench_scoring.geometry.sweep import Array
from stbench_scoring.records import Person
from stbench_scoring.seen.script import Script

# Between keyframes, path and people are looked at this often.
_SAMPLE_S = 0.02


def gap_m(body: Array, x_m: float, y_m: float, radius_m: float) -> float:
    """Least distance from the body's outline (n, 2) to a person's cylinder, metres; 0 where they touch."""
    return max(0.0, float(shapely.distance(shapely.Polygon(body), shapely.Point(x_m, y_m))) - radius_m)


def true_least_m(script: Script, start_ns: int, end_ns: int) -> float:
    """Least distance from the body to anyone at any time of a span, seen or not; infinite where nobody is there."""
    path = script.timeline.path
    stamps = np.linspace(start_ns, end_ns, max(2, round((end_ns - start_ns) / 1e9 / _SAMPLE_S) + 1))
    x, y = (np.interp(stamps, path.stamp_ns, column) for column in (path.x_m, path.y_m))
    yaw = np.interp(stamps, path.stamp_ns, np.unwrap(path.yaw_rad))
    outline = shapely.Polygon(script.robot.body.outline)
    least = np.inf
    for person in script.timeline.people:
        for held, px, py in _tracks(person, stamps):
            # The person in the body's own frame, so that one outline serves every moment.
            dx, dy, cos, sin = px - x[held], py - y[held], np.cos(yaw[held]), np.sin(yaw[held])
            points = shapely.points(cos * dx + sin * dy, -sin * dx + cos * dy)
            least = min(least, float(shapely.distance(outline, points).min()) - person.radius_m)
    return max(0.0, least)


def _tracks(person: Person, stamps: Array) -> Iterator[tuple[NDArray[np.int64], Array, Array]]:
    """For each track with a moment in it: which moments, and x and y there."""
    for track in person.tracks:
        if not track:
            continue
        times = [point.stamp_ns for point in track]
        held = np.flatnonzero((stamps >= times[0]) & (stamps <= times[-1]))
        if held.size:
            x, y = (np.interp(stamps[held], times, [getattr(p, n) for p in track]) for n in ("x_m", "y_m"))
            yield held, x, y
