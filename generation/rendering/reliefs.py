"""What is struck on a coin: heights over the unit disc, in radii, as closed forms."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence

import numpy as np

from generation.scene import Float

Height = Callable[[Float, Float], Float]
Points = Sequence[tuple[float, float]]

_BEADS = 46


def relief(emblem: str) -> Height:
    """Return the height field of a coin face: dished field, raised rim, ring of beads, emblem.

    Args:
        emblem: one of ``EMBLEMS``.
    """
    return functools.partial(_face, EMBLEMS[emblem])


def _face(emblem: Height, x: Float, y: Float) -> Float:
    r = np.hypot(x, y)
    dish = -0.03 * (1 - np.minimum(r / 0.88, 1.0) ** 2)
    return np.asarray(dish + 0.05 * _step(0.87, 0.915, r) + _bead_ring(x, y, r) + emblem(x, y))


def _bead_ring(x: Float, y: Float, r: Float) -> Float:
    pitch = 2 * np.pi / _BEADS
    angle = np.arctan2(y, x)
    offset = (angle - pitch * np.round(angle / pitch)) * r
    return 0.032 * _dome(np.hypot(r - 0.795, offset), 0.047)


def _step(low: float, high: float, value: Float) -> Float:
    x = np.clip((value - low) / (high - low), 0.0, 1.0)
    return np.asarray(x * x * (3 - 2 * x))


def _dome(distance: Float, radius: float) -> Float:
    return np.asarray(np.maximum(1 - (distance / radius) ** 2, 0.0) ** 1.5)


def _star(x: Float, y: Float) -> Float:
    """Five points with a ridge along each, as on a barn star."""
    outer, inner = 0.64, 0.27
    sector = np.pi / 5
    angle = np.arctan2(x, y)
    folded = np.abs(angle - 2 * sector * np.round(angle / (2 * sector)))
    r = np.hypot(x, y)
    px, py = r * np.cos(folded), r * np.sin(folded)
    ex, ey = inner * np.cos(sector) - outer, inner * np.sin(sector)
    inside = (ex * py - ey * (px - outer)) / np.hypot(ex, ey)
    return np.asarray(0.38 * np.maximum(inside, 0.0))


def _stroke(points: Points, width: float, x: Float, y: Float) -> Float:
    """Rounded ridge along a polyline."""
    distance = np.min([_to_segment(a, b, x, y) for a, b in itertools.pairwise(points)], axis=0)
    return 0.06 * np.asarray(1 - _step(0.2 * width, width, distance))


def _to_segment(a: tuple[float, float], b: tuple[float, float], x: Float, y: Float) -> Float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = np.clip(((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy), 0.0, 1.0)
    return np.asarray(np.hypot(x - a[0] - along * dx, y - a[1] - along * dy))


def _arc(cx: float, cy: float, radius: float, start_deg: float, end_deg: float) -> list[tuple[float, float]]:
    angles = np.radians(np.linspace(start_deg, end_deg, 10))
    return [(cx + radius * float(np.cos(a)), cy + radius * float(np.sin(a))) for a in angles]


_ONE: Points = ((-0.15, 0.2), (0.03, 0.36), (0.03, -0.36))
_TWO: Points = (*_arc(0.0, 0.17, 0.19, 165, -35), (-0.2, -0.36), (0.22, -0.36))
_FIVE: Points = ((0.19, 0.36), (-0.14, 0.36), (-0.17, 0.03), *_arc(0.0, -0.13, 0.22, 125, -145))


def _wreathed(numeral: Points, x: Float, y: Float) -> Float:
    """A numeral between two laurel branches."""
    return np.maximum(_stroke(numeral, 0.095, x, y), _laurel(np.abs(x), y))


def _laurel(x: Float, y: Float) -> Float:
    """One branch from the bottom up the right side: a stem with leaves on both sides."""
    ring = 0.56
    height = 0.6 * _stroke(_arc(0, 0, ring, -88, 62), 0.03, x, y)
    for n in range(8):
        angle = np.radians(-68 + 18 * n)
        for side in (-1, 1):
            r = ring + side * 0.075
            height = np.maximum(
                height, _leaf(r * np.cos(angle), r * np.sin(angle), angle + np.pi / 2 - side * 0.5, x, y)
            )
    return height


def _leaf(cx: float, cy: float, heading: float, x: Float, y: Float) -> Float:
    u = (x - cx) * np.cos(heading) + (y - cy) * np.sin(heading)
    v = (y - cy) * np.cos(heading) - (x - cx) * np.sin(heading)
    return 0.036 * np.asarray(np.maximum(1 - (u / 0.11) ** 2 - (v / 0.052) ** 2, 0.0) ** 1.3)


_HEAD: Points = (
    (-0.12, -0.60), (-0.15, -0.42), (-0.11, -0.31), (-0.25, -0.31), (-0.33, -0.25), (-0.29, -0.17),
    (-0.34, -0.13), (-0.30, -0.10), (-0.34, -0.06), (-0.31, 0.00), (-0.43, 0.03), (-0.41, 0.08),
    (-0.31, 0.22), (-0.33, 0.28), (-0.28, 0.43), (-0.15, 0.56), (0.03, 0.61), (0.21, 0.57),
    (0.35, 0.44), (0.41, 0.26), (0.39, 0.06), (0.31, -0.10), (0.24, -0.22), (0.23, -0.38),
    (0.33, -0.55), (0.12, -0.63),
)  # fmt: skip
_CROWN: Points = (
    (-0.40, -0.28), (-0.50, 0.20), (-0.24, -0.02), (0.0, 0.32), (0.24, -0.02), (0.50, 0.20), (0.40, -0.28),
)  # fmt: skip


def _polygon_depth(points: Points, x: Float, y: Float) -> Float:
    """Distance to the outline, positive inside, zero outside."""
    inside = np.zeros(np.shape(x), dtype=bool)
    distance = np.full(np.shape(x), np.inf)
    for a, b in zip(points, [*points[1:], points[0]], strict=True):
        distance = np.minimum(distance, _to_segment(a, b, x, y))
        if a[1] != b[1]:
            crosses = (a[1] > y) != (b[1] > y)
            inside ^= crosses & (x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
    return np.where(inside, distance, 0.0)


def _portrait(x: Float, y: Float) -> Float:
    """A head in profile, facing left: rounded, with waved hair, an eye and an ear."""
    depth = np.minimum(_polygon_depth(_HEAD, x, y) / 0.3, 1.0)
    body = 0.115 * np.sqrt(np.maximum(1 - (1 - depth) ** 2, 0.0))
    crown = _step(-0.06, 0.04, 0.75 * y + 0.55 * x - 0.10) * _step(0.0, 0.2, depth)
    waves = 0.014 * np.sin(38 * np.hypot(x + 0.15, y - 0.1) + 3 * np.sin(5 * np.arctan2(y - 0.1, x + 0.15)))
    eye = 0.02 * _dome(np.hypot((x + 0.2) / 1.6, y - 0.15), 0.045)
    ear = 0.025 * _dome(np.hypot((x - 0.1) / 0.75, y - 0.02), 0.09)
    return np.asarray(body + crown * (0.018 + waves) + eye + ear)


def _crown(x: Float, y: Float) -> Float:
    """A three-pointed crown with balls and a jewelled band."""
    depth = _polygon_depth(_CROWN, x, y)
    height = 0.07 * _step(0.0, 0.07, depth)
    for bx, by in ((-0.50, 0.25), (0.0, 0.38), (0.50, 0.25)):
        height = np.maximum(height, 0.085 * _dome(np.hypot(x - bx, y - by), 0.085))
    for bx in (-0.24, 0.0, 0.24):
        height = height + 0.03 * _dome(np.hypot(x - bx, y + 0.19), 0.075)
    band = _stroke(((-0.38, -0.40), (0.38, -0.40)), 0.055, x, y)
    return np.maximum(height, band)


EMBLEMS: dict[str, Height] = {
    "star": _star,
    "one": functools.partial(_wreathed, _ONE),
    "two": functools.partial(_wreathed, _TWO),
    "five": functools.partial(_wreathed, _FIVE),
    "portrait": _portrait,
    "crown": _crown,
}
