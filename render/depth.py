# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own depth at the pixels' centres, to hold the sensor's ray casting against."""

import os
import tempfile
from pathlib import Path

import bpy
import numpy as np


def write(scene, path):
    """Renders z-depth (float32 metres, (height, width), top row first, 0 where nothing is) and writes it as .npy.

    Every material is replaced by one that glows with its distance along the camera's axis; one sample a pixel.
    """
    layer, cycles, render = scene.view_layers[0], scene.cycles, scene.render
    kept = (cycles.samples, cycles.use_denoising, cycles.pixel_filter_type, cycles.filter_width, cycles.max_bounces)
    clamp = (cycles.sample_clamp_direct, cycles.sample_clamp_indirect)
    image, sky = render.image_settings, scene.world.node_tree.nodes["Background"].inputs["Strength"]
    strength, sky.default_value = sky.default_value, 0.0
    layer.material_override = _material()
    cycles.samples, cycles.use_denoising, cycles.max_bounces = 1, False, 0
    cycles.pixel_filter_type, cycles.filter_width = "BOX", 0.01
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = 0.0
    image.file_format, image.color_depth = "OPEN_EXR", "32"
    with tempfile.TemporaryDirectory() as folder:
        render.filepath = str(Path(folder) / "depth.exr")
        bpy.ops.render.render(write_still=True)
        depth = _read(render.filepath)
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as stream:
        np.save(stream, depth)
    os.replace(part, path)
    layer.material_override = None
    sky.default_value = strength
    cycles.samples, cycles.use_denoising, cycles.pixel_filter_type, cycles.filter_width, cycles.max_bounces = kept
    cycles.sample_clamp_direct, cycles.sample_clamp_indirect = clamp
    image.file_format, image.color_depth = "JPEG", "8"


def _material():
    material = bpy.data.materials.get("depth") or bpy.data.materials.new("depth")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    camera = tree.nodes.new("ShaderNodeCameraData")
    glow = tree.nodes.new("ShaderNodeEmission")
    out = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(camera.outputs["View Z Depth"], glow.inputs["Strength"])
    tree.links.new(glow.outputs["Emission"], out.inputs["Surface"])
    return material


def _read(path):
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = "Non-Color"
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)[::-1, :, 0].copy()
