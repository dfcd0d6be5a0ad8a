"""The apartment: closed meshes, things at rest on their supports, names, doors and free room."""

import math
from collections import Counter
from functools import cache

import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray

from stbench_world.places.apartment_a import build
from stbench_world.places.apartment_shell import WALLS
from stbench_world.scene import Place, Thing


@cache
def place() -> Place:
    return build(0)


def placed(thing: Thing) -> trimesh.Trimesh:
    mesh = place().meshes[thing.mesh]
    c, s = math.cos(thing.pose.yaw_rad), math.sin(thing.pose.yaw_rad)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    vertices = mesh.vertices.astype(np.float64) @ turn.T + (thing.pose.x_m, thing.pose.y_m, thing.pose.z_m)
    return trimesh.Trimesh(vertices, mesh.faces, process=False)


def used(structure: bool) -> list[str]:
    return sorted({t.mesh for t in place().things if t.structure == structure})


@pytest.mark.parametrize("structure", [True, False])
def test_every_mesh_is_closed_and_faces_outward(structure: bool) -> None:
    for key in used(structure):
        mesh = trimesh.Trimesh(place().meshes[key].vertices, place().meshes[key].faces, process=False)
        assert mesh.is_watertight, key
        assert mesh.is_winding_consistent, key
        assert mesh.volume > 0, key


def test_things_stand_on_the_floor_or_on_their_support() -> None:
    by_id = {t.id: t for t in place().things}
    for thing in place().things:
        if thing.structure or thing.support == "wall":
            continue
        bottom = float(placed(thing).vertices[:, 2].min())
        if thing.support:
            under = by_id[thing.support]
            tops = [under.pose.z_m + surface[0] for surface in under.surface_m]
            assert min(abs(bottom - top) for top in tops) <= 0.002, thing.id
        else:
            assert abs(bottom) <= 0.001, thing.id


def test_a_supported_thing_has_its_support_under_it() -> None:
    by_id = {t.id: t for t in place().things}
    for thing in place().things:
        if thing.support in ("", "wall") or thing.structure:
            continue
        mesh = placed(thing)
        low = mesh.vertices[:, 2].min()
        foot = mesh.vertices[mesh.vertices[:, 2] < low + 0.01].mean(0)
        down = placed(by_id[thing.support])
        hits = down.ray.intersects_location([[foot[0], foot[1], low + 0.0004]], [[0, 0, -1.0]], multiple_hits=False)[0]
        gap = low - hits[0][2] if len(hits) else math.inf
        assert gap <= 0.012, f"{thing.id} hangs {gap * 1000:.1f} mm over {thing.support}"


def test_names_are_unique_but_for_sets_of_one_kind() -> None:
    words = Counter(t.words for t in place().things if not t.structure)
    twice = {w for w, n in words.items() if n > 1}
    assert twice <= {"picture", "wall cupboard", "oak chair", "bedside table", "books"}
    assert sum(n == 1 for n in words.values()) >= 40


def test_small_things_have_look_alikes_of_other_colours() -> None:
    colours: dict[str, set[str]] = {}
    for thing in place().things:
        if thing.movable:
            colours.setdefault(thing.kind, set()).add(thing.colour)
    assert len(colours["mug"]) >= 4
    assert sum(len(c) >= 2 for c in colours.values()) >= 5


def test_door_openings_are_at_least_90_cm() -> None:
    doors = [o for wall in WALLS for o in wall.openings if not o.sill_m]
    assert len(doors) == 6
    assert min(o.end - o.start - 0.04 for o in doors) >= 0.90


def test_movable_things_do_not_go_into_each_other() -> None:
    movable = [(t, placed(t)) for t in place().things if t.movable]
    for n, (one, a) in enumerate(movable):
        for other, b in movable[n + 1 :]:
            overlap = np.minimum(a.bounds[1], b.bounds[1]) - np.maximum(a.bounds[0], b.bounds[0])
            if (overlap > 0).all():
                pytest.fail(f"{one.id} and {other.id} share room: {overlap}")


def test_a_robot_fits_from_every_room_to_every_other() -> None:
    from scipy import ndimage

    free = floor_free_for(radius_m=0.25)
    labels, _ = ndimage.label(free)
    room_labels = []
    for room in place().rooms:
        (x0, y0), (x1, y1) = room.outline[0], room.outline[2]
        inside = labels[int(y0 / 0.05) : int(y1 / 0.05), int(x0 / 0.05) : int(x1 / 0.05)]
        values, counts = np.unique(inside[inside > 0], return_counts=True)
        room_labels.append(int(values[counts.argmax()]))
    assert len(set(room_labels)) == 1


def floor_free_for(radius_m: float) -> NDArray[np.bool_]:
    """Cells of 0.05 m whose middle a disc of this radius can stand on, (rows along y, columns along x)."""
    from scipy import ndimage

    taken = np.zeros((178, 208), bool)
    for thing in place().things:
        if thing.id.startswith(("floor", "threshold", "ceiling", "rug", "study_rug", "bath_mat")):
            continue
        mesh = placed(thing)
        points, _ = trimesh.sample.sample_surface(mesh, max(300, int(mesh.area / 0.0008)), seed=1)
        low = points[(points[:, 2] > 0.02) & (points[:, 2] < 1.4)]
        column, row = (low[:, 0] / 0.05).astype(int), (low[:, 1] / 0.05).astype(int)
        ok = (column >= 0) & (column < 208) & (row >= 0) & (row < 178)
        taken[row[ok], column[ok]] = True
    return np.asarray(ndimage.distance_transform_edt(~taken) * 0.05 > radius_m)


def test_the_same_seed_gives_the_same_place_and_another_a_different_one() -> None:
    assert build(0).things == place().things
    other = build(3)
    assert [t.id for t in other.things] == [t.id for t in place().things]
    assert other.things != place().things
