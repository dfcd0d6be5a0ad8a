"""`task_things`: which things stood within a stated distance of the way that was driven in a task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from stbench_scoring.families.base import UNKNOWN, Draft, FamilySpec, Look
from stbench_scoring.families.tasks import TaskSpan, task_spans, way_driven
from stbench_scoring.geometry.solids import base_z_m, pose_at
from stbench_scoring.records import Answer, Params, PlaceXY, ThingRecord
from stbench_scoring.records.case import Column
from stbench_scoring.seen.memory import NEVER, Seen, Sight
from stbench_scoring.seen.strip import Mask, cell_middles

# What stands this low or lower stands on the floor.
_ON_FLOOR_M = 0.05
# Within this of the stated distance, or within a pixel, two fair observers may differ: neither right nor wrong.
_EDGE_M = 0.1
# Nothing listable seen: unknown below the first share of the region's floor, an empty list from the second on.
_UNKNOWN_SHARE, _EMPTY_SHARE = 0.5, 0.95


@dataclass(frozen=True)
class Listing:
    """What there is to list in a task.

    Attributes:
        items: Things with the sight that shows each, in the timeline's order.
        ignored: Middles of the don't-care circles.
        doubtful: A thing does not stand as it was seen, so that the right list would not be right.
    """

    items: tuple[tuple[ThingRecord, Sight], ...]
    ignored: tuple[tuple[float, float], ...]
    doubtful: bool


def text(task: int, radius_m: float) -> str:
    """The question's words; the task is numbered in the case."""
    return (
        f"Which things stood within {radius_m:g} m of the way that you drove in task {task}, numbered as in your status? "
        "Count what you had seen clearly, from your first picture to the end of that task: things that stand on the "
        f"floor, that your body could not drive over, and whose middle is within {radius_m:g} m of the line that the "
        "middle of your body drove, both seen from above. Leave out walls and doors, people, and all that you ever "
        "carried. List the middle of each where you had last seen it clearly by then, as places with x_m and y_m in "
        "metres in the map frame of your own poses; the list is empty if there was none. Answer unknown if you had "
        "seen no such thing, and less than half of the floor within that distance of the way."
    )


def drafts(look: Look) -> Iterator[Draft]:
    """One draft a task of the case where the list is beyond doubt."""
    for span in task_spans(look):
        seen = Seen(look.script, look.seen.first_step, span.last_step)
        draft = _draft(look, span, seen)
        if draft is not None:
            yield draft


def listing(look: Look, seen: Seen, way: shapely.LineString, end_ns: int) -> Listing:
    """Sorts every thing that was in view by the end of a task into listed, don't care, and neither."""
    radius_m, match_m = look.job.way_radius_m, look.needs.match_m["task_things"]
    items: list[tuple[ThingRecord, Sight]] = []
    ignored: list[tuple[float, float]] = []
    doubtful = False
    for thing in look.script.timeline.things:
        sights = [s for s in seen.any.get(thing.id, ()) if _listable(look, thing, s)]
        if not sights:
            continue
        sight = seen.last_clear(thing.id)
        carried = any(span.carried for span in thing.poses)
        if sight is None or sight not in sights or carried or seen.moved_since(sight):
            ignored += [s.view.middle for s in sights if _apart(way, s.view.middle) <= radius_m + match_m]
            continue
        apart = _apart(way, sight.view.middle)
        then, now = (pose_at(thing, stamp) for stamp in (look.script.stamp_ns(sight.step), end_ns))
        shift = float(np.hypot(now.x_m - then.x_m, now.y_m - then.y_m))
        true_middle = (sight.view.middle[0] + now.x_m - then.x_m, sight.view.middle[1] + now.y_m - then.y_m)
        if shift > match_m / 2 and min(apart, _apart(way, true_middle)) <= radius_m:
            doubtful = True
        if abs(apart - radius_m) <= max(_EDGE_M, _resolution(look, thing, sight)):
            ignored.append(sight.view.middle)
        elif apart < radius_m:
            items.append((thing, sight))
    return Listing(tuple(items), tuple(dict.fromkeys(ignored)), doubtful)


def _listable(look: Look, thing: ThingRecord, sight: Sight) -> bool:
    """Whether a thing stood on the floor and in the body's way at a sight of it."""
    if thing.structure or not thing.words:
        return False
    stamp = look.script.stamp_ns(sight.step)
    span = pose_at(thing, stamp)
    return base_z_m(thing, span) <= _ON_FLOOR_M and look.script.solid(thing, stamp) is not None


def _apart(way: shapely.LineString, point: tuple[float, float]) -> float:
    return float(shapely.distance(way, shapely.Point(point)))


def _resolution(look: Look, thing: ThingRecord, sight: Sight) -> float:
    then = look.script.viewpoint(sight.step)
    surface = base_z_m(thing, pose_at(thing, look.script.stamp_ns(sight.step)))
    return then.resolution_m(then.range_m(*sight.view.middle), surface)


def region(look: Look, seen: Seen, way: shapely.LineString) -> Mask:
    """The floor within the stated distance of the way: cells (rows, columns) in a room and clear of all that was seen."""
    grid = look.script.timeline.grid
    rows, columns = np.indices((grid.rows, grid.columns))
    middles = cell_middles(grid, rows.ravel(), columns.ravel())
    area = shapely.buffer(way, look.job.way_radius_m)
    area = shapely.intersection(area, shapely.union_all([shapely.Polygon(r.outline) for r in look.script.timeline.rooms]))
    area = shapely.difference(area, shapely.union_all([s.shape for s in seen.solids if not s.person]))
    shapely.prepare(area)
    return np.asarray(shapely.contains_xy(area, middles[:, 0], middles[:, 1])).reshape(grid.rows, grid.columns)


def _draft(look: Look, span: TaskSpan, seen: Seen) -> Draft | None:
    way = way_driven(look.script, span)
    if way is None:
        return None
    listed = listing(look, seen, way, span.end_ns)
    if listed.doubtful:
        return None
    if listed.items:
        return _row(look, span, seen, listed, ())
    floor = region(look, seen, way)
    share = float((seen.floor_ever[floor] != NEVER).mean()) if floor.any() else 0.0
    if listed.ignored or _UNKNOWN_SHARE <= share < _EMPTY_SHARE:
        return None
    steps = tuple(sorted({int(s) for s in seen.floor_ever[floor] if s != NEVER}))
    return _row(look, span, seen, listed if share >= _EMPTY_SHARE else None, steps)


def _row(look: Look, span: TaskSpan, seen: Seen, listed: Listing | None, floor_steps: tuple[int, ...]) -> Draft:
    """The draft of a list; `listed` is None where it is unknown."""
    radius_m, items = look.job.way_radius_m, listed.items if listed else ()
    steps = tuple(sorted({sight.step for _, sight in items})) or floor_steps
    column: Column = "now" if listed and steps == (look.step,) else "memory"
    age_s, band = look.age(steps[-1], column) if listed else (None, None)
    places = tuple(PlaceXY(x_m=round(s.view.middle[0], 4), y_m=round(s.view.middle[1], 4)) for _, s in items)
    resolutions = tuple(_resolution(look, thing, sight) for thing, sight in items)
    ranges = [look.script.viewpoint(s.step).range_m(*s.view.middle) for _, s in items]
    distance = max(ranges, default=radius_m)
    ignored = tuple(PlaceXY(x_m=round(x, 4), y_m=round(y, 4)) for x, y in (listed.ignored if listed else ()))
    return Draft(
        family="task_things", text=text(span.number, radius_m), expected="places",
        params=Params(task=span.task, radius_m=radius_m), kind="reuse", ability="relevance", column=column,
        answer=Answer(places=places) if listed else UNKNOWN, evidence=steps if listed else (), age_s=age_s,
        age_band=band, need_m=look.needs.match_m["task_things"],
        resolution_m=max(resolutions, default=look.pixel_m(distance)), pixel_m=look.pixel_m(distance),
        distance_m=distance, harmful="none",
        critical=any(look.critical(thing.id, sight.view.middle) for thing, sight in items),
        balance="unknown" if not listed else ("some" if items else "empty"), ignored=ignored,
        item_resolutions_m=resolutions,
    )  # fmt: skip


FAMILY = FamilySpec("task_things", "end", drafts)
