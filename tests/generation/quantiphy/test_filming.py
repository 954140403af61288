"""Clips of things before a still background: right, steady, and the same again."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from generation.quantiphy.filming import clusters, film
from generation.rendering.render import RenderSettings, render_clip
from generation.scene import RigidObject, Scene
from tests.support.trivial_worlds import SMALL, world

FEW = RenderSettings(spp=8, background_spp=16, detail=2, max_depth=4)


def _only(scene: Scene, frames: list[int]) -> Scene:
    """Some frames of a scene in which all bodies are rigid."""
    moved = [body for body in scene.objects if isinstance(body, RigidObject)]
    objects = tuple(dataclasses.replace(body, poses=body.poses[frames]) for body in moved)
    return dataclasses.replace(scene, objects=objects, num_frames=len(frames))


@pytest.mark.slow
def test_frames_are_those_of_a_full_render_and_repeat_bit_for_bit() -> None:
    scene = _only(world("S2SX_000", 0, SMALL).scene, [0, 10, 10, 20])
    frames = np.array([*film(scene, FEW)], dtype=np.int64)
    assert frames.shape == (4, 90, 160, 3)
    assert (frames[1] == frames[2]).all()
    assert (frames == np.array([*film(scene, FEW)])).all()
    for number in (1, 3):
        (right,) = render_clip(_only(scene, [number]), dataclasses.replace(FEW, background_spp=64))
        off = np.abs(frames[number] - right).max(axis=2)
        assert np.median(off) <= 3
        assert (off > 40).mean() < 0.01


def test_groups_of_changed_pixels_have_windows_of_their_own() -> None:
    mask = np.zeros((200, 300), dtype=bool)
    assert clusters(mask) == []
    mask[20:30, 20:40] = mask[150:160, 250:260] = True
    one, other = clusters(mask)
    assert (one.x, one.y, one.width, one.height) == (8, 8, 44, 34)
    assert (other.x, other.y, other.width, other.height) == (238, 138, 34, 34)
    covered = np.zeros_like(mask)
    for window in (one, other):
        covered[window.slices] = True
    assert covered[mask].all()
    mask[20:160, 60:64] = True  # near the first
    assert len(clusters(mask)) == 2
    mask[150:160, 64:250] = True  # joins all
    assert len(clusters(mask)) == 1
