"""A family's scene inside Mitsuba: loaded once, its objects then moved, exchanged or taken away.

Every family loads the same numbers of the same kinds of shapes, so that all families share their kernels:
each of the four places for an object has a shape of either surface, and what isn't used lies under the floor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.consistency.params import BodyParams
from generation.consistency.solids import Solid
from generation.consistency.world import World, mirror, solid, walls
from generation.rendering.variant import activate, is_scalar
from generation.scene import Mesh
from physprobe.errors import UserError

# Three objects, and one that may stand in for any of them.
PLACES = 4
STAND_IN = 3
# What isn't used: a speck under the ground.
AWAY = Solid("block", np.diag([0.01, 0.01, 0.01, 1.0])).moved((0.0, 0.0, -3.0))
_SURFACES = ("diffuse", "plastic")


class Stage:
    """A scene inside Mitsuba.

    Attributes:
        handle: the scene. shapes: what its shapes are, by name.
    """

    def __init__(self, world: World) -> None:
        """Load the scene as it is, nothing standing in.

        Raises:
            UserError: only Mitsuba's scalar variant works here, which can't follow many paths at once.
        """
        if is_scalar():
            raise UserError(
                "physical-consistency needs Mitsuba's llvm or cuda variant:  physprobe doctor  tells how"
            )
        mi = activate()
        self.world = world
        self._surface: list[str] = ["diffuse"] * PLACES
        parts: dict[str, Any] = {"type": "scene"}
        for name, (mesh, color) in walls(world.room).items():
            parts[name] = _shape(mesh, {"type": "diffuse", "reflectance": _rgb(color)})
        tint = _rgb(world.room.tint)
        parts["mirror"] = _shape(
            mirror(world), {"type": "conductor", "material": "none", "specular_reflectance": tint}
        )
        for place in range(PLACES):
            body = world.params.bodies[place] if place < len(world.params.bodies) else None
            for surface in _SURFACES:
                parts[_name(place, surface)] = self._slot(place, surface, body)
        self.handle = mi.load_dict(parts, parallel=False)
        self._parameters = mi.traverse(self.handle)
        self.shapes = {shape.id(): shape for shape in self.handle.shapes()}
        self._solids: list[Solid | None] = [*world.solids, None]

    def _slot(self, place: int, surface: str, body: BodyParams | None) -> Any:
        is_here = body is not None and body.surface == surface
        if is_here:
            self._surface[place] = surface
            return _shape(self.world.solids[place].mesh(), _bsdf(surface, body))
        return _shape(AWAY.mesh(), _bsdf(surface, None))

    def show(self, solids: Sequence[Solid | None], stand_in: BodyParams | None = None) -> None:
        """Put objects where they are wanted; None takes one away.

        Args:
            solids: one for each object. stand_in: shown too, where it stands.
        """
        wanted: list[Solid | None] = [*solids, solid(stand_in) if stand_in else None]
        if stand_in is not None:
            self._dress(STAND_IN, stand_in)
        for place, (old, new) in enumerate(zip(self._solids, wanted, strict=True)):
            if (stand_in is not None and place == STAND_IN) or not _same(old, new):
                self._put(place, new)
        self._parameters.update()
        self._solids = wanted

    def _put(self, place: int, wanted: Solid | None) -> None:
        for surface in _SURFACES:
            shown = wanted if wanted is not None and surface == self._surface[place] else AWAY
            mesh, prefix = shown.mesh(), f"{_name(place, surface)}."
            for key, values in _buffers(mesh).items():
                like = self._parameters[prefix + key]
                self._parameters[prefix + key] = type(like)(values)

    def _dress(self, place: int, body: BodyParams) -> None:
        self._surface[place] = body.surface
        prefix = f"{_name(place, body.surface)}.bsdf."
        mi = activate()
        if body.surface == "diffuse":
            self._parameters[prefix + "reflectance.value"] = mi.Color3f(body.color)
        else:
            self._parameters[prefix + "diffuse_reflectance.value"] = mi.Color3f(body.color)
            self._parameters[prefix + "alpha"] = mi.Float(body.roughness)

    def ids(self) -> list[tuple[int, int]]:
        """Return the Dr.Jit ids of each place's shapes, and of the mirror's (twice) at the end."""
        names = [tuple(_name(place, surface) for surface in _SURFACES) for place in range(PLACES)]
        pairs: list[tuple[str, ...]] = [*names, ("mirror", "mirror")]
        return [(_id(self.shapes[one]), _id(self.shapes[other])) for one, other in pairs]


def _id(shape: Any) -> int:
    import drjit as dr

    mi = activate()
    handle: Any = dr.reinterpret_array(mi.UInt32, mi.ShapePtr(shape))
    return int(handle[0])


def _name(place: int, surface: str) -> str:
    return f"place_{place}_{surface}"


def _same(one: Solid | None, other: Solid | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.form == other.form and np.array_equal(one.pose, other.pose)


def _bsdf(surface: str, body: BodyParams | None) -> dict[str, Any]:
    color = _rgb(body.color if body else (0.5, 0.5, 0.5))
    if surface == "diffuse":
        return {"type": "diffuse", "reflectance": color}
    return {
        "type": "roughplastic",
        "distribution": "ggx",
        "alpha": body.roughness if body else 0.2,
        "diffuse_reflectance": color,
        "nonlinear": True,
    }


def _rgb(value: tuple[float, float, float]) -> dict[str, Any]:
    return {"type": "rgb", "value": list(value)}


def _buffers(mesh: Mesh) -> dict[str, NDArray[Any]]:
    buffers: dict[str, NDArray[Any]] = {
        "faces": np.ascontiguousarray(mesh.faces, dtype=np.uint32).ravel(),
        "vertex_positions": np.ascontiguousarray(mesh.vertices, dtype=np.float32).ravel(),
    }
    if mesh.normals is not None:
        buffers["vertex_normals"] = np.ascontiguousarray(mesh.normals, dtype=np.float32).ravel()
    return buffers


def _shape(mesh: Mesh, bsdf: dict[str, Any]) -> Any:
    mi = activate()
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict(bsdf)
    shape = mi.Mesh(
        "mesh",
        len(mesh.vertices),
        len(mesh.faces),
        has_vertex_normals=mesh.normals is not None,
        has_vertex_texcoords=False,
        props=properties,
    )
    parameters = mi.traverse(shape)
    for key, values in _buffers(mesh).items():
        parameters[key] = type(parameters[key])(values)
    parameters.update()
    return shape
