"""Primitive parts: closed, facing outward, of the size asked for."""

import math
from collections.abc import Callable

import numpy as np
import pytest
import trimesh

from stbench_world.catalogue import shapes
from stbench_world.catalogue.model import Part

PARTS: dict[str, Callable[[], Part]] = {
    "box": lambda: shapes.box((0, 0, 0), (1, 2, 3), 0.1),
    "cushion": lambda: shapes.cushion((1, 0.5, 0.2), 0.08, 0.02),
    "pillow": lambda: shapes.pillow(0.4, 0.6, 0.15),
    "lathe": lambda: shapes.lathe([(0, 0), (0.5, 0), (0.5, 1), (0.4, 1), (0.4, 0.1), (0, 0.1)]),
    "cylinder": lambda: shapes.cylinder(0.5, 0, 1),
    "ball": lambda: shapes.ball(0.5),
    "tube": lambda: shapes.tube([(0, 0, 0), (0, 0, 1), (1, 0, 2)], 0.1),
    "leg": lambda: shapes.leg(0, 0, 0, 1, 0.1, 0.2),
    "prism": lambda: shapes.prism(shapes.rounded_rectangle(1, 2, 0.2), 0, 1),
    "sheet": lambda: shapes.sheet(
        np.stack(np.meshgrid([0, 1, 2], [0, 1], [0.5], indexing="ij"), -1)[:, :, 0].astype(float), 0.1
    ),
}


@pytest.mark.parametrize("name", PARTS)
def test_closed_and_outward(name: str) -> None:
    vertices, faces = PARTS[name]()
    mesh = trimesh.Trimesh(vertices, faces, process=False)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume > 0


def test_sharp_box_has_its_volume() -> None:
    vertices, faces = shapes.box((0, 0, 0), (1, 2, 3), 0)
    assert trimesh.Trimesh(vertices, faces).volume == pytest.approx(6.0)


def test_cut_back_bevel_keeps_the_extent_of_a_thin_board() -> None:
    vertices, _ = shapes.box((0, 0, 0), (1, 1, 0.004), 0.01)
    assert np.ptp(vertices, axis=0) == pytest.approx([1, 1, 0.004])


def test_turn_a_quarter_about_z_takes_x_to_y() -> None:
    vertices, _ = shapes.turn((np.array([[1.0, 0.0, 0.0]]), np.zeros((0, 3), np.int64)), "z", 90)
    assert vertices[0] == pytest.approx([0, 1, 0], abs=1e-12)


def test_ball_volume_comes_near_the_sphere() -> None:
    vertices, faces = shapes.ball(1.0, segments=64)
    assert trimesh.Trimesh(vertices, faces).volume == pytest.approx(4 / 3 * math.pi, rel=0.01)
