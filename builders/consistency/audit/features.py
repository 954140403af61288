"""The sets of features that are audited: what simple classifiers get to see of an image."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from builders.consistency.audit.hog import hog
from builders.consistency.audit.noise import noise
from builders.consistency.audit.pictures import Float, Picture
from builders.consistency.audit.seams import seams

_BINS = 16
_COARSE = 4
_THUMBNAIL = 16  # pixels


@dataclass(frozen=True)
class FeatureSet:
    """A set of features.

    Attributes:
        name: as in audit.json. title: for tables. description: one sentence.
        is_low_level: whether it leaves out what a scene looks like.
        parts: names of what it is made of, as :func:`describe` returns them.
    """

    name: str
    title: str
    description: str
    is_low_level: bool
    parts: tuple[str, ...]


def _file_size(picture: Picture) -> Float:
    return np.array([np.log(picture.file_bytes)], np.float32)


def _colour(picture: Picture) -> Float:
    """Return histograms of each channel in 16 bins, and of all three in 4 each, (3 * 16 + 64,)."""
    levels = (np.bincount(picture.pixels[..., c].ravel(), minlength=256) for c in range(3))
    fine = [counts.reshape(_BINS, -1).sum(axis=1) / counts.sum() for counts in levels]
    some = picture.pixels[::2, ::2].reshape(-1, 3) // (256 // _COARSE)
    joint = np.bincount(some @ np.array([_COARSE**2, _COARSE, 1]), minlength=_COARSE**3) / len(some)
    return np.sqrt(np.concatenate([*fine, joint])).astype(np.float32)


def _residual_hog(picture: Picture) -> Float:
    return hog(picture.residual.mean(axis=0))


_PARTS: dict[str, Callable[[Picture], Float]] = {
    "file_size": _file_size,
    "noise": noise,
    "colour": _colour,
    "seams": seams,
    "residual_hog": _residual_hog,
    "hog": lambda picture: hog(picture.gray),
    "thumbnail": lambda picture: picture.tiles(_THUMBNAIL).ravel(),
}
_LOW_LEVEL = ("file_size", "noise", "colour", "seams", "residual_hog")

FEATURE_SETS: tuple[FeatureSet, ...] = (
    FeatureSet("file_size", "file size", "Logarithm of the PNG's size in bytes.", True, ("file_size",)),
    FeatureSet(
        "noise",
        "noise",
        "High-pass residual: variance, kurtosis, skewness, zeros and autocorrelation by channel, correlation "
        "of channels, quantiles of the local level.",
        True,
        ("noise",),
    ),
    FeatureSet("colour", "colours", "Histograms of each channel, and joint ones.", True, ("colour",)),
    FeatureSet(
        "seams",
        "seams",
        "Slope and noise on and beside the image's boundaries against elsewhere, straight seams, jumps of "
        "the noise level; boundaries are found in the image, masks are not used.",
        True,
        ("seams",),
    ),
    FeatureSet(
        "residual_hog",
        "HOG of residual",
        "Oriented gradients of the high-pass residual, in 8x8 cells.",
        True,
        ("residual_hog",),
    ),
    FeatureSet("low_level", "all of these", "All low-level features together.", True, _LOW_LEVEL),
    FeatureSet(
        "full_image",
        "full image",
        "Oriented gradients of the image, in 8x8 cells, and a thumbnail of 16x16 pixels.",
        False,
        ("hog", "thumbnail"),
    ),
)


def describe(picture: Picture) -> dict[str, Float]:
    """Compute all parts of an image's features; each is a vector whose length doesn't depend on the image."""
    return {name: compute(picture) for name, compute in _PARTS.items()}
