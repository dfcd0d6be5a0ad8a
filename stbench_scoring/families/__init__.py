"""The question families: one module each, gathered in a plain mapping that refuses a name twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from stbench_scoring.errors import StbenchError
from stbench_scoring.families import (
    approach_mem,
    clear_path,
    closest_approach,
    closest_person,
    ego,
    object_where,
    open_heading,
    task_things,
)
from stbench_scoring.families.base import Draft, Family, FamilySpec, Look


def registry(families: Iterable[Family]) -> Mapping[str, Family]:
    """Gathers families by name. Raises StbenchError where a name is declared twice."""
    found: dict[str, Family] = {}
    for family in families:
        if family.name in found:
            raise StbenchError(f"family {family.name!r} is declared twice")
        found[family.name] = family
    return found


FAMILIES = registry(
    (
        clear_path.FAMILY,
        ego.NOW,
        ego.MEM,
        object_where.FAMILY,
        task_things.FAMILY,
        closest_person.FAMILY,
        open_heading.FAMILY,
        closest_approach.FAMILY,
        approach_mem.FAMILY,
    )
)

__all__ = ["FAMILIES", "Draft", "Family", "FamilySpec", "Look", "registry"]
