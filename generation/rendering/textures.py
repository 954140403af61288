"""Procedural textures, named by ``Material.texture``."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from generation.core.seeds import item_rng
from generation.rendering.grounds import GROUNDS, ground
from generation.rendering.patterns import PATTERNS, printed_pattern
from physprobe.errors import unknown_name

Image32 = NDArray[np.float32]


@dataclass(frozen=True)
class Wood:
    """A glued panel of flat-sawn boards, grain along u, boards side by side along v.

    Attributes:
        early, late: linear RGB of earlywood and of the dark latewood that ends each growth ring.
        boards: number of boards. ring: growth ring spacing, m. figure: strength of the rings in [0, 1].
        pores: strength of the dark vessel lines in [0, 1].
        extent: size of the panel along u and v, m. texel: m.
    """

    early: tuple[float, float, float]
    late: tuple[float, float, float]
    boards: int
    ring: float
    figure: float
    pores: float
    extent: tuple[float, float] = (0.96, 0.8)
    texel: float = 0.0004


WOODS: dict[str, Wood] = {
    "walnut": Wood((0.27, 0.128, 0.056), (0.095, 0.038, 0.016), 7, 0.0058, 0.7, 0.5),
    "oak": Wood((0.56, 0.345, 0.170), (0.33, 0.170, 0.070), 6, 0.0050, 0.75, 0.5),
}


# Linear RGB of dyed polypropylene.
DYES: dict[str, tuple[float, float, float]] = {
    "red": (0.60, 0.030, 0.026),
    "orange": (0.75, 0.19, 0.015),
    "yellow": (0.76, 0.46, 0.020),
    "green": (0.035, 0.30, 0.070),
    "teal": (0.015, 0.28, 0.31),
    "blue": (0.025, 0.11, 0.52),
    "violet": (0.22, 0.045, 0.42),
    "pink": (0.74, 0.15, 0.28),
}
_STRIPE = (0.78, 0.76, 0.72)
_STRIPES_HALFWAY = 2
_STRIPE_SHARE = 0.17
_STRAW_PREFIX = "straw_"


@functools.lru_cache(maxsize=8)
def texture(name: str) -> Image32:
    """Return a texture as an (H, W, 3) float32 image, linear RGB in [0, 1], row 0 at v = 1.

    The image spans uv in [0, 1]^2 once; the same name always gives the same bytes. Treat it as read-only.

    Raises:
        UserError: there is no such texture.
    """
    dye = DYES.get(name.removeprefix(_STRAW_PREFIX)) if name.startswith(_STRAW_PREFIX) else None
    if dye:
        image = _stripes(dye)
    elif name in WOODS:
        image = _wood(WOODS[name], item_rng(0, "texture", name))
    elif name in GROUNDS:
        image = ground(name)
    else:
        image = _printed(name)
    image.setflags(write=False)
    return image


def _printed(name: str) -> Image32:
    image = printed_pattern(name)
    if image is None:
        patterns = (f"{pattern}_COLOUR" for pattern in PATTERNS)
        raise unknown_name(
            "texture", name, [*WOODS, *(_STRAW_PREFIX + dye for dye in DYES), *GROUNDS, *patterns]
        )
    return image


def straw_texture(dye: str) -> str:
    """Return the name of the striped texture of a dye in ``DYES``."""
    return _STRAW_PREFIX + dye


def _stripes(dye: tuple[float, float, float]) -> Image32:
    """Pale stripes along a straw: constant over v, evenly spaced over u."""
    u = (np.arange(512, dtype=np.float32) + 0.5) / 512
    from_middle = np.abs(np.mod(u * _STRIPES_HALFWAY, 1.0) - 0.5) * 2
    share = np.clip((_STRIPE_SHARE - from_middle) / 0.04 + 0.5, 0.0, 1.0)[:, None]
    row = np.array(dye) + share * np.subtract(_STRIPE, dye)
    return np.repeat(row[None].astype(np.float32), 2, axis=0)


def _noise(rng: np.random.Generator, shape: tuple[int, int], cell: tuple[float, float]) -> Image32:
    """Draw smooth noise of mean 0 and unit variance at the nodes; ``cell`` is (rows, columns) per node."""
    nodes = [int(np.ceil(n / c)) + 4 for n, c in zip(shape, cell, strict=True)]
    grid = Image.fromarray(rng.standard_normal(nodes).astype(np.float32))
    (rows, cols), (cell_v, cell_u) = shape, cell
    window = (1.5, 1.5, 1.5 + cols / cell_u, 1.5 + rows / cell_v)
    return np.asarray(grid.resize((cols, rows), Image.Resampling.BICUBIC, box=window), dtype=np.float32)


def _wood(wood: Wood, rng: np.random.Generator) -> Image32:
    cols, rows = (round(extent / wood.texel) for extent in wood.extent)
    edges = np.linspace(0, rows, wood.boards + 1).round().astype(int)
    boards = [_board(wood, rng, (int(bottom - top), cols)) for top, bottom in itertools.pairwise(edges)]
    image = np.concatenate(boards)
    return np.clip(image, 0.0, 1.0).astype(np.float32)


def _board(wood: Wood, rng: np.random.Generator, shape: tuple[int, int]) -> Image32:
    """Colour one board: rings around a pith below it, fibres, pores, its own tone and softened edges."""
    fibre = _noise(rng, shape, _cells(wood, 0.00045, 0.018))
    late = _latewood(wood, rng, shape, fibre)
    tone = 1.0 + 0.07 * rng.standard_normal() + 0.05 * _noise(rng, shape, _cells(wood, 0.03, 0.16))
    vessel = _noise(rng, shape, _cells(wood, 0.0005, 0.007))
    pores = wood.pores * np.clip(vessel - 1.25, 0.0, 1.0) * (1.0 - 0.6 * late)
    shade = tone * (1.0 + 0.055 * fibre) * (1.0 - pores) * _seam(shape[0], wood.texel)[:, None]
    early_rgb, late_rgb = np.array([wood.early, wood.late], dtype=np.float32)
    colour = early_rgb + (late_rgb - early_rgb) * (wood.figure * late)[..., None]
    return np.asarray(colour * shade[..., None], dtype=np.float32)


def _cells(wood: Wood, across: float, along: float) -> tuple[float, float]:
    return across / wood.texel, along / wood.texel


def _latewood(wood: Wood, rng: np.random.Generator, shape: tuple[int, int], fibre: Image32) -> Image32:
    """Share of latewood in [0, 1]: the board's plane cuts the rings of a slightly bent, tapered trunk."""
    rows, cols = shape
    x = (np.arange(cols, dtype=np.float32) * wood.texel)[None, :]
    y = (np.arange(rows, dtype=np.float32) * wood.texel)[:, None]
    width = rows * wood.texel
    pith = y - rng.uniform(0.1, 0.9) * width + 0.008 * _noise(rng, shape, _cells(wood, 1.0, 0.28))
    depth = rng.uniform(0.015, 0.05) + rng.choice([-1, 1]) * rng.uniform(0.03, 0.07) * x
    depth = depth + 0.004 * _noise(rng, shape, _cells(wood, 0.05, 0.12))
    phase = np.hypot(pith, depth) / wood.ring + 0.35 * _noise(rng, shape, _cells(wood, 0.02, 0.3))
    phase = phase + 0.055 * fibre + rng.uniform()
    growth = np.mod(phase, 1.0)
    # Growth darkens slowly through the season and stops abruptly; the stop is softened over a few texels.
    return np.asarray(growth**3 * np.clip((1.0 - growth) / 0.10, 0.0, 1.0), dtype=np.float32)


def _seam(rows: int, texel: float) -> Image32:
    """Darken a board towards its glued edges: (rows,) factors."""
    edge = np.minimum(np.arange(rows), np.arange(rows)[::-1]).astype(np.float32) * texel
    return np.asarray(1.0 - 0.55 * np.exp(-((edge / 0.0006) ** 2)), dtype=np.float32)
