# SPDX-License-Identifier: GPL-3.0-or-later
"""The material library: a name of the scene's meshes becomes a Cycles material.

A name is `kind`, optionally `:axis` (a wood's grain) and `@slot` (a colour of the thing) or `#rrggbb` (fixed sRGB),
or `image/FILE` (a texture of the models folder). Textures are procedural in each object's own coordinates.
"""

import bpy

WOODS = {"oak": (0.42, 0.25, 0.12), "walnut": (0.105, 0.052, 0.026), "pine": (0.55, 0.37, 0.19)}

# kind: roughness, metallic, specular, coat, noise scale (1/m) and bump of its surface
PLAIN = {
    "plaster": (0.9, 0, 0.2, 0, 120, 0.04),
    "lacquer": (0.38, 0, 0.4, 0.1, 0, 0),
    "fabric": (0.95, 0, 0.15, 0, 900, 0.25),
    "knit": (1.0, 0, 0.1, 0, 420, 0.6),
    "plush": (1.0, 0, 0.1, 0, 300, 0.8),
    "weave": (0.8, 0, 0.2, 0, 160, 0.5),
    "ceramic": (0.15, 0, 0.5, 0.4, 0, 0),
    "plastic": (0.4, 0, 0.45, 0, 0, 0),
    "gloss": (0.12, 0, 0.5, 0.5, 0, 0),
    "metal": (0.28, 1, 0.5, 0, 0, 0),
    "paper": (0.85, 0, 0.2, 0, 0, 0),
    "card": (0.9, 0, 0.15, 0, 220, 0.08),
    "wax": (0.5, 0, 0.3, 0, 0, 0),
    "peel": (0.45, 0, 0.4, 0, 380, 0.12),
    "leaf": (0.42, 0, 0.4, 0, 60, 0.1),
    "soil": (1.0, 0, 0.1, 0, 90, 1.0),
    "matte": (0.8, 0, 0.2, 0, 0, 0),
}
DEFAULT_COLOUR = {"metal": (0.62, 0.62, 0.64), "soil": (0.035, 0.022, 0.014)}


def make(name, tints, models):
    """The Cycles material of a library name with a thing's colours; made once for each pair."""
    base, colour = split(name, tints)
    key = f"{base}|{','.join(f'{c:.4f}' for c in colour) if colour else ''}"
    found = bpy.data.materials.get(key[:63])
    if found:
        return found
    material = bpy.data.materials.new(key[:63])
    material.use_nodes = True
    kit = Kit(material)
    kind, _, axis = base.partition(":")
    if base.startswith("image/"):
        _image(kit, models / base.removeprefix("image/"))
    elif kind in WOODS:
        _wood(kit, colour or WOODS[kind], axis or "y")
    elif kind == "parquet":
        _parquet(kit)
    elif kind == "tiles":
        _tiles(kit, colour or (0.6, 0.6, 0.58))
    elif kind == "worktop":
        _wood(kit, (0.30, 0.17, 0.085), "y")
    elif kind in ("glow", "shade", "screen"):
        _glow(kit, kind, colour or (1.0, 0.86, 0.66))
    elif kind == "mirror":
        kit.principled(base_color=(0.9, 0.9, 0.9), metallic=1, roughness=0.02)
    elif kind in PLAIN:
        _plain(kit, PLAIN[kind], colour or DEFAULT_COLOUR.get(kind, (0.5, 0.5, 0.5)))
    else:
        raise SystemExit(f"render: no material {name!r}; known: {', '.join(sorted([*PLAIN, *WOODS]))}")
    return material


def split(name, tints):
    """`kind@slot` or `kind#rrggbb` → (kind, linear RGB or None)."""
    if "@" in name:
        base, slot = name.split("@")
        return base, tuple(tints.get(slot, (0.5, 0.5, 0.5)))
    if "#" in name:
        base, code = name.split("#")
        return base, tuple(_linear(int(code[i : i + 2], 16) / 255) for i in (0, 2, 4))
    return name, None


def _linear(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


class Kit:
    """Short names for building a node tree."""

    def __init__(self, material):
        self.tree = material.node_tree
        self.shader = self.tree.nodes["Principled BSDF"]

    def node(self, kind, **settings):
        node = self.tree.nodes.new(kind)
        for key, value in settings.items():
            if hasattr(node, key):
                setattr(node, key, value)
            else:
                node.inputs[key.replace("_", " ")].default_value = value
        return node

    def link(self, out, into):
        self.tree.links.new(out, into)

    def principled(self, base_color=None, roughness=0.5, metallic=0.0, specular=0.5, coat=0.0):
        inputs = self.shader.inputs
        if base_color is not None:
            inputs["Base Color"].default_value = (*base_color, 1)
        inputs["Roughness"].default_value = roughness
        inputs["Metallic"].default_value = metallic
        inputs["Specular IOR Level"].default_value = specular
        inputs["Coat Weight"].default_value = coat

    def coordinates(self, scale=(1, 1, 1), rotate=(0, 0, 0)):
        where = self.node("ShaderNodeTexCoord")
        mapping = self.node("ShaderNodeMapping")
        mapping.inputs["Scale"].default_value = scale
        mapping.inputs["Rotation"].default_value = rotate
        self.link(where.outputs["Object"], mapping.inputs["Vector"])
        return mapping.outputs["Vector"]

    def bump(self, height, strength, distance=0.002):
        bump = self.node("ShaderNodeBump")
        bump.inputs["Strength"].default_value = strength
        bump.inputs["Distance"].default_value = distance
        self.link(height, bump.inputs["Height"])
        self.link(bump.outputs["Normal"], self.shader.inputs["Normal"])

    def ramp(self, value, stops):
        ramp = self.node("ShaderNodeValToRGB")
        elements = ramp.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(0.5)
        for element, (position, colour) in zip(elements, stops, strict=True):
            element.position, element.color = position, (*colour, 1)
        self.link(value, ramp.inputs["Fac"])
        return ramp.outputs["Color"]


def shade(colour, factor):
    return tuple(min(1.0, c * factor) for c in colour)


def _plain(kit, row, colour):
    roughness, metallic, specular, coat, scale, bump = row
    kit.principled(colour, roughness, metallic, specular, coat)
    if scale:
        noise = kit.node("ShaderNodeTexNoise")
        noise.inputs["Scale"].default_value = scale
        noise.inputs["Detail"].default_value = 2
        kit.link(kit.coordinates(), noise.inputs["Vector"])
        tones = kit.ramp(
            noise.outputs["Fac"],
            [(0.3, shade(colour, 1 - 0.35 * min(bump, 0.6))), (0.7, shade(colour, 1 + 0.12 * bump))],
        )
        kit.link(tones, kit.shader.inputs["Base Color"])
        kit.bump(noise.outputs["Fac"], bump)


def _wood(kit, colour, axis):
    kit.principled(colour, 0.42, 0, 0.35, 0.08)
    scale = {"x": (1.1, 14, 14), "y": (14, 1.1, 14), "z": (14, 14, 1.1)}[axis]
    noise = kit.node("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 2.2, 6
    noise.inputs["Distortion"].default_value = 0.6
    kit.link(kit.coordinates(scale), noise.inputs["Vector"])
    stops = [(0.30, shade(colour, 0.62)), (0.48, colour), (0.62, shade(colour, 1.22)), (0.75, shade(colour, 0.85))]
    kit.link(kit.ramp(noise.outputs["Fac"], stops), kit.shader.inputs["Base Color"])
    kit.bump(noise.outputs["Fac"], 0.08)


def _parquet(kit):
    """Oak boards 0.14 m wide along x, each with its own tone and grain."""
    kit.principled((0.4, 0.25, 0.13), 0.34, 0, 0.4, 0.05)
    vector = kit.coordinates()
    brick = kit.node("ShaderNodeTexBrick", offset=0.37, offset_frequency=2)
    for name, value in (
        ("Scale", 1.0),
        ("Mortar Size", 0.0012),
        ("Mortar Smooth", 0.1),
        ("Brick Width", 1.35),
        ("Row Height", 0.14),
        ("Bias", 0.0),
    ):
        brick.inputs[name].default_value = value
    brick.inputs["Color1"].default_value = (0.70, 0.70, 0.70, 1)
    brick.inputs["Color2"].default_value = (1.12, 1.10, 1.06, 1)
    brick.inputs["Mortar"].default_value = (0.35, 0.33, 0.30, 1)
    kit.link(vector, brick.inputs["Vector"])
    noise = kit.node("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 2.0, 6
    noise.inputs["Distortion"].default_value = 0.5
    grain = kit.coordinates((1.0, 15, 15))
    shifted = kit.node("ShaderNodeVectorMath", operation="MULTIPLY_ADD")
    kit.link(brick.outputs["Color"], shifted.inputs[0])
    shifted.inputs[1].default_value = (37, 37, 37)
    kit.link(grain, shifted.inputs[2])
    kit.link(shifted.outputs["Vector"], noise.inputs["Vector"])
    tone = kit.ramp(
        noise.outputs["Fac"], [(0.3, (0.30, 0.185, 0.10)), (0.5, (0.42, 0.275, 0.155)), (0.7, (0.50, 0.34, 0.20))]
    )
    mixed = kit.node("ShaderNodeVectorMath", operation="MULTIPLY")
    kit.link(tone, mixed.inputs[0])
    kit.link(brick.outputs["Color"], mixed.inputs[1])
    kit.link(mixed.outputs["Vector"], kit.shader.inputs["Base Color"])
    kit.bump(brick.outputs["Fac"], -0.25, 0.001)


def _tiles(kit, colour):
    """Square tiles of 0.45 m with grey joints."""
    kit.principled(colour, 0.3, 0, 0.45, 0.1)
    brick = kit.node("ShaderNodeTexBrick", offset=0.0)
    for name, value in (
        ("Scale", 1.0),
        ("Mortar Size", 0.003),
        ("Mortar Smooth", 0.1),
        ("Brick Width", 0.45),
        ("Row Height", 0.45),
    ):
        brick.inputs[name].default_value = value
    brick.inputs["Color1"].default_value = (*shade(colour, 0.94), 1)
    brick.inputs["Color2"].default_value = (*shade(colour, 1.04), 1)
    brick.inputs["Mortar"].default_value = (*shade(colour, 0.5), 1)
    kit.link(kit.coordinates(), brick.inputs["Vector"])
    kit.link(brick.outputs["Color"], kit.shader.inputs["Base Color"])
    kit.bump(brick.outputs["Fac"], -0.3, 0.001)


def _glow(kit, kind, colour):
    strength = {"glow": 3.0, "shade": 0.9, "screen": 0.8}[kind]
    kit.principled(colour, 0.7)
    kit.shader.inputs["Emission Color"].default_value = (*colour, 1)
    kit.shader.inputs["Emission Strength"].default_value = strength


def _image(kit, path):
    kit.principled((0.5, 0.5, 0.5), 0.8, 0, 0.2)
    texture = kit.node("ShaderNodeTexImage")
    texture.image = bpy.data.images.load(str(path), check_existing=True)
    kit.link(texture.outputs["Color"], kit.shader.inputs["Base Color"])
