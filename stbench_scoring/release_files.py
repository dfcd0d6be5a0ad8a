"""What can be wrong with a release's files as files: links, pointers, empty files, text, picture sizes, depth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stbench_scoring.records import Camera

_LFS = b"version https://git-lfs.github.com/spec/"
_SURROGATE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})")
_LONE_LOW = re.compile(r"(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}")
# JPEG markers that start a frame and so hold the picture's size: all SOFn but DHT, JPG and DAC.
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: the file, relative to the release; the field; the value; what to do."""

    file: str
    field: str
    value: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.file}: {self.field}: {self.value}; {self.remedy}"


def walk(root: Path) -> Iterator[Path]:
    """Every file and link under a folder, in order, without following links."""
    for path in sorted(root.iterdir()):
        if path.is_dir() and not path.is_symlink():
            yield from walk(path)
        else:
            yield path


def content_problem(root: Path, path: Path) -> Problem | None:
    """Checks one file: that its content is there, lies in the release and, where it is text, is clean text."""
    name = path.relative_to(root).as_posix()
    if path.is_symlink():
        target = path.resolve()
        if not target.is_relative_to(root.resolve()):
            return Problem(name, "link", f"leads out of the release, to {path.readlink()}", "put the file itself here")
        if not target.exists():
            return Problem(name, "link", f"leads nowhere, to {path.readlink()}", "fetch the content that it stands for")
    try:
        data = path.read_bytes()
    except OSError as error:
        return Problem(
            name, "file", f"cannot be read: {error.strerror or error}", "mend its permissions or fetch it again"
        )
    if not data:
        return Problem(name, "size", "0 bytes", "fetch or write the file again")
    if data.startswith(_LFS):
        return Problem(name, "content", "a Git LFS pointer", "fetch the content (git lfs pull)")
    return _text_problem(name, data) if path.suffix in (".json", ".jsonl") else None


def _text_problem(name: str, data: bytes) -> Problem | None:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return Problem(name, "text", f"not UTF-8 at byte {error.start}", "write it again as UTF-8")
    if "\0" in text or "\\u0000" in text:
        return Problem(name, "text", "holds a NUL", "remove it")
    if _SURROGATE.search(text) or _LONE_LOW.search(text):
        return Problem(name, "text", "holds a lone surrogate", "replace it by a whole character")
    return None


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from a JPEG's header, or None where it is no whole JPEG."""
    if data[:2] != b"\xff\xd8" or data[-2:] != b"\xff\xd9":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in _FRAME_MARKERS:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + length
    return None


def picture_problem(root: Path, path: Path, camera: Camera) -> Problem | None:
    """Checks that a keyframe's picture is there, is a JPEG and has the camera's size."""
    name, wanted = path.relative_to(root).as_posix(), f"{camera.width}x{camera.height}"
    if not path.is_file():
        near = [p.name for p in path.parent.glob("*") if p.name.lower() == path.name.lower()]
        return Problem(
            name, "file", f"missing{f' ({near[0]} is there)' if near else ''}", f"render or fetch {path.name}"
        )
    size = jpeg_size(path.read_bytes())
    if size is None:
        return Problem(name, "content", "not a whole JPEG", "render or fetch it again")
    if size != (camera.width, camera.height):
        return Problem(name, "size", f"{size[0]}x{size[1]} pixels", f"camera.json says {wanted}: render at that size")
    return None


def depth_problem(root: Path, path: Path, camera: Camera) -> Problem | None:
    """Checks that a depth picture is there, has 16 bits and the camera's size, and lies in its range."""
    name = path.relative_to(root).as_posix()
    if not path.is_file():
        return Problem(name, "file", "missing", "sense the script again or fetch it")
    import cv2

    data = path.read_bytes()
    if not data:
        return None  # named by the content check already
    image = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_UNCHANGED)
    if image is None or image.dtype != np.uint16 or image.ndim != 2:
        return Problem(name, "content", "not a PNG of one 16-bit channel", "sense the script again or fetch it")
    if image.shape != (camera.height, camera.width):
        shown = f"{image.shape[1]}x{image.shape[0]} pixels"
        return Problem(name, "size", shown, f"camera.json says {camera.width}x{camera.height}")
    depths = image[image > 0].astype(np.float64) * camera.depth_unit_m
    low, high = camera.near_m - camera.depth_unit_m, camera.far_m + camera.depth_unit_m
    if depths.size and not (low <= depths.min() and depths.max() <= high):
        shown = f"{depths.min():.3f} to {depths.max():.3f} m"
        return Problem(name, "depth", shown, f"must lie in {camera.near_m} to {camera.far_m} m, or be 0 for none")
    return None
