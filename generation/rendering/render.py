"""Turn a scene into frames."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass, fields
from importlib import metadata

import numpy as np
from numpy.typing import NDArray

from generation.core.records import RendererInfo
from generation.rendering import denoise
from generation.rendering.crop import StillPixels, moving_region, probe
from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.silhouettes import Silhouettes
from generation.rendering.tone import to_srgb8
from generation.rendering.window import Window, around, whole
from generation.scene import Material, Scene
from physprobe import renderer

Frame = NDArray[np.uint8]
Image = NDArray[np.float32]
Mask = NDArray[np.bool_]

# Around the region that changes, so that the denoiser sees its surroundings.
_MARGIN = 12
_GUIDE_SPP = 16
# With fewer, what moves would shimmer.
_FEWEST_SPP = 8
# Frames that show the same, from which on noise in them is seen.
_LASTING = 4

_RECORDED_PACKAGES = ("mitsuba", "drjit", "pyoidn", "av", "numpy")


@dataclass(frozen=True)
class RenderSettings:
    """Quality of the pixels.

    Attributes:
        spp: samples per pixel of what changes after the first frame.
        background_spp: samples per pixel of the whole first frame.
        detail: how many times as many pixels of metal or textured objects get: no denoiser can guess relief
            and patterns.
        max_depth: longest light path, in segments.
        denoise: run Open Image Denoise.
    """

    spp: int = 16
    background_spp: int = 36
    detail: int = 4
    max_depth: int = 5
    denoise: bool = True


def render_clip(scene: Scene, settings: RenderSettings) -> Iterator[Frame]:
    """Render all frames of a clip, in order.

    The first frame is rendered whole. Of later ones, a coarse probe of the region that changes over the clip,
    always with the same random numbers, tells which pixels change; only these are sampled again. Frames that
    repeat an earlier one's geometry repeat its pixels. The result depends on ``scene``, ``settings`` and the
    variant alone.

    Yields:
        T frames, (H, W, 3) uint8 sRGB.
    """
    stage = MitsubaScene(scene)
    try:
        yield from film(stage, settings)
    finally:
        # Loading the next scene while this one lives would compile its kernels again.
        del stage
        gc.collect()


def film(stage: MitsubaScene, settings: RenderSettings) -> Iterator[Frame]:
    """Render all frames of a loaded scene, which shows frame 0; see :func:`render_clip`."""
    artist = _Artist(stage, settings)
    fingerprints = artist.silhouettes.fingerprints
    layers = artist.first_frame()
    first = artist.develop(layers)
    region = moving_region(stage, artist.silhouettes, _distinct(fingerprints), settings.max_depth)
    follower = _Follower(artist, layers, first, region) if region.any() else None
    done = {fingerprints[0]: to_srgb8(first)}
    for number, fingerprint in enumerate(fingerprints):
        if follower and fingerprint not in done:
            lasts = artist.is_frugal and fingerprints.count(fingerprint) >= _LASTING
            done[fingerprint] = follower.frame(number, lasts=lasts)
        yield done[fingerprint]


@dataclass
class _Layers:
    """What goes into the denoiser: color, albedo and normal, each (h, w, 3) float32."""

    color: Image
    albedo: Image
    normal: Image

    def cut(self, part: tuple[slice, slice]) -> _Layers:
        return _Layers(*(getattr(self, f.name)[part].copy() for f in fields(self)))

    def copy(self) -> _Layers:
        return _Layers(*(getattr(self, f.name).copy() for f in fields(self)))

    def put(self, mask: Mask, other: _Layers) -> None:
        """Take over the pixels of a mask from other layers of the same size."""
        for f in fields(self):
            getattr(self, f.name)[mask] = getattr(other, f.name)[mask]


class _Artist:
    """Samples and denoises with given settings.

    Attributes:
        silhouettes: of the scene.
        is_frugal: whether frames that don't last get fewer samples. No denoiser could guess detail from them.
    """

    def __init__(self, stage: MitsubaScene, settings: RenderSettings) -> None:
        self.stage, self.settings = stage, settings
        self.silhouettes = Silhouettes(stage.scene)
        detailed = [b for b in stage.scene.objects if _has_detail(b.material)]
        self.is_frugal = stage.has_glass or not detailed
        self._important = stage.scene.objects if self.is_frugal else detailed

    def first_frame(self) -> _Layers:
        """Sample the whole frame that the stage shows, which is the first."""
        window = whole(self.stage.scene.camera)
        layers = _Layers(*(np.zeros((*window.shape, 3), dtype=np.float32) for _ in fields(_Layers)))
        self.resample(layers, np.ones(window.shape, dtype=bool), window, 0, lasts=True)
        return layers

    def resample(self, layers: _Layers, mask: Mask, window: Window, frame: int, *, lasts: bool) -> None:
        """Sample the pixels of a mask again, all (h, w) of a window, in place.

        Args:
            lasts: whether the frame stays for a while, so that noise would be seen.
        """
        important = self.silhouettes.mask(self._important, frame)[window.slices]
        counts = self._counts(lasts)
        for part, count in zip((mask & ~important, mask & important), counts, strict=True):
            if part.any():
                layers.color[part] = self.stage.color(window.pixels(part), count, self.settings.max_depth)
        if self.settings.denoise and mask.any():
            guides = self.stage.guides(window.pixels(mask), min(counts[0], _GUIDE_SPP))
            layers.albedo[mask], layers.normal[mask] = guides

    def _counts(self, lasts: bool) -> tuple[int, int]:
        """Return samples per pixel elsewhere, and where important objects are."""
        settings = self.settings
        spp = settings.background_spp if lasts else settings.spp
        if not self.is_frugal:
            return spp, spp * settings.detail
        if lasts:
            return spp, spp
        # Clay is smooth, and what is seen through glass guides the denoiser there.
        return max(1, spp // 4), max(min(spp, _FEWEST_SPP), spp * 9 // 16)

    def develop(self, layers: _Layers) -> Image:
        """Return the clean image, (h, w, 3) linear."""
        if not self.settings.denoise:
            return layers.color
        return denoise.denoise(layers.color, layers.albedo, layers.normal)


class _Follower:
    """Renders later frames of a clip: only a region, and there only what changes."""

    def __init__(self, artist: _Artist, layers: _Layers, first: Image, region: Mask) -> None:
        self._artist = artist
        self._first = to_srgb8(first)
        self._window = around(region, _MARGIN)
        self._region = self._window.pixels(region[self._window.slices])
        self._layers = layers.cut(self._window.slices)
        cut = self._window.slices
        self._still = StillPixels(region[cut], self._probe(0), first[cut], artist.stage.has_glass)
        self._ever = np.zeros_like(region[cut])

    def _probe(self, number: int) -> Image:
        return probe(self._artist.stage, number, self._region, self._artist.settings.max_depth)

    def _moving(self, number: int) -> Mask:
        """Return where bodies that have moved since the frame before are or were, (h, w)."""
        silhouettes = self._artist.silhouettes
        bodies = [b for b in self._artist.stage.scene.objects if silhouettes.moves(b, number)]
        return silhouettes.mask(bodies, max(number - 1, 0), number)[self._window.slices]

    def _displaced(self, number: int) -> Mask:
        """Return where bodies are, or were at first, that have moved since, (h, w)."""
        silhouettes = self._artist.silhouettes
        bodies = [b for b in self._artist.stage.scene.objects if silhouettes.has_moved(b, number)]
        return silhouettes.mask(bodies, 0, number)[self._window.slices]

    def frame(self, number: int, *, lasts: bool) -> Frame:
        """Return the whole frame; one that lasts is sampled anew wherever anything has changed so far."""
        new = self._probe(number)
        share = self._still.share(new, lambda: self._moving(number))
        self._ever |= share > 0
        if lasts:
            share = np.where(self._ever, np.float32(1), share)
        layers = self._layers.copy()
        clean = np.zeros_like(layers.color)
        if share.any():
            self._artist.resample(layers, share > 0, self._window, number, lasts=lasts)
            near = around(share > 0, _MARGIN).slices
            clean[near] = self._artist.develop(layers.cut(near))
        shown = self._still.update(share, new, clean, lambda: self._displaced(number))
        self._layers.put(share > 0 if self._artist.stage.has_glass else share >= 1, layers)
        frame = self._first.copy()
        frame[self._window.slices] = to_srgb8(shown)
        return frame


def _has_detail(material: Material) -> bool:
    return material.kind == "metal" or bool(material.texture)


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
