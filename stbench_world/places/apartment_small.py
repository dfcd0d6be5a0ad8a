"""Small things of `apartment_a`: what stands on surfaces, lies on floors and is carried."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from stbench_scoring.seeds import rng
from stbench_world.catalogue import bedroom, kitchen, lamps, plants, seating, small, tableware, textiles
from stbench_world.catalogue.model import Model
from stbench_world.places.assembly import Assembly

MODELS = {
    "mug": tableware.mug, "bowl": tableware.bowl, "plate": tableware.plate, "fruit_bowl": tableware.fruit_bowl,
    "bottle": tableware.bottle, "wine_bottle": tableware.wine_bottle, "carton": tableware.carton, "vase": tableware.vase,
    "teapot": tableware.teapot, "kettle": tableware.kettle, "candle": tableware.candle, "pens": tableware.cup_of_pens,
    "book": small.book, "parcel": small.parcel, "storage_box": small.storage_box, "basket": small.basket,
    "toy_car": small.toy_car, "ball": small.ball_toy, "blocks": small.block_tower, "teddy": small.teddy,
    "laptop": small.laptop, "shoes": small.shoe_pair, "backpack": small.backpack, "remote": small.remote,
    "toaster": kitchen.toaster, "pan": kitchen.pan, "board": kitchen.chopping_board, "lamp": lamps.table_lamp,
    "plant": plants.small_plant, "cactus": plants.cactus, "blanket": bedroom.blanket, "towel": textiles.folded_towel,
    "cushion": seating.scatter_cushion,
}  # fmt: skip

Put = tuple[str, str, str, str, float, float, float, int, dict[str, str]]

ON_SURFACES: tuple[Put, ...] = (
    # id, words, model, on, x, y (metres in the supporter's frame), yaw in degrees, surface, tints
    ("mug_1", "red mug", "mug", "coffee_table", 0.10, 0.30, 40, 0, {"body": "red"}),
    ("remote", "black remote control", "remote", "coffee_table", 0.15, -0.05, 70, 0, {"body": "black"}),
    ("book_1", "green book", "book", "coffee_table", -0.12, -0.28, 12, 0, {"body": "green"}),
    ("vase_1", "blue vase", "vase", "sideboard", -0.02, 0.48, 0, 0, {"body": "blue"}),
    ("lamp_1", "table lamp", "lamp", "sideboard", 0.04, -0.50, 0, 0, {"body": "white", "shade": "warm white"}),
    ("parcel_1", "brown box", "parcel", "sideboard", 0.02, 0.02, 8, 0, {"body": "card"}),
    ("plant_1", "small plant", "plant", "side_table", 0.0, 0.0, 0, 0, {"pot": "rust"}),
    ("bowl_1", "yellow bowl", "bowl", "counter_long", 0.08, -0.32, 0, 0, {"body": "yellow"}),
    ("kettle", "silver kettle", "kettle", "counter_long", -0.08, 0.38, -30, 0, {"body": "silver"}),
    ("toaster", "red toaster", "toaster", "counter_drawers", -0.08, 0.02, 0, 0, {"body": "red"}),
    ("mug_2", "blue mug", "mug", "counter_long", 0.10, 0.02, 140, 0, {"body": "blue"}),
    ("bottle_1", "green bottle", "bottle", "sink", 0.12, 0.37, 0, 1, {"body": "green", "cap": "black"}),
    ("fruit_bowl", "fruit bowl", "fruit_bowl", "dining_table", 0.0, 0.05, 0, 0, {"body": "white"}),
    ("mug_3", "white mug", "mug", "dining_table", -0.25, 0.52, 200, 0, {"body": "white"}),
    ("plate_1", "blue plate", "plate", "dining_table", 0.27, 0.42, 0, 0, {"body": "blue"}),
    ("carton", "orange carton", "carton", "dining_table", 0.15, -0.42, 20, 0, {"body": "orange"}),
    ("vase_2", "white vase", "vase", "console", 0.0, 0.36, 0, 0, {"body": "white"}),
    ("bowl_2", "green bowl", "bowl", "console", 0.02, -0.10, 0, 0, {"body": "green"}),
    ("backpack", "purple backpack", "backpack", "bench", 0.0, 0.28, 10, 0, {"body": "purple"}),
    ("shoes_1", "red trainers", "shoes", "bench", 0.0, -0.2, 0, 1, {"body": "red"}),
    ("lamp_2", "bedside lamp", "lamp", "bedside_left", -0.05, 0.04, 0, 0, {"body": "beige", "shade": "warm white"}),
    ("book_2", "red book", "book", "bedside_right", 0.02, -0.02, 80, 0, {"body": "red"}),
    ("bottle_2", "blue bottle", "bottle", "bedside_right", -0.10, 0.13, 0, 0, {"body": "blue", "cap": "white"}),
    ("storage_box_1", "turquoise box", "storage_box", "chest", 0.0, 0.22, 10, 0, {"body": "turquoise"}),
    ("teddy", "teddy bear", "teddy", "chest", -0.02, -0.22, 0, 0, {"body": "brown"}),
    ("blanket", "orange blanket", "blanket", "bed", 0.35, 0.25, 5, 0, {"body": "orange"}),
    ("candle", "purple candle", "candle", "washstand", 0.0, -0.34, 0, 0, {"body": "purple"}),
    ("laptop", "laptop", "laptop", "desk", 0.02, 0.05, 0, 0, {}),
    ("pens", "black pen cup", "pens", "desk", -0.15, -0.25, 0, 0, {"body": "black"}),
    ("mug_4", "green mug", "mug", "desk", 0.10, -0.38, -60, 0, {"body": "green"}),
    ("cactus", "cactus", "cactus", "study_table", 0.0, 0.0, 0, 0, {"pot": "orange"}),
    ("storage_box_2", "pink box", "storage_box", "study_shelf", 0.0, 0.18, 0, 2, {"body": "pink"}),
    ("teapot", "yellow teapot", "teapot", "counter_drawers", 0.15, 0.0, 30, 0, {"body": "yellow"}),
    ("pan", "black pan", "pan", "cooker", -0.12, 0.13, 150, 0, {"body": "black"}),
    ("storage_box_3", "white box", "storage_box", "bookcase", 0.0, -0.18, 0, 1, {"body": "white"}),
    ("vase_3", "orange vase", "vase", "bookcase", 0.0, 0.20, 0, 3, {"body": "orange"}),
    (
        "wine_bottle",
        "wine bottle",
        "wine_bottle",
        "dining_table",
        0.02,
        -0.20,
        0,
        0,
        {"body": "walnut", "label": "cream"},
    ),
)

ON_FLOOR: tuple[tuple[str, str, str, float, float, float, dict[str, str]], ...] = (
    # id, words, model, x, y, yaw, tints
    ("basket", "laundry basket", "basket", 3.05, 6.30, 0, {"body": "straw", "cloth": "white"}),
    ("toy_car", "yellow toy car", "toy_car", 3.95, 2.55, 30, {"body": "yellow"}),
    ("ball", "green ball", "ball", 0.45, 3.35, 0, {"body": "green"}),
    ("parcel_2", "white parcel", "parcel", 10.1, 4.62, 5, {"body": "white"}),
    ("shoes_2", "blue trainers", "shoes", 0.55, 5.42, 0, {"body": "blue"}),
    ("blocks", "toy blocks", "blocks", 9.35, 7.35, 0, {}),
)


def furnish(a: Assembly, variant_seed: int) -> None:
    """Puts the small things down; a seed other than 0 turns each by a random angle."""
    draw = rng("apartment_a", "small", variant_seed)
    for id_, words, model, on, x, y, yaw, surface, tints in ON_SURFACES:
        turn = float(draw.uniform(-25, 25)) if variant_seed else 0.0
        a.put(id_, words, a.model(model, _maker(model)), on, (x, y), yaw + turn, surface=surface, tints=tints)
    for id_, words, model, x, y, yaw, tints in ON_FLOOR:
        a.add(id_, words, a.model(model, _maker(model)), (x, y, 0.0), yaw, movable=True, tints=tints)
    _book_rows(a)


def _maker(name: str) -> Callable[[], Model]:
    return MODELS[name]


def _book_rows(a: Assembly) -> None:
    """Rows of books that belong to their shelf: never asked about, so they carry the shelf's plain word."""
    rows = (("bookcase", 1, 0.20, 0.40), ("bookcase", 2, -0.02, 0.78), ("bookcase", 3, -0.17, 0.42), ("bookcase", 4, 0.12, 0.50),
            ("study_shelf", 1, 0.0, 0.80), ("study_shelf", 2, -0.21, 0.40), ("study_shelf", 3, 0.05, 0.65), ("study_shelf", 4, 0.0, 0.78))  # fmt: skip
    for n, (shelf, level, y, length) in enumerate(rows):
        key = a.model(f"book_row_{n}", partial(small.book_row, length, str(n)))
        a.put(f"books_{n}", "books", key, shelf, (0.0, y), surface=level, movable=False)
