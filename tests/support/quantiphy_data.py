"""A small data set of quantiphy in the form that builders give it, and videos for the public questions."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from generation.media.video import encode_mp4

FRAMES, FPS, WIDTH, HEIGHT = 12, 24, 64, 48
FILE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
VALIDATION = Path(__file__).parents[1] / "data" / "quantiphy" / "validation.csv"

# Video type, inference type, unit asked for, true answer; the first also without its background.
CLIPS: tuple[tuple[str, str, str, float], ...] = (
    ("S2SX", "SS", "cm", 12.5),
    ("S2MC", "SD", "m/s", 0.85),
    ("V2MS", "DS", "m", 3.21),
    ("A2SC", "DD", "m/s^2", 9.81),
    ("S3SX", "SS", "m", 1.75),
    ("S3MC", "SD", "cm/s", 33.4),
    ("V3MS", "DS", "mm", 85.6),
    ("A3SC", "DD", "m/s", 2.27),
)
PRIORS = {"S": "diameter of the red ball = 0.213 m", "V": "speed of the red ball at 0.25 s = 1.30 m/s"}
PRIORS["A"] = "gravity acceleration = 9.81 m/s^2"
DEPTH = "t=0.25s, distance_red_ball_camera = 3.21 m\ndistance_crate_camera = 4.05 m"


def question_rows() -> list[dict[str, Any]]:
    rows = []
    for number, clip in enumerate(CLIPS):
        for segmented in (False, True) if number == 0 else (False,):
            rows += [_question(number, clip, repeat, segmented) for repeat in range(2)]
    return rows


def video_rows(folder: Path) -> list[dict[str, Any]]:
    """One for each video_id of the questions; brightness tells the frame's index, 20 more with each frame."""
    return [
        {
            "video_id": video_id,
            "video": {"bytes": movie(folder / f"{video_id}.mp4", number), "path": f"{video_id}.mp4"},
            "fps": FPS,
            "num_frames": FRAMES,
            "width": WIDTH,
            "height": HEIGHT,
            "variant": "segmented" if video_id.endswith("_segmented") else "original",
        }
        for number, video_id in enumerate(dict.fromkeys(row["video_id"] for row in question_rows()))
    ]


def make_quantiphy(folder: Path) -> Path:
    """Write the data set below ``folder`` and return what PHYSPROBE_DATA should be."""
    target = folder / "datasets" / "quantiphy"
    whole = {name: pa.int32() for name in ("fps", "num_frames", "width", "height")}
    columns = {"video_id": pa.string(), "video": FILE, **whole, "variant": pa.string()}
    (folder / "movies").mkdir(parents=True)
    tables = {
        "questions": pa.Table.from_pylist(question_rows()),
        "videos": pa.Table.from_pylist(video_rows(folder / "movies"), pa.schema(columns)),
    }
    for name, table in tables.items():
        path = target / name / "test-00000-of-00001.parquet"
        path.parent.mkdir(parents=True)
        pq.write_table(table, path)
    configs = [
        {"config_name": name, "data_files": [{"split": "test", "path": f"{name}/test-*.parquet"}]}
        | ({"default": True} if name == "questions" else {})
        for name in ("questions", "videos")
    ]
    (target / "README.md").write_text(f"---\n{yaml.safe_dump({'configs': configs})}---\n")
    return folder / "datasets"


def make_official(folder: Path, video_ids: Iterable[str] | None = None) -> Path:
    """Write the validation questions and a tiny video for each; return what PHYSPROBE_QUANTIPHY should be."""
    (folder / "validation_videos").mkdir(parents=True)
    (folder / "validation_dataset.csv").write_bytes(VALIDATION.read_bytes())
    with VALIDATION.open(newline="", encoding="utf-8") as file:
        known = dict.fromkeys(row["video_id"] for row in csv.DictReader(file))
    for number, video_id in enumerate(known if video_ids is None else video_ids):
        movie(folder / "validation_videos" / f"{video_id}.mp4", number)
    return folder


def movie(path: Path, number: int) -> bytes:
    pictures = (np.full((HEIGHT, WIDTH, 3), 20 * k + number % 10, np.uint8) for k in range(FRAMES))
    encode_mp4(pictures, path, FPS)
    return path.read_bytes()


def _question(number: int, clip: tuple[str, str, str, float], repeat: int, segmented: bool) -> dict[str, Any]:
    video_type, inference_type, unit, truth = clip
    video_id = f"simulation_{number:04d}{'_segmented' if segmented else ''}"
    measure = "acceleration" if "^2" in unit else "speed" if "/" in unit else "height"
    return {
        "video_id": video_id,
        "video_source": "segmentation" if segmented else "simulation",
        "video_type": f"{video_type[:3]}X" if segmented else video_type,
        "fps": FPS,
        "inference_type": inference_type,
        "question": f"What is the {measure} of the {'crate' if repeat else 'red ball'} at 0.25 s in {unit}?",
        "prior": PRIORS[video_type[0]],
        "depth_info": DEPTH if video_type[1] == "3" else "",
        "ground_truth_posterior": truth * (1 + repeat),
        "question_id": f"{video_id}__{repeat}",
        "unit": unit,
        "category": inference_type[0] + video_type[1],
    }
