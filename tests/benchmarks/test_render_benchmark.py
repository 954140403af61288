"""How the benchmark finds the naive way's sample count."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import render as benchmark


def test_the_error_of_independent_samples_is_extrapolated():
    errors = [1e-2 / spp for spp in benchmark._PILOT_SPP]
    for spp in (8, 100, 1000):
        quality = -10 * np.log10(1e-2 / spp)
        assert benchmark.spp_for(quality, errors) == pytest.approx(spp, abs=1)


def test_psnr_of_a_constant_error():
    image = np.full((4, 4, 3), 0.5)
    assert benchmark.psnr(image, image + 0.1) == pytest.approx(20)
    assert benchmark.mse(image, image + 0.1) == pytest.approx(0.01)
