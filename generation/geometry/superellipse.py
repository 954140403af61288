"""Superellipsoids of revolution: sphere, cylinder and flat disc are members of one family.

A body is the set (rho / a)^(2 / e) + |z / c|^(2 / e) <= 1 with rho = hypot(x, y): e = 1 is an ellipsoid, e
near 0 a cylinder with narrow rounded edges. Its volume is 2 pi a^2 c e B(e / 2 + 1, e), B being Euler's beta
function.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import beta

from generation.scene import Float


@dataclass(frozen=True)
class Form:
    """A shape without size.

    Attributes:
        exponent: e in (0, 1]. aspect: c / a, height over width.
    """

    exponent: float
    aspect: float

    def towards(self, other: Form, share: float) -> Form:
        """Return the form a share in [0, 1] of the way to another."""
        aspect = self.aspect * (other.aspect / self.aspect) ** share
        return Form(self.exponent + (other.exponent - self.exponent) * share, aspect)

    def half_axes(self, volume: float) -> tuple[float, float]:
        """Return (a, c) in m of the body of this form with a volume in m^3."""
        unit = 2 * np.pi * self.aspect * self.exponent * beta(self.exponent / 2 + 1, self.exponent)
        a = float((volume / unit) ** (1 / 3))
        return a, a * self.aspect


def distance(points: Float, form: Form, half_axes: tuple[float, float]) -> Float:
    """Return the signed distance in m of points (..., 3), near the surface to first order; < 0 inside."""
    a, c = half_axes
    power = 2 / form.exponent
    rho = np.maximum(np.hypot(points[..., 0], points[..., 1]) / a, 1e-9)
    z = np.maximum(np.abs(points[..., 2]) / c, 1e-9)
    large = np.maximum(rho, z)
    # Divided by the larger one first: high powers would overflow.
    u, v = rho / large, z / large
    norm = (u**power + v**power) ** (1 / power)
    slope = norm ** (1 - power) * np.hypot(u ** (power - 1) / a, v ** (power - 1) / c)
    return np.asarray((norm * large - 1) / slope)


def surface(directions: Float, form: Form, half_axes: tuple[float, float]) -> Float:
    """Return the surface points (..., 3) that unit vectors (..., 3) reach after scaling by the half axes."""
    a, c = half_axes
    power = 2 / form.exponent
    rho, z = np.hypot(directions[..., 0], directions[..., 1]), np.abs(directions[..., 2])
    large = np.maximum(rho, z)
    norm = ((rho / large) ** power + (z / large) ** power) ** (1 / power) * large
    return np.asarray(directions / norm[..., None] * np.array([a, a, c]))
