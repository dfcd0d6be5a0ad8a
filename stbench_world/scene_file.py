"""The scene folder that `render/` reads: `scene.json` and `meshes.npz`.

`scene.json` (format `stbench-scene/1`):
    layout, time_of_day  of the place.
    camera               width, height; fx, fy, cx, cy in pixels, the middle of pixel (u, v) at (u, v).
    meshes               one a mesh: key, materials (names of the renderer's library), smooth.
                         Its arrays in meshes.npz are v<N> (V, 3) metres, f<N> (F, 3), m<N> (F,) and, with
                         textures, uv<N> (F, 3, 2), N being its place in this list.
    things               one a thing: id, mesh, pose [x m, y m, z m, yaw rad] at the start, tints (slot → linear RGB).
    people               one a look: id, tints.
    lights               as `scene.Light`.
    frames               one a picture: name (`000000`), camera_to_map (16 numbers, row by row, from the camera's
                         optical frame, x right, y down, z forward), placed (id → mesh, pose), absent (ids).
                         A thing that a frame names in neither stands as in `things`; a person appears only if placed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stbench_world.scene import Mesh, Place, Pose

FORMAT = "stbench-scene/1"


@dataclass(frozen=True)
class PinholeCamera:
    """A camera without distortion; all in pixels."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float


@dataclass(frozen=True)
class Placed:
    """Where a thing or person stands in a frame, and in which shape."""

    mesh: str
    pose: Pose


@dataclass(frozen=True)
class SceneFrame:
    """One picture to render.

    Attributes:
        name: File stem of the picture, e.g. `000000`.
        camera_to_map: (4, 4) float64, from the optical frame (x right, y down, z forward) to `map`, metres.
        placed: Things that stand elsewhere than at the script's start, and every person present.
        absent: Things that are not there in this frame.
    """

    name: str
    camera_to_map: NDArray[np.float64]
    placed: Mapping[str, Placed] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()


def write_scene(folder: Path, place: Place, camera: PinholeCamera, frames: Sequence[SceneFrame]) -> None:
    """Writes a scene folder; each file goes to a temporary name first and is then renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    used = {thing.mesh for thing in place.things} | {p.mesh for frame in frames for p in frame.placed.values()}
    keys = sorted(used)
    unknown = [key for key in keys if key not in place.meshes]
    if unknown:
        raise ValueError(f"{folder}: the frames place meshes that the place lacks: {', '.join(unknown)}")
    scratch = folder / ".meshes.npz.part"
    with scratch.open("wb") as stream:
        np.savez_compressed(stream, **_arrays([place.meshes[key] for key in keys]))  # type: ignore[arg-type]
    os.replace(scratch, folder / "meshes.npz")
    text = json.dumps(_document(place, camera, frames, keys), separators=(",", ":"), sort_keys=True)
    scratch = folder / ".scene.json.part"
    scratch.write_text(text + "\n", encoding="utf-8")
    os.replace(scratch, folder / "scene.json")


def _arrays(meshes: Sequence[Mesh]) -> dict[str, NDArray[Any]]:
    out: dict[str, NDArray[Any]] = {}
    for n, mesh in enumerate(meshes):
        out[f"v{n}"], out[f"f{n}"], out[f"m{n}"] = mesh.vertices, mesh.faces, mesh.face_material
        if mesh.uv is not None:
            out[f"uv{n}"] = mesh.uv.astype(np.float16)
    return out


def _document(place: Place, camera: PinholeCamera, frames: Sequence[SceneFrame], keys: Sequence[str]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "layout": place.layout,
        "time_of_day": place.time_of_day,
        "camera": asdict(camera),
        "meshes": [
            {"key": key, "materials": list(place.meshes[key].materials), "smooth": place.meshes[key].smooth} for key in keys
        ],
        "things": [
            {"id": t.id, "mesh": t.mesh, "pose": _pose(t.pose), "tints": {s: list(c) for s, c in t.tints.items()}}
            for t in place.things
        ],
        "people": [{"id": p.id, "tints": {s: list(c) for s, c in p.tints.items()}} for p in place.people],
        "lights": [asdict(light) for light in place.lights],
        "frames": [_frame(frame) for frame in frames],
    }


def _frame(frame: SceneFrame) -> dict[str, Any]:
    return {
        "name": frame.name,
        "camera_to_map": [float(x) for x in np.asarray(frame.camera_to_map).reshape(16)],
        "placed": {id_: {"mesh": p.mesh, "pose": _pose(p.pose)} for id_, p in frame.placed.items()},
        "absent": sorted(frame.absent),
    }


def _pose(pose: Pose) -> list[float]:
    return [float(pose.x_m), float(pose.y_m), float(pose.z_m), float(pose.yaw_rad)]
