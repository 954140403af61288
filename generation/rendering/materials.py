"""Mitsuba BSDFs for :class:`generation.scene.Material`."""

from __future__ import annotations

from typing import Any

import numpy as np

from generation.rendering.variant import activate
from generation.scene import Material

_SMOOTH = 1e-3


def bsdf(material: Material) -> dict[str, Any]:
    """Return the Mitsuba dictionary of a material.

    Raises:
        UserError: its texture name is unknown.
    """
    made = _BSDFS[material.kind](material)
    return {"type": "twosided", "inner": made} if material.two_sided and material.kind != "glass" else made


def dress(material: Material) -> dict[str, Any]:
    """Return what a Mitsuba shape of a material carries: a BSDF, and the medium behind it if any."""
    filling = medium(material)
    return {"bsdf": bsdf(material)} | ({"interior": filling} if filling else {})


def medium(material: Material) -> dict[str, Any] | None:
    """Return the Mitsuba dictionary of what fills the space behind a surface, or None if it is clear."""
    strongest = max(material.absorption)
    if strongest <= 0:
        return None
    # Mitsuba wants coefficients in [0, 1] and a scale; it divides by them.
    share = [max(a / strongest, 1e-4) for a in material.absorption]
    return {
        "type": "homogeneous",
        "albedo": 0.0,
        "sigma_t": {"type": "rgb", "value": share},
        "scale": strongest,
    }


def _reflectance(material: Material) -> dict[str, Any]:
    if not material.texture:
        return {"type": "rgb", "value": list(material.color)}
    from generation.rendering.textures import texture

    mi = activate()
    # Mitsuba puts row 0 at v = 0, and refuses read-only arrays.
    pixels = np.array(texture(material.texture)[::-1], dtype=np.float32, order="C")
    # raw: the values are linear already.
    return {"type": "bitmap", "bitmap": mi.Bitmap(pixels), "raw": True, "wrap_mode": "repeat"}


def _diffuse(material: Material) -> dict[str, Any]:
    return {"type": "diffuse", "reflectance": _reflectance(material)}


def _plastic(material: Material) -> dict[str, Any]:
    coat = {"diffuse_reflectance": _reflectance(material), "nonlinear": True}
    if material.roughness < _SMOOTH:
        return {"type": "plastic", **coat}
    return {"type": "roughplastic", "distribution": "ggx", "alpha": material.roughness, **coat}


def _metal(material: Material) -> dict[str, Any]:
    surface = {"material": material.preset or "none", "specular_reflectance": _reflectance(material)}
    if material.roughness < _SMOOTH:
        return {"type": "conductor", **surface}
    return {"type": "roughconductor", "distribution": "ggx", "alpha": material.roughness, **surface}


def _glass(material: Material) -> dict[str, Any]:
    surface = {
        "int_ior": material.ior_inside,
        "ext_ior": material.ior_outside,
        "specular_transmittance": _reflectance(material),
    }
    if material.roughness < _SMOOTH:
        return {"type": "dielectric", **surface}
    return {"type": "roughdielectric", "distribution": "ggx", "alpha": material.roughness, **surface}


_BSDFS = {"diffuse": _diffuse, "plastic": _plastic, "metal": _metal, "glass": _glass}
