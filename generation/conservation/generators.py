"""Which generator makes which domain: a new one is a file with ``sample`` and ``build``, and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from generation.conservation import length, number, size, volume
from generation.conservation.design import Cell, Preset
from generation.conservation.params import ClipParams
from generation.scene import Scene
from physprobe.conservation.vocabulary import Domain


@dataclass(frozen=True)
class Generator:
    """A domain's generator.

    Attributes:
        params: model of its parameters; ``params.model_validate(record["parameters"])`` restores a clip's.
        sample: draws the parameters of a cell's conserving clip; the twin differs in ``condition`` alone.
        build: turns parameters into a scene, without drawing.
    """

    params: type[ClipParams]
    sample: Callable[[np.random.Generator, Cell, Preset], ClipParams]
    build: Callable[[Any], Scene]


GENERATORS: dict[Domain, Generator] = {
    "number": Generator(number.NumberParams, number.sample, number.build),
    "length": Generator(length.LengthParams, length.sample, length.build),
    "volume": Generator(volume.VolumeParams, volume.sample, volume.build),
    "size": Generator(size.SizeParams, size.sample, size.build),
}
