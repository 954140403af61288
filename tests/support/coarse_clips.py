"""Clips of every cell at a low frame rate: the same motion in seconds, fewer frames to look at."""

from __future__ import annotations

import zlib
from functools import lru_cache

import numpy as np

from generation.conservation.design import PRESETS, Cell, Preset, design
from generation.conservation.generators import GENERATORS
from generation.core.seeds import item_rng
from generation.rendering.camera import project
from generation.scene import Float, Mesh, Scene

COARSE = Preset(name="coarse", width=640, height=480, fps=8, num_frames=24, pairs={})


@lru_cache(maxsize=256)
def clip(domain: str, pair_id: str, condition: str, fine: bool = False) -> Scene:
    """Return one clip's scene, 24 frames, or 72 if fine."""
    cell = next(cell for cell in design(domain) if cell.pair_id == pair_id)
    generator = GENERATORS[cell.domain]
    params = generator.sample(
        item_rng(0, "conservationbench", pair_id), cell, PRESETS["full"] if fine else COARSE
    )
    return generator.build(params.model_copy(update={"condition": condition}))


def cells_of(domain: str, name: str, level: str) -> list[Cell]:
    return [cell for cell in design(domain) if cell.factors[name] == level]


def some_frames(scene: Scene, key: str, count: int = 4) -> list[int]:
    """Return the first and the last frame and some in between, others for every key."""
    rng = np.random.default_rng(zlib.crc32(key.encode()))
    inner = rng.choice(np.arange(3, scene.num_frames - 3), count, replace=False)
    return sorted({0, scene.num_frames - 1, *(int(n) for n in inner)})


def meshes(scene: Scene, frame: int) -> dict[str, Mesh]:
    return {body.object_id: body.mesh_at(frame) for body in scene.objects}


def box_of(scene: Scene, mesh: Mesh) -> Float:
    """Return the normalised image box (x_min, y_min, x_max, y_max) of a mesh, with all its vertices."""
    xy = project(scene.camera, mesh.vertices)[:, :2]
    return np.concatenate([xy.min(axis=0), xy.max(axis=0)])
