"""Textures of grounds, walls, water and sky; all but the sky repeat without a seam."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from generation.core.seeds import item_rng

Image32 = NDArray[np.float32]
Float = NDArray[np.float64]

_SIZE = 512


def _noise(name: str, cell: float, stretch: float = 1.0, size: int = _SIZE) -> Float:
    """Return smooth noise (size, size) that repeats, of unit variance.

    Args:
        name: of the draw. cell: size of its lumps in texels; ``stretch`` times as long along u.
    """
    rng = item_rng(0, "ground", name, f"{cell:g}")
    frequency = np.fft.fftfreq(size)
    falloff = np.exp(-0.5 * ((frequency[:, None] * cell) ** 2 + (frequency[None] * cell * stretch) ** 2) * 9)
    smooth = np.fft.ifft2(np.fft.fft2(rng.standard_normal((size, size))) * falloff).real
    return np.asarray(smooth / smooth.std())


def _grid() -> tuple[Float, Float]:
    """Return u and v of the texels, each (size, size)."""
    line = (np.arange(_SIZE) + 0.5) / _SIZE
    v, u = np.meshgrid(line[::-1], line, indexing="ij")
    return u, v


def _tinted(color: tuple[float, float, float], shade: Float) -> Image32:
    return np.clip(np.array(color) * shade[..., None], 0.0, 0.95).astype(np.float32)


def _mixed(first: Image32, second: Image32, share: Float) -> Image32:
    return (first + (second - first) * share[..., None]).astype(np.float32)


def _speckled(name: str, color: tuple[float, float, float], fine: float, coarse: float) -> Image32:
    """Return a ground of grains and patches."""
    grain = fine * _noise(name, 1.5) + 0.6 * fine * _noise(name, 4.0)
    return _tinted(color, 1 + grain + coarse * _noise(name, 40.0) + 0.5 * coarse * _noise(name, 110.0))


def _grass() -> Image32:
    blades = _noise("grass", 3.0) * 0.5 + _noise("grass", 1.5) * 0.4
    patches = np.clip(0.5 + 0.25 * _noise("grass", 60.0), 0, 1)
    dark = _tinted((0.050, 0.120, 0.022), 1 + 0.32 * blades)
    return _mixed(dark, _tinted((0.125, 0.190, 0.042), 1 + 0.32 * blades), patches)


def _tiles(
    name: str, count: int, color: tuple[float, float, float], joint: tuple[float, float, float]
) -> Image32:
    u, v = _grid()
    cell_u, cell_v = np.mod(u * count, 1), np.mod(v * count, 1)
    edge = np.minimum(np.minimum(cell_u, 1 - cell_u), np.minimum(cell_v, 1 - cell_v)) / count * _SIZE
    tone = item_rng(0, "ground", name, "tone").normal(1, 0.045, (count, count))
    shade = tone[(v * count).astype(int), (u * count).astype(int)] * (1 + 0.03 * _noise(name, 20.0))
    return _mixed(_tinted(color, shade), _tinted(joint, np.ones_like(u)), np.clip(2.5 - edge, 0, 1))


def _courses(
    name: str, rows: int, columns: int, color: tuple[float, float, float], joint: tuple[float, float, float]
) -> Image32:
    """Return bricks or boards in rows, every other one shifted by half."""
    u, v = _grid()
    row = (v * rows).astype(int)
    along = np.mod(u * columns + 0.5 * (row % 2), columns)
    cell_u, cell_v = np.mod(along, 1), np.mod(v * rows, 1)
    edge = np.minimum(np.minimum(cell_u, 1 - cell_u) / columns, np.minimum(cell_v, 1 - cell_v) / rows) * _SIZE
    tone = item_rng(0, "ground", name, "tone").normal(1, 0.13, (rows, columns))[row, along.astype(int)]
    shade = tone * (1 + 0.05 * _noise(name, 3.0))
    return _mixed(
        _tinted(color, shade), _tinted(joint, 1 + 0.05 * _noise(name, 2.0)), np.clip(2.2 - edge, 0, 1)
    )


def _boards() -> Image32:
    """Return floorboards along u with grain."""
    u, v = _grid()
    rows = 8
    row = (v * rows).astype(int)
    rng = item_rng(0, "ground", "parquet", "tone")
    tone, shift = rng.normal(1, 0.09, rows)[row], rng.uniform(0, 1, rows)[row]
    grain = 0.05 * _noise("parquet", 2.0, 30.0) + 0.07 * _noise("parquet", 7.0, 16.0)
    edge = np.minimum(np.mod(v * rows, 1), 1 - np.mod(v * rows, 1)) / rows * _SIZE
    butt = np.abs(np.mod(u + shift, 1) - 0.5) * _SIZE
    shade = tone * (1 + grain) * (1 - 0.55 * np.clip(1.6 - np.minimum(edge, butt), 0, 1))
    return _tinted((0.45, 0.255, 0.115), shade)


def _water() -> Image32:
    ripples = (
        0.5 * _noise("water", 9.0, 4.0) + 0.35 * _noise("water", 3.5, 4.0) + 0.4 * _noise("water", 30.0, 3.0)
    )
    share = np.clip(0.45 + 0.28 * ripples, 0, 1)
    return _mixed(
        _tinted((0.016, 0.070, 0.105), np.ones_like(share)),
        _tinted((0.085, 0.200, 0.250), np.ones_like(share)),
        share,
    )


def _gravel() -> Image32:
    stones = np.clip(0.55 + 0.3 * _noise("gravel", 6.0) + 0.2 * _noise("gravel", 2.5), 0.15, 1.2)
    return _tinted((0.34, 0.32, 0.30), stones)


def _sky() -> Image32:
    """Return a summer sky, horizon at v = 0, clouds that thin out upwards."""
    u, v = _grid()
    share = np.clip(v * 1.25, 0, 1) ** 0.75
    haze, zenith = np.array((0.80, 0.88, 0.95)), np.array((0.22, 0.46, 0.86))
    clear = haze + (zenith - haze) * share[..., None]
    lumps = _noise("sky", 60.0, 2.2) + 0.55 * _noise("sky", 26.0, 1.8) + 0.3 * _noise("sky", 11.0, 1.5)
    band = np.exp(-(((v - 0.40) / 0.24) ** 2))
    cloud = np.clip((lumps - 0.75) * 0.75, 0, 1) * band
    return _mixed(clear.astype(np.float32), np.full((*u.shape, 3), 0.94, dtype=np.float32), cloud)


GROUNDS: dict[str, Callable[[], Image32]] = {
    "asphalt": lambda: _speckled("asphalt", (0.105, 0.105, 0.110), 0.16, 0.05),
    "concrete": lambda: _speckled("concrete", (0.42, 0.41, 0.39), 0.05, 0.05),
    "sand": lambda: _speckled("sand", (0.62, 0.50, 0.33), 0.07, 0.05),
    "carpet": lambda: _speckled("carpet", (0.20, 0.22, 0.27), 0.16, 0.02),
    "plaster": lambda: _speckled("plaster", (0.70, 0.67, 0.60), 0.015, 0.02),
    "grass": _grass,
    "gravel": _gravel,
    "floor_tiles": lambda: _tiles("floor_tiles", 6, (0.58, 0.55, 0.50), (0.28, 0.27, 0.26)),
    "wall_tiles": lambda: _tiles("wall_tiles", 8, (0.72, 0.76, 0.75), (0.50, 0.52, 0.52)),
    "paving": lambda: _courses("paving", 6, 4, (0.40, 0.38, 0.36), (0.20, 0.19, 0.18)),
    "brick": lambda: _courses("brick", 16, 6, (0.33, 0.115, 0.070), (0.46, 0.43, 0.39)),
    "parquet": _boards,
    "water": _water,
    "sky": _sky,
}


def ground(name: str) -> Image32:
    """Return the (512, 512, 3) linear image of a name in ``GROUNDS``."""
    return GROUNDS[name]()
