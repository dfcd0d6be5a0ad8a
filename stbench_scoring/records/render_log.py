"""`private/<sid>/render_log.json`: how each picture came about."""

from __future__ import annotations

from stbench_scoring.records.io import Record


class Rendered(Record, frozen=True, kw_only=True):
    """One picture.

    Attributes:
        step: Of the keyframe in the script.
        engine: Blender's, e.g. CYCLES.
        blender: Its version.
        samples: A pixel.
        seed: Of the sampling.
        seconds: Wall time that it took.
    """

    step: int
    engine: str
    blender: str
    samples: int
    seed: int
    seconds: float


class RenderLog(Record, frozen=True, kw_only=True):
    """Every picture of a script, in order of step."""

    format_version: int
    pictures: tuple[Rendered, ...]
