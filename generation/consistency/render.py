"""Paints a family: one pass over the clean scene, and for each violation only the pixels that it changes."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generation.consistency.case import Bool, Case, Image, Shade, View
from generation.consistency.catalog import VIOLATIONS
from generation.consistency.params import BodyParams
from generation.consistency.render_paths import CASTERS, PathTracer
from generation.consistency.render_rules import Caster, Layer, Rules, own_casters
from generation.consistency.render_stage import Stage
from generation.consistency.solids import Solid

MAX_DEPTH = 8
# Images that the pass over the clean scene has room for.
_LAYERS = 8


@dataclass(frozen=True)
class Painted:
    """A family's images, each (H, W, 3) float32 linear radiance.

    Attributes:
        clean: the clean one. violated: one for each case. paths: camera paths traced.
    """

    clean: Image
    violated: tuple[Image, ...]
    paths: int


def paint(view: View, cases: Sequence[Case]) -> Painted:
    """Render the clean image of a scene and some violations of it."""
    with _tracer(view) as (stage, tracer):
        shades = [VIOLATIONS[case.intervention.category].shades(case) for case in cases]
        images = _clean_pass(view, tracer, [shade for each in shades for shade in each])
        clean, rest = images[0], iter(images[1:])
        violated = []
        for case, wanted in zip(cases, shades, strict=True):
            canvas = _Canvas(stage, tracer, clean, [next(rest) for _ in wanted])
            violated.append(VIOLATIONS[case.intervention.category].paint(case, canvas))
        return Painted(clean, tuple(violated), tracer.samples)


@contextmanager
def _tracer(view: View) -> Iterator[tuple[Stage, PathTracer]]:
    stage = Stage(view.world)
    params = view.world.params
    try:
        yield stage, PathTracer(stage, params.spp, MAX_DEPTH, params.noise)
    finally:
        # Loading the next scene while this one lives would compile its kernels again.
        del stage
        gc.collect()


def _clean_pass(view: View, tracer: PathTracer, shades: Sequence[Shade]) -> list[Image]:
    """Return the clean image and one for each shade, all from the same paths."""
    camera = view.world.camera
    rules, order = pooled((Shade(own_casters(view.world)), *shades), np.asarray(camera.origin))
    pixels = np.arange(camera.width * camera.height)
    layers = tracer.render(rules, pixels, _LAYERS).reshape(-1, camera.height, camera.width, 3)
    return [layers[k] for k in order]


def pooled(shades: Sequence[Shade], eye: NDArray[np.float64]) -> tuple[Rules, list[int]]:
    """Return one pass for many images, and the index of each image's layer; equal casters and layers once.

    Raises:
        ValueError: there are too many different ones.
    """
    casters: dict[tuple[object, ...], tuple[int, Caster]] = {}
    layers: dict[tuple[tuple[int, ...], int], int] = {}
    order = []
    for shade in shades:
        used = tuple(casters.setdefault(_key(c), (len(casters), c))[0] for c in shade.casters)
        order.append(layers.setdefault((tuple(sorted(used)), shade.classes), len(layers)))
    if len(casters) > CASTERS or len(layers) > _LAYERS:
        raise ValueError(f"a pass has room for {CASTERS} casters and {_LAYERS} layers")
    found = tuple(caster for _, caster in casters.values())
    return Rules(found, tuple(Layer(used, classes) for used, classes in layers), eye), order


def _key(caster: Caster) -> tuple[object, ...]:
    arrays = caster.solid.pose, caster.lamp, caster.turn
    return (caster.solid.form, caster.place, *(np.ascontiguousarray(a).tobytes() for a in arrays))


class _Canvas:
    """Implements :class:`generation.consistency.case.Canvas`."""

    def __init__(self, stage: Stage, tracer: PathTracer, clean: Image, shades: Sequence[Image]) -> None:
        self._stage, self._tracer, self.clean, self.shades = stage, tracer, clean, shades

    def render(
        self,
        rules: Rules,
        where: Bool,
        solids: Sequence[Solid | None] | None = None,
        stand_in: BodyParams | None = None,
    ) -> Image:
        image = np.zeros_like(self.clean)
        if not where.any():
            return image
        self._stage.show(self._stage.world.solids if solids is None else solids, stand_in)
        image[where] = self._tracer.render(rules, np.flatnonzero(where.ravel()))[0]
        return image
