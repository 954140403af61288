"""A :class:`generation.scene.Scene` inside Mitsuba: loaded once, then moved frame by frame.

Bodies of fixed shape that move, or look the same, are instances of their rest mesh: a matrix moves them, and
their triangles are sorted once. Bodies that change shape get new vertices. Neither needs new kernels. Other
still bodies are merged by material.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.rendering import absorbing
from generation.rendering.camera import UP
from generation.rendering.enlarged import enlarged
from generation.rendering.materials import dress
from generation.rendering.pixels import PixelSampler
from generation.rendering.variant import activate, is_scalar
from generation.scene import AreaLight, Material, Mesh, RigidObject, Scene, SceneObject

Image = NDArray[np.float32]
Int = NDArray[np.int64]
Dresser = Callable[[Material], dict[str, Any]]

_GLASS_DEPTH = 16
# Units a metre where there is glass; far less would show too much of surfaces that lie close together.
_GLASS_UNITS = 20.0
_GUIDES = {"type": "aov", "aovs": "albedo:albedo,normal:sh_normal"}


@dataclass(frozen=True)
class Held:
    """The bodies that one Mitsuba shape shows.

    Attributes:
        bodies: one, or several merged ones.
        first_faces: index of each body's first face in the shape.
    """

    bodies: tuple[SceneObject, ...]
    first_faces: tuple[int, ...] = (0,)


class MitsubaScene:
    """A Mitsuba scene that shows one frame at a time.

    Args:
        scene: what to show; it starts at frame 0.
        dresser: tells what a shape of a material carries, as a dictionary of Mitsuba dictionaries.

    Attributes:
        handle: the scene inside Mitsuba.
        bodies: what each of its shapes shows, by shape id.
        samples: camera paths traced for colour so far.
        has_glass: whether light can pass through some body.
    """

    def __init__(self, scene: Scene, dresser: Dresser = dress) -> None:
        """Load the scene."""
        self._mi = activate()
        self.has_glass = any(b.material.kind == "glass" for b in (*scene.backdrop, *scene.objects))
        self.scene = scene = enlarged(scene, _GLASS_UNITS) if self.has_glass else scene
        roles = _roles((*scene.backdrop, *scene.objects))
        self._rigid, self._soft = roles.rigid, roles.soft
        parts: dict[str, Any] = {"type": "scene"}
        if any(scene.environment):
            parts["environment"] = {"type": "constant", "radiance": _rgb(scene.environment)}
        parts |= {f"light_{k}": _light(light) for k, light in enumerate(scene.lights)}
        parts |= {
            name: _shape(mesh, dresser(held.bodies[0].material)) for name, (held, mesh) in roles.still.items()
        }
        parts |= _rigid_parts(roles.rigid, dresser)
        parts |= {name: _shape(body.mesh_at(0), dresser(body.material)) for name, body in roles.soft.items()}
        self.bodies = {name: held for name, (held, _) in roles.still.items()}
        self.bodies |= {name: Held((body,)) for name, body in {**roles.rigid, **roles.soft}.items()}
        self.handle = self._mi.load_dict(parts, parallel=False)
        self._sampler = PixelSampler(self.handle, scene.camera)
        self._parameters = self._mi.traverse(self.handle)
        self._frame = 0
        # Sorting triangles takes long: bodies that stay as they are keep theirs.
        self._shown: dict[str, Mesh] = {}
        self.samples = 0

    def show(self, frame: int) -> None:
        """Move every body to where it is at ``frame``."""
        if frame == self._frame:
            return
        for name, body in self._rigid.items():
            if not body.is_static:
                self._parameters[f"{name}.to_world"] = self._mi.Transform4f(body.pose_at(frame))
        for name, soft in self._soft.items():
            mesh = soft.mesh_at(frame)
            if not _same(mesh, self._shown.get(name)):
                _write_buffers(self._parameters, f"{name}.", mesh)
                self._shown[name] = mesh
        self._parameters.update()
        self._frame = frame

    def color(self, pixels: Int, spp: int, max_depth: int) -> Image:
        """Path-trace some pixels.

        The same list gets the same random numbers in every frame: where no path meets a difference, neither
        does the result.

        Args:
            pixels: (N, 2) column and row.
            spp: samples per pixel. max_depth: longest path, in segments; at least 16 where there is glass.

        Returns:
            (N, 3) float32 linear radiance.
        """
        self.samples += len(pixels) * spp
        return self._sampler.sample(self._integrator(max_depth), pixels, spp)

    def _integrator(self, max_depth: int) -> dict[str, Any]:
        if not self.has_glass:
            return {"type": "path", "max_depth": max_depth}
        depth = max(max_depth, _GLASS_DEPTH)
        if is_scalar():
            # Roulette would end the long paths that glass needs.
            return {"type": "volpath", "max_depth": depth, "rr_depth": depth}
        absorbing.register()
        return {"type": absorbing.PATH, "max_depth": depth}

    def guides(self, pixels: Int, spp: int) -> tuple[Image, Image]:
        """Return albedo and shading normal of some pixels, each (N, 3) float32; through glass if possible."""
        integrator: dict[str, Any] = _GUIDES
        if self.has_glass and not is_scalar():
            absorbing.register()
            # These rays choose no way at random, and they are long.
            integrator, spp = {"type": absorbing.GUIDES, "max_depth": _GLASS_DEPTH}, min(spp, 2)
        channels = self._sampler.sample(integrator, pixels, spp)
        return channels[:, :3], channels[:, 3:6]


@dataclass(frozen=True)
class _Roles:
    """How each body is held, by shape name.

    Attributes:
        rigid: instances of a rest mesh. soft: meshes with changing vertices. still: merged, with their mesh.
    """

    rigid: dict[str, RigidObject]
    soft: dict[str, SceneObject]
    still: dict[str, tuple[Held, Mesh]]


def _roles(bodies: Sequence[SceneObject]) -> _Roles:
    rigid: dict[str, RigidObject] = {}
    soft: dict[str, SceneObject] = {}
    still: list[SceneObject] = []
    looks = Counter(_look(b) for b in bodies if isinstance(b, RigidObject))
    for number, body in enumerate(bodies):
        name = f"body_{number}"
        if isinstance(body, RigidObject) and (not body.is_static or looks[_look(body)] > 1):
            rigid[name] = body
        elif body.is_static:
            still.append(body)
        else:
            soft[name] = body
    return _Roles(rigid, soft, _merged_by_material(still))


def _look(body: RigidObject) -> tuple[Material, bytes]:
    """Return what is equal for bodies of the same rest mesh and material."""
    digest = hashlib.sha256()
    for array in (body.rest.vertices, body.rest.faces, body.rest.normals, body.rest.uvs):
        digest.update(b"-" if array is None else np.ascontiguousarray(array).tobytes())
    return body.material, digest.digest()


def _merged_by_material(bodies: Sequence[SceneObject]) -> dict[str, tuple[Held, Mesh]]:
    groups: dict[tuple[Material, bool, bool], list[tuple[SceneObject, Mesh]]] = {}
    for body in bodies:
        mesh = body.mesh_at(0)
        groups.setdefault((body.material, mesh.normals is None, mesh.uvs is None), []).append((body, mesh))
    result = {}
    for number, members in enumerate(groups.values()):
        counts = [len(mesh.faces) for _, mesh in members]
        first_faces = tuple(int(n) for n in np.cumsum([0, *counts[:-1]]))
        held = Held(tuple(body for body, _ in members), first_faces)
        result[f"still_{number}"] = held, merged([mesh for _, mesh in members])
    return result


def _rigid_parts(bodies: dict[str, RigidObject], dresser: Dresser) -> dict[str, Any]:
    """Return instances at their frame 0 poses, preceded by one shape group for each look."""
    parts: dict[str, Any] = {}
    group_of: dict[tuple[Material, bytes], str] = {}
    for name, body in bodies.items():
        look = _look(body)
        if look not in group_of:
            group_of[look] = f"{name}_shape"
            parts[group_of[look]] = {"type": "shapegroup", "mesh": _shape(body.rest, dresser(body.material))}
        parts[name] = {
            "type": "instance",
            "shapes": {"type": "ref", "id": group_of[look]},
            "to_world": activate().ScalarTransform4f(body.pose_at(0)),
        }
    return parts


def merged(meshes: Sequence[Mesh]) -> Mesh:
    """Return one mesh of several that all have, or all lack, normals and uvs."""
    offsets = np.cumsum([0, *(len(m.vertices) for m in meshes[:-1])])
    return Mesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate([m.faces + offset for m, offset in zip(meshes, offsets, strict=True)]),
        _joined(m.normals for m in meshes),
        _joined(m.uvs for m in meshes),
    )


def _joined(arrays: Iterable[NDArray[np.float64] | None]) -> NDArray[np.float64] | None:
    present = [a for a in arrays if a is not None]
    return np.concatenate(present) if present else None


def _same(mesh: Mesh, other: Mesh | None) -> bool:
    """Tell whether two meshes of one topology lie the same way."""
    if other is None or not np.array_equal(mesh.vertices, other.vertices):
        return False
    return mesh.normals is None or other.normals is None or np.array_equal(mesh.normals, other.normals)


def _shape(mesh: Mesh, clothes: dict[str, Any]) -> Any:
    mi = activate()
    properties = mi.Properties()
    for name, part in clothes.items():
        properties[name] = mi.load_dict(part)
    shape = mi.Mesh(
        "mesh",
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


def _write_buffers(parameters: Any, prefix: str, mesh: Mesh) -> None:
    for key, values in (("vertex_positions", mesh.vertices), ("vertex_normals", mesh.normals)):
        if values is not None:
            parameters[prefix + key] = _buffer(parameters[prefix + key], values, np.float32)


def _buffer(like: Any, values: NDArray[Any], dtype: type[np.generic]) -> Any:
    return type(like)(np.ascontiguousarray(values, dtype=dtype).ravel())


def _light(light: AreaLight) -> dict[str, Any]:
    mi = activate()
    direction = np.subtract(light.target, light.origin)
    is_steep = abs(direction[2]) > 0.99 * np.linalg.norm(direction)
    frame = mi.ScalarTransform4f().look_at(
        origin=list(light.origin), target=list(light.target), up=[0.0, 1.0, 0.0] if is_steep else list(UP)
    )
    scale = mi.ScalarTransform4f().scale([light.size[0] / 2, light.size[1] / 2, 1.0])
    return {
        "type": "rectangle",
        "to_world": frame @ scale,
        "emitter": {"type": "area", "radiance": _rgb(light.radiance)},
    }


def _rgb(value: tuple[float, float, float]) -> dict[str, Any]:
    return {"type": "rgb", "value": list(value)}
