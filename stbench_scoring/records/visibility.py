"""`private/<sid>/visibility.jsonl`: what each keyframe saw, a line a keyframe, from exact ray casting."""

from __future__ import annotations

from stbench_scoring.records.io import Record

Runs = tuple[tuple[int, int, int], ...]


class ThingView(Record, frozen=True, kw_only=True):
    """How one thing or person was seen.

    Attributes:
        id: Of the thing or person.
        pixels: Pixels it covers.
        share: Of the pixels that it would cover, inside the picture, were nothing in front of it: 0 to 1.
        clear: Seen clearly enough to be recognised (threshold: docs/jobs.md); a glimpse otherwise.
        nearest: (x, y, z) in `map` of the visible surface point horizontally nearest to the camera.
        nearest_px: Its pixel (u, v).
        middle: (x, y) in `map` of the middle of its outline.
        top_above_camera: Whether its top was higher than the camera.
    """

    id: str
    pixels: int
    share: float
    clear: bool
    nearest: tuple[float, float, float]
    nearest_px: tuple[int, int]
    middle: tuple[float, float]
    top_above_camera: bool


class VisibilityRow(Record, frozen=True, kw_only=True):
    """One keyframe. Runs are (row, first column, length) of grid cells, rows ascending.

    Attributes:
        step: Number of the keyframe in the script.
        things: Every nameable thing with a pixel in view, structure left out.
        people: Every person with a pixel in view.
        floor: Cells whose floor was seen at this keyframe: a ray from the camera to the middle of the cell's floor lies
            inside the picture and the volume above the cell to body height is clear to the ray; or the body or its
            blind ring stood there.
        surface: Cells that hold a surface point between the body's bottom and top, visible at this keyframe.
    """

    step: int
    things: tuple[ThingView, ...]
    people: tuple[ThingView, ...]
    floor: Runs
    surface: Runs
