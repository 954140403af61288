"""Draw a family: a scene, and for each category a violation that can be seen in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from generation.consistency.appearance import LOOKS, Look, body, color, lamp_bands
from generation.consistency.case import Twins, View
from generation.consistency.catalog import VIOLATIONS
from generation.consistency.design import Family, Preset
from generation.consistency.limits import GAP, are_apart, footprint, scene_misfit, twin_misfit
from generation.consistency.params import BodyParams, FamilyParams, LampParams, RoomParams
from generation.consistency.world import build
from physprobe.consistency.vocabulary import MECHANISMS, Label, Mechanism

FOV_X_DEG = 38.0
# Draws of one violation in a scene, before the scene is given up.
_TRIES = 12
_SCENES = 2000
# What most scenes are given up for: tried first.
_PICKY: tuple[Label, ...] = (
    "missing_cast_shadow",
    "impossible_occlusion_order",
    "missing_contact_shadow",
    "incorrect_specular_highlight",
)
# Share of the lamp's elevations that a family may choose from; after so many scenes, all.
_SPREAD, _PATIENCE = 0.15, 40
# From a family to the next, in lengths of its bands laid end to end: irrational, and so are eight of it.
_STEP = 2**0.5
# Side of the images that draws are judged by, pixels: the same scenes for every preset.
_COARSE = 125
# Where the lamp is seen from, m.
_MIDDLE = np.array([0.0, -0.1, 0.3])
# Of the lamp from side walls, back wall and ceiling, which would glare.
_CLEARANCE = np.array([0.6, 1.2, 0.45])


@dataclass
class Rejections:
    """Why draws were thrown away: category or "scene" -> reason -> how often."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, what: str, reason: str) -> None:
        """Count one."""
        self.counts.setdefault(what, Counter())[reason] += 1


def sample(rng: np.random.Generator, family: Family, preset: Preset, rejections: Rejections) -> FamilyParams:
    """Draw a family's parameters; arguments and errors as of :func:`sample_twins`."""
    return sample_twins(rng, family, preset, rejections)[family.mechanism]


def sample_twins(
    rng: np.random.Generator, family: Family, preset: Preset, rejections: Rejections
) -> dict[Mechanism, FamilyParams]:
    """Draw a family's parameters by either mechanism.

    Scenes and violations are kept only if they are good by both, and as large: so neither mechanism has a
    choice of its own, and what differs between suites is the mechanism alone.

    Args:
        rng: source of chance. family, preset: what is wanted. rejections: told why draws were thrown away.

    Raises:
        RuntimeError: nothing that fits was found.
    """
    for tried in range(_SCENES):
        scene = _scene(rng, family, preset, tried)
        view = View(build(scene.model_copy(update={"width": _COARSE, "height": _COARSE})))
        reason = scene_misfit(view)
        if reason:
            rejections.add("scene", reason)
            continue
        drawn = _interventions(rng, family, view, rejections)
        if drawn is not None:
            return {
                mechanism: scene.model_copy(
                    update={"interventions": tuple(each[mechanism] for each in drawn)}
                )
                for mechanism in MECHANISMS
            }
    raise RuntimeError(f"found no scene for {family.family_id}")


def _interventions(
    rng: np.random.Generator, family: Family, view: View, rejections: Rejections
) -> list[Twins] | None:
    found: dict[Label, Twins] = {}
    categories = list(VIOLATIONS)
    for category in sorted(VIOLATIONS, key=lambda each: each not in _PICKY):
        # Each category takes each object about equally often.
        first = family.number + family.number // len(view.world.solids) + categories.index(category)
        seen: list[Twins] = []
        for tried in range(_TRIES):
            wish = (first + tried) % len(view.world.solids)
            drawn = VIOLATIONS[category].draw(rng, view, wish)
            if drawn in seen:
                continue
            if drawn is not None:
                seen.append(drawn)
            reason = "nothing to apply it to" if drawn is None else twin_misfit(view, drawn)
            if drawn is not None and not reason:
                found[category] = drawn
                break
            rejections.add(category, reason)
        else:
            rejections.add("scene", f"no {category}")
            return None
    return [found[category] for category in VIOLATIONS]


def _scene(rng: np.random.Generator, family: Family, preset: Preset, tried: int) -> FamilyParams:
    room = _room(rng, family.look)
    eye = rng.uniform(-0.3, 0.3), rng.uniform(-4.5, -4.15), rng.uniform(1.75, 2.1)
    bodies = _placed(rng, _bodies(rng, family.look), eye)
    return FamilyParams(
        family_id=family.family_id,
        split=family.split,
        width=preset.width,
        height=preset.height,
        spp=preset.spp,
        noise=int(rng.integers(2**31)),
        eye=_floats(eye),
        look_at=_floats((rng.uniform(-0.08, 0.08), 0.35, rng.uniform(0.42, 0.55))),
        fov_x_deg=FOV_X_DEG,
        room=room,
        lamp=_lamp(rng, family, room, _SPREAD if tried < _PATIENCE else 1.0),
        bodies=bodies,
    )


def _room(rng: np.random.Generator, look: Look) -> RoomParams:
    ranges = LOOKS[look]
    width, left = rng.uniform(2.7, 3.2), rng.uniform(-1.65, -1.35)
    wall = float(rng.uniform(*ranges.wall_hue))
    return RoomParams(
        half_width=float(rng.uniform(2.4, 2.8)),
        back=float(rng.uniform(2.7, 3.1)),
        front=-8.0,
        height=float(rng.uniform(3.2, 3.5)),
        ground=color(rng, rng.uniform(*ranges.ground_hue), (0.12, 0.35), (0.66, 0.78)),
        back_wall=color(rng, wall, (0.03, 0.15), (0.6, 0.72)),
        side_walls=color(rng, wall, (0.03, 0.2), (0.6, 0.75)),
        ceiling=color(rng, wall, (0.02, 0.08), (0.75, 0.85)),
        mirror=(
            float(left),
            float(left + width),
            float(rng.uniform(0.08, 0.16)),
            float(rng.uniform(1.4, 1.6)),
        ),
        tint=_floats(rng.uniform(0.86, 0.94, 3)),
    )


def _lamp(rng: np.random.Generator, family: Family, room: RoomParams, spread: float) -> LampParams:
    azimuth, elevation = 22.5 + 45.0 * family.direction, elevation_deg(rng, family, spread)
    a, e = np.radians(azimuth), np.radians(elevation)
    way = np.array([np.cos(e) * np.sin(a), -np.cos(e) * np.cos(a), np.sin(e)])
    limits = np.array([room.half_width, room.back, room.height]) - _CLEARANCE
    reach = np.where(way > 0, (limits - _MIDDLE) / np.maximum(way, 1e-6), np.inf)
    sideways = (limits[0] + _MIDDLE[0]) / abs(way[0])
    distance = float(min(rng.uniform(2.3, 2.9), reach.min(), sideways))
    return LampParams(
        direction=family.direction,
        azimuth_deg=azimuth,
        elevation_deg=elevation,
        distance=distance,
        position=_floats(_MIDDLE + distance * way),
        intensity=float(rng.uniform(1.35, 1.75) * distance**2 / max(np.sin(e), 0.6)),
        environment=float(rng.uniform(0.25, 0.4)),
    )


def elevation_deg(rng: np.random.Generator, family: Family, spread: float) -> float:
    """Draw an elevation, degrees, from the part of its bands that the family's number stands for.

    Numbers go through the bands in steps that spread any few of them evenly, those of one direction too.
    """
    bands = lamp_bands(family.look, family.direction)
    place = (family.number * _STEP + rng.uniform(0, spread)) % 1 * len(bands)
    low, high = bands[int(place)]
    return float(low + place % 1 * (high - low))


def _bodies(rng: np.random.Generator, look: Look) -> list[BodyParams]:
    """Draw three objects of different colours, one of them round and glossy."""
    hues = list(LOOKS[look].hues)
    names = [hues[k] for k in rng.permutation(len(hues))[:3]]
    glossy = body(rng, look, names[0], "plastic", is_round=True)
    others = [body(rng, look, name) for name in names[1:]]
    drawn = [glossy, *others]
    return [drawn[k] for k in rng.permutation(3)]


def _placed(
    rng: np.random.Generator, drawn: list[BodyParams], eye: tuple[float, float, float]
) -> tuple[BodyParams, ...]:
    """Put two objects one behind the other, as seen from the eye, and the third to their side."""
    front, rear, aside = drawn
    side = float(rng.choice([-1, 1]))
    front = _at(front, side * rng.uniform(0.15, 0.6), rng.uniform(-0.9, -0.4))
    shift = float(rng.choice([-1, 1])) * rng.uniform(0.35, 0.75) * (_width(front) + _width(rear))
    gap = footprint(front) + footprint(rear) + GAP
    behind = float(np.sqrt(max(gap**2 - shift**2, 0.0)) + rng.uniform(0.02, 0.3))
    along = (front.x - eye[0]) / (front.y - eye[1])
    rear = _at(rear, front.x + behind * along + shift, front.y + behind)
    for _ in range(_TRIES):
        aside = _at(aside, -side * rng.uniform(0.45, 0.95), rng.uniform(-0.7, 0.3))
        if are_apart((front, rear, aside)):
            break
    return front, rear, aside


def _width(drawn: BodyParams) -> float:
    return max(drawn.half_extents[:2])


def _at(drawn: BodyParams, x: float, y: float) -> BodyParams:
    return drawn.model_copy(update={"x": float(x), "y": float(y)})


def _floats(values: object) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in values)  # type: ignore[attr-defined]
    return x, y, z
