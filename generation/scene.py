"""The scene model, apart from any renderer.

``build(params)`` of a generator returns a :class:`Scene`: plain numbers that say what is where at each frame.
Rendering (``generation.rendering``) and annotation (boxes, visibility, quantities) only read it.

World frame: right-handed, z up, the table top is z = 0, x points right in the image, y away from the camera.
Units: metres, seconds, radians; degrees only in names that say so. Colours are linear RGB in [0, 1].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]
Int = NDArray[np.int64]
Role = Literal["moved", "reference", "prop"]


@dataclass(frozen=True)
class Camera:
    """A pinhole camera that never moves.

    Attributes:
        origin, target: positions in m, shape (3,).
        fov_x_deg: horizontal field of view in degrees.
        width, height: image size in pixels.
    """

    origin: tuple[float, float, float]
    target: tuple[float, float, float]
    fov_x_deg: float
    width: int
    height: int


@dataclass(frozen=True)
class Mesh:
    """A triangle mesh.

    Attributes:
        vertices: (V, 3) float64, m.
        faces: (F, 3) int64, counter-clockwise seen from outside.
        normals: (V, 3) float64 unit vectors, or None for flat shading.
        uvs: (V, 2) float64, or None.
    """

    vertices: Float
    faces: Int
    normals: Float | None = None
    uvs: Float | None = None


@dataclass(frozen=True)
class Material:
    """A surface description that a renderer maps onto its own BSDFs.

    Attributes:
        kind: "diffuse" (wood), "plastic" (coated, rough), "metal" (rough conductor), "glass" (dielectric).
        color: linear RGB; for metal its specular reflectance.
        roughness: GGX alpha in [0, 1].
        texture: name of a procedural texture in ``generation.rendering.textures`` that replaces ``color``.
        two_sided: shade the inside of thin shells too.
        preset: a named conductor ("Au", "Ag", "Cu", ...) for metal, or "".
        ior_inside, ior_outside: refractive indices behind and before a glass surface's normals.
        absorption: coefficient in 1/m, linear RGB, of what fills the space behind a glass surface; where two
            fill it (liquid in a glass), the surface between them belongs to the one that absorbs.
    """

    kind: Literal["diffuse", "plastic", "metal", "glass"]
    color: tuple[float, float, float] = (0.5, 0.5, 0.5)
    roughness: float = 0.3
    texture: str = ""
    two_sided: bool = False
    preset: str = ""
    ior_inside: float = 1.5
    ior_outside: float = 1.0
    absorption: tuple[float, float, float] = (0.0, 0.0, 0.0)


class SceneObject(Protocol):
    """A body of the scene. ``mesh_at`` keeps the topology: same faces at every frame.

    Attributes:
        object_id: unique in the scene, stable over frames ("moved_0", "reference_3", "saucer").
        role: "moved" and "reference" carry the asked quantity; "prop" is anything else.
        material: its surface.
        is_static: True when every frame shows it at the same place.
    """

    @property
    def object_id(self) -> str: ...  # noqa: D102

    @property
    def role(self) -> Role: ...  # noqa: D102

    @property
    def material(self) -> Material: ...  # noqa: D102

    @property
    def is_static(self) -> bool: ...  # noqa: D102

    def mesh_at(self, frame: int) -> Mesh:
        """Return the world-space mesh at a frame."""

    def pose_at(self, frame: int) -> Float:
        """Return the (4, 4) object-to-world matrix at a frame (translation in m)."""


@dataclass(frozen=True)
class RigidObject:
    """A body of fixed shape that moves.

    Attributes:
        rest: mesh in the object's own frame.
        poses: (T, 4, 4) object-to-world matrices (rotation and translation only), or (1, 4, 4) when static.
    """

    object_id: str
    role: Role
    material: Material
    rest: Mesh
    poses: Float

    @property
    def is_static(self) -> bool:
        """True when all poses are the same."""
        return bool(np.all(self.poses == self.poses[0]))

    def pose_at(self, frame: int) -> Float:
        """Return the (4, 4) object-to-world matrix at a frame."""
        return self.poses[frame if len(self.poses) > 1 else 0]

    def mesh_at(self, frame: int) -> Mesh:
        """Return the world-space mesh at a frame."""
        pose = self.pose_at(frame)
        normals = None if self.rest.normals is None else self.rest.normals @ pose[:3, :3].T
        vertices = self.rest.vertices @ pose[:3, :3].T + pose[:3, 3]
        return Mesh(vertices, self.rest.faces, normals, self.rest.uvs)


@dataclass(frozen=True)
class DeformingObject:
    """A body that changes its shape.

    Attributes:
        shape: returns the world-space mesh at a frame; pure, with the same faces at every frame.
        poses: (T, 4, 4) of the frame in which the body deforms, or (1, 4, 4) when it stays.
    """

    object_id: str
    role: Role
    material: Material
    shape: Callable[[int], Mesh]
    poses: Float

    @property
    def is_static(self) -> bool:
        """False: it deforms."""
        return False

    def pose_at(self, frame: int) -> Float:
        """Return the (4, 4) object-to-world matrix at a frame."""
        return self.poses[frame if len(self.poses) > 1 else 0]

    def mesh_at(self, frame: int) -> Mesh:
        """Return the world-space mesh at a frame."""
        return self.shape(frame)


@dataclass(frozen=True)
class AreaLight:
    """A one-sided rectangular lamp that faces ``target``.

    Attributes:
        origin, target: m. size: edge lengths in m. radiance: linear RGB, W m^-2 sr^-1.
    """

    origin: tuple[float, float, float]
    target: tuple[float, float, float]
    size: tuple[float, float]
    radiance: tuple[float, float, float]


@dataclass(frozen=True)
class Quantities:
    """What is conserved or not, frame by frame, exactly.

    Attributes:
        unit: "count", "m", "m^3".
        moved, reference: (T,) float64, the quantity of the transformed and of the untouched object.
    """

    unit: str
    moved: Float
    reference: Float


@dataclass(frozen=True)
class Scene:
    """Everything a clip shows.

    Attributes:
        camera: fixed over the clip.
        lights: area lights; ``environment`` is a constant linear RGB radiance on top.
        objects: in a fixed order; ids are unique.
        fps: frames per second; frame k is at t = k / fps.
        num_frames: T.
        quantities: the asked quantity at each frame.
        backdrop: rendered but not annotated (table, walls).
        notes: generator's own facts worth recording (event times, slot numbers), JSON-serialisable.
    """

    camera: Camera
    lights: tuple[AreaLight, ...]
    environment: tuple[float, float, float]
    objects: tuple[SceneObject, ...]
    backdrop: tuple[SceneObject, ...]
    fps: int
    num_frames: int
    quantities: Quantities
    notes: Mapping[str, object] = field(default_factory=dict)
