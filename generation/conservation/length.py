"""Length: two straws, one of which slides, turns or is set upright (paper: Table 4).

In the twin it moves the same way, but a piece is cut off its free end, or an inner tube is drawn out of it.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from generation.conservation.design import Cell, Preset
from generation.conservation.params import ClipParams, cell_fields
from generation.conservation.stage import LENGTH_STAGE
from generation.conservation.straws import Straw, recessed, scrap, telescope, whole
from generation.rendering.textures import DYES, straw_texture
from generation.scene import Float, Material, Quantities, RigidObject, Scene

_LENGTH = 0.140
_OUTER = 0.0058
_ROW_Y = 0.0535
_SLIDE = {"near": 0.20 * _LENGTH, "far": 0.42 * _LENGTH}
_TURN_DEG = {"near": 16.0, "far": 32.0}
_STAND_OFF = {"near": 0.026, "far": 0.056}


class LengthParams(ClipParams):
    """Everything a length clip is made from.

    Attributes:
        side: the way a straw slides; the end a straw turns about, or stands on. The other is its free end.
        moved_color, reference_color: names of dyes; the same in uniform clips.
        shift: both straws' common offset along x, m.
        change_share: length cut off or drawn out, as a share of the straw.
        change_start: when that begins, as a share of the moving time.
        scrap_slide: how far the cut piece moves away, m: along x, and in y from the other straw.
        scrap_turn: radians about the vertical.
    """

    domain: Literal["length"] = "length"
    object_type: Literal["uniform", "mixed"]
    distance: Literal["near", "far"]
    side: Literal["left", "right"]
    action: Literal["slide", "rotate", "vertical"]
    moved_color: str
    reference_color: str
    shift: float
    change_share: float
    change_start: float
    scrap_slide: tuple[float, float]
    scrap_turn: float


def sample(rng: np.random.Generator, cell: Cell, preset: Preset) -> LengthParams:
    """Draw what the design leaves open; the result is the conserving clip of the pair."""
    dyes = [str(name) for name in rng.permutation(list(DYES))]
    mixed = cell.factors["object_type"] == "mixed"
    return LengthParams(
        **cell_fields(cell, preset),
        moved_color=dyes[0],
        reference_color=dyes[1 if mixed else 0],
        shift=float(rng.uniform(-0.006, 0.006)),
        change_share=float(rng.uniform(0.25, 0.30)),
        change_start=float(rng.uniform(0.20, 0.26)),
        scrap_slide=(float(rng.uniform(0.020, 0.032)), float(rng.uniform(0.012, 0.022))),
        scrap_turn=float(rng.choice([-1, 1]) * rng.uniform(0.3, 0.7)),
    )


def build(params: LengthParams) -> Scene:
    """Return the clip's scene; draws nothing."""
    poses = _moved_poses(params)
    reference = RigidObject(
        "reference_0",
        "reference",
        _plastic(params.reference_color),
        whole(_LENGTH, _OUTER)[0],
        _reference_pose(params),
    )
    return Scene(
        camera=LENGTH_STAGE.camera(params.width, params.height),
        lights=LENGTH_STAGE.lights,
        environment=LENGTH_STAGE.environment,
        objects=(_moved_straw(params, poses), reference, *_scraps(params, poses)),
        backdrop=(LENGTH_STAGE.table(),),
        fps=params.fps,
        num_frames=params.num_frames,
        quantities=Quantities("m", _moved_length(params), np.full(params.num_frames, _LENGTH)),
        notes=_notes(params),
    )


def _plastic(color: str) -> Material:
    return Material("plastic", color=DYES[color], roughness=0.07, texture=straw_texture(color))


def _side(params: LengthParams) -> int:
    return 1 if params.side == "right" else -1


def _reference_pose(params: LengthParams) -> Float:
    pose = np.eye(4)
    pose[:3, 3] = (params.shift - _LENGTH / 2, -params.depth_sign * _ROW_Y, _OUTER)
    return pose[None]


def _moved_poses(params: LengthParams) -> Float:
    """Return the straw's poses (T, 4, 4): origin at its ``side`` end, x along it towards the free end.

    A lying straw touches the table with its side, an upright one with its end: the origin sinks from the
    tube's radius to zero while it tilts.
    """
    tilt, turn, away = _angles(params)
    side = _side(params)
    along = np.stack(
        [-side * np.cos(tilt) * np.cos(turn), params.depth_sign * np.sin(turn), np.sin(tilt)], axis=1
    )
    across = np.stack([-params.depth_sign * np.sin(turn), -side * np.cos(turn), 0 * turn], axis=1)
    poses = np.tile(np.eye(4), (params.num_frames, 1, 1))
    poses[:, :3, 0], poses[:, :3, 1], poses[:, :3, 2] = along, across, np.cross(along, across)
    poses[:, 0, 3] = params.shift + side * (_LENGTH / 2 + away)
    poses[:, 1, 3] = params.depth_sign * _ROW_Y
    poses[:, 2, 3] = _OUTER * np.cos(tilt)
    return poses


def _angles(params: LengthParams) -> tuple[Float, Float, Float]:
    """Return tilt and turn in radians and the way towards ``side`` in m, each (T,)."""
    time = params.timeline
    whole_time = time.ease(time.first, time.last)
    still = np.zeros(params.num_frames)
    if params.action == "slide":
        return still, still, _SLIDE[params.distance] * whole_time
    if params.action == "rotate":
        return still, np.radians(_TURN_DEG[params.distance]) * whole_time, still
    # It rises only after the moment of a cut, so that the piece falls off a lying straw.
    rising = time.ease(time.frame(0.30), time.last)
    return np.pi / 2 * rising, still, _STAND_OFF[params.distance] * whole_time


def _change_frame(params: LengthParams) -> int:
    return params.timeline.frame(params.change_start)


def _moved_length(params: LengthParams) -> Float:
    """Return the straw's length (T,) in m: it drops at the cut, or grows smoothly while it is drawn out."""
    change = _LENGTH * params.change_share
    if params.change == "loss":
        after = np.arange(params.num_frames) >= _change_frame(params)
        return np.where(after, _LENGTH - change, _LENGTH)
    if params.change == "gain":
        return _LENGTH + change * params.timeline.ease(_change_frame(params), params.timeline.last)
    return np.full(params.num_frames, _LENGTH)


def _moved_straw(params: LengthParams, poses: Float) -> Straw:
    time, change_frame = params.timeline, _change_frame(params)
    extra = _moved_length(params) - _LENGTH
    if params.change == "gain":
        mesh, part = telescope(_LENGTH, _OUTER)
        extra = recessed(extra, time.ease(time.first, change_frame))
    else:
        mesh, part = whole(_LENGTH, _OUTER)
    return Straw("moved_0", "moved", _plastic(params.moved_color), mesh, poses, part, extra)


def _scraps(params: LengthParams, poses: Float) -> tuple[RigidObject, ...]:
    """Return the piece that a cut leaves: part of the straw until the cut, then sliding away from it."""
    if params.change != "loss":
        return ()
    cut, piece = _change_frame(params), _LENGTH * params.change_share
    time = params.timeline
    attached = poses[np.minimum(np.arange(params.num_frames), cut)]
    leave = time.ease(cut, time.frame(0.85))
    placed = attached.copy()
    placed[:, :3, 3] += (_LENGTH - piece / 2) * attached[:, :3, 0]
    placed[:, 0, 3] -= _side(params) * params.scrap_slide[0] * leave
    placed[:, 1, 3] += params.depth_sign * params.scrap_slide[1] * leave
    placed[:, :3, :3] = _about_z(params.scrap_turn * leave) @ attached[:, :3, :3]
    return (RigidObject("scrap", "prop", _plastic(params.moved_color), scrap(piece, _OUTER), placed),)


def _about_z(angles: Float) -> Float:
    rotations = np.tile(np.eye(3), (len(angles), 1, 1))
    rotations[:, 0, 0] = rotations[:, 1, 1] = np.cos(angles)
    rotations[:, 1, 0] = np.sin(angles)
    rotations[:, 0, 1] = -np.sin(angles)
    return rotations


def _notes(params: LengthParams) -> dict[str, object]:
    time = params.timeline
    notes: dict[str, object] = {"motion_frames": [time.first, time.last]}
    if params.change == "gain":
        notes |= {
            "event": "drawn_out",
            "event_object": "moved_0",
            "extension_frames": [_change_frame(params), time.last],
        }
    elif params.change == "loss":
        notes |= {"event": "cut", "event_object": "scrap", "cut_frame": _change_frame(params)}
    return notes
