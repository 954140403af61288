"""The codes of the public QuantiPhy benchmark (arXiv:2512.19526, appendix B).

``video_type`` is four letters: prior (S size, V velocity, A acceleration), dimension (2, 3), objects (S
single, M multiple) and background (X plain, S simple, C complex). ``inference_type`` is two: prior and target
(S static, D dynamic). The category is ``inference_type[0] + video_type[1]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

CATEGORIES: tuple[str, ...] = ("S2", "D2", "S3", "D3")
BACKGROUNDS: tuple[str, ...] = ("C", "S", "X")
OBJECT_NUMBERS: tuple[str, ...] = ("single", "multiple")

_OBJECTS_OF_LETTER = {"S": "single", "M": "multiple"}


@dataclass(frozen=True)
class Codes:
    """What the codes of N rows say; each field is '' where a row's code does not say it.

    Attributes:
        category: (N,) str, one of :data:`CATEGORIES`.
        background: (N,) str, one of :data:`BACKGROUNDS`.
        objects: (N,) str, one of :data:`OBJECT_NUMBERS`.
    """

    category: NDArray[np.str_]
    background: NDArray[np.str_]
    objects: NDArray[np.str_]


def read_codes(
    inference_type: pd.Series, video_type: pd.Series, video_source: pd.Series | None = None
) -> Codes:
    """Read the codes of N rows, letter by letter as the published evaluator does.

    Args:
        inference_type: (N,) str or NaN.
        video_type: (N,) str or NaN; the background is its last letter, whatever its length.
        video_source: (N,) str or NaN. Exactly 'segmentation' makes the background X, whatever the code says;
            the validation file's spelling 'segmentaion' does not, and its rows keep their code.
    """
    if video_source is not None:
        video_type = video_type.mask(video_source == "segmentation", video_type.str[:-1] + "X")
    return Codes(
        category=_one_of(inference_type.str[0] + video_type.str[1], CATEGORIES),
        background=_one_of(video_type.str[-1], BACKGROUNDS),
        objects=_one_of(video_type.str[2].map(_OBJECTS_OF_LETTER), OBJECT_NUMBERS),
    )


def _one_of(values: pd.Series, valid: Sequence[str]) -> NDArray[np.str_]:
    return values.where(values.isin(valid), "").to_numpy(dtype=np.str_)
