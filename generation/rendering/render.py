"""Turn a scene into frames."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

import numpy as np
from numpy.typing import NDArray

from generation.core.records import RendererInfo
from generation.rendering import denoise
from generation.rendering.crop import StillPixels, moving_window
from generation.rendering.mitsuba_scene import MitsubaScene, geometry_fingerprints
from generation.rendering.tone import to_srgb8
from generation.scene import Scene
from physprobe import renderer

Frame = NDArray[np.uint8]
Image = NDArray[np.float32]

_RECORDED_PACKAGES = ("mitsuba", "drjit", "pyoidn", "av", "numpy")


@dataclass(frozen=True)
class RenderSettings:
    """Quality of the pixels.

    Attributes:
        spp: samples per pixel of the window that changes over the clip.
        background_spp: samples per pixel of the whole first frame.
        max_depth: longest light path, in segments.
        denoise: run Open Image Denoise.
    """

    spp: int = 16
    background_spp: int = 64
    max_depth: int = 6
    denoise: bool = True


def render_clip(scene: Scene, settings: RenderSettings) -> Iterator[Frame]:
    """Render all frames of a clip, in order.

    The first frame is rendered whole. Later ones are rendered only in the window that changes over the clip,
    with the same random numbers, and pixels that stay the same there are kept. Frames that repeat an earlier
    one's geometry repeat its pixels. The result depends on ``scene``, ``settings`` and the variant alone.

    Yields:
        T frames, (H, W, 3) uint8 sRGB.
    """
    fingerprints = geometry_fingerprints(scene)
    stage = MitsubaScene(scene)
    try:
        yield from _frames(stage, fingerprints, settings)
    finally:
        # Loading the next scene while this one lives would compile its kernels again.
        del stage
        gc.collect()


def _frames(stage: MitsubaScene, fingerprints: list[bytes], settings: RenderSettings) -> Iterator[Frame]:
    sensor = stage.sensor()
    first = _image(stage, sensor, settings.background_spp, settings)[1]
    done = {fingerprints[0]: to_srgb8(first)}
    window = moving_window(stage, _distinct(fingerprints), settings.max_depth)
    pixels: StillPixels | None = None
    for number, fingerprint in enumerate(fingerprints):
        if fingerprint not in done:
            assert window is not None, "frames differ, so something moves"
            if pixels is None:
                stage.show(0)
                sensor = stage.sensor(window)
                pixels = StillPixels(
                    stage.render(sensor, settings.spp, settings.max_depth), first[window.slices]
                )
            stage.show(number)
            noisy, clean = _image(stage, sensor, settings.spp, settings)
            frame = done[fingerprints[0]].copy()
            frame[window.slices] = to_srgb8(pixels.update(noisy, clean))
            done[fingerprint] = frame
        yield done[fingerprint]


def _image(stage: MitsubaScene, sensor: object, spp: int, settings: RenderSettings) -> tuple[Image, Image]:
    """Return the image as sampled and the image to show."""
    noisy = stage.render(sensor, spp, settings.max_depth)
    if not settings.denoise:
        return noisy, noisy
    return noisy, denoise.denoise(noisy, *stage.guides(sensor, spp))


def _distinct(fingerprints: list[bytes]) -> list[int]:
    """Return the index of the first frame of each different geometry."""
    return sorted({f: n for n, f in reversed(list(enumerate(fingerprints)))}.values())


def renderer_info(settings: RenderSettings) -> RendererInfo:
    """Return what made the pixels, for the record."""
    choice = renderer.choose()
    return RendererInfo(
        variant=choice.variant,
        spp=settings.spp,
        background_spp=settings.background_spp,
        denoiser=denoise.version() if settings.denoise else "none",
        llvm=choice.llvm_version,
        versions={name: metadata.version(name) for name in _RECORDED_PACKAGES},
        processor=renderer.processor(),
    )
