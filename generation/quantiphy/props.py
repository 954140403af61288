"""What holds things up: inclines to roll on and rods to swing from."""

from __future__ import annotations

import math

import numpy as np

from generation.quantiphy.motion.curved import Pendulum
from generation.quantiphy.motion.model import Motion, Trajectory, facing
from generation.quantiphy.motion.touching import Incline
from generation.rendering.shapes import box, join
from generation.scene import Float, Material, Mesh, RigidObject

_RAMP = Material("diffuse", (0.42, 0.40, 0.37))
_ROD = Material("diffuse", (0.05, 0.05, 0.055))
# In ball radii: how far a ramp reaches past the ball's way, and how wide it is.
_PAST, _WIDE = 0.6, 2.4


def ramp(motion: Incline, track: Trajectory) -> RigidObject:
    """Return the wedge on which a ball rolls; it ends on the ground."""
    foot, top = _ramp_ends(motion, track)
    length, half = top[0] - foot[0], _WIDE * motion.radius / 2
    # In the wedge's own frame +x is uphill.
    outline = np.array([[0.0, 0.0], [length, 0.0], [length, length * math.tan(motion.slope)]])
    pose = np.eye(4)
    pose[:3, :3] = facing(motion.yaw + math.pi, np.zeros(1))[0]
    pose[:3, 3] = np.asarray(motion.start) * (1, 1, 0) - foot[0] * motion.heading
    return RigidObject("ramp", "prop", _RAMP, _prism(outline, half), pose[None])


def _ramp_ends(motion: Incline, track: Trajectory) -> tuple[Float, Float]:
    """Return (uphill way from the start, height) of the foot and of the top of the incline, m."""
    uphill = -(track.position - track.position[0]) @ motion.heading
    touching = motion.radius * math.sin(motion.slope)
    rise = math.tan(motion.slope)
    # The ball touches below and uphill of its middle.
    ground = touching - (motion.start[2] - motion.radius * math.cos(motion.slope)) / rise
    top = float(uphill.max()) + touching + _PAST * motion.radius
    return np.array([ground, 0.0]), np.array([top, (top - ground) * rise])


def _prism(outline: Float, half: float) -> Mesh:
    """Return the prism over a triangle (3, 2) of the x-z plane, counter-clockwise seen from -y."""
    near, far = (np.insert(outline, 1, y, axis=1) for y in (-half, half))
    sides = [_flat(near), _flat(far[::-1])]
    for k in range(3):
        n = (k + 1) % 3
        sides.append(_flat(np.array([near[k], far[k], far[n], near[n]])))
    return join(sides)


def _flat(corners: Float) -> Mesh:
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    faces = np.array([[0, k, k + 1] for k in range(1, len(corners) - 1)])
    return Mesh(corners, faces, np.tile(normal / np.linalg.norm(normal), (len(corners), 1)))


def rod(name: str, motion: Pendulum, track: Trajectory, thickness: float) -> RigidObject:
    """Return the rod between a pendulum's pivot and its bob's middle."""
    made = box((thickness, thickness, motion.length))
    poses = track.poses
    poses[:, :3, 3] = (np.asarray(motion.start) + track.position) / 2
    return RigidObject(f"{name}.rod", "prop", _ROD, Mesh(made.vertices, made.faces, made.normals), poses)


def support_points(motion: Motion, track: Trajectory) -> Float | None:
    """Return (T, N, 3) points between which something holds the thing up, or None."""
    if isinstance(motion, Pendulum):
        return np.stack([np.broadcast_to(motion.start, track.position.shape), track.position], axis=1)
    if isinstance(motion, Incline):
        made = ramp(motion, track)
        return np.broadcast_to(made.mesh_at(0).vertices, (len(track.times), len(made.rest.vertices), 3))
    return None
