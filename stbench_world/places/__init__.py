"""Furnished places, each built from a variant seed."""

from __future__ import annotations

from collections.abc import Callable

from stbench_world.places import apartment_a
from stbench_world.scene import Place

LAYOUTS: dict[str, Callable[[int], Place]] = {"apartment_a": apartment_a.build}
