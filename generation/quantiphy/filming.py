"""Films things that move before a still background, sampling only what changes from frame to frame.

As :func:`generation.rendering.render.render_clip`, with less work for clips of this kind: one sketch a frame,
of one pixel in nine, tells where shadows and reflections go, and each group of changed pixels is denoised by
itself.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from generation.rendering import denoise
from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.render import RenderSettings
from generation.rendering.silhouettes import Silhouettes
from generation.rendering.tone import to_srgb, to_srgb8
from generation.rendering.window import Window, around, whole
from generation.scene import Scene

Frame = NDArray[np.uint8]
Image = NDArray[np.float32]
Mask = NDArray[np.bool_]

SETTINGS = RenderSettings(spp=6, background_spp=12, detail=1, max_depth=4)

_STEP, _SKETCH_SPP, _SKETCH_DEPTH = 3, 4, 3
# Smoothed difference of sketches, in sRGB units, from which a pixel starts to follow, and fully follows.
_FOLLOW_FROM, _FOLLOW_FULLY, _SIGMA = 1.5 / 255, 3.0 / 255, 1.4
_SPECK = 16  # pixels of a sketch; what single paths change looks no larger
_RIM = 3  # pixels around things that are sampled with them
_MARGIN = 12  # around changed pixels, so that the denoiser sees their surroundings
_GUIDE_SPP = 4
_CLUSTER = 24  # pixels; changes closer than this are denoised together


def film(scene: Scene, settings: RenderSettings = SETTINGS) -> Iterator[Frame]:
    """Render all frames of a clip, in order.

    Yields:
        T frames, (H, W, 3) uint8 sRGB. They depend on the arguments and on the variant alone.
    """
    stage = MitsubaScene(scene)
    try:
        yield from _frames(_Camera(stage, settings), scene.num_frames)
    finally:
        # Loading the next scene while this one lives would compile its kernels again.
        del stage
        gc.collect()


def _frames(camera: _Camera, count: int) -> Iterator[Frame]:
    prints = camera.silhouettes.fingerprints
    picture = to_srgb8(camera.first())
    for number in range(count):
        if number and prints[number] != prints[number - 1]:
            picture = to_srgb8(camera.following(number))
        yield picture


@dataclass
class _Layers:
    """What goes into the denoiser: color, albedo and normal, each (h, w, 3) float32."""

    color: Image
    albedo: Image
    normal: Image

    def cut(self, window: Window) -> _Layers:
        return _Layers(*(layer[window.slices] for layer in (self.color, self.albedo, self.normal)))

    def copy(self) -> _Layers:
        return _Layers(self.color.copy(), self.albedo.copy(), self.normal.copy())

    def put(self, mask: Mask, other: _Layers) -> None:
        """Take over the pixels of a mask."""
        self.color[mask], self.albedo[mask] = other.color[mask], other.albedo[mask]
        self.normal[mask] = other.normal[mask]


class _Camera:
    """Takes one picture after another; each pixel keeps what it shows until its light changes."""

    def __init__(self, stage: MitsubaScene, settings: RenderSettings) -> None:
        self._stage, self._settings = stage, settings
        self.silhouettes = Silhouettes(stage.scene)
        self._window = whole(stage.scene.camera)
        self._grid = self._window.pixels().reshape(*self._window.shape, 2)[::_STEP, ::_STEP]
        blank = np.zeros((*self._window.shape, 3), dtype=np.float32)
        self._layers = _Layers(blank, blank.copy(), blank.copy())

    def first(self) -> Image:
        """Return frame 0, (H, W, 3) linear."""
        everything = np.ones(self._window.shape, dtype=bool)
        self._sample(self._layers, everything, 0, self._settings.background_spp)
        self._shown = self._develop(self._layers)
        self._told = self._sketch(0)
        return self._shown

    def following(self, number: int) -> Image:
        """Return a later frame, (H, W, 3) linear; frames are asked for in order."""
        sketch = self._sketch(number)
        coarse = self._coarse_share(sketch)
        share = np.maximum(self._spread(coarse), self._moving(number))
        layers = self._layers.copy()
        self._sample(layers, share > 0, number, self._settings.spp)
        result = self._shown.copy()
        for window in clusters(share > 0):
            clean, part = self._develop(layers.cut(window)), share[window.slices][..., None]
            old = self._shown[window.slices]
            result[window.slices] = old + part * (clean - old)
        # Values in between are not kept: what they leave out would add up over the frames.
        is_new = share >= 1
        self._shown[is_new] = result[is_new]
        self._layers.put(is_new, layers)
        is_told = is_new[::_STEP, ::_STEP]
        self._told[is_told] = sketch[is_told]
        return result

    def _sketch(self, number: int) -> Image:
        """Return a coarse picture, (h, w, 3) in sRGB units, always with the same random numbers."""
        self._stage.show(number)
        depth = min(self._settings.max_depth, _SKETCH_DEPTH)
        color = self._stage.color(self._grid.reshape(-1, 2), _SKETCH_SPP, depth)
        return to_srgb(color).reshape(*self._grid.shape[:2], 3)

    def _coarse_share(self, sketch: Image) -> Image:
        change = ndimage.gaussian_filter(np.abs(sketch - self._told).max(axis=2), _SIGMA)
        share = np.clip((change - _FOLLOW_FROM) / (_FOLLOW_FULLY - _FOLLOW_FROM), 0, 1)
        parts, _ = ndimage.label(share > 0)
        share[(np.bincount(parts.ravel()) < _SPECK)[parts]] = 0
        return np.asarray(ndimage.grey_dilation(share, 3))

    def _spread(self, coarse: Image) -> Image:
        """Return a coarse share for each pixel of the image, (H, W), without steps."""
        fine = coarse.repeat(_STEP, axis=0).repeat(_STEP, axis=1)
        fine = fine[: self._window.height, : self._window.width]
        return np.clip(ndimage.uniform_filter(fine, _STEP) * 1.001, 0, 1).astype(np.float32)

    def _moving(self, number: int) -> Image:
        """Return 1 where bodies that have moved are or were, with a rim, (H, W)."""
        bodies = [b for b in self._stage.scene.objects if self.silhouettes.moves(b, number)]
        mask = self.silhouettes.mask(bodies, number - 1, number)
        return ndimage.binary_dilation(mask, iterations=_RIM).astype(np.float32)

    def _sample(self, layers: _Layers, mask: Mask, number: int, spp: int) -> None:
        """Sample the pixels of a mask, (H, W), in place; those of things more often."""
        important = self.silhouettes.mask(self._stage.scene.objects, number)
        for part, count in ((mask & ~important, spp), (mask & important, spp * self._settings.detail)):
            if part.any():
                pixels = self._window.pixels(part)
                layers.color[part] = self._stage.color(pixels, count, self._settings.max_depth)
        if self._settings.denoise and mask.any():
            guides = self._stage.guides(self._window.pixels(mask), min(spp, _GUIDE_SPP))
            layers.albedo[mask], layers.normal[mask] = guides

    def _develop(self, layers: _Layers) -> Image:
        if not self._settings.denoise:
            return layers.color
        return denoise.denoise(layers.color, layers.albedo, layers.normal)


def clusters(mask: Mask) -> list[Window]:
    """Return windows around the groups of a mask's pixels, with a margin; overlapping ones as one."""
    labels, _ = ndimage.label(ndimage.maximum_filter(mask, _CLUSTER))
    windows = [around(mask & (labels == k + 1), _MARGIN) for k in range(int(labels.max()))]
    merged = True
    while merged:
        merged = False
        for k, one in enumerate(windows):
            near = [n for n in range(k + 1, len(windows)) if _touch(one, windows[n])]
            if near:
                windows[k] = _joined(one, windows.pop(near[0]))
                merged = True
                break
    return windows


def _touch(one: Window, other: Window) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def _joined(one: Window, other: Window) -> Window:
    x, y = min(one.x, other.x), min(one.y, other.y)
    right = max(one.x + one.width, other.x + other.width)
    bottom = max(one.y + one.height, other.y + other.height)
    return Window(x, y, right - x, bottom - y)
