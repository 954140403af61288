"""Small scenes for tests of rendering."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence

import numpy as np

from generation.rendering.render import RenderSettings, render_clip
from generation.rendering.shapes import box, lathe
from generation.scene import (
    AreaLight,
    Camera,
    DeformingObject,
    Material,
    Mesh,
    Quantities,
    RigidObject,
    Role,
    Scene,
    SceneObject,
)

GOLD = Material("metal", (1.0, 0.8, 0.4), 0.25)
RED = Material("plastic", (0.6, 0.04, 0.04), 0.2)
WOOD = Material("diffuse", (0.4, 0.28, 0.16))
FAST = RenderSettings(spp=4, background_spp=16, detail=4, max_depth=4)


def at(positions: Sequence[Sequence[float]]) -> np.ndarray:
    """Poses without rotation, (T, 4, 4)."""
    poses = np.tile(np.eye(4), (len(positions), 1, 1))
    poses[:, :3, 3] = positions
    return poses


def disc(radius: float, height: float) -> Mesh:
    """A coin without relief, standing on z = 0."""
    return lathe(np.array([[0, 0], [radius, 0], [radius, height], [0, height]], dtype=np.float64), 48)


def block(
    object_id: str,
    size: tuple[float, float, float],
    positions: Sequence[Sequence[float]],
    material: Material = RED,
    role: Role = "prop",
) -> RigidObject:
    """A box centred at each position."""
    return RigidObject(object_id, role, material, box(size), at(positions))


def stage(
    objects: Sequence[SceneObject], num_frames: int, width: int = 96, height: int = 72, **changes: object
) -> Scene:
    """A table under a soft lamp, seen from the front and above, with some objects."""
    count = np.full(num_frames, 3.0)
    scene = Scene(
        camera=Camera((0.0, -0.22, 0.2), (0.0, 0.0, 0.0), 40, width, height),
        lights=(AreaLight((0.3, -0.2, 0.8), (0.0, 0.0, 0.0), (0.3, 0.3), (14.0, 14.0, 13.0)),),
        environment=(0.25, 0.27, 0.3),
        objects=tuple(objects),
        backdrop=(block("table", (2.0, 2.0, 0.02), [(0, 0, -0.01)], WOOD),),
        fps=24,
        num_frames=num_frames,
        quantities=Quantities("count", count, count),
    )
    return dataclasses.replace(scene, **changes)  # type: ignore[arg-type]


def coins(num_frames: int = 6, **changes: object) -> Scene:
    """Two rows of three coins; the front one spreads between the first two and the last two frames."""
    share = np.clip((np.arange(num_frames) - 1) / (num_frames - 3), 0, 1)
    coin, bodies = disc(0.012, 0.003), []
    for k in range(3):
        x = 0.03 * (k - 1)
        path = [(x * (1 + 0.6 * s), -0.02, 0.0) for s in share]
        bodies.append(RigidObject(f"reference_{k}", "reference", GOLD, coin, at([(x, 0.035, 0)])))
        bodies.append(RigidObject(f"moved_{k}", "moved", GOLD, coin, at(path)))
    return stage(bodies, num_frames, **changes)  # type: ignore[arg-type]


def growing_rod(num_frames: int = 4, **changes: object) -> Scene:
    """A bar that gets longer, as vertices and not as a matrix; beside it a still one."""

    def shape(frame: int) -> Mesh:
        mesh = box((0.05, 0.01, 0.01))
        scale = np.array([1 + 0.3 * frame, 1, 1])
        return dataclasses.replace(mesh, vertices=mesh.vertices * scale + [0, -0.03, 0.005])

    rod = DeformingObject("moved_0", "moved", RED, shape, np.eye(4)[None])
    still = block("reference_0", (0.05, 0.01, 0.01), [(0, 0.03, 0.005)], role="reference")
    return stage([rod, still], num_frames, **changes)  # type: ignore[arg-type]


def pixels_digest(scene: Scene, settings: RenderSettings = FAST) -> str:
    """SHA-256 of all frames' pixels."""
    digest = hashlib.sha256()
    for frame in render_clip(scene, settings):
        digest.update(frame.tobytes())
    return digest.hexdigest()
