"""Size: one of two equal lumps of clay is reshaped (paper: Table 4).

In the twin, a piece is pinched off while it is being reshaped, or a spare piece is worked into it.
"""

from __future__ import annotations

import functools
from typing import Literal

import numpy as np

from generation.conservation.design import Cell, Preset
from generation.conservation.kneading import Pinch, touching, united
from generation.conservation.palette import CLAYS, RGB, Color
from generation.conservation.params import ClipParams, cell_fields
from generation.conservation.studio import SIZE_STUDIO
from generation.conservation.timeline import smootherstep
from generation.core.records import StrictModel
from generation.geometry.clay import Dents, Lump, Worked, set_down
from generation.geometry.solid import padded_soup
from generation.geometry.superellipse import Form
from generation.rendering.shapes import saucer
from generation.scene import DeformingObject, Float, Material, Mesh, Quantities, RigidObject, Scene

Shape = Literal["sphere", "cylinder", "plane"]

FORMS: dict[Shape, Form] = {
    "sphere": Form(1.0, 1.0),
    "cylinder": Form(0.26, 1.28),
    "plane": Form(0.50, 0.17),
}
CONTENT = 72e-6
SHARE = (0.25, 0.35)
_ROUGHNESS = 0.5

_LUMP_X = 0.060
_DISH_XY = (0.0, -0.072)
_DISH = (0.0225, 0.0320, 0.0085)
_DISH_FLOOR = 0.0030
_GLAZE = Material("plastic", color=(0.60, 0.58, 0.54), roughness=0.10)
# Where a piece that was pinched off is laid, seen from the middle, for a body on the right.
_ASIDE_XY = (0.066, -0.080)
# How far the ends of a piece's curved way lead straight up, or straight off the body, m.
_LIFT = 0.062
# The piece comes from above, from the side of the camera.
_WAY = np.array([-0.30, -0.42, 0.86])
_DENTS = 44
_FACES = 26000


class Mark(StrictModel):
    """One dent: a unit vector, its depth in m (negative for a bulge) and its angular width in radians."""

    direction: tuple[float, float, float]
    depth: float
    width: float


Marks = tuple[Mark, ...]


class SizeParams(ClipParams):
    """Everything a size clip is made from.

    Attributes:
        content: m^3 in each of the two lumps.
        share: of it that the twin loses or gains; the spare piece in the dish has as much in every clip.
        albedo: of the clay, linear RGB.
        start_marks, end_marks: of the moved lump. other_marks, spare_marks: of the others.
        squeeze: by how much it is pressed longer along x halfway through.
        yaw: radians, of the reference lump.
        shifts: (dx, dy) in m of moved lump, reference lump and dish.
        join_start, join_end: when the piece is under way or in the clay, as shares of the moving time.
        contact: share of that time at which the piece touches (gain) or comes free (loss).
    """

    domain: Literal["size"] = "size"
    color: Color
    reshaping: str
    content: float
    share: float
    albedo: RGB
    start_marks: Marks
    end_marks: Marks
    other_marks: Marks
    spare_marks: Marks
    squeeze: float
    yaw: float
    shifts: tuple[tuple[float, float], ...]
    join_start: float
    join_end: float
    contact: float

    @property
    def forms(self) -> tuple[Form, Form]:
        """First and last form of the reshaped lump."""
        first, last = self.reshaping.split("_to_")
        return FORMS[_shape(first)], FORMS[_shape(last)]


def _shape(name: str) -> Shape:
    return next(shape for shape in FORMS if shape == name)


def sample(rng: np.random.Generator, cell: Cell, preset: Preset) -> SizeParams:
    """Draw what the design leaves open; the result is the conserving clip of the pair."""
    fields = cell_fields(cell, preset)
    red, green, blue = (float(v * rng.uniform(0.93, 1.07)) for v in CLAYS[fields["color"]])
    joins = cell.direction == "gain"
    return SizeParams(
        **fields,
        content=float(CONTENT * rng.uniform(0.95, 1.05)),
        share=float(rng.uniform(*SHARE)),
        albedo=(red, green, blue),
        start_marks=_draw_marks(rng, _DENTS),
        end_marks=_draw_marks(rng, _DENTS),
        other_marks=_draw_marks(rng, _DENTS),
        spare_marks=_draw_marks(rng, _DENTS // 2),
        squeeze=float(rng.uniform(0.05, 0.09)),
        yaw=float(rng.uniform(0, 2 * np.pi)),
        shifts=tuple((float(dx), float(dy)) for dx, dy in rng.uniform(-0.002, 0.002, (3, 2))),
        join_start=float(rng.uniform(0.05, 0.09) if joins else rng.uniform(0.18, 0.22)),
        join_end=float(rng.uniform(0.72, 0.78) if joins else rng.uniform(0.86, 0.92)),
        contact=float(rng.uniform(0.50, 0.56) if joins else rng.uniform(0.46, 0.52)),
    )


def _draw_marks(rng: np.random.Generator, count: int) -> Marks:
    directions = rng.standard_normal((count, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    depths = rng.uniform(-0.0003, 0.0013, count)
    widths = rng.uniform(0.10, 0.30, count)
    return tuple(
        Mark(direction=(float(x), float(y), float(z)), depth=float(d), width=float(w))
        for (x, y, z), d, w in zip(directions, depths, widths, strict=True)
    )


def build(params: SizeParams) -> Scene:
    """Return the clip's scene; draws nothing."""
    course = _Course(params)
    clay = Material("plastic", color=params.albedo, roughness=_ROUGHNESS)
    reference = Lump(params.forms[0], params.content, _dents(params.other_marks)).mesh()
    objects = (
        DeformingObject("moved_lump", "moved", clay, course.body_at, _pose(course.place)),
        RigidObject(
            "reference_lump", "reference", clay, set_down(reference, np.zeros(3)), course.reference_pose
        ),
        DeformingObject("spare_lump", "prop", clay, course.spare_at, course.spare_poses),
        DeformingObject("piece", "prop", clay, course.piece_at, course.piece_poses),
        RigidObject("dish", "prop", _GLAZE, saucer(*_DISH, _DISH_FLOOR), _pose(course.dish)),
    )
    return Scene(
        camera=SIZE_STUDIO.camera(params.width, params.height),
        lights=SIZE_STUDIO.lights,
        environment=SIZE_STUDIO.environment,
        objects=objects,
        backdrop=SIZE_STUDIO.backdrop(),
        fps=params.fps,
        num_frames=params.num_frames,
        quantities=course.quantities(),
        notes=course.notes(),
    )


def _dents(marks: Marks) -> Dents:
    return Dents(
        np.array([mark.direction for mark in marks]),
        np.array([mark.depth for mark in marks]),
        np.array([mark.width for mark in marks]),
    )


def _pose(place: Float, yaw: float = 0.0) -> Float:
    """Return one (1, 4, 4) pose: a turn about the vertical and a translation."""
    pose = np.eye(4)
    pose[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
    pose[:3, 3] = place
    return pose[None]


class _Course:
    """What happens to each lump, frame by frame."""

    def __init__(self, params: SizeParams) -> None:
        self._params = params
        moved, other, dish = (np.array([dx, dy, 0.0]) for dx, dy in params.shifts)
        self.place = moved + np.array([params.side_sign * _LUMP_X, 0.0, 0.0])
        self.dish = dish + np.array([*_DISH_XY, 0.0])
        self.reference_pose = _pose(other - [params.side_sign * _LUMP_X, 0.0, 0.0], params.yaw)
        time = params.timeline
        self._start, self._contact, self._end = (
            time.frame(share) for share in (params.join_start, params.contact, params.join_end)
        )
        self._marks = _dents(params.start_marks), _dents(params.end_marks)
        self._reshaped = time.ease(time.first, time.last)
        self._piece = Lump(Form(1.0, 1.0), params.share * params.content, _dents(params.spare_marks))
        self._piece_mesh = self._piece.mesh()
        self._low = -float(self._piece_mesh.vertices[:, 2].min())
        self._way = _WAY / np.linalg.norm(_WAY) * [params.side_sign, 1.0, 1.0]
        self._rest = self.dish + np.array([0.0, 0.0, _DISH_FLOOR + self._low])
        self._aside = np.array([params.side_sign * _ASIDE_XY[0], _ASIDE_XY[1], self._low])
        self._flight = self._fly() if params.change else np.tile(self._rest, (params.num_frames, 1))
        # The renderer asks for each mesh several times.
        self._body_mesh = functools.cache(self._make_body)

    @property
    def spare_poses(self) -> Float:
        """Poses of the piece in the dish, which is what a gain adds."""
        return self._poses(self._flight if self._params.change == "gain" else self._rest[None])

    @property
    def piece_poses(self) -> Float:
        """Poses of the piece that a loss takes away."""
        return self._poses(self._flight if self._params.change == "loss" else self.place[None])

    def body_at(self, frame: int) -> Mesh:
        """Return the body that is reshaped, with what it touches."""
        return padded_soup(self._body_mesh(frame), _FACES)

    def spare_at(self, frame: int) -> Mesh:
        """Return the spare piece; nothing once it is part of the body."""
        gone = self._params.change == "gain" and frame > self._contact
        return self._loose(self.spare_poses, frame, gone)

    def piece_at(self, frame: int) -> Mesh:
        """Return the piece that was pinched off; nothing as long as it is part of the body."""
        gone = self._params.change != "loss" or frame < self._contact
        return self._loose(self.piece_poses, frame, gone)

    def quantities(self) -> Quantities:
        """Return the volume of the body, as one with whatever it touches."""
        reference = np.full(self._params.num_frames, self._params.content)
        return Quantities("m^3", np.array([self._volume(f) for f in range(len(reference))]), reference)

    def notes(self) -> dict[str, object]:
        """Return when the body changes."""
        time = self._params.timeline
        notes: dict[str, object] = {"motion_frames": [time.first, time.last]}
        if self._params.change:
            joins = self._params.change == "gain"
            notes |= {
                "event": "piece_joins" if joins else "piece_leaves",
                "event_object": "spare_lump" if joins else "piece",
                "event_frames": [self._start, self._end],
                "contact_frame": self._contact,
            }
        return notes

    def _make_body(self, frame: int) -> Mesh:
        volume, depth = self._volume(frame), self._depth(frame)
        body = self._body(frame, volume)
        is_touched = 0 < depth < 1
        mesh = united(body, Pinch(self._piece, self._way, depth), volume) if is_touched else body.mesh()
        return set_down(mesh, self.place)

    def _body(self, frame: int, volume: float) -> Lump:
        params = self._params
        share = float(self._reshaped[frame])
        first, last = params.forms
        squeeze = 1 + params.squeeze * 4 * share * (1 - share)
        return Lump(first.towards(last, share), volume, Worked(*self._marks, share), squeeze)

    def _volume(self, frame: int) -> float:
        params = self._params
        if params.change == "gain" and frame > self._contact:
            return params.content + self._piece.volume
        if params.change == "loss" and frame >= self._contact:
            return params.content - self._piece.volume
        return params.content

    def _depth(self, frame: int) -> float:
        """Return how far the piece is in the body: 0 outside, 1 part of it."""
        if self._params.change == "gain":
            return float(np.clip((frame - self._contact) / (self._end - self._contact), 0, 1))
        if self._params.change == "loss":
            return float(np.clip((self._contact - frame) / (self._contact - self._start), 0, 1))
        return 0.0

    def _fly(self) -> Float:
        """Return where the middle of the loose piece is, (T, 3); it stays at the ends of its way."""
        frames = np.arange(self._params.num_frames)
        body = self._body(self._contact, self._volume(self._contact))
        height = -float(body.mesh().vertices[:, 2].min())
        touch = self.place + np.array([0, 0, height]) + touching(body, Pinch(self._piece, self._way, 0.0))
        away, up = touch + _LIFT * self._way, np.array([0.0, 0.0, _LIFT])
        if self._params.change == "gain":
            corners, span = (self._rest, self._rest + up, away, touch), (self._start, self._contact)
        else:
            corners, span = (touch, away, self._aside + up, self._aside), (self._contact, self._end)
        share = smootherstep((frames - span[0]) / (span[1] - span[0]))[:, None]
        weights = (1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3
        return np.sum([w * corner for w, corner in zip(weights, corners, strict=True)], axis=0)

    def _poses(self, path: Float) -> Float:
        poses = np.tile(np.eye(4), (len(path), 1, 1))
        poses[:, :3, 3] = path
        return poses

    def _loose(self, poses: Float, frame: int, gone: bool) -> Mesh:
        middle = poses[frame if len(poses) > 1 else 0, :3, 3]
        mesh = self._piece_mesh
        vertices = np.tile(middle, (len(mesh.vertices), 1)) if gone else mesh.vertices + middle
        return Mesh(vertices, mesh.faces, mesh.normals)
