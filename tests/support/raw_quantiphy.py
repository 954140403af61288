"""Small raw folders of quantiphy: balls and blocks, real records, tiny films that are not rendered."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import numpy as np

from generation.core.canonical import canonical_json
from generation.core.raw import RawManifest, writing
from generation.core.records import RendererInfo
from generation.core.seeds import item_rng
from generation.media.video import encode_mp4
from generation.quantiphy.clip import RECORD, SEGMENTED, VIDEO
from generation.quantiphy.design import PRESETS, Clip, clips
from generation.quantiphy.records import Happening, WorldRecord, happening, outlined
from generation.quantiphy.sampling import sample
from generation.quantiphy.world import build
from tests.support.trivial_worlds import CATALOGUE

RENDERER = RendererInfo(
    variant="llvm_ad_rgb",
    spp=8,
    background_spp=16,
    denoiser="oidn 2.5.1",
    llvm="19.1.7",
    versions={"mitsuba": "3.9.1", "drjit": "1.5.0", "av": "15.1.0", "numpy": "2.4.6"},
    processor="Test CPU",
)


def make_raw(path: Path, preset: str = "mini", limit: int | None = None) -> Path:
    """Write a raw folder with the preset's clips (the first ``limit`` of them) and return its path."""
    manifest = RawManifest(benchmark="quantiphy", preset=preset, seed=0)
    with writing(path, manifest) as raw:
        for clip in clips(preset)[:limit]:
            folder = raw.begin(clip.video_id)
            _write(folder, clip, preset)
            raw.commit(clip.video_id, folder)
    return path


@cache
def _happened(clip: Clip, preset: str) -> tuple[Happening, dict]:
    params = sample(item_rng(0, "quantiphy", clip.video_id), clip, PRESETS[preset], 0, CATALOGUE)
    world = build(params, CATALOGUE)
    return happening(params, world, outlined(world), 0), params.model_dump(mode="json")


def _write(folder: Path, clip: Clip, preset: str) -> None:
    happened, parameters = _happened(clip, preset)
    sums = []
    for number, name in enumerate((VIDEO, SEGMENTED)):
        shape = happened.height, happened.width, 3
        frames = (np.full(shape, (3 * k + number) % 256, np.uint8) for k in range(happened.num_frames))
        encode_mp4(frames, folder / name, happened.fps)
        sums.append(hashlib.sha256((folder / name).read_bytes()).hexdigest())
    record = WorldRecord(
        **dict(happened),
        preset=preset,
        parameters=parameters,
        renderer=RENDERER,
        media=VIDEO,
        media_sha256=sums[0],
        segmented_media=SEGMENTED,
        segmented_media_sha256=sums[1],
    )
    (folder / RECORD).write_text(canonical_json(record.model_dump(mode="json")), encoding="utf-8")
