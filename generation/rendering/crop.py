"""Find the pixels that change over a clip, and keep the others still."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from generation.rendering.camera import bounding_box
from generation.rendering.mitsuba_scene import MitsubaScene, Window
from generation.rendering.outline import Outlines
from generation.rendering.tone import to_srgb
from generation.scene import Scene

Image = NDArray[np.float32]

_PROBE_SPP = 4
_PROBE_FRAMES = 6
_PROBE_THRESHOLD = 2 / 255
_PROBE_SIGMA = 3.0
_MARGIN = 12

# Smoothed same-seed difference, in sRGB units, from which a pixel starts to follow, and fully follows.
_FOLLOW_FROM = 0.25 / 255
_FOLLOW_FULLY = 1.0 / 255
_FOLLOW_SIGMA = 2.0


def moving_window(stage: MitsubaScene, frames: list[int], max_depth: int) -> Window | None:
    """Return the window that holds every pixel that changes over a clip, or None if nothing moves.

    It is the union of the moving bodies' projections over all frames and of what a coarse render sees change
    between extreme poses: shadows and reflections too.

    Args:
        stage: left at another frame afterwards.
        frames: one frame of each different geometry, ascending.
        max_depth: of the light paths.
    """
    if len(frames) < 2:
        return None
    camera = stage.scene.camera
    mask = np.zeros((camera.height, camera.width), dtype=bool)
    sensor = stage.sensor()
    chosen = sorted({frames[round(k)] for k in np.linspace(0, len(frames) - 1, _PROBE_FRAMES)})
    images = []
    for frame in chosen:
        stage.show(frame)
        images.append(to_srgb(stage.render(sensor, _PROBE_SPP, max_depth)))
    for image in images[1:]:
        mask |= changed(image, images[0], _PROBE_SIGMA) > _PROBE_THRESHOLD
    boxes = [_hull_box(stage.scene, frames), *_mask_box(mask)]
    low = np.floor(np.min([b[:2] for b in boxes], axis=0)).astype(int) - _MARGIN
    high = np.ceil(np.max([b[2:] for b in boxes], axis=0)).astype(int) + _MARGIN
    low = np.maximum(low, 0)
    high = np.minimum(high, (camera.width, camera.height))
    return Window(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))


def _hull_box(scene: Scene, frames: list[int]) -> tuple[float, ...]:
    """Return the pixel box of all moving bodies over all frames."""
    moving = [o for o in (*scene.backdrop, *scene.objects) if not o.is_static]
    outlines, camera = Outlines(moving), scene.camera
    boxes = [bounding_box(camera, outlines.points(o, f)) for o in moving for f in frames]
    low, high = np.min(boxes, axis=0)[:2], np.max(boxes, axis=0)[2:]
    size = np.array([camera.width, camera.height])
    return (*(low * size), *(high * size))


def _mask_box(mask: NDArray[np.bool_]) -> list[tuple[float, ...]]:
    rows, columns = np.nonzero(mask)
    return [(columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)] if len(rows) else []


def changed(image: Image, other: Image, sigma: float) -> Image:
    """Return the smoothed largest channel difference of two sRGB images, (h, w)."""
    return ndimage.gaussian_filter(np.abs(image - other).max(axis=2), sigma)


class StillPixels:
    """Follow a clip, keeping each pixel's shown value until its samples change.

    Denoising moves unchanged pixels by a fraction of a level when something moves nearby. So a pixel keeps
    what it showed when it last changed, until its raw samples, drawn with the same random numbers in every
    frame, differ from what they were then.

    Args:
        noisy: (h, w, 3) raw linear samples of the first frame.
        shown: (h, w, 3) linear image shown for it.
    """

    def __init__(self, noisy: Image, shown: Image) -> None:
        """Start from the first frame."""
        self._noisy = to_srgb(noisy)
        self._shown = shown.copy()

    def update(self, noisy: Image, clean: Image) -> Image:
        """Return the image to show for the next frame, (h, w, 3) linear."""
        encoded = to_srgb(noisy)
        difference = changed(encoded, self._noisy, _FOLLOW_SIGMA)
        share = np.clip((difference - _FOLLOW_FROM) / (_FOLLOW_FULLY - _FOLLOW_FROM), 0, 1)[..., None]
        result = self._shown + share * (clean - self._shown)
        # Values in between are not kept: what they leave out would add up over the frames.
        full = share[..., 0] >= 1
        self._noisy[full] = encoded[full]
        self._shown[full] = clean[full]
        return result
