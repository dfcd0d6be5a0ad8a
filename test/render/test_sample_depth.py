"""The sample's depth, cast by rays, against Blender's own depth of the same frames.

Runs where Blender is installed: `make setup-render`, or the Python that STBENCH_RENDER_PYTHON names.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from stbench_harness.data import sample_dir
from stbench_scoring.records import Camera, Release, ReleaseTree, Timeline, read_json
from stbench_world.build import Script, plan_script, timeline_of, write_scene

ROOT = Path(__file__).resolve().parents[2]
TREE = ReleaseTree(sample_dir())
# A look along the hall, one with a person near, one at a table, one of the second task.
FRAMES = (8, 24, 29, 71)


@pytest.fixture(scope="module")
def script() -> Script:
    sid = read_json(TREE.release_json, Release).scripts[0]
    seed = read_json(TREE.timeline_json(sid), Timeline).seed
    return plan_script("helper/1", seed, tasks=2, frames_per_task=40)


def test_the_sample_is_what_is_planned_today(script: Script) -> None:
    assert timeline_of(script) == read_json(TREE.timeline_json(script.sid), Timeline)


def test_depth_is_blenders_away_from_outlines(script: Script, tmp_path: Path) -> None:
    python = Path(os.environ.get("STBENCH_RENDER_PYTHON", ROOT / ".venv-render/bin/python"))
    if not python.is_file():
        pytest.skip("Blender is not installed: run `make setup-render`")
    write_scene(tmp_path / "scene", script)
    unit_m = read_json(TREE.camera_json(script.sid), Camera).depth_unit_m
    for step in FRAMES:
        command = [str(python), str(ROOT / "render" / "render_script.py"), str(tmp_path / "scene"), str(tmp_path / "out")]
        options = ["--samples", "1", "--depth", "--frames", f"{step}:{step + 1}"]
        done = subprocess.run([*command, *options], capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr
        blender = np.load(tmp_path / "out" / f"{step:06d}.depth.npy")
        cast = cv2.imread(str(TREE.depth(script.sid, step)), cv2.IMREAD_UNCHANGED) * unit_m
        kernel = np.ones((3, 3), np.uint8)
        flat = (cv2.dilate(cast, kernel) - cv2.erode(cast, kernel) < 0.05) & (cast > 0)
        # The picture rounds to its unit; the rest is what two ray casters may differ by.
        within = np.abs(blender - cast) <= np.maximum(1e-3, 1e-4 * cast) + unit_m / 2
        assert flat.mean() > 0.3, step
        assert within[flat].mean() >= 0.999, step
