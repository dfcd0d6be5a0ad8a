"""Furniture of the living room, the kitchen and the hallway of `apartment_a`."""

from __future__ import annotations

from stbench_world.catalogue import kitchen, lamps, plants, seating, small, storage, tables, textiles
from stbench_world.places.assembly import Assembly


def furnish(a: Assembly) -> None:
    """Adds the three rooms' furniture."""
    _living_room(a)
    _kitchen(a)
    _hallway(a)


def _living_room(a: Assembly) -> None:
    m = a.model
    rug = m("rug_living", lambda: textiles.rug(2.6, 1.7))
    a.add("rug_living", "grey rug", rug, (2.25, 2.02, 0), 90, tints={"body": "stone", "border": "grey"})
    a.add("sofa", "grey sofa", m("sofa", seating.sofa), (2.25, 0.68, 0), 90, tints={"body": "dark grey"})
    a.put(
        "coffee_table", "coffee table", m("coffee_table", tables.coffee_table), "rug_living", (0.0, 0.0), movable=False
    )
    a.add("tv_bench", "TV bench", m("tv_bench", storage.tv_bench), (1.25, 3.965, 0), -90)
    a.put("television", "television", m("television", small.television), "tv_bench", (0.0, 0.0), movable=False)
    a.add("armchair", "teal armchair", m("armchair", seating.armchair), (4.45, 1.35, 0), 150, tints={"body": "teal"})
    case = m("bookcase", storage.bookcase)
    a.add("bookcase", "oak bookcase", case, (5.73, 3.55, 0), 180)
    a.add("floor_lamp", "floor lamp", m("floor_lamp", lamps.floor_lamp), (0.75, 0.55, 0), tints={"shade": "warm white"})
    a.add(
        "side_table", "white side table", m("side_table", tables.side_table), (3.62, 0.45, 0), tints={"body": "white"}
    )
    a.add("palm", "palm", m("palm", plants.potted_palm), (5.25, 0.60, 0), tints={"pot": "stone"})
    a.add("sideboard", "sideboard", m("sideboard", storage.sideboard), (0.235, 2.10, 0), 0, tints={"front": "sage"})
    low = m("picture_low", lambda: small.picture(0.9, 0.65, 1.6))
    a.add(
        "picture_living",
        "picture",
        low,
        (1.25, 4.2, 0.18),
        -90,
        support="wall",
        tints={"field": "sky", "shape": "yellow", "low": "sand"},
    )
    for n, (x, y) in enumerate(((0.70, 0.09), (2.70, 0.09), (3.10, 0.09), (5.10, 0.09))):
        curtain = m("curtain_living", lambda: textiles.curtain(0.36, 0.04, 2.30))
        a.add(
            f"curtain_living_{n}",
            "curtain",
            curtain,
            (x, y, 0),
            90,
            structure=True,
            support="wall",
            tints={"body": "cream"},
        )
    rail = m("rail_living", lambda: textiles.curtain_rail(4.9, 2.32))
    a.add("rail_living", "curtain rail", rail, (2.9, 0.09, 0), 90, structure=True, support="wall")
    lamp = m("ceiling_lamp", lamps.ceiling_lamp)
    for n, (x, y) in enumerate(((2.95, 2.1), (2.2, 4.97), (7.4, 4.97), (2.15, 7.3), (5.5, 7.3), (8.55, 7.3))):
        a.add(f"ceiling_lamp_{n}", "ceiling lamp", lamp, (x, y, 0), structure=True, support="wall")


def _kitchen(a: Assembly) -> None:
    m = a.model
    front = {"front": "cream", "top": "walnut"}
    row = (
        ("fridge", "white fridge", m("fridge", kitchen.fridge), 6.40, {"body": "white"}),
        ("counter_drawers", "drawer counter", m("counter_drawers", lambda: kitchen.counter(0.6, 1, True)), 7.01, front),
        ("cooker", "cooker", m("cooker", kitchen.cooker), 7.61, front),
        ("sink", "sink", m("sink", kitchen.sink_unit), 8.36, front),
        ("counter_long", "kitchen counter", m("counter_long", lambda: kitchen.counter(1.2, 2)), 9.41, front),
    )
    for id_, words, mesh, x, tints in row:
        a.add(id_, words, mesh, (x, 0.325 if id_ == "fridge" else 0.315, 0), 90, tints=tints)
    cup = m("cupboard_wide", lambda: kitchen.wall_cupboard(0.6, 1))
    a.add("cupboard_0", "wall cupboard", cup, (7.01, 0.165, 0), 90, support="wall", tints=front)
    a.add("cupboard_1", "wall cupboard", cup, (9.75, 0.165, 0), 90, support="wall", tints=front)
    a.add("hood", "cooker hood", m("hood", kitchen.hood), (7.62, 0.252, 0), 90, support="wall")
    a.add("dining_table", "dining table", m("dining_table", tables.dining_table), (8.75, 2.75, 0), 90)
    chair = m("dining_chair", seating.dining_chair)
    for n, (x, y, yaw) in enumerate(((8.35, 2.15, 90), (9.15, 2.15, 90), (8.35, 3.36, -90), (9.15, 3.36, -90))):
        a.add(f"chair_{n}", "oak chair", chair, (x, y, 0), yaw, tints={"seat": "sage"})
    a.add(
        "pendant",
        "pendant lamp",
        m("pendant", lamps.pendant),
        (8.75, 2.75, 0),
        structure=True,
        support="wall",
        tints={"body": "black"},
    )
    a.add("kitchen_bin", "red bin", m("bin", kitchen.bin_), (6.30, 0.95, 0), 0, tints={"body": "red"})
    a.add("snake_plant", "snake plant", m("snake_plant", plants.snake_plant), (10.12, 3.92, 0), tints={"pot": "black"})
    a.add("wall_clock", "wall clock", m("wall_clock", small.wall_clock), (6.02, 3.6, 0), 0, support="wall")
    a.add("stool", "yellow stool", m("stool", seating.stool), (6.35, 3.85, 0), tints={"body": "yellow"})


def _hallway(a: Assembly) -> None:
    m = a.model
    a.add("console", "console table", m("console", tables.console_table), (5.9, 4.50, 0), 90)
    a.add("bench", "hall bench", m("bench", tables.bench), (1.25, 4.53, 0), 90)
    a.add("coat_rack", "coat rack", m("coat_rack", storage.coat_rack), (1.25, 4.32, 0), 90, support="wall")
    a.add(
        "picture_hall",
        "picture",
        m("hall_picture", lambda: small.picture(0.5, 0.7)),
        (5.9, 4.32, 0),
        90,
        support="wall",
        tints={"field": "cream", "shape": "rust", "low": "teal"},
    )
    a.add(
        "rug_hall",
        "red rug",
        m("rug_hall", lambda: textiles.rug(2.2, 0.7)),
        (6.4, 5.12, 0),
        90,
        tints={"body": "red", "border": "navy"},
    )
