"""Lets Blender's Python render a script's scene folder, in a process of its own, and checks the pictures it made.

The renderer is a program of another licence: it is started, never imported.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Camera, ReleaseTree, Rendered, RenderLog, Timeline, read_json, write_json

# The renderer is no part of the installed packages (its licence is another): it lies in the checkout.
_IN_CHECKOUT = Path("render") / "render_script.py"
BPY_VARIABLE = "STBENCH_BPY_PYTHON"


def renderer() -> Path:
    """The renderer's script: beside these packages, or below the working directory where they are installed.

    Raises:
        StbenchError: It is in neither place.
    """
    source = Path(__file__).resolve().parent.parent
    for root in (source, Path.cwd()):
        if (root / _IN_CHECKOUT).is_file():
            return root / _IN_CHECKOUT
    raise StbenchError(
        f"{_IN_CHECKOUT} is neither in {source} nor in the working directory: render from a checkout of the project"
    )


def bpy_python(given: str | None) -> str:
    """The Python that has Blender's module: the one given, the environment's, or this one.

    Raises:
        StbenchError: It does not have it, or the renderer is not there.
    """
    python = given or os.environ.get(BPY_VARIABLE) or sys.executable
    renderer()
    try:
        found = subprocess.run([python, "-c", "import bpy"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise StbenchError(f"{python} cannot be started: {error.strerror or error}") from None
    if found.returncode:
        raise StbenchError(
            f"{python} has no module bpy: run `make setup-render` and give --bpy-python .venv-render/bin/python "
            f"(or set {BPY_VARIABLE})"
        )
    return python


def render(
    root: Path, sid: str, scene: Path, python: str, *, preview: bool = False, told: Callable[[str], None] | None = None
) -> int:
    """Renders a script's missing pictures into its folder.

    Args:
        root: The release's folder.
        sid: The script.
        scene: Its scene folder.
        python: A Python with Blender's module.
        preview: Renders at half the width and height, beside the scene, not into the release.
        told: Called with each line the renderer prints.

    Returns:
        How many pictures the script has now.

    Raises:
        StbenchError: The renderer failed, or a picture is missing or cannot be read.
    """
    tree = ReleaseTree(root)
    pictures = scene / "preview" if preview else tree.rgb(sid, 0).parent
    command = [python, str(renderer()), str(scene), str(pictures), *(["--preview"] if preview else [])]
    lines: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines = [*lines[-19:], line.rstrip()]
            if told is not None:
                told(line.rstrip())
    if process.returncode:
        raise StbenchError(f"the renderer ended with {process.returncode} on {scene}:\n" + "\n".join(lines))
    if not preview:
        keep_log(tree, sid, pictures / "render_log.jsonl")
    return check_pictures(root, sid, pictures, half=preview)


def keep_log(tree: ReleaseTree, sid: str, lines: Path) -> None:
    """Moves what the renderer noted of its pictures into the release, with what is there of earlier ones."""
    if not lines.is_file():
        return
    path = tree.render_log_json(sid)
    kept = {p.step: p for p in read_json(path, RenderLog).pictures} if path.is_file() else {}
    for line in lines.read_text().splitlines():
        told = json.loads(line)
        step = int(told.pop("frame"))
        kept[step] = Rendered(step=step, **told)
    write_json(path, RenderLog(format_version=1, pictures=tuple(kept[step] for step in sorted(kept))))
    lines.unlink()


def check_pictures(root: Path, sid: str, pictures: Path, *, half: bool = False) -> int:
    """Checks that every keyframe has a picture of the camera's size that decodes, and counts them.

    Raises:
        StbenchError: One is missing, cannot be read, or is of another size.
    """
    tree = ReleaseTree(root)
    camera, timeline = read_json(tree.camera_json(sid), Camera), read_json(tree.timeline_json(sid), Timeline)
    size = (camera.height // 2, camera.width // 2) if half else (camera.height, camera.width)
    for frame in timeline.frames:
        path = pictures / f"{frame.step:06d}.jpg"
        if not path.is_file():
            raise StbenchError(f"{path}: the picture is missing: build the script again, it goes on where it stopped")
        picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
        if picture is None or picture.shape[:2] != size:
            shown = "cannot be decoded" if picture is None else f"is {picture.shape[1]} x {picture.shape[0]}"
            raise StbenchError(f"{path} {shown}; {size[1]} x {size[0]} is right: delete it and build the script again")
    return len(timeline.frames)
