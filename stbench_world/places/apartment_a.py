"""`apartment_a`: a furnished apartment of about 86 m² with living room, kitchen, hallway, bedroom, bathroom and study."""

from __future__ import annotations

import math

from stbench_world.places import apartment_day, apartment_night, apartment_shell, apartment_small
from stbench_world.places.assembly import Assembly
from stbench_world.places.people import looks
from stbench_world.scene import Place, Pose

DOCK = Pose(4.1, 3.75, 0.0, -math.pi / 2)
"""Where the helper parks: living room, its back to the hall wall."""


def build(variant_seed: int = 0) -> Place:
    """Builds the apartment; seed 0 is the pinned variant, others turn the small things.

    Args:
        variant_seed: Seed of the variant.
    """
    a = Assembly()
    apartment_shell.build_shell(a)
    apartment_day.furnish(a)
    apartment_night.furnish(a)
    apartment_small.furnish(a, variant_seed)
    people = looks(a)
    return Place(
        layout="apartment_a",
        variant_seed=variant_seed,
        rooms=apartment_shell.rooms(),
        things=tuple(a.things.values()),
        meshes=a.meshes,
        people=people,
        lights=apartment_shell.lights(),
        time_of_day="day",
        docks={"helper": DOCK},
    )
