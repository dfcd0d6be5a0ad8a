"""How one thing or person shows in a frame: pixels, share, nearest visible point, and whether it is recognisable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from stbench_scoring.records import Detection, ThingView
from stbench_world.scene import Mesh, Pose
from stbench_world.sensor.eye import Eye
from stbench_world.sensor.rays import Floats, RayScene, placed_vertices
from stbench_world.things import extent, middle_m

CLEAR_PIXELS = 150
CLEAR_SHARE = 0.35
CLEAR_SIDE_PX = 8
"""Seen clearly: so many pixels, so much of what would show, and so wide and high; docs/jobs.md gives the reasons."""
OUTLINE_SIMPLIFY_M = 0.005


@dataclass(frozen=True)
class Subject:
    """What can be named: a thing or a person where it stands."""

    id: str
    words: str
    person: bool
    hazard: str
    mesh: Mesh
    pose: Pose


@dataclass(frozen=True)
class Shown:
    """A subject's visible pixels: their numbers row by row, and the points (n, 3) they show, in `map`."""

    subject: Subject
    pixels: NDArray[np.int64]
    points: Floats


def unoccluded_pixels(eye: Eye, subject: Subject) -> int:
    """How many pixels of the picture a subject would cover, within the sensor's range, were nothing in front of it."""
    low, high = extent(subject.mesh)
    box = np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    corners = Mesh(box.astype(np.float32), subject.mesh.faces, subject.mesh.face_material, ())
    window = eye.window(placed_vertices(corners, subject.pose).astype(np.float64))
    if window is None:
        return 0
    u0, v0, u1, v1 = window
    v, u = np.mgrid[v0:v1, u0:u1].astype(np.float64)
    distance = RayScene([(subject.mesh, subject.pose)]).cast(eye.origin, eye.directions(u.ravel(), v.ravel())).distance
    return int(((distance >= eye.camera.near_m) & (distance <= eye.camera.far_m)).sum())


def view_of(eye: Eye, shown: Shown) -> ThingView:
    """The record of how a subject is seen."""
    subject, count = shown.subject, len(shown.pixels)
    v, u = np.divmod(shown.pixels, eye.camera.width)
    away = np.hypot(shown.points[:, 0] - eye.origin[0], shown.points[:, 1] - eye.origin[1])
    nearest = int(np.argmin(away))
    share = min(1.0, count / max(count, unoccluded_pixels(eye, subject)))
    side = min(int(u.max() - u.min()), int(v.max() - v.min())) + 1
    middle = middle_m(subject.mesh, subject.pose)
    top = subject.pose.z_m + extent(subject.mesh)[1][2]
    return ThingView(
        id=subject.id,
        pixels=count,
        share=round(share, 4),
        clear=count >= CLEAR_PIXELS and share >= CLEAR_SHARE and side >= CLEAR_SIDE_PX,
        nearest=_rounded(shown.points[nearest]),
        nearest_px=(int(u[nearest]), int(v[nearest])),
        middle=(round(middle[0], 4), round(middle[1], 4)),
        top_above_camera=bool(top > eye.origin[2]),
    )


def detection_of(shown: Shown, view: ThingView) -> Detection:
    """What a perfect detector gives of the same sight."""
    subject = shown.subject
    low, high = extent(subject.mesh)
    x, y, z = middle_m(subject.mesh, subject.pose)
    return Detection(
        words=subject.words,
        person=subject.person,
        hazard=subject.hazard,
        clear=view.clear,
        centre=(round(x, 4), round(y, 4), round(z, 4)),
        nearest=view.nearest[:2],
        outline=_outline(shown.points[:, :2]),
        top_m=round(subject.pose.z_m + high[2], 4),
        bottom_m=round(subject.pose.z_m + low[2], 4),
        pixels=view.pixels,
    )


def _rounded(point: Floats) -> tuple[float, float, float]:
    return round(float(point[0]), 4), round(float(point[1]), 4), round(float(point[2]), 4)


def _outline(points: Floats) -> tuple[tuple[float, float], ...]:
    """The convex hull of visible points put down on the floor, counter-clockwise; at least a sliver of a polygon."""
    hull = shapely.convex_hull(shapely.multipoints(points))
    if hull.geom_type != "Polygon" or hull.area < 1e-6:
        hull = hull.buffer(OUTLINE_SIMPLIFY_M, quad_segs=1).convex_hull
    hull = shapely.geometry.polygon.orient(shapely.simplify(hull, OUTLINE_SIMPLIFY_M))
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y in hull.exterior.coords[:-1])
