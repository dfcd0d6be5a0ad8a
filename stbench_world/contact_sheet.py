"""A script's pictures on sheets, small and numbered, to be looked at frame by frame."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Frame, ReleaseTree, Timeline, read_json
from stbench_scoring.records.io import write_bytes

COLUMNS, ROWS = 8, 5
TILE_W, TILE_H, LABEL_H = 240, 180, 22
_QUALITY = 88


def contact_sheets(root: Path, sid: str, folder: Path) -> list[Path]:
    """Writes `<sid>-0.jpg` and so on, 40 frames a sheet, each labelled with its step, task and phase.

    Args:
        root: The release's folder.
        sid: The script.
        folder: Where the sheets go.

    Raises:
        StbenchError: A picture is missing or cannot be decoded; named.
    """
    tree = ReleaseTree(root)
    frames = read_json(tree.timeline_json(sid), Timeline).frames
    tiles = [_tile(tree.rgb(sid, frame.step), frame) for frame in frames]
    written = []
    a_sheet = COLUMNS * ROWS
    for number in range(math.ceil(len(tiles) / a_sheet)):
        path = folder / f"{sid}-{number}.jpg"
        sheet = _sheet(tiles[number * a_sheet : (number + 1) * a_sheet])
        write_bytes(path, cv2.imencode(".jpg", sheet, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes())
        written.append(path)
    return written


def _tile(path: Path, frame: Frame) -> NDArray[np.uint8]:
    data = path.read_bytes() if path.is_file() else b""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if picture is None:
        raise StbenchError(f"{path}: {'cannot be decoded' if data else 'missing'}; render the script first")
    tile = np.full((TILE_H + LABEL_H, TILE_W, 3), 255, np.uint8)
    tile[:TILE_H] = cv2.resize(picture, (TILE_W, TILE_H), interpolation=cv2.INTER_AREA)
    mark = " *" if frame.decision else ""
    label = f"{frame.step}  task {frame.task}  {frame.phase}{mark}"
    cv2.putText(tile, label, (4, TILE_H + 16), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (30, 30, 30), 1, cv2.LINE_AA)
    return tile


def _sheet(tiles: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    blank = np.full_like(tiles[0], 255)
    rows = []
    for first in range(0, len(tiles), COLUMNS):
        row = tiles[first : first + COLUMNS]
        rows.append(np.hstack(row + [blank] * (COLUMNS - len(row))))
    return np.asarray(np.vstack(rows), dtype=np.uint8)
