"""Answers of the reference model ``quantiphy_geometry``, which measures in pixels.

It reads question, prior and depth info as any model does, and in place of the pixels the boxes of the
dataset's annotations; nothing metric of these, see :mod:`physprobe.quantiphy.geometry.observation`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from physprobe import data
from physprobe.errors import UserError
from physprobe.quantiphy.geometry.observation import COLUMNS, Observation, observe
from physprobe.quantiphy.geometry.solver import VERSION, solve
from physprobe.quantiphy.questions import kind_of
from physprobe.quantiphy.units import SI_UNITS, asked_unit, convert

DATASET = "quantiphy"
_SEGMENTED = "_segmented"  # ends the id of a video that shows the same as another, without its background


def measured_answer(row: Mapping[str, Any]) -> str:
    """Answer a question of our dataset with a number and its unit; "unknown" without video or prior.

    Raises:
        UserError: the question is of another dataset, which has no annotations.
    """
    if row["source"] != "ours":
        raise UserError("quantiphy_geometry needs the annotations of our dataset; the public one has none")
    if not row["seen"] or not row["prior"]:
        return "unknown"
    seen = observation(row["video_id"].removesuffix(_SEGMENTED))
    value = solve(seen, row["question"], row["prior"], row["depth_info"])
    unit = asked_unit(row["unit"])
    return f"{convert(value, asked_unit(SI_UNITS[kind_of(row['unit'])]), unit):.6g} {row['unit']}"


def known(row: Mapping[str, Any]) -> list[Any]:
    """Return what an answer depends on beside the texts: the solver, and where things are seen."""
    if row["source"] != "ours" or not row["seen"]:
        return [VERSION]
    things = observation(row["video_id"].removesuffix(_SEGMENTED)).things
    digest = hashlib.sha256(b"".join(thing.boxes.tobytes() for thing in things.values()))
    return [VERSION, digest.hexdigest()]


def observation(video_id: str) -> Observation:
    """Return where things are seen in a clip.

    Raises:
        UserError: the dataset has no annotations of it.
    """
    return _observation(data.dataset_path(DATASET), video_id)


@lru_cache(maxsize=16)
def _observation(path: str, video_id: str) -> Observation:
    table, places, videos = _annotations(path)
    if video_id not in places or video_id not in videos:
        raise UserError(f"dataset {DATASET} has no annotations of video {video_id}: rebuild it")
    first, end = places[video_id]
    columns = table[first:end]
    rows = ({name: columns[name][k] for name in COLUMNS} for k in range(end - first))
    return observe(rows, **videos[video_id])


@lru_cache(maxsize=1)
def _annotations(path: str) -> tuple[Any, dict[str, tuple[int, int]], dict[str, dict[str, Any]]]:
    """Return the annotations, in which rows each clip's lie, and the clips' rates and sizes."""
    table = data.load_config(DATASET, "annotations").select_columns(["video_id", *COLUMNS])
    places: dict[str, tuple[int, int]] = {}
    for row, video_id in enumerate(table["video_id"]):
        places[video_id] = places.get(video_id, (row, row))[0], row + 1
    videos = data.load_config(DATASET, "videos").select_columns(["video_id", "fps", "width", "height"])
    sizes = {row.pop("video_id"): row for row in videos.to_list()}
    return table.select_columns(list(COLUMNS)), places, sizes
