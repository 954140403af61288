"""Motions against numerical integration, known values and themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pydantic import TypeAdapter
from scipy.integrate import solve_ivp

from generation.quantiphy.motion.catalog import MotionParams
from generation.quantiphy.motion.curved import Orbit, Pendulum, Projectile
from generation.quantiphy.motion.model import Motion
from generation.quantiphy.motion.straight import Accelerated, Braking, Standing, Uniform, Varying
from generation.quantiphy.motion.touching import Bouncing, Collision, Incline

TIMES = np.arange(25) / 24
G = 9.81
START = (0.3, 1.2, 0.7)

BALLS = {"half_sizes": ((0.1,), (0.12,)), "masses": (0.4, 0.7), "places": (-1.0, 0.5), "speeds": (2.5, 0.0)}
BOXES = BALLS | {"half_sizes": ((0.2, 0.1), (0.15, 0.1))}

SHORT = TIMES[:7]

SMOOTH: tuple[Motion, ...] = (
    Standing(start=START, yaw=0.4),
    Uniform(start=START, yaw=0.4, speed=1.3),
    Accelerated(start=START, yaw=math.pi, climb=0.3, speed=-0.4, acceleration=1.1, roll_radius=0.2),
    Accelerated(start=START, yaw=0.7, climb=1.1, lean=math.pi / 2, speed=0.4, acceleration=2.1),
    Varying(start=START, yaw=2.0, speed=0.5, mean=0.8, swing=1.5, rate=3.0, phase=0.7),
    Projectile(start=START, yaw=0.9, speed=1.5, lift=4.0, gravity=3.71),
    Pendulum(start=START, yaw=0.2, length=0.8, amplitude=1.1, phase=0.13, gravity=G),
    Orbit(start=START, yaw=0.3, radius=0.9, rate=-2.1, phase=0.4, tilt=1.0),
    Orbit(start=START, yaw=0.3, radius=0.9, rate=1.7, phase=0.4, tilt=0.0, nose_first=True),
    Incline(start=START, yaw=0.5, slope=0.35, radius=0.11, speed=-0.8, gravity=G),
)
WITH_EVENTS: tuple[Motion, ...] = (
    Braking(start=START, yaw=0.0, speed=2.0, friction=0.2, gravity=G),
    Bouncing(
        start=START, yaw=math.pi, radius=0.1, height=1.2, speed=0.7, lift=0.0, restitution=0.7, gravity=G
    ),
    Collision(start=START, yaw=0.0, which=0, restitution=0.8, gravity=G, **BALLS),
    Collision(start=START, yaw=0.0, which=1, restitution=0.6, gravity=G, **BOXES),
)


def _id(motion: Motion) -> str:
    return type(motion).__name__


@pytest.mark.parametrize("motion", SMOOTH, ids=_id)
def test_velocity_and_acceleration_are_the_derivatives(motion: Motion) -> None:
    """Fourth-order differences of positions on a fine grid, at frames in the middle."""
    step = 1e-3
    fine = motion.trajectory(np.arange(301) * step)
    k = np.arange(60, 290, 23)
    x, v = fine.position, fine.velocity
    slope = (8 * (x[k + 1] - x[k - 1]) - (x[k + 2] - x[k - 2])) / (12 * step)
    bend = (8 * (v[k + 1] - v[k - 1]) - (v[k + 2] - v[k - 2])) / (12 * step)
    scale = max(float(np.abs(v).max()), 1e-6)
    loose = 1e-4 if isinstance(motion, Incline) else 1e-8
    assert np.abs(slope - v[k]).max() < loose * scale
    assert np.abs(bend - fine.acceleration[k]).max() < 50 * loose * scale


@pytest.mark.parametrize("motion", [*SMOOTH, *WITH_EVENTS], ids=_id)
def test_a_motion_repeats_bit_for_bit_and_survives_saving(motion: Motion) -> None:
    restored = TypeAdapter(MotionParams).validate_json(motion.model_dump_json())
    first, second = motion.trajectory(SHORT), restored.trajectory(SHORT)
    for name in ("position", "velocity", "acceleration", "rotation"):
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes()
    assert first.events == second.events
    assert np.allclose(np.einsum("tij,tkj->tik", first.rotation, first.rotation), np.eye(3), atol=1e-12)
    assert np.allclose(np.linalg.det(first.rotation), 1)


@pytest.mark.parametrize("motion", [*SMOOTH, *WITH_EVENTS], ids=_id)
@pytest.mark.parametrize("yaw", [0.0, math.pi])
def test_depth_is_constant_in_a_plane_parallel_to_the_image(motion: Motion, yaw: float) -> None:
    upright = {"tilt": math.pi / 2, "nose_first": False} if isinstance(motion, Orbit) else {}
    made = motion.model_copy(update={"yaw": yaw, **upright}).trajectory(SHORT)
    assert np.ptp(made.position[:, 1]) < 1e-6
    assert np.abs(made.velocity[:, 1]).max() < 1e-6


def test_uniform_goes_as_far_as_its_speed_says() -> None:
    made = Uniform(start=(1.0, 2.0, 3.0), yaw=math.pi / 2, speed=2.5).trajectory(TIMES)
    assert made.position[-1] == pytest.approx([1.0, 4.5, 3.0])
    assert made.rotation[0] @ [1, 0, 0] == pytest.approx([0, 1, 0])


def test_braking_comes_to_rest_exactly_and_stays() -> None:
    motion = Braking(start=(0, 0, 0), speed=1.0, friction=0.25, gravity=8.0)
    made = motion.trajectory(TIMES)
    stopped = TIMES >= 0.5
    assert motion.stop_time == pytest.approx(0.5)
    assert (made.velocity[stopped] == 0).all()
    assert (made.acceleration[stopped] == 0).all()
    assert (made.position[stopped] == made.position[-1]).all()
    assert made.position[-1, 0] == pytest.approx(1.0**2 / (2 * 2.0))
    assert (made.acceleration[~stopped, 0] == -2.0).all()
    assert made.events == (motion.stop_time,)


def test_a_wheel_rolls_without_slipping() -> None:
    made = Uniform(start=(0, 0, 0.2), speed=1.0, roll_radius=0.2).trajectory(np.array([0.0, 0.1 * math.pi]))
    assert made.rotation[1] @ [0, 0, 1] == pytest.approx(
        [1, 0, 0]
    )  # a quarter turn: the top came to the front


def test_projectile_reaches_its_height_and_width() -> None:
    motion = Projectile(start=(0, 0, 0), yaw=0.0, speed=3.0, lift=4.0, gravity=1.6)
    made = motion.trajectory(np.array([0.0, 2.5, 5.0]))
    assert made.position[1] == pytest.approx([7.5, 0, 4.0**2 / (2 * 1.6)])
    assert made.position[2] == pytest.approx([15.0, 0, 0.0])


@pytest.mark.parametrize("amplitude", [0.05, 1.0, 2.8])
def test_pendulum_equals_numerical_integration(amplitude: float) -> None:
    motion = Pendulum(start=(0, 0, 0), length=0.7, amplitude=amplitude, phase=0.1, gravity=G)
    angle, rate, _ = motion.angles(TIMES)
    solved = solve_ivp(
        lambda _, y: [y[1], -G / 0.7 * math.sin(y[0])],
        (0, TIMES[-1]),
        [angle[0], rate[0]],
        t_eval=TIMES,
        rtol=1e-11,
        atol=1e-12,
    )
    assert np.abs(solved.y[0] - angle).max() < 1e-7
    assert np.abs(motion.angles(np.linspace(0, motion.period, 4001))[0]).max() == pytest.approx(
        amplitude, rel=1e-5
    )


def test_pendulum_period_and_rod() -> None:
    small = Pendulum(start=(0, 0, 2.0), length=1.0, amplitude=1e-3, phase=0.0, gravity=G)
    assert small.period == pytest.approx(2 * math.pi / math.sqrt(G), rel=1e-6)
    wide = small.model_copy(update={"amplitude": math.pi / 2})
    assert wide.period == pytest.approx(small.period * 1.18034, rel=1e-5)  # known series at 90 degrees
    made = wide.trajectory(TIMES)
    rod = np.array([0, 0, 2.0]) - made.position
    assert np.allclose(np.linalg.norm(rod, axis=1), 1.0)
    assert np.allclose(made.rotation @ [0, 0, 1], rod)


def test_orbit_has_centripetal_acceleration() -> None:
    made = Orbit(start=START, yaw=0.5, radius=2.0, rate=1.5, phase=0.0, tilt=0.7).trajectory(TIMES)
    outward = made.position - START
    assert np.allclose(np.linalg.norm(outward, axis=1), 2.0)
    assert np.allclose(np.linalg.norm(made.velocity, axis=1), 3.0)
    assert np.allclose(made.acceleration, -(1.5**2) * outward)


def test_a_vehicle_on_a_circle_faces_its_way() -> None:
    for rate in (1.5, -1.5):
        made = Orbit(start=START, radius=2.0, rate=rate, phase=0.3, tilt=0.0, nose_first=True).trajectory(
            TIMES
        )
        assert np.allclose(made.rotation @ [1, 0, 0] * 3.0, made.velocity)


@pytest.mark.parametrize("speed", [0.0, -0.7])
def test_a_solid_ball_rolls_down_at_five_sevenths(speed: float) -> None:
    made = Incline(start=START, yaw=0.3, slope=0.4, radius=0.08, speed=speed, gravity=G).trajectory(TIMES)
    along = math.cos(0.4) * np.array([math.cos(0.3), math.sin(0.3), 0]) - math.sin(0.4) * np.array([0, 0, 1])
    expected = 5 / 7 * G * math.sin(0.4)
    way = (made.position - START) @ along
    assert np.abs(made.acceleration[2:] @ along / expected - 1).max() < 2e-3
    assert (
        np.abs(way - (speed * TIMES + expected * TIMES**2 / 2)).max() < 2e-3 * expected * TIMES[-1] ** 2 / 2
    )
    # no slip: the ball has turned by way / radius
    turned = np.unwrap(np.arctan2(made.rotation[:, 2, 0] * -1, made.rotation[:, 2, 2]))
    assert np.abs(turned * 0.08 - way).max() < 3e-3 * max(1, np.abs(way).max())


def test_a_ball_falls_freely_and_bounces_with_its_restitution() -> None:
    motion = Bouncing(
        start=(0, 0, 1.1), radius=0.1, height=1.0, speed=0.5, lift=0.0, restitution=0.7, gravity=G
    )
    made = motion.trajectory(TIMES)
    first = math.sqrt(2 / G)
    before = first - 0.01 > TIMES
    assert np.abs(made.position[before, 2] - (1.1 - G * TIMES[before] ** 2 / 2)).max() < 1e-9
    assert made.velocity[:, 0] == pytest.approx(0.5)
    assert made.events[0] == pytest.approx(first, abs=0.6 / 24)
    flight = (first + 0.05 < TIMES) & (first + 2 * 0.7 * first - 0.05 > TIMES)
    assert np.allclose(made.acceleration[flight, 2], -G)
    # energy after the bounce: half the square of 0.7 * g * t
    energy = made.velocity[flight, 2] ** 2 / 2 + G * (made.position[flight, 2] - 0.1)
    assert np.allclose(energy, 0.49 * G * 1.0, rtol=0.01)
    assert made.position[:, 2].min() > 0.1 - 0.006


@pytest.mark.parametrize("restitution", [0.4, 0.9])
def test_boxes_collide_with_momentum_and_restitution(restitution: float) -> None:
    shared = BOXES | {"masses": (0.4, 0.9), "speeds": (2.0, -0.3), "restitution": restitution, "gravity": G}
    one, two = (Collision(start=START, which=w, **shared).trajectory(TIMES) for w in (0, 1))
    final = one.velocity[-1, 0], two.velocity[-1, 0]
    assert 0.4 * final[0] + 0.9 * final[1] == pytest.approx(0.4 * 2.0 - 0.9 * 0.3, rel=1e-6)
    assert (final[1] - final[0]) / 2.3 == pytest.approx(restitution, abs=0.01)
    assert one.events == two.events
    assert len(one.events) in (1, 2)
    gap = 1.5 - 0.35
    assert one.events[0] == pytest.approx(gap / 2.3, abs=1 / 24)


def test_balls_collide_and_roll_on() -> None:
    shared = BALLS | {"restitution": 0.9, "gravity": G}
    one, two = (Collision(start=START, which=w, **shared).trajectory(TIMES) for w in (0, 1))
    hit = (1.5 - math.sqrt(0.22**2 - 0.02**2)) / 2.5
    before = hit - 0.05 > TIMES
    assert np.allclose(one.velocity[before, 0], 2.5, rtol=1e-3)
    assert np.abs(two.velocity[before]).max() < 1e-3
    # both roll without slipping at the end
    for made, radius in ((one, 0.1), (two, 0.12)):
        angle = np.unwrap(np.arctan2(-made.rotation[:, 2, 0], made.rotation[:, 2, 2]))
        rate = (angle[-1] - angle[-3]) * 24 / 2
        assert rate * radius == pytest.approx(made.velocity[-1, 0], rel=0.02, abs=5e-3)
    assert two.velocity[-1, 0] > one.velocity[-1, 0]


def test_uneven_times_are_refused_where_steps_must_fit() -> None:
    motion = Bouncing(start=START, radius=0.1, height=1.0, speed=0.5, lift=0.0, restitution=0.7, gravity=G)
    with pytest.raises(ValueError, match="evenly"):
        motion.trajectory(np.array([0.0, 0.1, 0.3]))
