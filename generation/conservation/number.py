"""Number: two rows of coins, one of which spreads (paper: Table 4, Appendix D).

The twin spreads the row just as wide, but a coin joins it from a saucer, or leaves it for the saucer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from generation.conservation.coins import CoinKind, Emblem, Metal, coin_material, coin_mesh
from generation.conservation.design import Cell, Preset
from generation.conservation.params import ClipParams, cell_fields
from generation.conservation.stage import NUMBER_STAGE
from generation.conservation.timeline import smootherstep
from generation.core.records import StrictModel
from generation.rendering.shapes import saucer
from generation.scene import Float, Material, Quantities, RigidObject, Role, Scene

_ROW_Y = 0.028
_SAUCER_XY = (0.112, 0.094)
_SAUCER_FLOOR = 0.0035
_SAUCER_SIZE = (0.0330, 0.0410, 0.0100)
_GLAZE = Material("plastic", color=(0.018, 0.045, 0.062), roughness=0.08)
_SPARES = 2
_LIFT = 0.042

# Widest diameter by count: fewer coins may be larger, and all rows fill the frame alike.
_DIAMETER = {3: 0.0290, 4: 0.0285, 5: 0.0280, 6: 0.0275, 7: 0.0270, 8: 0.0262}
_MIXED_SIZES = (1.0, 0.91, 0.83)
_START_PITCH = 1.10
# Final pitch of n + 1 coins, in widest diameters; n coins end n / (n - 1) times as far apart.
_END_PITCH = {"near": 1.15, "far": 1.38}


class Placement(StrictModel):
    """A coin's own small deviation: dx, dy in m; yaw in radians about the vertical."""

    dx: float
    dy: float
    yaw: float


class NumberParams(ClipParams):
    """Everything a number clip is made from.

    Attributes:
        kinds: the kinds of coin in play; uniform clips have one.
        sequence: index into ``kinds`` for each column, left to right; the same in both rows.
        moved, reference: one placement for each coin, left to right.
        spare_kinds, spare_yaws: of the coins that start in the saucer.
        saucer_side: the saucer stands beyond the moved row, on this side.
        saucer_turn: angle of its first place for a coin, radians.
        carried_spare: which spare coin a gain takes.
        slot: the place in the row, from the left, that a gain fills or a loss empties.
        carry_start, carry_end: when the coin is under way, as shares of the moving time.
    """

    domain: Literal["number"] = "number"
    object_type: Literal["uniform", "mixed"]
    spread: Literal["near", "far"]
    count: int
    kinds: tuple[CoinKind, ...]
    sequence: tuple[int, ...]
    moved: tuple[Placement, ...]
    reference: tuple[Placement, ...]
    spare_kinds: tuple[int, ...]
    spare_yaws: tuple[float, ...]
    saucer_side: Literal["left", "right"]
    saucer_turn: float
    carried_spare: int
    slot: int
    carry_start: float
    carry_end: float


def sample(rng: np.random.Generator, cell: Cell, preset: Preset) -> NumberParams:
    """Draw what the design leaves open; the result is the conserving clip of the pair."""
    count = int(cell.factors["count"])
    kinds = _draw_kinds(rng, str(cell.factors["object_type"]), _DIAMETER[count])
    slots = count + 1 if cell.direction == "gain" else count
    return NumberParams(
        **cell_fields(cell, preset),
        kinds=kinds,
        sequence=_draw_sequence(rng, len(kinds), count),
        moved=_draw_placements(rng, count),
        reference=_draw_placements(rng, count),
        spare_kinds=tuple(int(k) for k in rng.integers(len(kinds), size=_SPARES)),
        spare_yaws=tuple(float(a) for a in rng.uniform(0, 2 * np.pi, _SPARES)),
        saucer_side="left" if rng.random() < 0.5 else "right",
        saucer_turn=float(rng.uniform(0, 2 * np.pi)),
        carried_spare=int(rng.integers(_SPARES)),
        slot=int(rng.integers(slots)),
        carry_start=float(rng.uniform(0.14, 0.22)),
        carry_end=float(rng.uniform(0.88, 0.93)),
    )


def _draw_kinds(rng: np.random.Generator, object_type: str, diameter: float) -> tuple[CoinKind, ...]:
    metals = rng.permutation(get_args(Metal))
    emblems = rng.permutation(get_args(Emblem))
    sizes = rng.permutation(_MIXED_SIZES) if object_type == "mixed" else np.ones(1)
    return tuple(
        CoinKind(metal=str(metal), emblem=str(emblem), diameter=float(diameter * size))  # type: ignore[arg-type]
        for metal, emblem, size in zip(metals, emblems, sizes, strict=False)
    )


def _draw_sequence(rng: np.random.Generator, kinds: int, count: int) -> tuple[int, ...]:
    """Use all kinds before repeating one, in random order, so that a mixed row is never uniform."""
    rounds = [rng.permutation(kinds) for _ in range(-(-count // kinds))]
    return tuple(int(k) for k in np.concatenate(rounds)[:count])


def _draw_placements(rng: np.random.Generator, count: int) -> tuple[Placement, ...]:
    shifts = rng.uniform(-0.00035, 0.00035, (count, 2))
    yaws = rng.uniform(0, 2 * np.pi, count)
    return tuple(
        Placement(dx=float(dx), dy=float(dy), yaw=float(yaw))
        for (dx, dy), yaw in zip(shifts, yaws, strict=True)
    )


@dataclass(frozen=True)
class Carry:
    """A coin's way between the saucer and the row.

    Attributes:
        frames: first frame in which it is off the ground, and first frame at rest again.
        travelled: (T,) share of the way over the table.
        height: (T,) above the straight line between both places, m.
        climbed: (T,) share of the difference in height between both places.
    """

    frames: tuple[int, int]
    travelled: Float
    height: Float
    climbed: Float


def build(params: NumberParams) -> Scene:
    """Return the clip's scene; draws nothing."""
    carry = _carry(params)
    moved, spares = _moved_paths(params), _spare_paths(params)
    if params.change == "gain":
        slot = np.array([_targets(params.count + 1, params)[params.slot], params.depth_sign * _ROW_Y, 0.0])
        spares[params.carried_spare] = _carried(carry, spares[params.carried_spare], slot)
    elif params.change == "loss":
        moved[params.slot] = _carried(carry, moved[params.slot], _saucer_place(params, _SPARES))
    objects = (*_row(params, "moved", moved), *_row(params, "reference", _reference_paths(params)))
    return Scene(
        camera=NUMBER_STAGE.camera(params.width, params.height),
        lights=NUMBER_STAGE.lights,
        environment=NUMBER_STAGE.environment,
        objects=(*objects, *_spare_coins(params, spares), _saucer(params)),
        backdrop=(NUMBER_STAGE.table(),),
        fps=params.fps,
        num_frames=params.num_frames,
        quantities=_quantities(params, carry),
        notes=_notes(params, carry),
    )


def _targets(count: int, params: NumberParams) -> Float:
    """Return where the coins' centres end up along x, (count,): the outer two are the same for any count."""
    diameter, standing = _DIAMETER[params.count], params.count
    half = _END_PITCH[params.spread] * diameter * standing / 2
    return np.linspace(-half, half, count)


def _moved_paths(params: NumberParams) -> Float:
    """Return the centres (n, T, 3) of the spreading row, making or closing a gap in the twin."""
    time = params.timeline
    count = params.count
    spread = time.ease(time.first, time.last)
    start, end = _start_x(params), _targets(count, params)
    paths = np.zeros((count, params.num_frames, 3))
    paths[..., 1] = params.depth_sign * _ROW_Y + np.array([p.dy for p in params.moved])[:, None]
    jitter = np.array([p.dx for p in params.moved])
    paths[..., 0] = (start + jitter)[:, None] * (1 - spread) + end[:, None] * spread
    if params.change:
        # Later start, same end: the gap never closes faster than the row spreads.
        make_room = time.ease(time.frame(params.carry_start), time.last)
        paths[..., 0] += (_twin_targets(params) - end)[:, None] * make_room
    return paths


def _twin_targets(params: NumberParams) -> Float:
    """Return the ends (n,) of the coins that start in the row, with a place for the new coin, or one less."""
    if params.change == "gain":
        return np.delete(_targets(params.count + 1, params), params.slot)
    return np.insert(
        _targets(params.count - 1, params), params.slot, _targets(params.count, params)[params.slot]
    )


def _start_x(params: NumberParams) -> Float:
    pitch = _START_PITCH * _DIAMETER[params.count]
    return np.linspace(-0.5, 0.5, params.count) * pitch * (params.count - 1)


def _reference_paths(params: NumberParams) -> Float:
    paths = np.zeros((params.count, 1, 3))
    paths[:, 0, 0] = _start_x(params) + [p.dx for p in params.reference]
    paths[:, 0, 1] = -params.depth_sign * _ROW_Y + np.array([p.dy for p in params.reference])
    return paths


def _saucer_centre(params: NumberParams) -> Float:
    side = 1 if params.saucer_side == "right" else -1
    return np.array([side * _SAUCER_XY[0], params.depth_sign * _SAUCER_XY[1], 0.0])


def _saucer_place(params: NumberParams, place: int) -> Float:
    """Return one of the three places for coins, side by side in the saucer: (3,) m."""
    angle = params.saucer_turn + 2 * np.pi * place / (_SPARES + 1)
    radius = 1.03 * _DIAMETER[params.count] / np.sqrt(3)
    return _saucer_centre(params) + np.array([radius * np.cos(angle), radius * np.sin(angle), _SAUCER_FLOOR])


def _spare_paths(params: NumberParams) -> list[Float]:
    return [_saucer_place(params, place)[None] for place in range(_SPARES)]


def _carry(params: NumberParams) -> Carry:
    time = params.timeline
    start, end = time.frame(params.carry_start), time.frame(params.carry_end)
    share = np.clip((np.arange(params.num_frames, dtype=np.float64) - start) / (end - start), 0.0, 1.0)
    # Up and down at the ends, over the table in between: it clears its neighbours and the saucer's rim.
    rise, fall = smootherstep(share / 0.42), smootherstep((share - 0.58) / 0.42)
    travelled = smootherstep((share - 0.16) / 0.68)
    return Carry((start + 1, end), travelled, _LIFT * rise * (1 - fall), travelled)


def _carried(carry: Carry, start: Float, end: Float) -> Float:
    """Return the centres (T, 3) on the way from a path (T or 1, 3) to a place (3,)."""
    path = start + (end - start) * carry.travelled[:, None]
    path[:, 2] += carry.height
    return path


def _row(params: NumberParams, role: Role, paths: Float) -> list[RigidObject]:
    placements = params.moved if role == "moved" else params.reference
    return [
        _coin(f"{role}_{n}", role, params.kinds[params.sequence[n]], path, placements[n].yaw)
        for n, path in enumerate(paths)
    ]


def _spare_coins(params: NumberParams, paths: list[Float]) -> list[RigidObject]:
    return [
        _coin(f"spare_{n}", "prop", params.kinds[params.spare_kinds[n]], path, params.spare_yaws[n])
        for n, path in enumerate(paths)
    ]


def _coin(object_id: str, role: Role, kind: CoinKind, path: Float, yaw: float) -> RigidObject:
    poses = np.tile(np.eye(4), (len(path), 1, 1))
    poses[:, :2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
    poses[:, :3, 3] = path
    return RigidObject(object_id, role, coin_material(kind), coin_mesh(kind.emblem, kind.diameter), poses)


def _saucer(params: NumberParams) -> RigidObject:
    floor, rim, height = _SAUCER_SIZE
    pose = np.eye(4)
    pose[:3, 3] = _saucer_centre(params)
    return RigidObject("saucer", "prop", _GLAZE, saucer(floor, rim, height, _SAUCER_FLOOR), pose[None])


def _quantities(params: NumberParams, carry: Carry) -> Quantities:
    """Count the row: a coin belongs to it from when it touches down until it lifts off."""
    frame = np.arange(params.num_frames)
    reference = np.full(params.num_frames, float(params.count))
    moved = reference.copy()
    if params.change == "gain":
        moved += frame >= carry.frames[1]
    elif params.change == "loss":
        moved -= frame >= carry.frames[0]
    return Quantities("count", moved, reference)


def _notes(params: NumberParams, carry: Carry) -> dict[str, object]:
    time = params.timeline
    notes: dict[str, object] = {"motion_frames": [time.first, time.last]}
    if params.change:
        coin = f"spare_{params.carried_spare}" if params.change == "gain" else f"moved_{params.slot}"
        notes |= {
            "event": "coin_joins" if params.change == "gain" else "coin_leaves",
            "event_object": coin,
            "slot": params.slot,
            "lift_off_frame": carry.frames[0],
            "touch_down_frame": carry.frames[1],
        }
    return notes
