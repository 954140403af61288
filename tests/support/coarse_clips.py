"""Clips of every cell at a low frame rate: the same motion in seconds, fewer frames to look at."""

from __future__ import annotations

import zlib
from functools import lru_cache

import numpy as np

from generation.conservation.design import PRESETS, Cell, Preset, design
from generation.conservation.generators import GENERATORS
from generation.core.seeds import item_rng
from generation.rendering.camera import project
from generation.scene import Float, Int, Mesh, Scene

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


def meshes(scene: Scene, frame: int, *names: str) -> dict[str, Mesh]:
    """Return the meshes of some bodies, or of all, by object id."""
    return {b.object_id: b.mesh_at(frame) for b in scene.objects if not names or b.object_id in names}


def is_there(mesh: Mesh) -> bool:
    """Tell whether a mesh has any extent: what isn't there yet, or not any more, is a point."""
    return bool((mesh.vertices != mesh.vertices[0]).any())


def distinct(mesh: Mesh) -> Int:
    """Return the index of one vertex at each place, for many faces have vertices of their own.

    Sorted along one direction in which no two places are level: by three coordinates it takes long.
    """
    along = mesh.vertices @ np.array([1.0, np.pi, 7 * np.e])
    return np.unique(along, return_index=True)[1]


def box_of(scene: Scene, points: Float) -> Float:
    """Return the normalised image box (x_min, y_min, x_max, y_max) of points (N, 3)."""
    xy = project(scene.camera, points)[:, :2]
    return np.concatenate([xy.min(axis=0), xy.max(axis=0)])


def check_framed(scene: Scene, mesh: Mesh, what: object, margin: float = 0.01) -> None:
    """Assert that a body is in the image, and not within a margin of its border."""
    box = box_of(scene, mesh.vertices[distinct(mesh)])
    assert (box[:2] >= margin).all(), (what, box)
    assert (box[2:] <= 1 - margin).all(), (what, box)


def check_still_ends(scene: Scene) -> None:
    """Assert that nothing moves at the beginning and at the end of a clip of 72 frames."""
    first, last = meshes(scene, 0), meshes(scene, 71)
    for frame in (3, 7, 64, 67):
        now, rest = meshes(scene, frame), first if frame < 8 else last
        for name, mesh in now.items():
            assert np.array_equal(mesh.vertices, rest[name].vertices), (name, frame)
            assert np.array_equal(mesh.faces, rest[name].faces)


def check_quantities(conserving: Scene, twin: Scene, direction: str) -> None:
    """Assert that a pair's quantities are equal, or part by 25 to 35 % in the twin's direction."""
    assert np.array_equal(conserving.quantities.moved, conserving.quantities.reference)
    assert "event" not in conserving.notes
    moved, reference = twin.quantities.moved, twin.quantities.reference
    share = moved[-1] / reference[-1] - 1
    assert 0.25 <= abs(share) <= 0.35
    assert np.sign(share) == (1 if direction == "gain" else -1)
    assert moved[0] == reference[0]
