# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds a scene folder's things, people, lights and camera in Blender, and moves them from frame to frame."""

import math
from pathlib import Path

import bpy
import materials
import numpy as np
from mathutils import Matrix

SMOOTH_LIMIT_RAD = math.radians(38)


class Stage:
    """The Blender scene of a script; every thing is built once and only moved after that."""

    def __init__(self, document, arrays, models):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.scene = bpy.context.scene
        self.models = Path(models)
        self.meshes = self._meshes(document, arrays)
        self.slots = {m["key"]: m["materials"] for m in document["meshes"]}
        self.base = {t["id"]: (t["mesh"], t["pose"]) for t in document["things"]}
        self.objects = {}
        for thing in document["things"]:
            self._add(thing["id"], thing["mesh"], thing["tints"])
        self.tints = {p["id"]: p["tints"] for p in document["people"]}
        self._lights(document["lights"])
        self._sky()
        self.camera = self._camera(document["camera"])

    def set_frame(self, frame):
        """Puts camera, things and people where the frame has them."""
        optical = Matrix(np.array(frame["camera_to_map"]).reshape(4, 4).tolist())
        self.camera.matrix_world = optical @ Matrix.Diagonal((1, -1, -1, 1))
        placed, absent = frame["placed"], set(frame["absent"])
        for id_, object_ in self.objects.items():
            object_.hide_render = id_ in absent or (id_ not in self.base and id_ not in placed)
        for id_, (mesh, pose) in self.base.items():
            self._pose(self.objects[id_], mesh, placed[id_]["pose"] if id_ in placed else pose)
        for id_, where in placed.items():
            if id_ in self.base:
                continue
            if id_ not in self.objects:
                self._add(id_, where["mesh"], self.tints.get(id_, {}))
            object_ = self.objects[id_]
            object_.data = self.meshes[where["mesh"]]
            self._pose(object_, where["mesh"], where["pose"])

    def _pose(self, object_, _mesh, pose):
        object_.location = pose[:3]
        object_.rotation_euler = (0, 0, pose[3])

    def _meshes(self, document, arrays):
        out = {}
        for n, entry in enumerate(document["meshes"]):
            mesh = bpy.data.meshes.new(entry["key"])
            vertices, faces = arrays[f"v{n}"], arrays[f"f{n}"]
            mesh.from_pydata(vertices.tolist(), [], faces.tolist())
            for _ in entry["materials"]:
                mesh.materials.append(None)
            mesh.polygons.foreach_set("material_index", arrays[f"m{n}"].astype(np.int32))
            if f"uv{n}" in arrays:
                layer = mesh.uv_layers.new(name="uv")
                layer.data.foreach_set("uv", arrays[f"uv{n}"].astype(np.float32).reshape(-1))
            mesh.polygons.foreach_set("use_smooth", np.full(len(faces), bool(entry["smooth"])))
            if entry["smooth"]:
                mesh.set_sharp_from_angle(angle=SMOOTH_LIMIT_RAD)
            mesh.update()
            out[entry["key"]] = mesh
        return out

    def _add(self, id_, mesh, tints):
        object_ = bpy.data.objects.new(id_, self.meshes[mesh])
        self.scene.collection.objects.link(object_)
        for n, name in enumerate(self.slots[mesh]):
            object_.material_slots[n].link = "OBJECT"
            object_.material_slots[n].material = materials.make(name, tints, self.models)
        self.objects[id_] = object_

    def _lights(self, lights):
        for n, light in enumerate(lights):
            kind = {"area": "AREA", "sun": "SUN", "point": "POINT"}[light["kind"]]
            data = bpy.data.lights.new(f"light_{n}", kind)
            data.energy, data.color = light["power_w"], light["colour"]
            if kind == "AREA":
                data.shape = "RECTANGLE"
                data.size, data.size_y = light["size_m"]
            elif kind == "SUN":
                data.angle = light["size_m"][0]
            object_ = bpy.data.objects.new(f"light_{n}", data)
            object_.location = (light["x_m"], light["y_m"], light["z_m"])
            # A light shines along its own -z: tip it to the horizontal, then to its pitch and yaw.
            yaw, pitch = light["yaw_rad"], light["pitch_rad"]
            object_.rotation_euler = (math.pi / 2 + pitch, 0, yaw - math.pi / 2)
            object_.visible_camera = False
            object_.visible_glossy = kind != "AREA"
            self.scene.collection.objects.link(object_)

    def _sky(self):
        world = bpy.data.worlds.new("sky")
        world.use_nodes = True
        self.scene.world = world
        tree = world.node_tree
        background = tree.nodes["Background"]
        background.inputs["Strength"].default_value = 2.2
        folder = Path(bpy.utils.resource_path("LOCAL")) / "datafiles/studiolights/world"
        texture = tree.nodes.new("ShaderNodeTexEnvironment")
        texture.image = bpy.data.images.load(str(folder / "forest.exr"))
        tree.links.new(texture.outputs["Color"], background.inputs["Color"])

    def _camera(self, camera):
        data = bpy.data.cameras.new("camera")
        width, height = camera["width"], camera["height"]
        data.sensor_fit = "HORIZONTAL"
        data.sensor_width = 36.0
        data.lens = 36.0 * camera["fx"] / width
        data.shift_x = ((width - 1) / 2 - camera["cx"]) / width
        data.shift_y = (camera["cy"] - (height - 1) / 2) / width
        data.clip_start, data.clip_end = 0.02, 1000.0
        object_ = bpy.data.objects.new("camera", data)
        self.scene.collection.objects.link(object_)
        self.scene.camera = object_
        render = self.scene.render
        render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100
        render.pixel_aspect_x, render.pixel_aspect_y = 1.0, camera["fx"] / camera["fy"]
        return object_
