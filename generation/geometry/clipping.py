"""Triangles cut by a plane, in arrays that keep their shape whatever the plane.

``depths`` are signed distances (F, 3) of the corners below the plane; a triangle's two parts are quads
(F, 4, 3) that may have no area.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generation.scene import Float


def mean_positive(depths: Float) -> Float:
    """Return the mean over each triangle of max(depth, 0), depth being linear on it: (F,)."""
    low, middle, high = _sorted(depths)
    mean = (low + middle + high) / 3
    tip = high / 3 * _corner_share(high, high - middle, high - low)
    base = mean - low / 3 * _corner_share(low, low - middle, low - high)
    return np.where(high <= 0, 0.0, np.where(low >= 0, mean, np.where(middle <= 0, tip, base)))


def share_below(depths: Float) -> Float:
    """Return the share of each triangle's area that lies below the plane: (F,)."""
    low, middle, high = _sorted(depths)
    tip = _corner_share(high, high - middle, high - low)
    base = 1 - _corner_share(low, low - middle, low - high)
    return np.where(high <= 0, 0.0, np.where(low >= 0, 1.0, np.where(middle <= 0, tip, base)))


def _sorted(depths: Float) -> tuple[Float, Float, Float]:
    a, b, c = depths.T
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    middle = np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))
    return low, middle, high


def _corner_share(depth: Float, first: Float, second: Float) -> Float:
    """Return the area share of the corner that the plane cuts off; nonsense where it doesn't."""
    product = first * second
    return np.divide(depth * depth, product, out=np.zeros_like(depth), where=product > 0)


@dataclass(frozen=True)
class Parts:
    """Triangles, each divided into what lies below and above a plane.

    Attributes:
        below, above: corners (F, 4, 3). normals_below, normals_above: unit normals there.
        starts, ends: (F, 3) of the segment that closes the part below, seen from above the plane
            counter-clockwise; equal where the plane misses the triangle.
        crossed: (F,) whether the plane cuts the triangle.
    """

    below: Float
    above: Float
    normals_below: Float
    normals_above: Float
    starts: Float
    ends: Float
    crossed: np.ndarray


def divide(corners: Float, normals: Float, depths: Float) -> Parts:
    """Divide triangles (F, 3, 3) with corner normals (F, 3, 3) at a plane."""
    under = depths > 0
    count = under.sum(axis=1)
    crossed = (count == 1) | (count == 2)
    # Turn each triangle so that its first corner is alone on its side of the plane.
    lone = np.where(count == 1, under.argmax(axis=1), np.where(count == 2, under.argmin(axis=1), 0))
    order = (lone[:, None] + np.arange(3)) % 3
    a, b, c = np.moveaxis(np.take_along_axis(depths, order, axis=1), 1, 0)
    share_b = np.divide(a, a - b, out=np.ones_like(a), where=crossed)[:, None]
    share_c = np.divide(a, a - c, out=np.ones_like(a), where=crossed)[:, None]
    tip, trunk = _split(np.take_along_axis(corners, order[..., None], axis=1), share_b, share_c)
    tip_n, trunk_n = _split(np.take_along_axis(normals, order[..., None], axis=1), share_b, share_c)
    tip_n /= np.linalg.norm(tip_n, axis=2, keepdims=True)
    trunk_n /= np.linalg.norm(trunk_n, axis=2, keepdims=True)
    tip_below = (count % 2 == 1)[:, None]
    starts = np.where(tip_below, tip[:, 2], tip[:, 1])
    ends = np.where(tip_below, tip[:, 1], tip[:, 2])
    pick = tip_below[..., None]
    return Parts(
        np.where(pick, tip, trunk),
        np.where(pick, trunk, tip),
        np.where(pick, tip_n, trunk_n),
        np.where(pick, trunk_n, tip_n),
        starts,
        np.where(crossed[:, None], ends, starts),
        crossed,
    )


def _split(values: Float, share_b: Float, share_c: Float) -> tuple[Float, Float]:
    a, b, c = np.moveaxis(values, 1, 0)
    on_b, on_c = a + share_b * (b - a), a + share_c * (c - a)
    return np.stack([a, on_b, on_c, on_c], axis=1), np.stack([on_b, b, c, on_c], axis=1)
