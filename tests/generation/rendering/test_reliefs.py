import numpy as np
import pytest

from generation.rendering.reliefs import EMBLEMS, relief

GRID = np.linspace(-1, 1, 401)
X, Y = np.meshgrid(GRID, GRID)
R = np.hypot(X, Y)


@pytest.mark.parametrize("emblem", EMBLEMS)
def test_rim_stands_highest_so_that_emblems_are_protected(emblem):
    height = relief(emblem)(X, Y)
    rim = height[(R > 0.93) & (R < 1.0)]
    assert rim == pytest.approx(0.05)
    assert height[R < 0.9].max() < 0.15
    assert height[R < 1.0].min() >= -0.035


@pytest.mark.parametrize("emblem", EMBLEMS)
def test_emblem_stays_inside_the_ring_of_beads(emblem):
    height = EMBLEMS[emblem](X, Y)
    assert np.all(height[R > 0.76] == 0)
    assert height.max() > 0.04
    assert 0.05 < (height[R < 0.75] > 0.01).mean() < 0.8


def test_emblems_differ():
    faces = [relief(emblem)(X, Y) for emblem in EMBLEMS]
    for k, one in enumerate(faces):
        for other in faces[:k]:
            assert np.abs(one - other).mean() > 0.002
