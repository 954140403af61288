"""A :class:`generation.scene.Scene` inside Mitsuba: loaded once, then moved frame by frame.

Moving vertices through ``mi.traverse`` needs no new kernels and gives the same pixels as loading afresh.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.rendering.camera import UP
from generation.rendering.materials import bsdf
from generation.rendering.variant import activate
from generation.scene import AreaLight, Camera, Material, Mesh, Scene, SceneObject

Image = NDArray[np.float32]


@dataclass(frozen=True)
class Window:
    """A rectangle of pixels: columns [x, x + width), rows [y, y + height)."""

    x: int
    y: int
    width: int
    height: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Index of the rectangle in an (H, W, ...) image."""
        return slice(self.y, self.y + self.height), slice(self.x, self.x + self.width)


@dataclass(frozen=True)
class Group:
    """Bodies drawn as one mesh, because they share a material and move or stay together.

    Attributes:
        name: of the mesh in the Mitsuba scene.
        objects: in scene order; their faces follow one another in this order.
        first_faces: index of each object's first face in the mesh.
    """

    name: str
    material: Material
    objects: tuple[SceneObject, ...]
    first_faces: tuple[int, ...]
    is_static: bool


class MitsubaScene:
    """A Mitsuba scene that shows one frame at a time.

    Args:
        scene: what to show; it starts at frame 0.
        see_through_glass: leave glass bodies out.
    """

    def __init__(self, scene: Scene, see_through_glass: bool = False) -> None:
        """Load the scene."""
        self._mi = activate()
        self.scene = scene
        bodies = [*scene.backdrop, *scene.objects]
        self.groups = _groups([b for b in bodies if not (see_through_glass and b.material.kind == "glass")])
        parts: dict[str, Any] = {"type": "scene"}
        if any(scene.environment):
            parts["environment"] = {"type": "constant", "radiance": _rgb(scene.environment)}
        for number, light in enumerate(scene.lights):
            parts[f"light_{number}"] = _light(light)
        self.shapes = [_mitsuba_mesh(g.name, merged(g.objects, 0), bsdf(g.material)) for g in self.groups]
        parts |= {g.name: shape for g, shape in zip(self.groups, self.shapes, strict=True)}
        self.handle = self._mi.load_dict(parts, parallel=False)
        self._parameters = self._mi.traverse(self.handle)
        self._frame = 0

    def show(self, frame: int) -> None:
        """Move every body to where it is at ``frame``."""
        if frame == self._frame:
            return
        for group in self.groups:
            if not group.is_static:
                _write_buffers(self._parameters, group.name, merged(group.objects, frame))
        self._parameters.update()
        self._frame = frame

    def sensor(self, window: Window | None = None) -> Any:
        """Return a Mitsuba sensor for the whole image, or for a window of it."""
        return self._mi.load_dict(_sensor(self.scene.camera, window))

    def render(self, sensor: Any, spp: int, max_depth: int) -> Image:
        """Path-trace what the sensor sees.

        The seed is fixed: pixels that no path tells apart are bit-identical in all frames.

        Returns:
            (h, w, 3) float32 linear radiance.
        """
        return self._run({"type": "path", "max_depth": max_depth}, sensor, spp)

    def guides(self, sensor: Any, spp: int) -> tuple[Image, Image]:
        """Return albedo and shading normal of what the sensor sees, each (h, w, 3) float32."""
        channels = self._run({"type": "aov", "aovs": "albedo:albedo,normal:sh_normal"}, sensor, spp)
        return channels[..., :3], channels[..., 3:6]

    def _run(self, integrator: dict[str, Any], sensor: Any, spp: int) -> Image:
        tensor = self._mi.render(
            self.handle, sensor=sensor, integrator=self._mi.load_dict(integrator), spp=spp, seed=0
        )
        return np.array(tensor, dtype=np.float32)


def merged(objects: Sequence[SceneObject], frame: int) -> Mesh:
    """Return one world-space mesh of several bodies that all have, or all lack, normals and uvs."""
    meshes = [o.mesh_at(frame) for o in objects]
    offsets = np.cumsum([0, *(len(m.vertices) for m in meshes[:-1])])
    return Mesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate([m.faces + offset for m, offset in zip(meshes, offsets, strict=True)]),
        _joined([m.normals for m in meshes]),
        _joined([m.uvs for m in meshes]),
    )


def geometry_fingerprints(scene: Scene) -> list[bytes]:
    """Return one digest per frame, equal exactly where all moving vertices and normals are equal."""
    moving = [o for o in (*scene.backdrop, *scene.objects) if not o.is_static]
    digests = []
    for frame in range(scene.num_frames):
        digest = hashlib.sha256()
        for body in moving:
            mesh = body.mesh_at(frame)
            digest.update(np.ascontiguousarray(mesh.vertices).tobytes())
            digest.update(b"" if mesh.normals is None else np.ascontiguousarray(mesh.normals).tobytes())
        digests.append(digest.digest())
    return digests


def _joined(arrays: Iterable[NDArray[np.float64] | None]) -> NDArray[np.float64] | None:
    present = [a for a in arrays if a is not None]
    return np.concatenate(present) if present else None


def _groups(objects: Sequence[SceneObject]) -> tuple[Group, ...]:
    members: dict[tuple[Material, bool, bool, bool], list[SceneObject]] = {}
    faces: dict[tuple[Material, bool, bool, bool], list[int]] = {}
    for body in objects:
        mesh = body.mesh_at(0)
        key = (body.material, body.is_static, mesh.normals is None, mesh.uvs is None)
        members.setdefault(key, []).append(body)
        faces.setdefault(key, [0]).append(len(mesh.faces))
    return tuple(
        Group(f"group_{n}", key[0], tuple(bodies), tuple(int(i) for i in np.cumsum(faces[key])[:-1]), key[1])
        for n, (key, bodies) in enumerate(members.items())
    )


def _mitsuba_mesh(name: str, mesh: Mesh, surface: dict[str, Any]) -> Any:
    mi = activate()
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict(surface)
    shape = mi.Mesh(
        name,
        len(mesh.vertices),
        len(mesh.faces),
        has_vertex_normals=mesh.normals is not None,
        has_vertex_texcoords=mesh.uvs is not None,
        props=properties,
    )
    parameters = mi.traverse(shape)
    parameters["faces"] = _buffer(parameters["faces"], mesh.faces, np.uint32)
    if mesh.uvs is not None:
        parameters["vertex_texcoords"] = _buffer(parameters["vertex_texcoords"], mesh.uvs, np.float32)
    _write_buffers(parameters, "", mesh)
    parameters.update()
    return shape


def _write_buffers(parameters: Any, name: str, mesh: Mesh) -> None:
    prefix = f"{name}." if name else ""
    for key, values in (("vertex_positions", mesh.vertices), ("vertex_normals", mesh.normals)):
        if values is not None:
            parameters[prefix + key] = _buffer(parameters[prefix + key], values, np.float32)


def _buffer(like: Any, values: NDArray[Any], dtype: type[np.generic]) -> Any:
    return type(like)(np.ascontiguousarray(values, dtype=dtype).ravel())


def _light(light: AreaLight) -> dict[str, Any]:
    mi = activate()
    direction = np.subtract(light.target, light.origin)
    steep = abs(direction[2]) > 0.99 * np.linalg.norm(direction)
    frame = mi.ScalarTransform4f().look_at(
        origin=list(light.origin), target=list(light.target), up=[0.0, 1.0, 0.0] if steep else list(UP)
    )
    scale = mi.ScalarTransform4f().scale([light.size[0] / 2, light.size[1] / 2, 1.0])
    return {
        "type": "rectangle",
        "to_world": frame @ scale,
        "emitter": {"type": "area", "radiance": _rgb(light.radiance)},
    }


def _rgb(value: tuple[float, float, float]) -> dict[str, Any]:
    return {"type": "rgb", "value": list(value)}


def _sensor(camera: Camera, window: Window | None) -> dict[str, Any]:
    mi = activate()
    film: dict[str, Any] = {
        "type": "hdrfilm",
        "width": camera.width,
        "height": camera.height,
        "pixel_format": "rgb",
        "component_format": "float32",
        # Only the box filter gives the same bits for any number of threads.
        "rfilter": {"type": "box"},
    }
    if window:
        film |= {"crop_offset_x": window.x, "crop_offset_y": window.y}
        film |= {"crop_width": window.width, "crop_height": window.height}
    return {
        "type": "perspective",
        "fov": camera.fov_x_deg,
        "fov_axis": "x",
        "near_clip": 0.01,
        "far_clip": 100.0,
        "to_world": mi.ScalarTransform4f().look_at(
            origin=list(camera.origin), target=list(camera.target), up=list(UP)
        ),
        "film": film,
        "sampler": {"type": "multijitter"},
    }
