"""From parameters to a scene and the tracks of its things; nothing is drawn here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generation.geometry.solid import joined
from generation.quantiphy import props
from generation.quantiphy.catalogue import Catalogue, standard
from generation.quantiphy.motion.curved import Pendulum
from generation.quantiphy.motion.model import Trajectory
from generation.quantiphy.motion.touching import Incline
from generation.quantiphy.params import EntityParams, WorldParams
from generation.quantiphy.things.model import Thing
from generation.scene import Material, Quantities, RigidObject, Scene

_GRAY = Material("diffuse")
# Of a pendulum's rod, in widths of the field.
_THIN = 0.0028


@dataclass(frozen=True)
class EntityTrack:
    """A thing and what it does.

    Attributes:
        params: what it was made from. thing: in its own frame. track: (T,) states of its origin.
        parts: its bodies in the scene, ids "ENTITY.0", "ENTITY.1", ...
    """

    params: EntityParams
    thing: Thing
    track: Trajectory
    parts: tuple[RigidObject, ...]

    def whole(self) -> RigidObject:
        """Return all parts as one body, whose id is the entity's."""
        poses = self.parts[0].poses
        return RigidObject(self.params.entity_id, "prop", _GRAY, joined([p.rest for p in self.parts]), poses)


@dataclass(frozen=True)
class World:
    """A clip's scene, and the things in it that count."""

    scene: Scene
    tracks: tuple[EntityTrack, ...]


def build(params: WorldParams, catalogue: Catalogue | None = None) -> World:
    """Build a clip's world; pure.

    Args:
        params: the clip's parameters.
        catalogue: what its kinds and places mean; None: the standard one.
    """
    known = catalogue or standard()
    place = known.place(params.place)
    tracks = tuple(_track(entity, params, known) for entity in params.entities)
    rods, ramps = _supports(tracks, params)
    still = np.zeros(params.num_frames)
    scene = Scene(
        camera=params.camera.camera(params.width, params.height),
        lights=place.lights,
        environment=place.environment,
        objects=(*(part for track in tracks for part in track.parts), *rods),
        backdrop=(*place.backdrop, *ramps),
        fps=params.fps,
        num_frames=params.num_frames,
        quantities=Quantities("", still, still),  # nothing is conserved here
    )
    return World(scene, tracks)


def _track(entity: EntityParams, params: WorldParams, catalogue: Catalogue) -> EntityTrack:
    thing, track = catalogue.thing(entity.thing), entity.motion.trajectory(params.times)
    poses = track.poses
    parts = tuple(
        RigidObject(f"{entity.entity_id}.{k}", "prop", part.material, part.mesh, poses)
        for k, part in enumerate(thing.parts)
    )
    return EntityTrack(entity, thing, track, parts)


def _supports(
    tracks: tuple[EntityTrack, ...], params: WorldParams
) -> tuple[list[RigidObject], list[RigidObject]]:
    """Return rods, which move, and ramps, which don't."""
    rods, ramps = [], []
    for made in tracks:
        motion = made.params.motion
        if isinstance(motion, Pendulum):
            thickness = _THIN * params.camera.field_width
            rods.append(props.rod(made.params.entity_id, motion, made.track, thickness))
        elif isinstance(motion, Incline):
            ramps.append(props.ramp(motion, made.track))
    return rods, ramps
