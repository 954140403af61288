"""One finished item of conservationbench: a pair's two clips, each an mp4 with its record."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from generation.conservation.design import PRESETS, Cell
from generation.conservation.generators import GENERATORS
from generation.conservation.listing import video_id
from generation.core.canonical import canonical_json
from generation.core.records import ClipRecord, ObjectInfo, QuantityRecord
from generation.core.seeds import item_rng
from generation.media.video import encode_mp4
from generation.rendering.annotate import annotate
from generation.rendering.render import RenderSettings, render_clip, renderer_info
from generation.scene import Quantities, Scene
from physprobe.conservation.vocabulary import CONDITIONS, TRANSFORMATION, Condition, Direction, Relation
from physprobe.errors import UserError
from physprobe.files import file_sha256
from physprobe.video import VideoInfo, inspect_video

# Counts are exact; lengths come out of a few floating-point operations on metres.
_TOLERANCE = 1e-9


def make_item(cell: Cell, preset: str, seed: int, folder: Path) -> None:
    """Film a pair into ``folder``: CONDITION.mp4 and CONDITION.json for both conditions.

    All chance is drawn once for the pair, so the twins differ by their condition alone.
    """
    generator = GENERATORS[cell.domain]
    conserving = generator.sample(item_rng(seed, "conservationbench", cell.pair_id), cell, PRESETS[preset])
    settings = RenderSettings()
    for condition in CONDITIONS:
        params = conserving.model_copy(update={"condition": condition})
        scene = generator.build(params)
        media = folder / f"{condition}.mp4"
        encode_mp4(render_clip(scene, settings), media, scene.fps)
        record = _record(cell, condition, scene, media, settings) | {
            "parameters": params.model_dump(mode="json"),
            "seed": seed,
            "preset": preset,
        }
        text = canonical_json(ClipRecord.model_validate(record).model_dump(mode="json"))
        (folder / f"{condition}.json").write_text(text, encoding="utf-8")


def check_item(folder: Path) -> None:
    """Check that both clips of a pair decode whole and are what their records say.

    Raises:
        ValueError: a checksum, frame count, rate or size differs.
        UserError: a clip doesn't decode; names the file and frame.
    """
    for condition in CONDITIONS:
        text = (folder / f"{condition}.json").read_text(encoding="utf-8")
        record = ClipRecord.model_validate_json(text)
        media = folder / record.media
        info = _inspected(media)
        expected = {
            "sha256": (file_sha256(media), record.media_sha256),
            "frames": (info.num_frames, record.num_frames),
            "frames per second": (info.fps, record.fps),
            "width": (info.width, record.width),
            "height": (info.height, record.height),
            "frame records": (len(record.frames), record.num_frames),
        }
        for name, (found, wanted) in expected.items():
            if found != wanted:
                raise ValueError(f"{record.media}: {name} is {found}, its record says {wanted}")


def _inspected(media: Path) -> VideoInfo:
    try:
        return inspect_video(media)
    except UserError as error:
        raise UserError(f"{media.name}: {error}") from error


def answer_relation(quantities: Quantities, condition: Condition, direction: Direction) -> Relation:
    """Read from the quantities how the moved object ends up against the reference.

    Raises:
        ValueError: the quantities don't do what the condition and direction promise.
    """
    moved, reference = quantities.moved, quantities.reference
    if not _same(moved[0], reference).all():
        raise ValueError("the objects must start alike and the reference must stay as it is")
    if _same(moved[-1], reference[-1]):
        relation: Relation = "same"
    else:
        relation = "moved_more" if moved[-1] > reference[-1] else "moved_less"
    promised = {"gain": "moved_more", "loss": "moved_less"}[direction]
    if relation != ("same" if condition == "conserving" else promised):
        raise ValueError(f"a {condition} clip with direction {direction} ends with {relation}")
    if condition == "conserving" and not _same(moved, moved[0]).all():
        raise ValueError("a conserving clip must conserve at every frame")
    return relation


def _same(one: Any, other: Any) -> Any:
    return np.isclose(one, other, rtol=_TOLERANCE, atol=0.0)


def _record(
    cell: Cell, condition: Condition, scene: Scene, media: Path, settings: RenderSettings
) -> dict[str, Any]:
    camera = scene.camera
    return {
        "pair_id": cell.pair_id,
        "video_id": video_id(cell.pair_id, condition),
        "domain": cell.domain,
        "condition": condition,
        "direction": cell.direction,
        "answer_relation": answer_relation(scene.quantities, condition, cell.direction),
        "transformation": TRANSFORMATION[cell.domain],
        "moved_position": cell.factors.get("moved_position", ""),
        "notes": dict(scene.notes),
        "fps": scene.fps,
        "num_frames": scene.num_frames,
        "width": camera.width,
        "height": camera.height,
        "camera": dataclasses.asdict(camera),
        "quantities": QuantityRecord(
            unit=scene.quantities.unit,
            moved=tuple(scene.quantities.moved.tolist()),
            reference=tuple(scene.quantities.reference.tolist()),
        ),
        "objects": [_object_info(body) for body in scene.objects],
        "frames": annotate(scene),
        "renderer": renderer_info(settings),
        "media": media.name,
        "media_sha256": file_sha256(media),
    }


def _object_info(body: Any) -> ObjectInfo:
    return ObjectInfo(object_id=body.object_id, role=body.role, material=dataclasses.asdict(body.material))
