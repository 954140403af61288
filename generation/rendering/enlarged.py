"""The same scene in smaller units of length.

Mitsuba lets a ray that leaves a surface start about 1e-4 (1 + |p|) units off it. In metres that is as much as
the depth of a puddle, so that light would pass one of its surfaces and miss the other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from generation.scene import (
    AreaLight,
    Camera,
    DeformingObject,
    Float,
    Material,
    Mesh,
    RigidObject,
    Scene,
    SceneObject,
)

Point = tuple[float, float, float]


def enlarged(scene: Scene, factor: float) -> Scene:
    """Return a scene whose lengths are ``factor`` times as many units; it looks the same."""
    return dataclasses.replace(
        scene,
        camera=_camera(scene.camera, factor),
        lights=tuple(_light(light, factor) for light in scene.lights),
        objects=tuple(_body(body, factor) for body in scene.objects),
        backdrop=tuple(_body(body, factor) for body in scene.backdrop),
    )


def _point(point: Point, factor: float) -> Point:
    x, y, z = (float(c) * factor for c in point)
    return x, y, z


def _camera(camera: Camera, factor: float) -> Camera:
    origin, target = _point(camera.origin, factor), _point(camera.target, factor)
    return dataclasses.replace(camera, origin=origin, target=target)


def _light(light: AreaLight, factor: float) -> AreaLight:
    size = light.size[0] * factor, light.size[1] * factor
    origin, target = _point(light.origin, factor), _point(light.target, factor)
    return AreaLight(origin, target, size, light.radiance)


def _body(body: SceneObject, factor: float) -> SceneObject:
    material, poses = _material(body.material, factor), _poses(body, factor)
    if isinstance(body, RigidObject):
        return RigidObject(body.object_id, body.role, material, _mesh(body.rest, factor), poses)
    return DeformingObject(body.object_id, body.role, material, _shape(body, factor), poses)


def _material(material: Material, factor: float) -> Material:
    red, green, blue = (a / factor for a in material.absorption)
    return dataclasses.replace(material, absorption=(red, green, blue))


def _poses(body: SceneObject, factor: float) -> Float:
    poses = np.array(body.poses) if isinstance(body, RigidObject | DeformingObject) else np.eye(4)[None]
    poses[:, :3, 3] *= factor
    return poses


def _mesh(mesh: Mesh, factor: float) -> Mesh:
    return Mesh(mesh.vertices * factor, mesh.faces, mesh.normals, mesh.uvs)


def _shape(body: SceneObject, factor: float) -> Callable[[int], Mesh]:
    return lambda frame: _mesh(body.mesh_at(frame), factor)
