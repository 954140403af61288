"""Volume: the liquid of one of two equal glasses is poured into a glass of another shape (paper: Table 4).

In the twin, the pouring stops early and part of the liquid stays behind, or a jug adds liquid to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from generation.conservation.design import Cell, Preset
from generation.conservation.flow import Flow
from generation.conservation.glassware import CHINA, GLASS, Filling, GlassKind, glass, jug, liquid
from generation.conservation.landing import Landing, land
from generation.conservation.palette import RGB, TINT_DEPTH, TINTS, Color
from generation.conservation.params import ClipParams, cell_fields
from generation.conservation.pouring import Errand, Pourer, standing
from generation.conservation.studio import VOLUME_STUDIO
from generation.geometry.stream import GRAVITY
from generation.geometry.vessel import Vessel
from generation.scene import DeformingObject, Float, Mesh, Quantities, RigidObject, Scene, SceneObject

Transfer = Literal["tall_to_short", "short_to_tall"]
Amount = Literal["small", "medium", "large"]

AMOUNTS: dict[Amount, float] = {"small": 24e-6, "medium": 40e-6, "large": 56e-6}
SHARE = (0.25, 0.35)

# x of the untouched glass, of the one that is poured from, of the one that is poured into, and of the jug, m;
# mirrored when the liquid moves to the left.
_PLACES: dict[Transfer, tuple[float, float, float, float]] = {
    "tall_to_short": (-0.110, -0.027, 0.0565, 0.123),
    "short_to_tall": (-0.1065, -0.016, 0.061, 0.117),
}
_KINDS: dict[Transfer, tuple[GlassKind, GlassKind]] = {
    "tall_to_short": ("tall", "short"),
    "short_to_tall": ("short", "tall"),
}
_DEPTHS = (0.0, 0.0, 0.0, 0.02)
# Height of a lip above the rim of the glass below, m: of the source, of the jug.
_CLEARANCE, _JUG_CLEARANCE = 0.014, 0.019
# The two streams fall side by side: y of each, m.
_STREAM_Y, _JUG_STREAM_Y = -0.003, 0.009
_SPEED, _JUG_SPEED = 0.26, 0.22
# Seconds: a flow fades when the source is set upright early; the jug takes to come and to go.
_FADE = 0.14
_JUG_RAISE = 0.58
# Share of the moving time at which a jug that adds nothing would be lifted: long after the clip.
_NEVER = 10.0


class VolumeParams(ClipParams):
    """Everything a volume clip is made from.

    Attributes:
        absorption: of the liquid, 1/m, linear RGB.
        content: m^3 in each of the two equal glasses.
        share: of it that the twin loses or gains; the jug holds it in every clip.
        shifts: (dx, dy) in m by which untouched glass, poured glass, target and jug stand off their places.
        pour_start, pour_end: when the liquid flows, as shares of the moving time.
        jug_start, jug_end: the same for the jug's.
    """

    domain: Literal["volume"] = "volume"
    color: Color
    transfer: Transfer
    amount: Amount
    absorption: RGB
    content: float
    share: float
    shifts: tuple[tuple[float, float], ...]
    pour_start: float
    pour_end: float
    jug_start: float
    jug_end: float


def sample(rng: np.random.Generator, cell: Cell, preset: Preset) -> VolumeParams:
    """Draw what the design leaves open; the result is the conserving clip of the pair."""
    fields = cell_fields(cell, preset)
    clear = np.array(TINTS[fields["color"]])
    red, green, blue = (float(a) for a in -np.log(clear) / TINT_DEPTH * rng.uniform(0.92, 1.08))
    shifts = rng.uniform(-0.002, 0.002, (4, 2))
    pour_start = rng.uniform(0.235, 0.25)
    return VolumeParams(
        **fields,
        absorption=(red, green, blue),
        content=float(AMOUNTS[fields["amount"]] * rng.uniform(0.95, 1.05)),
        share=float(rng.uniform(*SHARE)),
        shifts=tuple((float(dx), float(dy)) for dx, dy in shifts),
        pour_start=float(pour_start),
        pour_end=float(rng.uniform(0.73, 0.75)),
        jug_start=float(pour_start + rng.uniform(0.11, 0.14)),
        jug_end=float(rng.uniform(0.70, 0.73)),
    )


@dataclass(frozen=True)
class _Set:
    """The four vessels of a clip and where they stand: untouched, poured from, poured into, jug.

    Attributes:
        azimuth: direction in which the liquid is poured, radians.
    """

    vessels: tuple[Vessel, ...]
    places: tuple[Float, ...]
    azimuth: float


@dataclass(frozen=True)
class _Course:
    """What happens over the clip.

    Attributes:
        source, jug: the vessels that pour, or could.
        landing: what arrives in the target, from the source and from the jug.
        fillings: of the untouched glass, the source, the target and the jug.
    """

    source: Pourer
    jug: Pourer
    landing: Landing
    fillings: tuple[Filling, ...]


def build(params: VolumeParams) -> Scene:
    """Return the clip's scene; draws nothing."""
    times = np.arange(params.num_frames) / params.fps
    course = _course(params, times)
    return Scene(
        camera=VOLUME_STUDIO.camera(params.width, params.height),
        lights=VOLUME_STUDIO.lights,
        environment=VOLUME_STUDIO.environment,
        objects=_objects(params, course),
        backdrop=VOLUME_STUDIO.backdrop(),
        fps=params.fps,
        num_frames=params.num_frames,
        quantities=_quantities(params, course, times),
        notes=_notes(params, course),
    )


def _course(params: VolumeParams, times: Float) -> _Course:
    stand = _stand(params)
    source = Pourer(stand.vessels[1], _source_errand(params, stand))
    helper = Pourer(stand.vessels[3], _jug_errand(params, stand))
    target = stand.vessels[2]
    landing = land((source, helper), target, times)
    fillings = (
        Filling(stand.vessels[0], standing(stand.places[0], np.array([params.content]))),
        Filling(stand.vessels[1], [source.at(float(time)) for time in times]),
        Filling(target, standing(stand.places[2], landing.volumes)),
        Filling(stand.vessels[3], [helper.at(float(time)) for time in times]),
    )
    return _Course(source, helper, landing, fillings)


def _stand(params: VolumeParams) -> _Set:
    side = params.side_sign
    source, target = (glass(kind) for kind in _KINDS[params.transfer])
    places = tuple(
        np.array([side * x + dx, y + dy, 0.0])
        for x, y, (dx, dy) in zip(_PLACES[params.transfer], _DEPTHS, params.shifts, strict=True)
    )
    return _Set((source, source, target, jug()), places, 0.0 if side > 0 else np.pi)


def _seconds(params: VolumeParams, share: float) -> float:
    time = params.timeline
    return (time.first + share * (time.last - time.first)) / params.fps


def _source_errand(params: VolumeParams, stand: _Set) -> Errand:
    flow = Flow(params.content, _seconds(params, params.pour_start), _seconds(params, params.pour_end))
    if params.change == "loss":
        flow = flow.stopped_after((1 - params.share) * params.content, _FADE)
    homeward = _seconds(params, 1.0) - _seconds(params, params.pour_end)
    return Errand(
        place=stand.places[1],
        azimuth=stand.azimuth,
        lip=_lip(stand, stand.azimuth, _SPEED, _CLEARANCE, _STREAM_Y),
        leave=_seconds(params, 0.0),
        back=flow.finish + homeward,
        content=params.content,
        flow=flow,
        speed=_SPEED,
    )


def _jug_errand(params: VolumeParams, stand: _Set) -> Errand:
    extra = params.share * params.content
    azimuth = np.pi - stand.azimuth
    start = _seconds(params, params.jug_start) if params.change == "gain" else _seconds(params, _NEVER)
    length = _seconds(params, params.jug_end) - _seconds(params, params.jug_start)
    return Errand(
        place=stand.places[3],
        azimuth=azimuth,
        lip=_lip(stand, azimuth, _JUG_SPEED, _JUG_CLEARANCE, _JUG_STREAM_Y),
        leave=start - _JUG_RAISE,
        back=start + length + _JUG_RAISE,
        content=extra,
        flow=Flow(extra, start, start + length),
        speed=_JUG_SPEED,
    )


def _lip(stand: _Set, azimuth: float, speed: float, clearance: float, y: float) -> Float:
    """Return where a lip must be for its stream to enter the target and reach its bottom near the axis."""
    target = stand.vessels[2]
    depth = target.height - target.cavity.vertices[:, 2].min()
    soon, late = (np.sqrt(2 * drop / GRAVITY) for drop in (clearance, clearance + depth))
    before = speed * (soon + late) / 2
    offset = np.array([-before * np.cos(azimuth), y, target.height + clearance])
    return np.asarray(stand.places[2] + offset)


def _objects(params: VolumeParams, course: _Course) -> tuple[SceneObject, ...]:
    wet, free = (liquid(params.absorption, beyond) for beyond in (GLASS.ior_inside, GLASS.ior_outside))
    untouched, source, target, helper = course.fillings
    bodies: list[SceneObject] = [
        RigidObject("reference_glass", "prop", GLASS, untouched.glass(0), untouched.poses),
        RigidObject("reference_liquid", "reference", wet, untouched.cut(0).wet, untouched.poses),
        RigidObject("reference_liquid_top", "reference", free, untouched.cut(0).top, untouched.poses),
    ]
    for name, filling in (("source", source), ("target", target)):
        bodies += [
            DeformingObject(f"{name}_glass", "prop", GLASS, filling.glass_at, filling.poses),
            DeformingObject(f"{name}_liquid", "moved", wet, filling.wet_at, filling.poses),
            DeformingObject(f"{name}_liquid_top", "moved", free, filling.top_at, filling.poses),
        ]
    bodies += [
        DeformingObject("stream", "moved", free, _stream_shape(course, 0), _place(course.source)),
        DeformingObject("jug", "prop", CHINA, helper.wall_at, helper.poses),
        DeformingObject("jug_liquid_top", "prop", free, helper.top_at, helper.poses),
        DeformingObject("jug_stream", "moved", free, _stream_shape(course, 1), _place(course.jug)),
    ]
    return tuple(bodies)


def _stream_shape(course: _Course, number: int) -> Callable[[int], Mesh]:
    pourer = (course.source, course.jug)[number]
    streams = course.landing.streams[number]
    return lambda frame: streams[frame].mesh(pourer)


def _place(pourer: Pourer) -> Float:
    pose = np.eye(4)
    pose[:3, 3] = pourer.errand.lip
    return pose[None]


def _quantities(params: VolumeParams, course: _Course, times: Float) -> Quantities:
    """Follow the moved liquid: what is left behind stops counting when the source stops pouring."""
    reference = np.full(params.num_frames, params.content)
    behind = params.share * params.content if params.change == "loss" else 0.0
    done = times >= course.source.errand.flow.finish
    added = course.jug.errand.flow.poured(times)
    return Quantities("m^3", reference + added - np.where(done, behind, 0.0), reference)


def _notes(params: VolumeParams, course: _Course) -> dict[str, object]:
    _, source, target, helper = course.fillings
    streams = ([moment.volume for moment in stream] for stream in course.landing.streams)
    volumes = {
        "source": [state.remaining for state in source.states],
        "stream": next(streams),
        "target": [state.remaining for state in target.states],
        "jug": [state.remaining for state in helper.states],
        "jug_stream": next(streams),
    }
    flow, time = course.source.errand.flow, params.timeline
    notes: dict[str, object] = {
        "motion_frames": [time.first, time.last],
        "pour_seconds": [flow.start, flow.finish],
        "volumes": volumes,
    }
    if params.change == "gain":
        added = course.jug.errand.flow
        notes |= {"event": "jug_adds", "event_seconds": [added.start, added.finish]}
    elif params.change == "loss":
        notes |= {"event": "liquid_stays", "event_seconds": [flow.stop, flow.finish]}
    return notes
