"""How many paths a pixel gets: more where metal or a pattern has detail that no denoiser can guess."""

from __future__ import annotations

import numpy as np
import pytest

from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.render import RenderSettings, film
from generation.rendering.silhouettes import Silhouettes
from generation.scene import Material, Scene
from tests.support.scenes import GOLD, RED, WOOD, block, stage

SETTINGS = RenderSettings(spp=16, background_spp=64, detail=3, max_depth=5, denoise=False)
_OAK = Material("diffuse", texture="oak")
_PATTERNED = Material("plastic", texture="oak", roughness=0.2)
_CLEAR = Material("glass", (1.0, 1.0, 1.0), 0.0)


class _Watched(MitsubaScene):
    """Remembers how many samples each pixel got, but for the probes that look for changes."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.counts: dict[tuple[int, int], int] = {}

    def color(self, pixels, spp, max_depth):
        if max_depth == SETTINGS.max_depth:
            self.counts |= {(int(x), int(y)): spp for x, y in pixels}
        return super().color(pixels, spp, max_depth)


def _scene(material: Material) -> Scene:
    """A block that steps aside, on a table with a pattern."""
    body = block("moved_0", (0.05, 0.03, 0.03), [(-0.02, 0, 0.015), (0.02, 0, 0.015)], material, "moved")
    return stage([body], 2, 48, 36, backdrop=(block("table", (2.0, 2.0, 0.02), [(0, 0, -0.01)], _OAK),))


_CASES = {
    # Samples of pixels outside and inside the body's outline: in the first frame, in the second.
    "plastic": (RED, (64, 64), (4, 9)),
    "wood": (WOOD, (64, 64), (4, 9)),
    "metal": (GOLD, (64, 192), (16, 48)),
    "oak": (_OAK, (64, 192), (16, 48)),
    "patterned plastic": (_PATTERNED, (64, 192), (16, 48)),
    "glass": (_CLEAR, (64, 64), (4, 9)),
}


@pytest.mark.parametrize("name", _CASES)
def test_samples_go_where_detail_is(name):
    material, *expected = _CASES[name]
    scene = _scene(material)
    watched = _Watched(scene)
    frames = film(watched, SETTINGS)
    silhouettes = Silhouettes(scene)
    for frame, (outside, inside) in enumerate(expected):
        watched.counts = {}
        next(frames)
        mask = silhouettes.mask(scene.objects, frame)
        reached = np.zeros_like(mask)
        for (x, y), count in watched.counts.items():
            reached[y, x] = True
            assert count == (inside if mask[y, x] else outside), (frame, x, y)
        assert reached[mask].all()
        assert reached.all() == (frame == 0)
        assert (reached & ~mask).sum() > 20


def test_all_samples_are_counted_probes_too():
    watched = MitsubaScene(_scene(RED))
    before = watched.samples
    frames = film(watched, SETTINGS)
    next(frames)
    first = watched.samples
    assert before == 0
    assert first > 64 * 48 * 36
    next(frames)
    assert first < watched.samples < first + 20 * 48 * 36
