"""Open Image Denoise on CPU."""

from __future__ import annotations

import functools
import sys
from importlib import metadata
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]
Pixels = NDArray[np.uint8]

_PAD = 4

_threads = 0


def set_threads(count: int) -> None:
    """Use ``count`` threads from the next image on (0: all cores)."""
    global _threads
    _threads = count


@functools.cache
def _library() -> ModuleType:
    """Import pyoidn without torch, which it would load if installed: half a gigabyte, not needed here."""
    is_hidden = "torch" not in sys.modules
    if is_hidden:
        sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        import pyoidn
    finally:
        if is_hidden:
            del sys.modules["torch"]
    return pyoidn


@functools.cache
def _device(threads: int) -> Any:
    pyoidn = _library()
    device = pyoidn.Device(pyoidn.OIDN_DEVICE_TYPE_CPU)
    if threads:
        device.set_int("numThreads", threads)
    # Pinned threads of several worker processes would share the same cores.
    device.set_bool("setAffinity", False)
    device.commit()
    _check(device)
    return device


@functools.cache
def _filter(threads: int, kind: str) -> Any:
    """Return a filter for images that are linear and unbounded ("hdr"), or finished ("srgb")."""
    pyoidn = _library()
    rt = pyoidn.Filter(_device(threads), pyoidn.OIDN_FILTER_TYPE_RT)
    rt.set_bool(kind, True)
    rt.set_quality(pyoidn.OIDN_QUALITY_HIGH)
    return rt


def _check(device: Any) -> None:
    message = device.get_error()
    if message:
        raise RuntimeError(f"Open Image Denoise: {message}")


def denoise(color: Image, albedo: Image, normal: Image) -> Image:
    """Remove Monte Carlo noise from a linear image.

    Args:
        color: (H, W, 3) float32 linear radiance, non-negative.
        albedo: (H, W, 3) float32 in [0, 1]. normal: (H, W, 3) float32 in [-1, 1].

    Returns:
        (H, W, 3) float32 linear radiance.

    Raises:
        RuntimeError: the library reports a failure.
    """
    return _filtered("hdr", color=color, albedo=albedo, normal=normal)


def denoise_finished(pixels: Pixels) -> Pixels:
    """Remove Monte Carlo noise from a finished image, (H, W, 3) sRGB, without guides.

    Raises:
        ImportError: Open Image Denoise is not installed. RuntimeError: it reports a failure.
    """
    clean = _filtered("srgb", color=pixels.astype(np.float32) / np.float32(255))
    return np.asarray((np.clip(clean, 0, 1) * 255).round(), np.uint8)


def _filtered(kind: str, **images: Image) -> Image:
    pyoidn = _library()
    rt = _filter(_threads, kind)
    # Held until execution is over: the library only keeps pointers.
    held = {name: _padded(image) for name, image in images.items()}
    held["output"] = np.empty_like(held["color"])
    for name, image in held.items():
        rt.set_image(name, image, pyoidn.OIDN_FORMAT_FLOAT3)
    rt.commit()
    rt.execute()
    _check(_device(_threads))
    return held["output"][_PAD:-_PAD, _PAD:-_PAD].copy()


def _padded(image: Image) -> Image:
    """Mirror an image at its borders, where the denoiser alone would leave noise."""
    return np.ascontiguousarray(
        np.pad(image, ((_PAD, _PAD), (_PAD, _PAD), (0, 0)), mode="symmetric"), np.float32
    )


def version() -> str:
    """Return the denoiser's name and version for the record."""
    return f"oidn {metadata.version('pyoidn')}"
