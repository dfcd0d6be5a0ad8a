"""Furniture of the bedroom, the bathroom and the study of `apartment_a`."""

from __future__ import annotations

from stbench_world.catalogue import bathroom, bedroom, lamps, seating, small, storage, tables, textiles
from stbench_world.places.assembly import Assembly


def furnish(a: Assembly) -> None:
    """Adds the three rooms' furniture."""
    _bedroom(a)
    _bathroom(a)
    _study(a)


def _bedroom(a: Assembly) -> None:
    m = a.model
    a.add(
        "bed",
        "bed",
        m("bed", bedroom.bed),
        (1.16, 7.35, 0),
        0,
        tints={"duvet": "navy", "pillow": "white", "head": "beige"},
    )
    bedside = m("bedside_table", storage.bedside_table)
    a.add("bedside_left", "bedside table", bedside, (0.23, 8.45, 0), 0)
    a.add("bedside_right", "bedside table", bedside, (0.23, 6.25, 0), 0)
    a.add(
        "wardrobe",
        "white wardrobe",
        m("wardrobe", lambda: storage.wardrobe(1.5)),
        (3.98, 7.98, 0),
        180,
        tints={"body": "white"},
    )
    chest = m("chest", storage.chest_of_drawers)
    a.add("chest", "grey chest of drawers", chest, (2.25, 5.985, 0), 90, tints={"body": "grey"})
    a.add(
        "rug_bedroom",
        "beige rug",
        m("rug_bedroom", lambda: textiles.rug(1.6, 0.75)),
        (2.78, 7.55, 0),
        tints={"body": "beige", "border": "cream"},
    )
    a.add(
        "picture_bedroom",
        "picture",
        m("picture_wide", lambda: small.picture(1.1, 0.5, 1.65)),
        (0.0, 7.35, 0),
        0,
        support="wall",
        tints={"field": "sand", "shape": "rust", "low": "teal"},
    )
    for n, x in enumerate((1.12, 3.28)):
        curtain = m("curtain_bedroom", lambda: textiles.curtain(0.34, 0.6, 2.30))
        a.add(
            f"curtain_bedroom_{n}",
            "curtain",
            curtain,
            (x, 8.81, 0),
            -90,
            structure=True,
            support="wall",
            tints={"body": "sage"},
        )
    rail = m("rail_bedroom", lambda: textiles.curtain_rail(2.6, 2.32))
    a.add("rail_bedroom", "curtain rail", rail, (2.2, 8.81, 0), 90, structure=True, support="wall")


def _bathroom(a: Assembly) -> None:
    m = a.model
    a.add("bathtub", "bathtub", m("bathtub", bathroom.bathtub), (6.225, 8.075, 0), 0)
    a.add("toilet", "toilet", m("toilet", bathroom.toilet), (4.78, 8.3, 0), 0)
    a.add(
        "washstand",
        "washbasin",
        m("washstand", bathroom.washstand),
        (4.655, 7.2, 0),
        0,
        support="wall",
        tints={"front": "teal"},
    )
    a.add("mirror", "mirror", m("mirror", bathroom.wall_mirror), (4.42, 7.2, 0), 0, support="wall")
    a.add(
        "towel_rail",
        "towel rail",
        m("towel_rail", bathroom.towel_rail),
        (6.6, 6.6, 0),
        180,
        support="wall",
        tints={"towel": "orange"},
    )
    a.add("bath_mat", "blue bath mat", m("bath_mat", bathroom.bath_mat), (5.6, 8.0, 0), 0, tints={"body": "blue"})


def _study(a: Assembly) -> None:
    m = a.model
    a.add("desk", "desk", m("desk", tables.desk), (8.6, 8.55, 0), -90)
    a.add(
        "desk_chair",
        "blue desk chair",
        m("desk_chair", seating.desk_chair),
        (8.55, 7.85, 0),
        90,
        tints={"body": "blue"},
    )
    a.add(
        "study_shelf",
        "walnut bookcase",
        m("bookcase_walnut", lambda: storage.bookcase(wood="walnut")),
        (6.9, 7.3, 0),
        0,
    )
    a.add(
        "reading_chair",
        "orange armchair",
        m("armchair", seating.armchair),
        (9.70, 6.55, 0),
        140,
        tints={"body": "rust"},
    )
    a.add(
        "study_rug",
        "green rug",
        m("rug_study", lambda: textiles.rug(1.5, 1.0)),
        (8.4, 6.85, 0),
        90,
        tints={"body": "sage", "border": "green"},
    )
    a.add(
        "study_table", "black side table", m("side_table", tables.side_table), (10.12, 7.42, 0), tints={"body": "black"}
    )
    a.add(
        "waste_bin",
        "grey bin",
        m("waste_bin", lambda: small.basket(0.14, 0.30)),
        (9.55, 8.65, 0),
        tints={"body": "grey", "cloth": "white"},
    )
    lamp = m("desk_lamp", lamps.desk_lamp)
    a.put("desk_lamp", "red desk lamp", lamp, "desk", (-0.12, -0.52), 20, tints={"body": "red"})
