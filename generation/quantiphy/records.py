"""What happened in a clip, thing by thing and frame by frame: the source of every question.

SI units. Boxes are normalised (x_min, y_min, x_max, y_max), origin top left, and not clipped to the frame.
States are what the motion's closed form or integrator gives; only boxes and visibility are rounded.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from generation.core.records import FORMAT_VERSION, FrameRecord, RendererInfo, StrictModel
from generation.quantiphy.params import WorldParams
from generation.quantiphy.things.model import describe
from generation.quantiphy.world import EntityTrack, World
from generation.rendering.annotate import quaternion
from generation.rendering.camera import axes, project
from generation.rendering.silhouettes import Silhouettes
from generation.scene import Camera, Float, RigidObject, Scene

Vector = tuple[float, float, float]
Box = tuple[float, float, float, float]

_DIGITS = 6


class EntityInfo(StrictModel):
    """A thing of a clip.

    Attributes:
        entity_id: unique in the clip. name: how questions call it, unambiguous in the clip.
        kind, color: what it is. motion: which kind of motion. gravity: m/s^2 where it matters, else 0.
        extents: of its bounding box in its own frame (front along +x, z up), m.
        measures: word of a question -> size, m. measure_axes: its two end points in the own frame, m.
        events: times in s at which velocity or acceleration jumps.
    """

    entity_id: str
    name: str
    kind: str
    color: str
    motion: str
    gravity: float
    extents: Vector
    measures: dict[str, float]
    measure_axes: dict[str, tuple[Vector, Vector]]
    events: tuple[float, ...]


class EntityState(StrictModel):
    """A thing at one frame.

    Attributes:
        position: of the middle of its own bounding box, m. velocity: m/s. acceleration: m/s^2.
        quaternion: own frame to world, (w, x, y, z).
        box: normalised, of all its parts. depth: along the optical axis, m. distance: from the camera, m.
        visibility: share of its camera-facing surface that nothing else hides.
    """

    entity_id: str
    position: Vector
    velocity: Vector
    acceleration: Vector
    quaternion: tuple[float, float, float, float]
    box: Box
    depth: float
    distance: float
    visibility: float


class EntityFrame(StrictModel):
    """All things at t = index / fps."""

    index: int
    time: float
    entities: tuple[EntityState, ...]


class CameraRecord(StrictModel):
    """The camera, which never moves.

    Attributes:
        origin, target: m. fov_x_deg: horizontal field of view.
        focal_length: pixels, the same in x and y. principal_point: pixels (x right, y down, corner (0, 0)).
        world_to_camera: (3, 4) row-major; camera axes are right, down, forward.
    """

    origin: Vector
    target: Vector
    fov_x_deg: float
    focal_length: float
    principal_point: tuple[float, float]
    world_to_camera: tuple[tuple[float, float, float, float], ...]


class Happening(StrictModel):
    """What questions are written from: the clip without its media.

    Attributes:
        video_type: the official four letters. static_questions, dynamic_questions: planned.
    """

    video_id: str
    video_type: str
    static_questions: int
    dynamic_questions: int
    seed: int
    fps: int
    num_frames: int
    width: int
    height: int
    camera: CameraRecord
    entities: tuple[EntityInfo, ...]
    frames: tuple[EntityFrame, ...]


class WorldRecord(Happening):
    """One clip as it is saved.

    Attributes:
        parameters: the clip's WorldParams, whole. media: file name of the mp4 beside this record.
        segmented_media: the same clip with the background removed, "" if it wasn't made.
    """

    format_version: int = FORMAT_VERSION
    benchmark: Literal["quantiphy"] = "quantiphy"
    preset: str
    parameters: dict[str, Any]
    renderer: RendererInfo
    media: str
    media_sha256: str
    segmented_media: str = ""
    segmented_media_sha256: str = ""


def whole_scene(world: World) -> tuple[Scene, dict[str, RigidObject]]:
    """Return the scene with one body for each thing, whose id is the entity's, and these bodies."""
    wholes = {track.params.entity_id: track.whole() for track in world.tracks}
    parts = {part.object_id for track in world.tracks for part in track.parts}
    others = tuple(body for body in world.scene.objects if body.object_id not in parts)
    backdrop = (*world.scene.backdrop, *others)
    return dataclasses.replace(world.scene, objects=tuple(wholes.values()), backdrop=backdrop), wholes


def observed(world: World) -> list[list[tuple[Box, float]]]:
    """Return box and visibility of each thing at each frame, measured in the scene."""
    from generation.rendering.annotate import annotate

    return [_seen(frame) for frame in annotate(whole_scene(world)[0])]


def _seen(frame: FrameRecord) -> list[tuple[Box, float]]:
    return [(state.box, state.visibility) for state in frame.objects]


def outlined(world: World) -> list[list[tuple[Box, float]]]:
    """Return the same as :func:`observed` where nothing hides anything, without asking rays."""
    scene, wholes = whole_scene(world)
    bare = dataclasses.replace(scene, backdrop=())
    silhouettes = Silhouettes(bare)
    return [
        [(silhouettes.box(body, frame), 1.0) for body in wholes.values()] for frame in range(scene.num_frames)
    ]


def happening(
    params: WorldParams, world: World, looks: Sequence[Sequence[tuple[Box, float]]], seed: int
) -> Happening:
    """Write down what happened.

    Args:
        params: the clip's parameters. world: built from them.
        looks: (T, entities) of box and visibility.
        seed: of the run.
    """
    scene = world.scene
    return Happening(
        video_id=params.video_id,
        video_type=params.video_type,
        static_questions=params.static_questions,
        dynamic_questions=params.dynamic_questions,
        seed=seed,
        fps=scene.fps,
        num_frames=scene.num_frames,
        width=scene.camera.width,
        height=scene.camera.height,
        camera=camera_record(scene.camera),
        entities=tuple(_info(track) for track in world.tracks),
        frames=_frames(world, looks),
    )


def camera_record(camera: Camera) -> CameraRecord:
    """Return a camera's intrinsics and extrinsics."""
    rotation = axes(camera)
    shift = -rotation @ np.asarray(camera.origin)
    rows = tuple((*_vector(axis), float(moved)) for axis, moved in zip(rotation, shift, strict=True))
    return CameraRecord(
        origin=camera.origin,
        target=camera.target,
        fov_x_deg=camera.fov_x_deg,
        focal_length=camera.width / 2 / math.tan(math.radians(camera.fov_x_deg) / 2),
        principal_point=(camera.width / 2, camera.height / 2),
        world_to_camera=rows,
    )


def _info(made: EntityTrack) -> EntityInfo:
    thing, params = made.thing, made.params
    extents = 2 * np.abs(made.whole().rest.vertices).max(axis=0)
    return EntityInfo(
        entity_id=params.entity_id,
        name=describe(params.thing),
        kind=params.thing.kind,
        color=params.thing.color,
        motion=params.motion.motion,
        gravity=float(getattr(params.motion, "gravity", 0.0)),
        extents=_vector(extents),
        measures=dict(thing.measures),
        measure_axes=dict(thing.measure_axes),
        events=made.track.events,
    )


def _frames(world: World, looks: Sequence[Sequence[tuple[Box, float]]]) -> tuple[EntityFrame, ...]:
    camera = world.scene.camera
    depths = [project(camera, made.track.position)[:, 2] for made in world.tracks]
    frames = []
    for k, look in enumerate(looks):
        states = tuple(
            _state(made, k, camera, float(depth[k]), *seen)
            for made, depth, seen in zip(world.tracks, depths, look, strict=True)
        )
        frames.append(EntityFrame(index=k, time=k / world.scene.fps, entities=states))
    return tuple(frames)


def _state(
    made: EntityTrack, frame: int, camera: Camera, depth: float, box: Box, visibility: float
) -> EntityState:
    track = made.track
    w, x, y, z = (float(c) for c in quaternion(track.rotation[frame]))
    left, top, right, bottom = (round(float(edge), _DIGITS) + 0.0 for edge in box)
    return EntityState(
        entity_id=made.params.entity_id,
        position=_vector(track.position[frame]),
        velocity=_vector(track.velocity[frame]),
        acceleration=_vector(track.acceleration[frame]),
        quaternion=(w, x, y, z),
        box=(left, top, right, bottom),
        depth=depth,
        distance=float(np.linalg.norm(track.position[frame] - camera.origin)),
        visibility=visibility,
    )


def _vector(values: Float) -> Vector:
    x, y, z = (float(value) + 0.0 for value in values)
    return x, y, z
