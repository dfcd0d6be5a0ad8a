"""A sound release has no problem; each way to break one is named, and the rest is still checked."""

from __future__ import annotations

import shutil

import msgspec
import pytest

from stbench_scoring.records import Gold, ReleaseTree, read_json, read_jsonl, write_json, write_jsonl
from stbench_scoring.records.robot import Camera
from stbench_scoring.release_files import jpeg_size
from stbench_scoring.validate import validate_release


@pytest.fixture
def release(tiny_release, tmp_path):
    shutil.copytree(tiny_release, tmp_path / "release")
    return tmp_path / "release"


def problems_of(root):
    return {p.file: p for p in validate_release(root)}


def test_sound_release_with_unknown_files_and_fields(release):
    (release / "notes.txt").write_text("kept beside it")
    data = msgspec.json.decode((release / "release.json").read_bytes())
    (release / "release.json").write_bytes(msgspec.json.encode({**data, "later": 1}))
    assert validate_release(release) == []


def test_files_that_are_not_there(release, synthetic):
    tree, sid = ReleaseTree(release), synthetic.SID
    for step in (1, 2, 3):
        tree.rgb(sid, step).unlink()
    tree.rgb(sid, 1).symlink_to("gone.jpg")
    tree.rgb(sid, 2).symlink_to("/etc/passwd")
    tree.rgb(sid, 3).write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n")
    tree.depth(sid, 4).write_bytes(b"")
    tree.rgb(sid, 5).rename(tree.rgb(sid, 5).with_suffix(".JPG"))
    found = [str(p) for p in validate_release(release)]
    for step, words in ((1, "leads nowhere"), (2, "out of the release"), (3, "Git LFS pointer"), (5, "000005.JPG is there")):
        assert any(f"{step:06d}.jpg" in p and words in p for p in found), words
    assert any("000004.png" in p and "0 bytes" in p for p in found)


@pytest.mark.parametrize(
    ("change", "field"),
    [({"fx": 0.0}, "fx"), ({"fy": -1.0}, "fy"), ({"cx": 640.0}, "cx"), ({"width": 480, "height": 640}, "size")],
)
def test_cameras_that_cannot_be(release, synthetic, change, field):
    path = ReleaseTree(release).camera_json(synthetic.SID)
    camera = msgspec.structs.replace(read_json(path, Camera), **change)
    write_json(path, camera)
    assert any(p.field == field for p in validate_release(release))


def test_changed_gold_is_found_with_its_line_and_value(release):
    tree = ReleaseTree(release)
    cid = sorted(p.name for p in release.glob("private/*") if (p / "gold.jsonl").exists())[0]
    rows = list(read_jsonl(tree.gold_jsonl(cid), Gold))
    rows[1] = msgspec.structs.replace(rows[1], need_m=9.0)
    write_jsonl(tree.gold_jsonl(cid), rows)
    found = problems_of(release)
    assert found[f"private/{cid}/gold.jsonl:2"].field == "need_m"
    assert found["release.json"].field == "digest"


def test_text_that_is_not_clean(release, synthetic):
    path = ReleaseTree(release).pose_jsonl(synthetic.SID)
    path.write_bytes(path.read_bytes().replace(b"driving", b"dri\\ud800ng", 1))
    assert any("lone surrogate" in p.value for p in validate_release(release))


def test_wrong_picture_size_and_depth_beyond_range(release, synthetic):
    import cv2
    import numpy as np

    tree, sid = ReleaseTree(release), synthetic.SID
    assert cv2.imwrite(str(tree.rgb(sid, 2)), np.zeros((100, 200, 3), np.uint8))
    assert jpeg_size(tree.rgb(sid, 2).read_bytes()) == (200, 100)
    assert cv2.imwrite(str(tree.depth(sid, 3)), np.full((480, 640), 50_000, np.uint16))
    found = problems_of(release)
    assert found[f"scripts/{sid}/sensors/rgb/000002.jpg"].value == "200x100 pixels"
    assert found[f"private/{sid}/depth/000003.png"].field == "depth"
