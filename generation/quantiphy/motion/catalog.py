"""All motions, as one type that a saved record can be read back into."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from generation.quantiphy.motion.curved import Orbit, Pendulum, Projectile
from generation.quantiphy.motion.straight import Accelerated, Braking, Standing, Uniform, Varying
from generation.quantiphy.motion.touching import Bouncing, Collision, Incline

MotionParams = Annotated[
    Standing
    | Uniform
    | Accelerated
    | Braking
    | Varying
    | Projectile
    | Pendulum
    | Orbit
    | Incline
    | Bouncing
    | Collision,
    Field(discriminator="motion"),
]
