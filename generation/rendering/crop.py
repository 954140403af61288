"""Find the pixels that change over a clip, and from frame to frame."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.silhouettes import Silhouettes
from generation.rendering.tone import to_srgb
from generation.rendering.window import whole

Image = NDArray[np.float32]
Mask = NDArray[np.bool_]

_PROBE_SPP, _GLASS_PROBE_SPP = 4, 1
_PROBE_DEPTH = 3

# Every other different frame tells where shadows and reflections go: those of a flying body go fast.
_REGION_STEP = 2
# Every other pixel of every other row is enough for that.
_SKETCH_STEP = 2
_REGION_THRESHOLD = 2 / 255
_REGION_SIGMA = 3.0
_REGION_MARGIN = 6

# Smoothed difference of probes, in sRGB units, from which a pixel starts to follow, and fully follows.
_FOLLOW_FROM = 0.5 / 255
_FOLLOW_FULLY = 1.5 / 255
_FOLLOW_SIGMA = 2.0
# The same for probes of a path or two a pixel, smoothed before the difference is taken.
_COARSE_FROM = 0.8 / 255
_COARSE_FULLY = 1.6 / 255
_COARSE_SIGMA = 5.0
_COARSE_PATCH, _COARSE_RIM = 9, 9
# Pixels; what one or two paths change looks no larger, smoothed.
_COARSE_SPECK = 500
# More than this, one path can't tell: a rare bright one would look like a change around it.
_COARSE_LIMIT = 0.2


def moving_region(stage: MitsubaScene, silhouettes: Silhouettes, frames: list[int], max_depth: int) -> Mask:
    """Return every pixel that may change over a clip, (H, W); none does if fewer than two frames are given.

    It is the union of the moving bodies' silhouettes over all frames and of what sketches see change since
    the first one, shadows and reflections too, with a margin.

    Args:
        stage: left at another frame afterwards.
        silhouettes: of the scene.
        frames: one frame of each different geometry, ascending.
        max_depth: of the light paths.
    """
    scene = stage.scene
    region = np.zeros(whole(scene.camera).shape, dtype=bool)
    if len(frames) < 2:
        return region
    sketched = sorted({*frames[::_REGION_STEP], frames[-1]})
    first, *others = (_sketch(stage, frame, max_depth) for frame in sketched)
    seen = np.zeros(first.shape[:2], dtype=bool)
    for picture in others:
        seen |= difference(picture, first, _REGION_SIGMA / _SKETCH_STEP) > _REGION_THRESHOLD
    height, width = region.shape
    region |= seen.repeat(_SKETCH_STEP, axis=0).repeat(_SKETCH_STEP, axis=1)[:height, :width]
    moving = [o for o in (*scene.backdrop, *scene.objects) if not o.is_static]
    for frame in frames:
        region |= silhouettes.mask(moving, frame)
    return np.asarray(ndimage.binary_dilation(region, iterations=_REGION_MARGIN))


def _sketch(stage: MitsubaScene, frame: int, max_depth: int) -> Image:
    """Return a frame in sRGB units, (h, w, 3), from every other pixel of every other row."""
    stage.show(frame)
    window = whole(stage.scene.camera)
    grid = window.pixels().reshape(*window.shape, 2)[::_SKETCH_STEP, ::_SKETCH_STEP]
    color = stage.color(grid.reshape(-1, 2), _PROBE_SPP, min(max_depth, _PROBE_DEPTH))
    return to_srgb(color).reshape(*grid.shape[:2], 3)


def probe(stage: MitsubaScene, frame: int, pixels: NDArray[np.int64], max_depth: int) -> Image:
    """Return some pixels coarsely, (N, 3) linear, to be compared with the same ones of other frames."""
    stage.show(frame)
    # Light that bounces more often tells no more about what changes. Paths through glass are long, and one
    # of them tells as much.
    spp = _GLASS_PROBE_SPP if stage.has_glass else _PROBE_SPP
    return stage.color(pixels, spp, min(max_depth, _PROBE_DEPTH))


def difference(image: Image, other: Image, sigma: float) -> Image:
    """Return the smoothed largest channel difference of two sRGB images, (h, w)."""
    return np.asarray(ndimage.gaussian_filter(np.abs(image - other).max(axis=2), sigma))


def mean_difference(image: Image, other: Image, sigma: float) -> Image:
    """Return the largest channel difference of two smoothed sRGB images, (h, w)."""
    limited = np.clip(image - other, -_COARSE_LIMIT, _COARSE_LIMIT)
    smooth = ndimage.gaussian_filter(limited, (sigma, sigma, 0))
    return np.asarray(np.abs(smooth).max(axis=2))


class StillPixels:
    """Follow a clip, keeping what each pixel shows until its light changes.

    Fresh samples and denoising move unchanged pixels by a fraction of a level. So a pixel keeps what it
    showed when it last changed, until its probe, drawn with the same random numbers in every frame, differs
    from the one of that time.

    Args:
        region: (h, w) the pixels that are probed, row by row.
        first: (N, 3) linear, their probe of the first frame; see :func:`probe`.
        shown: (h, w, 3) linear image shown for the first frame.
        is_coarse: whether a probe is a path or two a pixel: then only local means tell what changes.
    """

    def __init__(self, region: Mask, first: Image, shown: Image, is_coarse: bool = False) -> None:
        """Start from the first frame."""
        self.region = region
        self._is_coarse = is_coarse
        self._probe = self._spread(first)
        self._shown = shown.copy()
        self._first_probe, self._first = self._probe.copy(), shown.copy()

    def _spread(self, new: Image) -> Image:
        picture = np.zeros((*self.region.shape, 3), dtype=np.float32)
        picture[self.region] = to_srgb(new)
        return picture

    def share(self, new: Image, moving: Callable[[], Mask]) -> Image:
        """Return how far each pixel follows a frame with this probe, (h, w) from 0 (not) to 1 (fully).

        Args:
            new: (N, 3) linear, the frame's probe. moving: tells where bodies have moved, (h, w).
        """
        if self._is_coarse:
            return self._coarse_share(new, self._probe, moving())
        change = difference(self._spread(new), self._probe, _FOLLOW_SIGMA)
        share = np.clip((change - _FOLLOW_FROM) / (_FOLLOW_FULLY - _FOLLOW_FROM), 0, 1)
        return np.where(self.region, share, 0)

    def _coarse_share(self, new: Image, old: Image, moving: Mask) -> Image:
        change = mean_difference(self._spread(new), old, _COARSE_SIGMA)
        share = np.clip((change - _COARSE_FROM) / (_COARSE_FULLY - _COARSE_FROM), 0, 1)
        share = np.where(_is_speck(share > 0), 0, share)
        share = np.maximum(share, ndimage.binary_dilation(moving, iterations=_COARSE_RIM))
        # One even patch: the change is smoother than what so few paths tell of it.
        share = ndimage.gaussian_filter(ndimage.maximum_filter(share, _COARSE_PATCH), _COARSE_PATCH / 4)
        share = np.clip((share - 0.05) / 0.9, 0, 1)
        return np.where(self.region, share, 0)

    def update(self, share: Image, new: Image, clean: Image, displaced: Callable[[], Mask]) -> Image:
        """Return the image to show, (h, w, 3) linear, given the frame's probe and its clean image.

        Args:
            displaced: tells where bodies are, or were at first, that have moved since, (h, w).
        """
        result = self._shown + share[..., None] * (clean - self._shown)
        if self._is_coarse:
            # What looks as at first shows the first frame again: few samples leave a trace of what passed.
            changed = self._coarse_share(new, self._first_probe, displaced())[..., None]
            result = self._first + changed * (result - self._first)
            # Whatever was sampled anew is kept: what lay behind a body must not stay half when it has gone.
            self._shown = result
            is_told = share >= 0.5
            self._probe[is_told] = self._spread(new)[is_told]
            return result
        # Values in between are not kept: what they leave out would add up over the frames.
        is_full = share >= 1
        self._probe[is_full] = self._spread(new)[is_full]
        self._shown[is_full] = clean[is_full]
        return result


def _is_speck(mask: Mask) -> Mask:
    """Return the pixels of a mask's small connected parts, (h, w)."""
    parts, _ = ndimage.label(mask)
    areas = np.bincount(parts.ravel())
    return np.asarray(mask & (areas < _COARSE_SPECK)[parts])
