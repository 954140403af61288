"""Printed textures of balls and planets: longitude along u, latitude along v."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from generation.core.seeds import item_rng
from generation.rendering.palette import COLORS

Image32 = NDArray[np.float32]
Float = NDArray[np.float64]

_ROWS, _COLUMNS = 512, 1024


def _directions() -> Float:
    """Return the unit vector of each texel, (H, W, 3), row 0 at the north pole."""
    latitude = np.pi * (0.5 - (np.arange(_ROWS) + 0.5) / _ROWS)[:, None]
    longitude = 2 * np.pi * ((np.arange(_COLUMNS) + 0.5) / _COLUMNS)[None]
    flat = np.cos(latitude)
    parts = [flat * np.cos(longitude), flat * np.sin(longitude), np.sin(latitude) + 0 * longitude]
    return np.stack(parts, axis=2)


def _blend(base: object, other: object, share: Float) -> Image32:
    """Mix two colours (3,) or images (H, W, 3) by a share (H, W)."""
    first, second = np.asarray(base, dtype=np.float64), np.asarray(other, dtype=np.float64)
    return np.asarray(first + (second - first) * share[..., None], dtype=np.float32)


def _line(distance: Float, width: float) -> Float:
    """Return 1 on a line and 0 away from it, softened; distance and width in radii."""
    return np.asarray(np.clip((width - np.abs(distance)) / 0.008 + 0.5, 0.0, 1.0))


def _cover(distance: Float) -> Float:
    """Return 1 where a distance is positive, softened at 0."""
    return np.asarray(np.clip(distance / 0.008 + 0.5, 0.0, 1.0))


def _gores(color: str) -> Image32:
    """Return the coloured and white gores of a beach ball between white caps."""
    v = _directions()
    wave = np.sin(3 * np.arctan2(v[..., 1], v[..., 0]) + 0.3) * np.hypot(v[..., 0], v[..., 1]) + 0.05
    image = _blend(COLORS["white"], COLORS[color], _cover(wave))
    return _blend(image, COLORS[color], _cover(np.abs(v[..., 2]) - 0.985))


def _basketball(color: str) -> Image32:
    v = _directions()
    x, y, z = np.moveaxis(v, 2, 0)
    seams = _line(z, 0.014), _line(x, 0.014), _line(np.abs(y) - 0.50 - 0.35 * x**2, 0.016)
    pebbles = item_rng(0, "texture", "basketball").uniform(0.9, 1.06, v.shape[:2])[..., None]
    return _blend(np.multiply(COLORS[color], pebbles), (0.02, 0.018, 0.016), np.max(seams, axis=0))


def _tennis(color: str) -> Image32:
    x, y, z = np.moveaxis(_directions(), 2, 0)
    curve = z - 1.55 * (x**2 - y**2)
    slope = 1 + 2.2 * np.sqrt(np.maximum(1 - z**2, 0))
    fuzz = item_rng(0, "texture", "tennis").uniform(0.85, 1.12, x.shape)[..., None]
    base = np.array(COLORS[color]) if color != "yellow" else np.array((0.58, 0.68, 0.045))
    return _blend(base * fuzz, (0.80, 0.80, 0.74), _line(curve / slope, 0.035))


def _icosahedron() -> Float:
    golden = (1 + 5**0.5) / 2
    corners = [(0.0, a, b * golden) for a, b in itertools.product((1, -1), repeat=2)]
    points = np.array([np.roll(c, k) for c in corners for k in range(3)])
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def _soccer(color: str) -> Image32:
    """Return the faces of a truncated icosahedron: pentagons black, hexagons coloured."""
    v, corners = _directions(), _icosahedron()
    near = 0.4472 - 1e-3
    triples = [
        t
        for t in itertools.combinations(corners, 3)
        if min(a @ b for a, b in itertools.combinations(t, 2)) > near
    ]
    hexagons = np.array([np.sum(t, axis=0) for t in triples])
    hexagons /= np.linalg.norm(hexagons, axis=1, keepdims=True)
    # Distances of the faces from the middle, for unit edges.
    reach = np.concatenate([v @ corners.T / 2.3274, v @ hexagons.T / 2.2673], axis=2)
    best = np.partition(reach, -2, axis=2)[..., -2:]
    image = _blend(COLORS[color], (0.018, 0.018, 0.020), (reach.argmax(axis=2) < 12).astype(np.float64))
    return _blend(image, (0.12, 0.12, 0.12), _line((best[..., 1] - best[..., 0]) * 2.3, 0.010))


def _bowling(color: str) -> Image32:
    v = _directions()
    swirl = np.sin(5 * v[..., 0] + 3 * np.sin(4 * v[..., 2] + 2 * v[..., 1]) + 4 * np.sin(3 * v[..., 1]))
    image = _blend(
        COLORS[color],
        np.minimum(np.multiply(COLORS[color], 1.9) + 0.03, 0.9),
        0.5 * np.clip(swirl, 0, 1) ** 3,
    )
    for longitude, latitude, radius in ((250, 38, 0.11), (272, 38, 0.11), (261, 10, 0.13)):
        a, b = np.radians([longitude, latitude])
        hole = np.array([np.cos(b) * np.cos(a), np.cos(b) * np.sin(a), np.sin(b)])
        image = _blend(image, (0.004, 0.004, 0.004), _cover(radius - np.linalg.norm(v - hole, axis=2)))
    return image


def _bands(color: str) -> Image32:
    """Return the wavy cloud bands of a giant planet, with one oval storm."""
    x, y, z = np.moveaxis(_directions(), 2, 0)
    wave = z + 0.012 * np.sin(9 * x + 4 * y) * np.sin(7 * y - 3 * x) + 0.006 * np.sin(23 * x + 17 * y)
    tone = 0.5 + 0.27 * np.sin(21 * wave) + 0.17 * np.sin(46 * wave + 1.0) + 0.06 * np.sin(90 * wave)
    base = np.array(COLORS[color])
    image = _blend(base * 0.8, np.minimum(base * 0.8 + 0.16, 0.9), np.clip(tone, 0, 1))
    storm = np.hypot((np.arctan2(y, x) + 1.2) * 1.0, (z + 0.32) * 1.9)
    return _blend(image, base * 0.55, np.clip((0.24 - storm) / 0.05, 0, 1))


PATTERNS: dict[str, Callable[[str], Image32]] = {
    "gores": _gores,
    "basketball": _basketball,
    "tennis": _tennis,
    "soccer": _soccer,
    "bowling": _bowling,
    "bands": _bands,
}


def print_texture(pattern: str, color: str) -> str:
    """Return the name of the texture of a pattern in ``PATTERNS`` in a colour of the palette."""
    return f"{pattern}_{color}"


def printed_pattern(name: str) -> Image32 | None:
    """Return the (512, 1024, 3) linear image of a name by :func:`print_texture`, None for other names."""
    pattern, _, color = name.partition("_")
    return PATTERNS[pattern](color) if pattern in PATTERNS and color in COLORS else None
