"""The shell of `apartment_a`: rooms, walls with door openings and windows, floors, ceilings, skirting and lights."""

from __future__ import annotations

from dataclasses import dataclass

from stbench_world.catalogue import architecture
from stbench_world.places.assembly import Assembly
from stbench_world.scene import Light, Room

CEILING_M = 2.50
DOOR_M = 2.07
OUTER_M = 0.24
INNER_M = 0.12
SKIRTING_M = (0.012, 0.08)

BOUNDS = {
    "living_room": ("living room", 0.0, 0.0, 5.9, 4.2),
    "kitchen": ("kitchen", 6.02, 0.0, 10.4, 4.2),
    "hallway": ("hallway", 0.0, 4.32, 10.4, 5.62),
    "bedroom": ("bedroom", 0.0, 5.74, 4.3, 8.9),
    "bathroom": ("bathroom", 4.42, 5.74, 6.6, 8.9),
    "study": ("study", 6.72, 5.74, 10.4, 8.9),
}
"""Room id → (name, min x, min y, max x, max y), metres."""


@dataclass(frozen=True)
class Opening:
    """A gap in a wall from `start` to `end` along it: a door where `sill_m` is 0."""

    start: float
    end: float
    sill_m: float = 0.0
    head_m: float = DOOR_M


@dataclass(frozen=True)
class Wall:
    """A straight wall along an axis: its middle line at `at`, from `start` to `end`."""

    id: str
    axis: str
    at: float
    start: float
    end: float
    thickness: float
    openings: tuple[Opening, ...] = ()


WALLS = (
    Wall(
        "wall_south",
        "x",
        -OUTER_M / 2,
        -OUTER_M,
        10.4 + OUTER_M,
        OUTER_M,
        (Opening(0.9, 2.5, 0.45, 2.2), Opening(3.3, 4.9, 0.45, 2.2), Opening(8.0, 9.4, 1.22, 2.2)),
    ),
    Wall(
        "wall_north",
        "x",
        8.9 + OUTER_M / 2,
        -OUTER_M,
        10.4 + OUTER_M,
        OUTER_M,
        (Opening(1.3, 3.1, 0.9, 2.2), Opening(5.2, 5.9, 1.4, 2.1), Opening(7.8, 9.4, 0.9, 2.2)),
    ),
    Wall("wall_west", "y", -OUTER_M / 2, 0.0, 8.9, OUTER_M, (Opening(1.3, 2.9, 0.9, 2.2),)),
    Wall(
        "wall_east",
        "y",
        10.4 + OUTER_M / 2,
        0.0,
        8.9,
        OUTER_M,
        (Opening(1.7, 3.3, 0.9, 2.2), Opening(4.6, 5.35, 1.0, 2.2)),
    ),
    Wall("wall_hall_south", "x", 4.26, 0.0, 10.4, INNER_M, (Opening(2.6, 3.62), Opening(7.85, 8.87))),
    Wall(
        "wall_hall_north",
        "x",
        5.68,
        0.0,
        10.4,
        INNER_M,
        (Opening(2.95, 3.95), Opening(4.95, 5.93), Opening(7.85, 8.87)),
    ),
    Wall("wall_living_kitchen", "y", 5.96, 0.0, 4.2, INNER_M, (Opening(1.3, 2.95),)),
    Wall("wall_bedroom_bathroom", "y", 4.36, 5.74, 8.9, INNER_M),
    Wall("wall_bathroom_study", "y", 6.66, 5.74, 8.9, INNER_M),
)


def rooms() -> tuple[Room, ...]:
    """Every room with its rectangular outline."""
    return tuple(
        Room(id_, name, ((x0, y0), (x1, y0), (x1, y1), (x0, y1))) for id_, (name, x0, y0, x1, y1) in BOUNDS.items()
    )


def build_shell(a: Assembly) -> None:
    """Adds floors, ceiling, walls, windows, door frames and skirting."""
    for wall in WALLS:
        _wall(a, wall)
    _floors(a)
    for id_, (_, x0, y0, x1, y1) in BOUNDS.items():
        _block(a, f"ceiling_{id_}", "ceiling", (x0, y0, x1, y1), CEILING_M, CEILING_M + 0.1, "plaster#f6f5f1")
    door = a.model("entrance_door", architecture.closed_door)
    a.add("entrance_door", "front door", door, (0.0, 4.97, 0.0), structure=True, support="wall", tints={"body": "navy"})


def _block(
    a: Assembly, id_: str, kind: str, rect: tuple[float, float, float, float], z0: float, z1: float, material: str
) -> None:
    x0, y0, x1, y1 = rect
    size = (round(x1 - x0, 4), round(y1 - y0, 4))
    key = a.model(
        f"block_{size[0]}_{size[1]}_{z0}_{z1}_{material}",
        lambda: architecture.block(size[0], size[1], z0, z1, material),
    )
    a.add(id_, kind, key, ((x0 + x1) / 2, (y0 + y1) / 2, 0.0), structure=True)


def _rect(wall: Wall, start: float, end: float, low: float, high: float) -> tuple[float, float, float, float]:
    """The rectangle of a stretch of wall, from `low` to `high` across it."""
    return (start, low, end, high) if wall.axis == "x" else (low, start, high, end)


def _wall(a: Assembly, wall: Wall) -> None:
    half = wall.thickness / 2
    edges = [wall.start, *(v for o in wall.openings for v in (o.start, o.end)), wall.end]
    for n in range(0, len(edges), 2):
        rect = _rect(wall, edges[n], edges[n + 1], wall.at - half, wall.at + half)
        _block(a, f"{wall.id}_{n // 2}", "wall", rect, 0.0, CEILING_M, _paint(wall))
    for n, opening in enumerate(wall.openings):
        rect = _rect(wall, opening.start, opening.end, wall.at - half, wall.at + half)
        _block(a, f"{wall.id}_lintel_{n}", "wall", rect, opening.head_m, CEILING_M, _paint(wall))
        if opening.sill_m:
            _block(a, f"{wall.id}_sill_{n}", "wall", rect, 0.0, opening.sill_m, _paint(wall))
        _fill(a, wall, opening, n)
    _skirting(a, wall)


def _paint(wall: Wall) -> str:
    return {"wall_living_kitchen": "plaster#b9c4bb", "wall_west": "plaster#cfc6b6"}.get(wall.id, "plaster#ddd6c9")


def _fill(a: Assembly, wall: Wall, opening: Opening, n: int) -> None:
    """The window or the door frame of an opening."""
    width = round(opening.end - opening.start, 4)
    middle = (opening.start + opening.end) / 2
    at = (middle, wall.at, 0.0) if wall.axis == "x" else (wall.at, middle, 0.0)
    inward = {"wall_south": 90.0, "wall_north": -90.0, "wall_west": 0.0, "wall_east": 180.0}
    if opening.sill_m:
        key = a.model(
            f"window_{width}_{opening.sill_m}_{opening.head_m}",
            lambda: architecture.window_frame(width, opening.sill_m, opening.head_m, wall.thickness),
        )
        a.add(f"{wall.id}_window_{n}", "window", key, at, inward[wall.id], structure=True, support="wall")
        return
    key = a.model(
        f"door_frame_{width}_{wall.thickness}", lambda: architecture.door_frame(width, DOOR_M, wall.thickness)
    )
    a.add(
        f"{wall.id}_frame_{n}", "door frame", key, at, 90.0 if wall.axis == "x" else 0.0, structure=True, support="wall"
    )


def _skirting(a: Assembly, wall: Wall) -> None:
    """Skirting along the rooms' sides of a wall, but for its door openings and the tiled bathroom."""
    deep, high = SKIRTING_M
    for room, (_, x0, y0, x1, y1) in BOUNDS.items():
        low, up, across = (x0, x1, (y0, y1)) if wall.axis == "x" else (y0, y1, (x0, x1))
        for face, line in ((1, across[0]), (-1, across[1])):
            if abs(line - (wall.at + face * wall.thickness / 2)) > 1e-6:
                continue
            doors = [o for o in wall.openings if not o.sill_m]
            cuts = [low, *(v for o in doors for v in (o.start - 0.07, o.end + 0.07) if low < v < up), up]
            if room == "hallway" and wall.id == "wall_west":
                cuts = [low, 4.97 - 0.55, 4.97 + 0.55, up]
            for n in range(0, len(cuts), 2):
                side = sorted((line, line + face * deep))
                rect = _rect(wall, cuts[n], cuts[n + 1], side[0], side[1])
                _block(a, f"skirting_{wall.id}_{room}_{n // 2}", "skirting", rect, 0.0, high, "lacquer#f3f2ee")


def _floors(a: Assembly) -> None:
    """One floor a room, and a threshold under every door opening."""
    tiled = {"bathroom": "tiles#9aa3a6", "kitchen": "tiles#a49c8f"}
    for id_, (_, x0, y0, x1, y1) in BOUNDS.items():
        _block(a, f"floor_{id_}", "floor", (x0, y0, x1, y1), -0.1, 0.0, tiled.get(id_, "parquet"))
    for wall in WALLS:
        for n, opening in enumerate(wall.openings):
            if not opening.sill_m:
                rect = _rect(
                    wall, opening.start, opening.end, wall.at - wall.thickness / 2, wall.at + wall.thickness / 2
                )
                _block(
                    a, f"threshold_{wall.id}_{n}", "floor", rect, -0.1, 0.0, "oak:x" if wall.axis == "x" else "oak:y"
                )


def lights() -> tuple[Light, ...]:
    """Daylight through each window as a panel just outside it, the sun, and the ceiling lamps."""
    out = [Light("sun", 0, 0, 6, 18.0, (1.0, 0.93, 0.82), (0.02, 0.02), 1.15, -0.75)]
    inward = {"wall_south": 1.5708, "wall_north": -1.5708, "wall_west": 0.0, "wall_east": 3.14159}
    for wall in WALLS:
        for opening in wall.openings:
            if not opening.sill_m:
                continue
            middle, mid_z = (opening.start + opening.end) / 2, (opening.sill_m + opening.head_m) / 2
            size = (opening.end - opening.start, opening.head_m - opening.sill_m)
            x, y = (middle, wall.at) if wall.axis == "x" else (wall.at, middle)
            power = 42.0 * size[0] * size[1]
            out.append(Light("area", x, y, mid_z, power, (0.88, 0.94, 1.0), size, inward[wall.id]))
    for _, x0, y0, x1, y1 in BOUNDS.values():
        power = 4.5 * (x1 - x0) * (y1 - y0) ** 0.5
        out.append(
            Light("area", (x0 + x1) / 2, (y0 + y1) / 2, 2.38, power, (1.0, 0.90, 0.76), (0.8, 0.8), 0.0, -1.5708)
        )
    return tuple(out)
