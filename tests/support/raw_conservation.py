"""Small raw folders of conservationbench: real records and real mp4 files, without rendering."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from generation.conservation.design import Cell, cells
from generation.core.canonical import canonical_json
from generation.core.raw import RawManifest, writing
from generation.core.records import (
    ClipRecord,
    FrameRecord,
    ObjectInfo,
    ObjectState,
    QuantityRecord,
    RendererInfo,
)
from generation.media.video import encode_mp4
from physprobe.conservation.vocabulary import CONDITIONS, TRANSFORMATION

NUM_FRAMES, FPS, WIDTH, HEIGHT = 24, 24, 64, 48

RENDERER = RendererInfo(
    variant="llvm_ad_rgb",
    spp=16,
    background_spp=64,
    denoiser="oidn 2.5.1",
    llvm="19.1.7",
    versions={"mitsuba": "3.9.1", "drjit": "1.5.0", "av": "15.1.0", "numpy": "2.4.6"},
    processor="Test CPU",
)


def make_raw(path: Path, preset: str = "mini", seed: int = 0, limit: int | None = None) -> Path:
    """Write a raw folder with the preset's pairs (the first ``limit`` of them) and return its path."""
    manifest = RawManifest(benchmark="conservationbench", preset=preset, seed=seed)
    with writing(path, manifest) as raw:
        for cell in cells(preset)[:limit]:
            folder = raw.begin(cell.pair_id)
            for condition in CONDITIONS:
                _write_clip(folder, cell, condition, manifest)
            raw.commit(cell.pair_id, folder)
    return path


def _write_clip(folder: Path, cell: Cell, condition: str, manifest: RawManifest) -> None:
    media = folder / f"{condition}.mp4"
    encode_mp4(_frames(cell.pair_id, condition), media, FPS)
    quantities = _quantities(cell, condition)
    moved, reference = quantities.moved[-1], quantities.reference[-1]
    record = ClipRecord(
        pair_id=cell.pair_id,
        video_id=f"{cell.pair_id}_{condition}",
        domain=cell.domain,
        condition=condition,  # type: ignore[arg-type]
        direction=cell.direction,
        answer_relation="same" if moved == reference else "moved_more" if moved > reference else "moved_less",
        transformation=TRANSFORMATION[cell.domain],
        moved_position=str(cell.factors["moved_position"]),  # type: ignore[arg-type]
        parameters={
            **cell.factors,
            "pair_id": cell.pair_id,
            "direction": cell.direction,
            "condition": condition,
        },
        notes={},
        seed=manifest.seed,
        preset=manifest.preset,
        fps=FPS,
        num_frames=NUM_FRAMES,
        width=WIDTH,
        height=HEIGHT,
        camera={},
        quantities=quantities,
        objects=tuple(ObjectInfo(object_id=f"{r}_0", role=r, material={}) for r in ("moved", "reference")),
        frames=tuple(_bodies(index) for index in range(NUM_FRAMES)),
        renderer=RENDERER,
        media=media.name,
        media_sha256=hashlib.sha256(media.read_bytes()).hexdigest(),
    )
    (folder / f"{condition}.json").write_text(canonical_json(record.model_dump(mode="json")))


def _bodies(index: int) -> FrameRecord:
    """Describe two bodies, of which one slides to the right in the second quarter of the clip."""
    x = min(max(index - NUM_FRAMES // 4, 0), NUM_FRAMES // 4) / NUM_FRAMES
    states = tuple(
        ObjectState(
            object_id=name,
            position=(left, 0.0, 0.0),
            quaternion=(1.0, 0.0, 0.0, 0.0),
            box=(0.2 + left, top, 0.3 + left, top + 0.1),
            visibility=1.0,
        )
        for name, left, top in (("moved_0", x, 0.2), ("reference_0", 0.0, 0.6))
    )
    return FrameRecord(index=index, time=index / FPS, objects=states)


def _quantities(cell: Cell, condition: str) -> QuantityRecord:
    start = float(cell.factors.get("count", 0.1))
    step = 1.0 if cell.domain == "number" else 0.02
    change = 0.0 if condition == "conserving" else step if cell.direction == "gain" else -step
    half = NUM_FRAMES // 2
    return QuantityRecord(
        unit={"number": "count", "length": "m"}.get(cell.domain, "m^3"),
        moved=(start,) * half + (start + change,) * (NUM_FRAMES - half),
        reference=(start,) * NUM_FRAMES,
    )


def _frames(pair_id: str, condition: str) -> Iterator[NDArray[np.uint8]]:
    """Yield frames whose brightness tells their index, over a pattern that tells the pair.

    In the second half of non-conserving clips a corner is dark.
    """
    pattern = np.frombuffer(hashlib.sha256(pair_id.encode()).digest(), np.uint8)[:12].reshape(2, 2, 3) // 4
    tile = np.kron(pattern, np.ones((HEIGHT // 2, WIDTH // 2, 1), np.uint8)).astype(np.uint8)
    for index in range(NUM_FRAMES):
        frame = tile + np.uint8(index * 8)
        if condition == "nonconserving" and index >= NUM_FRAMES // 2:
            frame[:16, :16] = 0
        yield frame
