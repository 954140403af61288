"""Everything that makes a scene family, saved whole beside its images."""

from __future__ import annotations

from typing import Literal

from generation.core.records import StrictModel
from physprobe.consistency.vocabulary import Label, Mechanism

Geometry = Literal["sphere", "cube", "box", "cylinder", "ellipsoid"]
Surface = Literal["diffuse", "plastic"]
Color = tuple[float, float, float]
Point = tuple[float, float, float]


class BodyParams(StrictModel):
    """An object that stands on the ground.

    Attributes:
        half_extents: m along its own axes, the third upright. x, y: m. yaw: radians about the vertical.
        color_name: in plain words. color: linear RGB. roughness: GGX alpha, of plastic.
    """

    geometry: Geometry
    half_extents: tuple[float, float, float]
    x: float
    y: float
    yaw: float
    surface: Surface
    color_name: str
    color: Color
    roughness: float

    @property
    def name(self) -> str:
        """Name it in an explanation."""
        return f"{self.color_name} {self.geometry}"

    @property
    def name_with_article(self) -> str:
        """Name it for the first time."""
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name}"


class RoomParams(StrictModel):
    """A room that is open behind the camera, with a mirror on its back wall.

    Attributes:
        half_width, back, height: m; the ground is z = 0. front: y where walls end, behind the camera.
        ground, back_wall, side_walls, ceiling: linear RGB reflectances.
        mirror: left, right, bottom, top in m. tint: its linear RGB reflectance.
    """

    half_width: float
    back: float
    front: float
    height: float
    ground: Color
    back_wall: Color
    side_walls: Color
    ceiling: Color
    mirror: tuple[float, float, float, float]
    tint: Color


class LampParams(StrictModel):
    """A point lamp, and what shines in from outside.

    Attributes:
        direction: one of eight, 0 to 7. azimuth_deg: from the camera's side, counter-clockwise from above.
        elevation_deg: above the horizon, seen from the middle of the scene. distance: m from there.
        intensity: W/sr, all channels. environment: radiance from outside, W m^-2 sr^-1.
    """

    direction: int
    azimuth_deg: float
    elevation_deg: float
    distance: float
    position: Point
    intensity: float
    environment: float


class Intervention(StrictModel):
    """How one image breaks physics; see :mod:`generation.consistency.catalog` for each category.

    Attributes:
        target: index of the object that it is about. other: index of a second one, or -1.
        amount: how much, in the unit that the mechanism names.
        lamp: m, where a lamp is that only some light comes from, or None.
        stand_in: an object that is seen in place of the target, or None.
    """

    category: Label
    mechanism: Mechanism
    target: int
    other: int = -1
    amount: float = 0.0
    lamp: Point | None = None
    stand_in: BodyParams | None = None


class FamilyParams(StrictModel):
    """A scene and its ten violations.

    Attributes:
        width, height: pixels. spp: samples per pixel. eye, look_at: m. fov_x_deg: horizontal.
        noise: seeds the renderer.
    """

    family_id: str
    split: str
    width: int
    height: int
    spp: int
    noise: int
    eye: Point
    look_at: Point
    fov_x_deg: float
    room: RoomParams
    lamp: LampParams
    bodies: tuple[BodyParams, ...]
    interventions: tuple[Intervention, ...] = ()
