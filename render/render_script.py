# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders the pictures of a scene folder with Cycles.

    python render/render_script.py SCENE_DIR OUT_DIR [--frames A:B] [--samples N] [--preview] [--depth]

Writes OUT_DIR/NAME.jpg (and NAME.depth.npy with --depth: float32 z-depth in metres, 0 where nothing was hit)
and appends a line a frame to OUT_DIR/render_log.jsonl. A picture that is already there is left alone, so a
run that was cut off goes on where it stopped. Each picture is written under a temporary name, then renamed.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import depth
import stage as stage_module

FORMAT = "stbench-scene/1"
JPEG_QUALITY = 88
SEED = 0
EXPOSURE = -0.5


def main(argv=None):
    """Renders what the command line asks for; returns how many pictures were made."""
    options = _options(argv)
    document, arrays = load(options.scene)
    options.out.mkdir(parents=True, exist_ok=True)
    frames = [f for f in _selected(document["frames"], options.frames) if _missing(f, options)]
    if not frames:
        print("render: every picture is there already")
        return 0
    if options.preview:
        document["camera"] = {k: v // 2 if k in ("width", "height") else v / 2 for k, v in document["camera"].items()}
    stage = stage_module.Stage(document, arrays, options.models)
    settle(stage.scene, options.samples, options.threads)
    for n, frame in enumerate(frames):
        seconds = render_frame(stage, frame, options)
        print(f"render: {frame['name']} in {seconds:.1f} s ({n + 1} of {len(frames)})", flush=True)
    return len(frames)


def _options(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scene", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--frames", default=":", metavar="A:B", help="frames from A up to B, by position")
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--threads", type=int, default=0, help="0: every core")
    parser.add_argument("--preview", action="store_true", help="half size")
    parser.add_argument("--depth", action="store_true", help="write z-depth as .npy too")
    parser.add_argument("--models", type=Path, default=Path(__file__).resolve().parent.parent / "stbench_world/models")
    return parser.parse_args(argv)


def load(folder):
    """Reads a scene folder; ends with a message where it is not one."""
    path = folder / "scene.json"
    if not path.is_file():
        sys.exit(f"render: {path} is missing: build the script's scene first")
    document = json.loads(path.read_text(encoding="utf-8"))
    if document.get("format") != FORMAT:
        sys.exit(f"render: {path}: format is {document.get('format')!r}; this renderer reads {FORMAT!r}")
    with np.load(folder / "meshes.npz") as data:
        return document, {key: data[key] for key in data.files}


def _selected(frames, span):
    start, _, end = span.partition(":")
    return frames[int(start or 0) : int(end) if end else None]


def _missing(frame, options):
    picture = options.out / f"{frame['name']}.jpg"
    depth = options.out / f"{frame['name']}.depth.npy"
    return not picture.is_file() or (options.depth and not depth.is_file())


def settle(scene, samples, threads):
    """Cycles on the CPU with few samples, denoised; clamped, so that no lamp leaves sparks."""
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples, cycles.seed = samples, SEED
    cycles.use_adaptive_sampling = False
    cycles.use_denoising = True
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter = "FAST"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 5, 4, 2
    cycles.transmission_bounces = cycles.volume_bounces = 0
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect, cycles.sample_clamp_direct = 4.0, 12.0
    cycles.use_light_tree = True
    cycles.pixel_filter_type = "BLACKMAN_HARRIS"
    cycles.filter_width = 1.2
    render = scene.render
    render.use_persistent_data = True
    render.threads_mode, render.threads = ("FIXED", threads) if threads else ("AUTO", 1)
    render.image_settings.file_format, render.image_settings.quality = "JPEG", JPEG_QUALITY
    render.image_settings.color_mode = "RGB"
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = "AgX - Medium High Contrast"
    scene.view_settings.exposure = EXPOSURE


def without_comments(jpeg):
    """A JPEG's bytes without its comments: Blender writes render times there, so equal pictures would differ."""
    out, at = bytearray(jpeg[:2]), 2
    while jpeg[at + 1] != 0xDA:  # up to the start of the scan
        length = int.from_bytes(jpeg[at + 2 : at + 4], "big")
        if jpeg[at + 1] != 0xFE:
            out += jpeg[at : at + 2 + length]
        at += 2 + length
    return bytes(out) + jpeg[at:]


def render_frame(stage, frame, options):
    """Renders one frame; returns its seconds."""
    start = time.perf_counter()
    stage.set_frame(frame)
    final, part = options.out / f"{frame['name']}.jpg", options.out / f".{frame['name']}.part.jpg"
    stage.scene.render.filepath = str(part)
    bpy.ops.render.render(write_still=True)
    if options.depth:
        depth.write(stage.scene, options.out / f"{frame['name']}.depth.npy")
    part.write_bytes(without_comments(part.read_bytes()))
    os.replace(part, final)
    seconds = time.perf_counter() - start
    line = {
        "frame": frame["name"],
        "engine": "CYCLES",
        "blender": bpy.app.version_string,
        "samples": options.samples,
        "seed": SEED,
        "seconds": round(seconds, 3),
    }
    with (options.out / "render_log.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")
    return seconds


if __name__ == "__main__":
    main()
