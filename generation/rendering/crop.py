"""Find the pixels that change over a clip, and from frame to frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.silhouettes import Silhouettes
from generation.rendering.tone import to_srgb
from generation.rendering.window import whole

Image = NDArray[np.float32]
Mask = NDArray[np.bool_]

_PROBE_SPP = 4
_PROBE_DEPTH = 3

# Frames spread over the clip that tell where shadows and reflections go.
_REGION_FRAMES = 6
_REGION_THRESHOLD = 2 / 255
_REGION_SIGMA = 3.0
_REGION_MARGIN = 6

# Smoothed difference of probes, in sRGB units, from which a pixel starts to follow, and fully follows.
_FOLLOW_FROM = 0.5 / 255
_FOLLOW_FULLY = 1.5 / 255
_FOLLOW_SIGMA = 2.0


def moving_region(stage: MitsubaScene, silhouettes: Silhouettes, frames: list[int], max_depth: int) -> Mask:
    """Return every pixel that may change over a clip, (H, W); none does if fewer than two frames are given.

    It is the union of the moving bodies' silhouettes over all frames and of what probes see change between
    frames far apart, shadows and reflections too, with a margin.

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
    chosen = sorted({frames[round(k)] for k in np.linspace(0, len(frames) - 1, _REGION_FRAMES)})
    images = [probe(stage, frame, whole(scene.camera).pixels(), max_depth) for frame in chosen]
    pictures = [to_srgb(image).reshape(*region.shape, 3) for image in images]
    for picture in pictures[1:]:
        region |= difference(picture, pictures[0], _REGION_SIGMA) > _REGION_THRESHOLD
    moving = [o for o in (*scene.backdrop, *scene.objects) if not o.is_static]
    for frame in frames:
        region |= silhouettes.mask(moving, frame)
    return np.asarray(ndimage.binary_dilation(region, iterations=_REGION_MARGIN))


def probe(stage: MitsubaScene, frame: int, pixels: NDArray[np.int64], max_depth: int) -> Image:
    """Return some pixels coarsely, (N, 3) linear, to be compared with the same ones of other frames."""
    stage.show(frame)
    # Light that bounces more often tells no more about what changes.
    return stage.color(pixels, _PROBE_SPP, min(max_depth, _PROBE_DEPTH))


def difference(image: Image, other: Image, sigma: float) -> Image:
    """Return the smoothed largest channel difference of two sRGB images, (h, w)."""
    return np.asarray(ndimage.gaussian_filter(np.abs(image - other).max(axis=2), sigma))


class StillPixels:
    """Follow a clip, keeping what each pixel shows until its light changes.

    Fresh samples and denoising move unchanged pixels by a fraction of a level. So a pixel keeps what it
    showed when it last changed, until its probe, drawn with the same random numbers in every frame, differs
    from the one of that time.

    Args:
        region: (h, w) the pixels that are probed, row by row.
        first: (N, 3) linear, their probe of the first frame; see :func:`probe`.
        shown: (h, w, 3) linear image shown for the first frame.
    """

    def __init__(self, region: Mask, first: Image, shown: Image) -> None:
        """Start from the first frame."""
        self._region = region
        self._probe = self._spread(first)
        self._shown = shown.copy()

    def _spread(self, new: Image) -> Image:
        picture = np.zeros((*self._region.shape, 3), dtype=np.float32)
        picture[self._region] = to_srgb(new)
        return picture

    def share(self, new: Image) -> Image:
        """Return how far each pixel follows a frame with this probe, (h, w) from 0 (not) to 1 (fully)."""
        change = difference(self._spread(new), self._probe, _FOLLOW_SIGMA)
        share = np.clip((change - _FOLLOW_FROM) / (_FOLLOW_FULLY - _FOLLOW_FROM), 0, 1)
        return np.where(self._region, share, 0)

    def update(self, share: Image, new: Image, clean: Image) -> Image:
        """Return the image to show, (h, w, 3) linear, given the frame's probe and its clean image."""
        result = self._shown + share[..., None] * (clean - self._shown)
        # Values in between are not kept: what they leave out would add up over the frames.
        is_full = share >= 1
        self._probe[is_full] = self._spread(new)[is_full]
        self._shown[is_full] = clean[is_full]
        return result
