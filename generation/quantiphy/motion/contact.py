"""Motion with contact, simulated by MuJoCo in a vertical plane.

Bodies move in the plane only (two sliding joints and a hinge), so the depth of a plane parallel to the image
is constant. RK4 with steps of at most 20 microseconds: free flight is exact then, and a contact of stiffness
1e6 1/s^2 (about 3 ms long) takes some 150 steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from generation.scene import Float

# Longest steps, s: for states that count, and to see about where things go.
FINE, COARSE = 2e-5, 5e-4
_STIFFNESS = 1e6
# Constant impedance: the contact is a linear spring and damper; see damping_ratio.
_IMPEDANCE = "0.9999 0.9999 0.001 0.5 2"
# Only the pairs that are named touch.
_ALOOF = 'contype="0" conaffinity="0"'

ROLLING_FRICTION = 0.8


@dataclass(frozen=True)
class Body:
    """A ball or a box in the plane.

    Attributes:
        half_sizes: (radius,) of a ball, (half length, half height) of a box that only slides along x, m.
        mass: kg. x, z: of its centre at t = 0, m. speeds: along x and z, m/s, and about +y, rad/s.
    """

    half_sizes: tuple[float, ...]
    mass: float
    x: float
    z: float
    speeds: tuple[float, float, float]

    @property
    def is_ball(self) -> bool:
        """True for a ball."""
        return len(self.half_sizes) == 1


@dataclass(frozen=True)
class States:
    """Position, velocity and acceleration of a body's x, z (m, s) and angle about +y, each (T, 3)."""

    position: Float
    velocity: Float
    acceleration: Float


@dataclass(frozen=True)
class Touch:
    """How two things act on each other.

    Attributes:
        pair: their names: "floor", or "body" with a number.
        restitution: share of the approaching speed that is left, in [0, 1]. friction: coefficient; 0 is none.
    """

    pair: tuple[str, str]
    restitution: float
    friction: float = 0.0


def simulate(
    bodies: Sequence[Body],
    touches: Sequence[Touch],
    gravity: float,
    slope: float,
    times: Float,
    longest: float = FINE,
) -> list[States]:
    """Return the states of each body at times.

    Args:
        bodies: "body0", "body1", ...
        touches: which pairs touch; others pass through each other.
        gravity: m/s^2. slope: of the floor through the origin, radians; it falls towards +x.
        times: (T,) s, evenly spaced from 0 on. longest: step of the integrator, s.

    Raises:
        ValueError: the times are not evenly spaced from 0 on.
    """
    import mujoco

    if times[0] != 0 or not np.allclose(np.diff(times), times[1] - times[0], rtol=1e-9):
        raise ValueError("times must be evenly spaced from 0 on")
    steps = math.ceil((times[1] - times[0]) / longest)
    model: Any = mujoco.MjModel.from_xml_string(_model(bodies, touches, gravity, slope))
    model.opt.timestep = float(times[1] - times[0]) / steps
    data: Any = mujoco.MjData(model)
    data.qvel[:] = [v for body in bodies for v in (body.speeds if body.is_ball else body.speeds[:1])]
    rows = []
    for k in range(len(times)):
        if k:
            mujoco.mj_step(model, data, nstep=steps)
        mujoco.mj_forward(model, data)
        rows.append(np.stack([data.qpos, data.qvel, data.qacc]))
    return _split(bodies, np.array(rows))


def _split(bodies: Sequence[Body], rows: Float) -> list[States]:
    """Cut joint values (T, 3, N) into the bodies' states; those of a box are filled up with zeros."""
    states, first = [], 0
    for body in bodies:
        count = 3 if body.is_ball else 1
        padded = np.zeros((len(rows), 3, 3))
        padded[:, :, :count] = rows[:, :, first : first + count]
        padded[:, 0, :2] += body.x, body.z
        states.append(States(padded[:, 0], padded[:, 1], padded[:, 2]))
        first += count
    return states


def _model(bodies: Sequence[Body], touches: Sequence[Touch], gravity: float, slope: float) -> str:
    return f"""<mujoco>
  <option integrator="RK4" gravity="0 0 {-gravity!r}" cone="elliptic" impratio="100" tolerance="1e-12"
          iterations="20"/>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1" euler="0 {math.degrees(slope)!r} 0" {_ALOOF}/>
    {"".join(_body(k, body) for k, body in enumerate(bodies))}
  </worldbody>
  <contact>{"".join(_pair(touch) for touch in touches)}</contact>
</mujoco>"""


def _body(number: int, body: Body) -> str:
    lengths = (
        body.half_sizes if body.is_ball else (body.half_sizes[0], *body.half_sizes[1:], body.half_sizes[1])
    )
    sizes = " ".join(repr(float(size)) for size in lengths)
    joints = '<joint type="slide" axis="1 0 0"/>'
    if body.is_ball:
        joints += '<joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 1 0"/>'
    kind = "sphere" if body.is_ball else "box"
    return (
        f'<body pos="{float(body.x)!r} 0 {float(body.z)!r}">{joints}<geom name="body{number}" type="{kind}" '
        f'size="{sizes}" mass="{float(body.mass)!r}" {_ALOOF}/></body>'
    )


def _pair(touch: Touch) -> str:
    damping = 2 * math.sqrt(_STIFFNESS) * damping_ratio(touch.restitution)
    first, second = touch.pair
    condim, friction = (3, touch.friction) if touch.friction else (1, 1.0)
    return (
        f'<pair geom1="{first}" geom2="{second}" condim="{condim}" friction="{friction} {friction} 0 0 0" '
        f'solref="{-_STIFFNESS!r} {-damping!r}" solimp="{_IMPEDANCE}"/>'
    )


def damping_ratio(restitution: float) -> float:
    """Return the damping ratio of a spring that pushes but never pulls, for the share of speed it gives back.

    Schwager and Poeschel (Granular Matter 9, 2007): exp(-z / sqrt(1 - z^2) * (pi - 2 asin z)) of the speed is
    left, which ends at exp(-2) for z = 1; less than that counts as z = 1.
    """

    def excess(z: float) -> float:
        return math.exp(-z / math.sqrt(1 - z * z) * (math.pi - 2 * math.asin(z))) - restitution

    nearly_one = 1 - 1e-9
    return 1.0 if excess(nearly_one) >= 0 else float(brentq(excess, 0.0, nearly_one, xtol=1e-14))
