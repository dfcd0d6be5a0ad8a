"""Contact sheets show every picture of a script once, in order."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from stbench_harness.data import sample_dir
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Release, ReleaseTree, read_json
from stbench_world.contact_sheet import COLUMNS, LABEL_H, ROWS, TILE_H, TILE_W, contact_sheets

TREE = ReleaseTree(sample_dir())
SID = read_json(TREE.release_json, Release).scripts[0]


def test_each_picture_has_its_place(tmp_path: Path) -> None:
    sheets = contact_sheets(TREE.root, SID, tmp_path)
    assert [sheet.name for sheet in sheets] == [f"{SID}-0.jpg", f"{SID}-1.jpg"]  # 80 frames, 40 a sheet
    for step in (0, 39, 47):
        sheet = cv2.imread(str(sheets[step // (COLUMNS * ROWS)]))
        assert sheet.shape == (ROWS * (TILE_H + LABEL_H), COLUMNS * TILE_W, 3)
        row, column = divmod(step % (COLUMNS * ROWS), COLUMNS)
        shown = sheet[row * (TILE_H + LABEL_H) :, column * TILE_W :][:TILE_H, :TILE_W]
        wanted = cv2.resize(cv2.imread(str(TREE.rgb(SID, step))), (TILE_W, TILE_H), interpolation=cv2.INTER_AREA)
        assert np.abs(shown.astype(int) - wanted).mean() < 3  # a JPEG's loss


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    root = tmp_path / "release"
    shutil.copytree(TREE.root, root)
    ReleaseTree(root).rgb(SID, 3).unlink()
    with pytest.raises(StbenchError, match=r"000003\.jpg: missing; render the script first"):
        contact_sheets(root, SID, tmp_path / "sheets")
