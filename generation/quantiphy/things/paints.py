"""Materials that things share."""

from __future__ import annotations

from generation.rendering.palette import COLORS
from generation.scene import Material

RUBBER = Material("plastic", (0.020, 0.020, 0.021), 0.45)
WINDOW = Material("plastic", (0.012, 0.016, 0.021), 0.06)
STEEL = Material("metal", (0.62, 0.63, 0.65), 0.28)
DARK = Material("plastic", (0.045, 0.046, 0.050), 0.35)
WHITE = Material("plastic", (0.78, 0.78, 0.76), 0.25)
HEADLIGHT = Material("plastic", (0.85, 0.86, 0.84), 0.05)
TAILLIGHT = Material("plastic", (0.45, 0.012, 0.012), 0.10)
WOOD = Material("diffuse", (0.42, 0.25, 0.115))
PAPER = Material("diffuse", (0.78, 0.75, 0.66))


def gloss(color: str) -> Material:
    """Return glossy paint."""
    return Material("plastic", COLORS[color], 0.08)


def satin(color: str) -> Material:
    """Return half matt plastic or varnish."""
    return Material("plastic", COLORS[color], 0.25)


def matt(color: str) -> Material:
    """Return chalk, cloth or felt."""
    r, g, b = COLORS[color]
    return Material("diffuse", (0.8 * r, 0.8 * g, 0.8 * b))


def printed(texture: str, roughness: float = 0.2) -> Material:
    """Return plastic or leather that carries a texture."""
    return Material("plastic", roughness=roughness, texture=texture)
