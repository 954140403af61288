"""Tries at a clip in one place: choose a leading thing and its motion, then others around it."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from generation.quantiphy.bodies import Body, draw_body
from generation.quantiphy.camera_setup import CameraParams, draw_camera
from generation.quantiphy.catalogue import Catalogue
from generation.quantiphy.design import Clip, Preset
from generation.quantiphy.framing import Framing
from generation.quantiphy.lanes import Lane, falling_time
from generation.quantiphy.meeting import draw_meeting
from generation.quantiphy.motion.catalog import MotionParams
from generation.quantiphy.params import EntityParams, WorldParams, frame_times
from generation.quantiphy.places.model import Place, PlaceKind
from generation.quantiphy.powers import power
from generation.quantiphy.recipes import RECIPES, SPEED_LIMITS, STANDING, Recipe
from generation.quantiphy.things.model import Kind, Move, is_confusable

_PLACINGS = 15
_DURATION, _SHORTEST = (1.7, 2.4), 1.0
# Of a thing's larger extent in the width of the field.
_LEAD_SHARE, _OTHER_SHARE = (0.12, 0.22), (0.055, 0.30)
LARGEST_SHARE = 0.5  # of things so large that the place allows no wider field, such as buses and trains
_STANDING_SHARE, _MEETING_SHARE = 0.45, 0.2
_SLANT = math.radians(25), math.radians(65)
_SIDES = (0.0, math.pi, -math.pi / 2)
_ALOFT: frozenset[Move] = frozenset({"flies", "rises", "falls", "swings", "orbits"})
# Extents a thing must be able to go in a s, or gain in a s in each s, to be given: pictures show no less.
_LEAST_SPEED, _LEAST_GAIN = 0.4, 0.9
_MEETS: tuple[Move, Move] = ("rolls", "slides")


class Casting:
    """A place, and the choices of one try after another.

    Args:
        rng: source of chance. clip, preset: what is wanted. catalogue: to choose from.
        fps: frames per second. bodies: things drawn so far, by kind and colour; building them takes long, so
            every try has the same ones.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        clip: Clip,
        preset: Preset,
        catalogue: Catalogue,
        fps: int,
        bodies: dict[tuple[str, str], Body],
    ) -> None:
        """Choose the place."""
        self._bodies = bodies
        self._rng, self._clip, self._preset, self._catalogue = rng, clip, preset, catalogue
        self._fps = fps
        fitting = [kind for kind in catalogue.places.values() if kind.background == clip.background]
        fitting = [kind for kind in fitting if self._leads(kind)] or fitting
        self._where: PlaceKind = fitting[int(rng.integers(len(fitting)))]
        self._place_params = self._where.sample(rng)
        self._place: Place = catalogue.place(self._place_params)
        self._kinds = self._kinds_at(self._where)
        self._entities: list[tuple[Body, MotionParams]] = []

    def _kinds_at(self, where: PlaceKind) -> list[Kind]:
        """Return the kinds that may be seen at a place."""
        known = self._catalogue.kinds.values()
        return [kind for kind in known if kind.scale == where.scale and kind.name not in where.clashes]

    def _leads(self, where: PlaceKind) -> bool:
        """Whether something at a place can do what is given."""
        return any(
            recipe.weights[self._clip.prior] > 0
            and self._is_able(kind, recipe)
            and moves(kind, recipe.moves, where)
            for kind in self._kinds_at(where)
            for recipe in self._recipes()
        )

    def _is_able(self, kind: Kind, recipe: Recipe) -> bool:
        """Whether pictures show what a kind can do, if that is given."""
        able, extent = power(kind.name), max(low for low, _ in kind.ranges.values())
        if self._clip.prior == "A" and recipe.effort:
            return getattr(able, recipe.effort) > _LEAST_GAIN * extent
        return self._clip.prior != "V" or able.speed > _LEAST_SPEED * extent

    def draw(self) -> WorldParams | None:
        """Return parameters of a clip, or None if things didn't fit this time."""
        self._entities.clear()
        meets = self._clip.is_multiple and self._rng.random() < _MEETING_SHARE
        lead = None if meets else self._draw_recipe()
        move, body = self._draw_lead(lead)
        if body is None or not self._set_stage(body, lead):
            return None
        is_led = self._place_meeting(body, move) if lead is None else self._place_one(body, lead, move)
        if not is_led:
            return None
        wanted = self._wanted() - len(self._entities)
        for _ in range(3 * wanted):
            if wanted > 0 and self._add_other():
                wanted -= 1
        return None if wanted > 0 else self._params()

    def _wanted(self) -> int:
        """Draw how many things there are: more where more is asked about them."""
        if not self._clip.is_multiple:
            return 1
        least = 3 if self._clip.static_questions >= 4 else 2
        return int(self._rng.integers(least, 6))

    def _draw_recipe(self) -> Recipe:
        possible = self._recipes()
        weights = np.array([recipe.weights[self._clip.prior] for recipe in possible])
        return possible[int(self._rng.choice(len(possible), p=weights / weights.sum()))]

    def _recipes(self) -> list[Recipe]:
        return [recipe for recipe in RECIPES if self._clip.is_3d or not recipe.only_3d]

    def _moves(self, kind: Kind, wanted: Iterable[Move]) -> list[Move]:
        return moves(kind, wanted, self._where)

    def _draw_lead(self, lead: Recipe | None) -> tuple[Move, Body | None]:
        able = [
            (kind, move)
            for kind in self._kinds
            if lead is None or self._is_able(kind, lead)
            for move in self._moves(kind, lead.moves if lead else _MEETS)
        ]
        names = sorted({kind.name for kind, _ in able})
        if not names:
            return "stands", None
        name = names[int(self._rng.integers(len(names)))]
        ways = [(kind, move) for kind, move in able if kind.name == name]
        kind, move = ways[int(self._rng.integers(len(ways)))]
        body = self._draw_body(kind)
        needs_ball = lead.needs_ball if lead else move == "rolls"
        return move, body if body.is_ball or not needs_ball else None

    def _draw_body(self, kind: Kind) -> Body:
        used = {made.params.color for made, _ in self._entities if made.kind.name == kind.name}
        free = [color for color in kind.colors if color not in used]
        colors = free or list(kind.colors)
        color = colors[int(self._rng.integers(len(colors)))]
        key = kind.name, color
        if key not in self._bodies:
            self._bodies[key] = draw_body(self._rng, kind, color, self._catalogue)
        return self._bodies[key]

    def _set_stage(self, body: Body, lead: Recipe | None) -> bool:
        """Draw camera and duration; False if the field would be wider than the place."""
        low, high = self._place.free
        width = body.size / float(self._rng.uniform(*_LEAD_SHARE))
        widest = high[0] - low[0]
        if width > widest:
            width = widest
            if body.size / width > LARGEST_SHARE:
                return False
        self._camera: CameraParams = draw_camera(self._rng, width, is_3d=self._clip.is_3d)
        size = self._preset.width, self._preset.height
        field = self._camera.field_height(*size)
        self._top = min(field * (1 - self._camera.ground_share), high[2])
        self._duration = float(self._rng.uniform(*_DURATION))
        fall = falling_time(0.85 * (self._top - body.base - float(body.half[2])))
        if lead is not None and lead.drops and _SHORTEST < fall < _DURATION[1]:
            self._duration = fall
        self._num_frames = math.ceil(self._duration * self._fps) + 1
        times = frame_times(self._num_frames, self._fps)
        self._duration = float(times[-1])
        self._framing = Framing(self._camera.camera(*size), times)
        return True

    def _lane(self, body: Body, move: Move) -> Lane:
        """Draw where a thing moves, and which way."""
        rng, width = self._rng, self._camera.field_width
        (_, front, _), (_, back, _) = self._place.free
        yaw = 0.0 if rng.random() < 0.5 else math.pi
        x = (
            float(rng.uniform(-0.5, 0.5)) * 0.7 * width
            if move == "stands"
            else float(rng.uniform(-0.2, 0.2)) * width
        )
        y, reach = 0.0, 0.94 * width - 2 * float(body.half[0]) - 2 * abs(x)
        if self._clip.is_3d:
            deep = min(back, -front, 0.45 * width) - float(body.half[0])
            y = float(rng.uniform(-0.6, 0.6)) * deep
            if move == "stands":
                yaw = _SIDES[int(rng.integers(len(_SIDES)))]
            else:
                yaw += float(rng.uniform(*_SLANT)) * (1 if rng.random() < 0.5 else -1)
                reach = min(reach / abs(math.cos(yaw)), 2 * (deep - abs(y)) / abs(math.sin(yaw)))
        able = power(body.kind.name)
        return Lane(
            x=x,
            y=y,
            yaw=yaw,
            reach=max(reach, 0.0),
            base=body.base,
            top=self._top * 0.97 - float(body.half[2]),
            duration=self._duration,
            limit=min(SPEED_LIMITS[move], able.speed),
            push=able.push,
            turn=able.turn,
            roll_radius=body.roll_radius(move),
            is_ball=body.is_ball,
            flies=move in _ALOFT,
            is_upright=able.is_upright,
            is_flat=not self._clip.is_3d,
        )

    def _place_one(self, body: Body, recipe: Recipe, move: Move) -> bool:
        """Find a way for a thing that is free; False if there is none."""
        for _ in range(_PLACINGS):
            lane = self._lane(body, move)
            is_open = lane.top > lane.base and (move == "stands" or lane.reach > 0)
            motion = recipe.draw(self._rng, lane) if is_open else None
            if motion is not None and self._take(body, motion):  # type: ignore[arg-type]
                return True
        return False

    def _take(self, body: Body, motion: MotionParams) -> bool:
        track = motion.preview(self._framing.times)
        box, supports = self._framing.boxes(body.corners, track), self._framing.supports(motion, track)
        if not self._framing.fits(box, supports):
            return False
        self._framing.take(box, supports)
        self._entities.append((body, motion))
        return True

    def _place_meeting(self, one: Body, move: Move) -> bool:
        """Find a way for two things to collide."""
        able = [kind for kind in self._kinds if move in self._moves(kind, (move,))]
        self._entities.append((one, None))  # type: ignore[arg-type]
        two = self._draw_body(able[int(self._rng.integers(len(able)))])
        self._entities.clear()
        if not 0.4 < two.size / one.size < 2.5 or (move == "rolls" and not two.is_ball):
            return False
        if is_confusable(one.params, two.params):
            return False
        for _ in range(_PLACINGS):
            motions = draw_meeting(self._rng, self._lane(one, move), one, two, rolling=move == "rolls")
            tracks = [motion.preview(self._framing.times) for motion in motions]
            boxes = [self._framing.boxes(b.corners, t) for b, t in zip((one, two), tracks, strict=True)]
            if all(self._framing.fits(box, []) for box in boxes):
                for body, motion, box in zip((one, two), motions, boxes, strict=True):
                    self._framing.take(box, [])
                    self._entities.append((body, motion))
                return True
        return False

    def _add_other(self) -> bool:
        """Add a thing, standing or moving; False if it doesn't fit."""
        kind = self._kinds[int(self._rng.integers(len(self._kinds)))]
        body = self._draw_body(kind)
        if any(is_confusable(body.params, other.params) for other, _ in self._entities):
            return False
        low, high = _OTHER_SHARE
        if not low < body.size / self._camera.field_width < high:
            return False
        recipe, move = self._draw_role(body)
        return recipe is not None and self._place_one(body, recipe, move)

    def _draw_role(self, body: Body) -> tuple[Recipe | None, Move]:
        """Draw whether and how another thing moves."""
        stands: list[Move] = ["floats"] if self._where.ground == "water" else ["stands"]
        if self._rng.random() < _STANDING_SHARE and stands[0] in body.kind.moves:
            return STANDING, "stands"
        roles = [
            (recipe, move)
            for recipe in self._recipes()
            if body.is_ball or not recipe.needs_ball
            for move in self._moves(body.kind, recipe.moves)
        ]
        return roles[int(self._rng.integers(len(roles)))] if roles else (None, "stands")

    def _params(self) -> WorldParams:
        return WorldParams(
            video_id=self._clip.video_id,
            video_type=self._clip.video_type,
            static_questions=self._clip.static_questions,
            dynamic_questions=self._clip.dynamic_questions,
            width=self._preset.width,
            height=self._preset.height,
            fps=self._fps,
            num_frames=self._num_frames,
            place=self._place_params,
            camera=self._camera,
            entities=tuple(
                EntityParams(entity_id=f"thing_{k}", thing=body.params, motion=motion)
                for k, (body, motion) in enumerate(self._entities)
            ),
        )


def moves(kind: Kind, wanted: Iterable[Move], where: PlaceKind) -> list[Move]:
    """Return those of some ways of moving that a kind can do at a place."""
    suited = where.suits if where.suits else kind.moves
    found = sorted(set(wanted) & kind.moves & suited)
    if where.ground == "water":
        return [move for move in found if move in _ALOFT or move == "floats"]
    return [move for move in found if move != "floats"]
