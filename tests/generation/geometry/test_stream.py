"""Falling liquid: exact volume, free fall, a fixed topology."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.geometry.solid import volume
from generation.geometry.stream import GRAVITY, Mouth, absent, fall, fall_time, stream

LIP = np.array([0.01, -0.02, 0.11])


def _mouth(head: float = 0.006, azimuth: float = 0.0, tilt: float = 1.1) -> Mouth:
    return Mouth(LIP, azimuth, tilt, head, 4 / 3 * head * np.sqrt(2 * 0.02 * head))


@given(
    st.floats(1e-6, 9e-5), st.floats(0.0, 0.05), st.floats(0.06, 0.14), st.floats(-3, 3), st.floats(0.6, 1.57)
)
def test_a_stream_has_its_volume(rate: float, young: float, old: float, azimuth: float, tilt: float) -> None:
    amount = rate * (old - young)
    mesh = stream(
        _mouth(0.004, azimuth, tilt), 0.3, lambda age: np.full_like(age, rate), (young, old), amount
    )
    assert volume(mesh) == pytest.approx(amount, rel=1e-9)
    assert np.array_equal(mesh.faces, absent(LIP).faces)


def test_a_steady_stream_needs_little_correction() -> None:
    """Before scaling, the sections that flow and speed ask for hold nearly the right volume already."""
    rate, old = 6e-5, 0.12
    mesh = stream(_mouth(), 0.3, lambda age: np.full_like(age, rate), (0.0, old), rate * old)
    rings = mesh.vertices[: 56 * 40].reshape(56, 40, 3)
    lowest = rings[-8]
    across = lowest - lowest.mean(axis=0)
    radius = np.linalg.norm(across, axis=1).mean()
    speed = np.hypot(0.3, GRAVITY * 0.12 * (55 - 7) / 55)
    assert np.pi * radius**2 == pytest.approx(rate / speed, rel=0.15)


def test_drops_fall_freely() -> None:
    start, later = fall(_mouth(), 0.3, np.array([0.0, 0.1]))
    assert later - start == pytest.approx([0.03, 0, -GRAVITY * 0.005])
    assert fall_time(_mouth(), 0.3, float(later[2])) == pytest.approx(0.1)
    assert fall_time(_mouth(), 0.3, 0.5) == 0


@pytest.mark.parametrize(("ages", "amount"), [((0.0, 0.1), 0.0), ((0.1, 0.1), 1e-6)])
def test_nothing_is_shown_as_nothing(ages: tuple[float, float], amount: float) -> None:
    mesh = stream(_mouth(), 0.3, lambda age: age * 0, ages, amount)
    assert (mesh.vertices == LIP).all()
    assert volume(mesh) == 0


def test_a_stream_breaks_off_where_the_flow_ends() -> None:
    def ending(age: np.ndarray) -> np.ndarray:
        return 6e-5 * np.clip((age - 0.04) / 0.04, 0, 1)

    mesh = stream(_mouth(), 0.3, ending, (0.04, 0.13), 6e-5 * 0.07)
    rings = mesh.vertices[: 56 * 40].reshape(56, 40, 3)
    widths = np.ptp(rings, axis=1).max(axis=1)
    assert widths[0] < 1e-4 < widths[30]
