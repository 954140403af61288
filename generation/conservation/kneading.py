"""A lump of clay that is reshaped, while a piece of clay may leave it or join it.

Where the piece touches, both have one common surface; the body's volume is exact at every frame, whether it
is one with the piece or not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from generation.conservation.timeline import smootherstep
from generation.geometry.clay import Lump, drawn_in, sized
from generation.geometry.merging import extracted, occupied, smooth_minimum
from generation.geometry.solid import vertex_normals
from generation.scene import Float, Mesh

_NECK = 0.006
_MARGIN = 0.006


@dataclass(frozen=True)
class Pinch:
    """How far a piece has gone into a body.

    Attributes:
        piece: the piece as it is when apart.
        way: (3,) unit vector from the body's middle to where the piece touches.
        depth: 0 when it just touches, 1 when it has become part of the body.
    """

    piece: Lump
    way: Float
    depth: float


def touching(body: Lump, pinch: Pinch) -> Float:
    """Return the middle of a piece (3,) that just touches a body, in the body's frame, m."""
    return _reach(body, pinch.way, pinch.piece.half_axes[0]) * pinch.way


def united(form: Lump, pinch: Pinch, volume: float) -> Mesh:
    """Return the closed mesh, of an exact volume, of a body with a piece partly in it.

    Args:
        form: the body's form and marks; its own volume is that of body and piece together.
        pinch: where the piece is. volume: m^3 of both.
    """
    body = _remainder(form, pinch, volume)
    smooth = extracted(_union(body, pinch), *_box(body, pinch))
    piece, middle = _piece(body, pinch)
    depths = body.depth(smooth.vertices), piece.depth(smooth.vertices - middle)
    vertices = drawn_in(smooth.vertices, _union(body, pinch, depths), rounds=3)
    return sized(Mesh(vertices, smooth.faces, vertex_normals(vertices, smooth.faces)), volume)


def _reach(body: Lump, way: Float, radius: float) -> float:
    """Return how far along a direction a ball must be to touch a body from outside."""

    def gap(length: float) -> float:
        return float(body.distance(length * way[None])[0]) - radius

    return float(brentq(gap, 0.2 * min(body.half_axes), 3 * max(body.half_axes) + 2 * radius, xtol=1e-9))


def _piece(body: Lump, pinch: Pinch) -> tuple[Lump, Float]:
    """Return the piece at its depth, smaller as it melts into the body, and its middle."""
    share = float(smootherstep(np.array(pinch.depth)))
    radius = pinch.piece.half_axes[0]
    surface = _reach(body, pinch.way, 0.0)
    inner = 0.3 * surface
    size = (1 - share) + share * inner / radius
    piece = Lump(pinch.piece.form, pinch.piece.volume * size**3, pinch.piece.dents)
    middle = (1 - share) * _reach(body, pinch.way, radius) + share * inner
    return piece, middle * pinch.way


def _union(
    body: Lump, pinch: Pinch, depths: tuple[Float | float, Float | float] = (0.0, 0.0)
) -> Callable[[Float], Float]:
    piece, middle = _piece(body, pinch)
    neck = _NECK * _ease(pinch.depth / 0.2) * _ease((1 - pinch.depth) / 0.15)

    def distance(points: Float) -> Float:
        own, other = body.distance(points, depths[0]), piece.distance(points - middle, depths[1])
        return smooth_minimum(own, other, neck)

    return distance


def _ease(x: float) -> float:
    return float(smootherstep(np.array(x)))


def _remainder(form: Lump, pinch: Pinch, volume: float) -> Lump:
    """Return the body that makes up a volume together with the piece, to the accuracy of ``occupied``."""

    def body(own: float) -> Lump:
        return Lump(form.form, own, form.dents, form.squeeze)

    largest = body(volume)
    box = _box(largest, pinch)
    # The estimate's own bias, known where the truth is known, is taken out.
    bias = occupied(largest.distance, *box) / volume
    owns = [volume - pinch.piece.volume * (1 - pinch.depth), volume]
    sums = [occupied(_union(body(own), pinch), *box) / bias for own in owns]
    slope = (sums[1] - sums[0]) / (owns[1] - owns[0]) if owns[1] > owns[0] else 1.0
    own = owns[0] + (volume - sums[0]) / slope
    return body(float(np.clip(own, volume - pinch.piece.volume, volume)))


def _box(body: Lump, pinch: Pinch) -> tuple[Float, Float]:
    """Return corners (3,) of a box that holds body and piece."""
    a, c = body.half_axes
    half = np.array([a * body.squeeze, a / body.squeeze, c])
    _, middle = _piece(body, Pinch(pinch.piece, pinch.way, 0.0))
    radius = pinch.piece.half_axes[0]
    low, high = np.minimum(-half, middle - radius), np.maximum(half, middle + radius)
    return low - _MARGIN, high + _MARGIN
