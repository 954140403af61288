"""One finished item of QuantiPhy: a clip as filmed, the same without background, and its record."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from generation.core.canonical import canonical_json
from generation.core.seeds import item_rng
from generation.media.video import encode_mp4
from generation.quantiphy import filming
from generation.quantiphy.design import PRESETS, Clip
from generation.quantiphy.params import WorldParams
from generation.quantiphy.questions import write_questions
from generation.quantiphy.records import Happening, WorldRecord, happening, observed, whole_scene
from generation.quantiphy.sampling import sample
from generation.quantiphy.world import World, build
from generation.rendering.masks import Masks
from generation.rendering.render import RenderSettings, renderer_info
from physprobe.errors import UserError
from physprobe.files import file_sha256
from physprobe.video import inspect_video

Frame = NDArray[np.uint8]

VIDEO, SEGMENTED, RECORD = "original.mp4", "segmented.mp4", "record.json"
# What replaces a removed background, sRGB.
_EMPTY = 235.0


def make_item(clip: Clip, preset: str, seed: int, folder: Path) -> None:
    """Film a clip into ``folder``: original.mp4, segmented.mp4, record.json.

    Raises:
        ValueError: things hide each other, so that not all planned questions can be asked.
    """
    params = sample(item_rng(seed, "quantiphy", clip.video_id), clip, PRESETS[preset], seed)
    film(params, preset, seed, folder, filming.SETTINGS)


def film(params: WorldParams, preset: str, seed: int, folder: Path, settings: RenderSettings) -> WorldRecord:
    """Film the clip of some parameters into a folder, and return its record."""
    world = build(params)
    happened = happening(params, world, observed(world), seed)
    _require_questions(happened)  # before anything is rendered
    frames = list(filming.film(world.scene, settings))
    encode_mp4(frames, folder / VIDEO, params.fps)
    encode_mp4(segmented(world, frames), folder / SEGMENTED, params.fps)
    record = WorldRecord(
        **dict(happened),
        preset=preset,
        parameters=params.model_dump(mode="json"),
        renderer=renderer_info(settings),
        media=VIDEO,
        media_sha256=file_sha256(folder / VIDEO),
        segmented_media=SEGMENTED,
        segmented_media_sha256=file_sha256(folder / SEGMENTED),
    )
    (folder / RECORD).write_text(canonical_json(record.model_dump(mode="json")), encoding="utf-8")
    return record


def _require_questions(happened: Happening) -> None:
    wanted = happened.static_questions + happened.dynamic_questions
    found = len(write_questions(happened))
    if found != wanted:
        raise ValueError(f"{happened.video_id}: {found} of {wanted} questions can be asked as it is seen")


def segmented(world: World, frames: Iterable[Frame]) -> Iterator[Frame]:
    """Yield the frames with everything but the things in question replaced by a plain light gray."""
    masks = Masks(whole_scene(world)[0])
    try:
        for number, frame in enumerate(frames):
            share = masks.coverage(number)[..., None]
            yield np.rint(share * frame + (1 - share) * _EMPTY).astype(np.uint8)
    finally:
        del masks
        gc.collect()


def check_item(folder: Path) -> None:
    """Check that a clip's videos decode whole and are what its record says.

    Raises:
        ValueError: a checksum, frame count, rate or size differs.
        UserError: a video doesn't decode; names the file and frame.
    """
    record = WorldRecord.model_validate_json((folder / RECORD).read_text(encoding="utf-8"))
    if len(record.frames) != record.num_frames:
        raise ValueError(f"{RECORD} has {len(record.frames)} frames, not {record.num_frames}")
    sums = {record.media: record.media_sha256, record.segmented_media: record.segmented_media_sha256}
    for name, checksum in sums.items():
        _check_video(folder / name, checksum, record)


def _check_video(media: Path, checksum: str, record: WorldRecord) -> None:
    try:
        info = inspect_video(media)
    except UserError as error:
        raise UserError(f"{media.name}: {error}") from error
    found = file_sha256(media), info.num_frames, info.fps, info.width, info.height
    wanted = checksum, record.num_frames, record.fps, record.width, record.height
    if found != wanted:
        raise ValueError(f"{media.name}: {found} is not what its record says, {wanted}")
