"""Slabs of meshes whose shadows are known by hand."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
import trimesh

from stbench_scoring.records import Part
from stbench_world.outline import slabs
from stbench_world.scene import Mesh


def as_mesh(shape: trimesh.Trimesh) -> Mesh:
    faces = np.asarray(shape.faces, np.int32)
    return Mesh(np.asarray(shape.vertices, np.float32), faces, np.zeros(len(faces), np.int16), ("wood",))


def box(size: tuple[float, float, float], at: tuple[float, float, float]) -> trimesh.Trimesh:
    """A box with its middle above `at` (x, y) and its underside at height `at[2]`."""
    matrix = trimesh.transformations.translation_matrix((at[0], at[1], at[2] + size[2] / 2))
    return trimesh.creation.box(size, matrix)


def area(parts: list[Part]) -> float:
    return sum(shapely.Polygon(part.rings[0], part.rings[1:]).area for part in parts)


def at_height(parts: tuple[Part, ...], height_m: float) -> list[Part]:
    return [part for part in parts if part.bottom_m < height_m < part.top_m]


def test_a_wall_keeps_its_section_where_it_is_only_cut_through() -> None:
    parts = slabs(as_mesh(box((4.0, 0.2, 2.5), (0.0, 0.0, 0.0))))
    for height_m in (0.01, 0.05, 0.2, 0.5, 1.0, 1.3, 1.8, 2.4):
        (part,) = at_height(parts, height_m)
        assert area([part]) == pytest.approx(4.0 * 0.2, abs=1e-4)
    assert max(part.top_m for part in parts) == pytest.approx(2.5)


def test_a_table_is_legs_below_and_top_above() -> None:
    legs = [box((0.05, 0.05, 0.70), (x, y, 0.0)) for x in (-0.5, 0.5) for y in (-0.3, 0.3)]
    table = trimesh.util.concatenate([*legs, box((1.2, 0.8, 0.04), (0.0, 0.0, 0.70))])
    parts = slabs(as_mesh(table))
    assert len(at_height(parts, 0.05)) == 4  # a vacuum drives between them
    assert area(at_height(parts, 0.05)) == pytest.approx(4 * 0.05**2, rel=1e-3)
    assert area(at_height(parts, 0.72)) == pytest.approx(1.2 * 0.8, rel=1e-3)
    assert not at_height(parts, 0.80)


def test_a_sloping_face_is_cut_at_the_slabs_heights() -> None:
    # A wedge: 1 m deep, 1 m wide, its top rising from the floor to 0.72 m at x = 1.
    corners = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (1, 0, 0.72), (1, 1, 0.72)], np.float64)
    wedge = trimesh.Trimesh(corners).convex_hull
    parts = slabs(as_mesh(wedge))
    (upper,) = at_height(parts, 0.5)  # the slab from 0.36 m up begins half-way along
    assert area([upper]) == pytest.approx(0.5, abs=1e-3)
    assert min(x for x, _ in upper.rings[0]) == pytest.approx(0.5, abs=1e-3)


def test_a_ring_keeps_its_hole_and_rings_run_the_right_way() -> None:
    ring = trimesh.creation.annulus(r_min=0.5, r_max=1.0, height=0.05, sections=64)
    ring.apply_translation((0.0, 0.0, 0.15))
    (part,) = slabs(as_mesh(ring))
    assert len(part.rings) == 2
    assert shapely.LinearRing(part.rings[0]).is_ccw
    assert part.bottom_m == pytest.approx(0.125) and part.top_m == pytest.approx(0.175)


def test_what_hangs_begins_where_it_hangs() -> None:
    (part,) = slabs(as_mesh(box((0.4, 0.4, 0.3), (0.0, 0.0, 2.1))))
    assert part.bottom_m == pytest.approx(2.1) and part.top_m == pytest.approx(2.4)
