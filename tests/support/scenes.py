"""Small scenes for tests of rendering."""

from __future__ import annotations

import numpy as np

from generation.scene import AreaLight, Camera, Material, Mesh, Quantities, RigidObject, Scene


def box_mesh(size: tuple[float, float, float]) -> Mesh:
    """An axis-aligned box around the origin, flat-shaded."""
    x, y, z = (s / 2 for s in size)
    corners = np.array([[i, j, k] for i in (-x, x) for j in (-y, y) for k in (-z, z)], dtype=np.float64)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [f for a, b, c, d in quads for f in ((a, b, c), (a, c, d))]
    return Mesh(corners, np.array(faces, dtype=np.int64))


def disc_mesh(radius: float, height: float, sides: int = 48) -> Mesh:
    """A closed cylinder standing on z = 0 with normals, like a coin."""
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle), np.zeros(sides)], axis=1)
    low, high = ring * radius, ring * radius + [0, 0, height]
    up = np.tile([0.0, 0.0, 1.0], (sides, 1))
    vertices = np.concatenate([low, high, high, low, [[0, 0, height], [0, 0, 0]]])
    normals = np.concatenate([ring, ring, up, -up, [[0, 0, 1], [0, 0, -1]]])
    i = np.arange(sides)
    j = (i + 1) % sides
    top, bottom = np.full(sides, 4 * sides), np.full(sides, 4 * sides + 1)
    parts = [
        (i, j, sides + j), (i, sides + j, sides + i),
        (2 * sides + i, 2 * sides + j, top), (3 * sides + j, 3 * sides + i, bottom),
    ]  # fmt: skip
    return Mesh(vertices, np.concatenate([np.stack(p, axis=1) for p in parts]), normals)


def floor(size: float = 2.0) -> RigidObject:
    """A square table top at z = 0."""
    s = size / 2
    vertices = np.array([[-s, -s, 0], [s, -s, 0], [s, s, 0], [-s, s, 0]], dtype=np.float64)
    uvs = (vertices[:, :2] + s) / size
    mesh = Mesh(vertices, np.array([[0, 1, 2], [0, 2, 3]]), None, uvs)
    return RigidObject("table", "prop", Material("diffuse", (0.5, 0.35, 0.2)), mesh, at([[0, 0, 0]]))


def at(positions: list[list[float]]) -> np.ndarray:
    """Poses without rotation at the given positions, (T, 4, 4)."""
    poses = np.tile(np.eye(4), (len(positions), 1, 1))
    poses[:, :3, 3] = positions
    return poses


def coins(num_frames: int = 4, width: int = 96, height: int = 72, still: int = 2) -> Scene:
    """Two rows of three coins on a table; the lower row spreads after ``still`` frames."""
    gold = Material("metal", (1, 1, 1), 0.2, preset="Au")
    coin = disc_mesh(0.012, 0.002)
    bodies = []
    for k in range(3):
        start = 0.03 * (k - 1)
        bodies.append(RigidObject(f"reference_{k}", "reference", gold, coin, at([[start, 0.03, 0]])))
        share = np.clip((np.arange(num_frames) - still + 1) / max(num_frames - still, 1), 0, 1)
        path = [[start * (1 + 0.6 * s), -0.02, 0.0] for s in share]
        bodies.append(RigidObject(f"moved_{k}", "moved", gold, coin, at(path)))
    count = np.full(num_frames, 3.0)
    return Scene(
        camera=Camera((0, -0.22, 0.2), (0, 0, 0), 40, width, height),
        lights=(AreaLight((0.3, -0.2, 0.8), (0, 0, 0), (0.3, 0.3), (9, 9, 8.5)),),
        environment=(0.25, 0.27, 0.3),
        objects=tuple(bodies),
        backdrop=(floor(),),
        fps=24,
        num_frames=num_frames,
        quantities=Quantities("count", count, count),
    )
