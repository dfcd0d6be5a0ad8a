"""The renderer makes pictures of a scene folder, and its depth agrees with rays cast through the same meshes.

Runs where Blender is installed: `make setup-render`, or the Python that STBENCH_RENDER_PYTHON names.
"""

import json
import math
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from stbench_world.places.apartment_a import build
from stbench_world.scene import Pose
from stbench_world.scene_file import PinholeCamera, Placed, SceneFrame, write_scene

ROOT = Path(__file__).resolve().parents[2]
CAMERA = PinholeCamera(160, 120, 138.5, 138.5, 79.5, 59.5)
VIEWS = ((5.2, 3.3, 205.0), (7.3, 3.7, -60.0))
PERSON = Placed("man_casual_walk_1", Pose(3.0, 2.2, 0.0, 2.0))


def blender_python() -> Path:
    python = Path(os.environ.get("STBENCH_RENDER_PYTHON", ROOT / ".venv-render/bin/python"))
    if not python.is_file():
        pytest.skip("Blender is not installed: run `make setup-render`")
    return python


def camera_to_map(x: float, y: float, yaw_deg: float) -> NDArray[np.float64]:
    yaw, pitch = math.radians(yaw_deg), math.radians(12)
    forward = np.array([math.cos(yaw) * math.cos(pitch), math.sin(yaw) * math.cos(pitch), -math.sin(pitch)])
    right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = right, np.cross(forward, right), forward, (x, y, 1.30)
    return pose


def run(scene: Path, out: Path, *options: str) -> str:
    command = [
        str(blender_python()),
        str(ROOT / "render/render_script.py"),
        str(scene),
        str(out),
        "--samples",
        "1",
        *options,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    blender_python()
    folder = tmp_path_factory.mktemp("scene")
    frames = [SceneFrame(f"{n:06d}", camera_to_map(*view), {"man_casual": PERSON}) for n, view in enumerate(VIEWS)]
    write_scene(folder / "scene", build(0), CAMERA, frames)
    run(folder / "scene", folder / "out", "--depth")
    return folder / "scene", folder / "out"


def test_a_picture_a_frame_and_a_log_line(rendered: tuple[Path, Path]) -> None:
    _, out = rendered
    for name in ("000000", "000001"):
        assert (out / f"{name}.jpg").read_bytes().startswith(b"\xff\xd8")
    log = [json.loads(line) for line in (out / "render_log.jsonl").read_text().splitlines()]
    assert [line["frame"] for line in log] == ["000000", "000001"]
    assert {line["engine"] for line in log} == {"CYCLES"}
    assert not list(out.glob(".*"))


def test_a_second_run_makes_only_what_is_missing(rendered: tuple[Path, Path]) -> None:
    scene, out = rendered
    kept = (out / "000000.jpg").stat().st_mtime_ns
    before = (out / "000001.jpg").read_bytes()
    (out / "000001.jpg").unlink()
    text = run(scene, out)
    assert "000001" in text and "000000 in" not in text
    assert (out / "000000.jpg").stat().st_mtime_ns == kept
    assert (out / "000001.jpg").read_bytes() == before


def test_depth_agrees_with_rays_away_from_outlines(rendered: tuple[Path, Path]) -> None:
    _, out = rendered
    for name, view in zip(("000000", "000001"), VIEWS, strict=True):
        blender = np.load(out / f"{name}.depth.npy")
        cast = cast_depth(camera_to_map(*view))
        edges = np.pad(cast, 1, mode="edge")
        around = np.stack([edges[i : i + CAMERA.height, j : j + CAMERA.width] for i in range(3) for j in range(3)])
        flat = around.max(0) - around.min(0) < 0.05
        within = np.abs(blender - cast) <= np.maximum(1e-3, 1e-4 * cast)
        assert flat.mean() > 0.3
        assert within[flat].mean() >= 0.999


def cast_depth(pose: NDArray[np.float64]) -> NDArray[np.float64]:
    """Z-depth (height, width) in metres through the same meshes, 0 where a ray meets nothing."""
    ray = pytest.importorskip("trimesh.ray.ray_pyembree")
    import trimesh

    place = build(0)
    stands = [(t.mesh, t.pose) for t in place.things] + [(PERSON.mesh, PERSON.pose)]
    parts = []
    for key, at in stands:
        c, s = math.cos(at.yaw_rad), math.sin(at.yaw_rad)
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        vertices = place.meshes[key].vertices.astype(np.float64) @ turn.T + (at.x_m, at.y_m, at.z_m)
        parts.append(trimesh.Trimesh(vertices, place.meshes[key].faces, process=False))
    u, v = np.meshgrid(np.arange(CAMERA.width), np.arange(CAMERA.height))
    rays = np.stack([(u - CAMERA.cx) / CAMERA.fx, (v - CAMERA.cy) / CAMERA.fy, np.ones_like(u)], -1).reshape(-1, 3)
    caster = ray.RayMeshIntersector(trimesh.util.concatenate(parts), scale_to_box=False)
    origins = np.repeat(pose[None, :3, 3], len(rays), 0)
    _, index, hits = caster.intersects_id(origins, rays @ pose[:3, :3].T, multiple_hits=False, return_locations=True)
    depth = np.zeros(len(rays))
    depth[index] = (hits - pose[:3, 3]) @ pose[:3, 2]
    return depth.reshape(CAMERA.height, CAMERA.width)


def test_a_folder_without_a_scene_is_refused_by_name(tmp_path: Path) -> None:
    command = [str(blender_python()), str(ROOT / "render/render_script.py"), str(tmp_path), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode != 0
    assert "scene.json is missing" in done.stderr
