"""Captions instead of frames, in two runs: the model describes every frame, then answers from what it wrote.

lmms-eval hands a model all questions of a run at once, so captions can't be made and used in one run. The
first task, ``conservation_caption_frames``, keeps them on disk; the second, ``conservation_caption``, reads
them. A caption is found again by the model and its arguments, the clip's bytes, the frame's index and the
version of the request: change any of them, and it is asked for anew. They lie in $PHYSPROBE_CAPTIONS, else in
physprobe/captions in the user's cache.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from physprobe import files
from physprobe.conservation.controls import CAPTION_REQUEST, CAPTION_VERSION
from physprobe.errors import UserError
from physprobe.harness import session
from physprobe.harness.columns import with_columns
from physprobe.harness.conservation.clips import DATASET, open_clips
from physprobe.harness.conservation.questions import Row, standard_questions
from physprobe.judging.questions import after_thoughts

VARIABLE = "PHYSPROBE_CAPTIONS"
FRAMES_TASK = "conservation_caption_frames"


def frames_to_caption(dataset: Any) -> Any:
    """Turn the standard questions into one request for each frame that they show.

    Returns:
        A dataset with the columns that showing a row needs, and ``caption_key``; ``answer`` tells people
        which frame it is.

    Raises:
        UserError: the folder of captions can't be written, or the questions are not there.
    """
    import datasets

    _save({})  # finds out now whether captions can be kept
    asked = standard_questions(dataset)
    keys = _clip_hashes(asked["video_id"])
    rows = {
        (row["video_id"], index): {
            "question_id": f"{row['video_id']}__frame_{index}",
            "video_id": row["video_id"],
            "question": CAPTION_REQUEST,
            "answer": f"Frame {index} of {row['video_id']}.",
            "media": "frames",
            "labelled": False,
            "frame_indices": [index],
            "clip_frames": row["clip_frames"],
            "caption_key": _key(keys[row["video_id"]], index),
        }
        for row in asked.to_list()
        for index in row["frame_indices"]
    }
    return datasets.Dataset.from_list(list(rows.values()))


def mark_caption(row: Row, answer: str) -> dict[str, Any]:
    """Take one caption for keeping. Thoughts before it are dropped."""
    return taken({name: row[name] for name in ("question_id", "caption_key")}, answer)


def taken(record: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Put the caption that an answer holds into a record of its question_id and caption_key."""
    caption = " ".join(after_thoughts(answer).split())
    return {"captions_kept": {**record, "caption": caption}, "captions_empty": float(not caption)}


def keep(items: Sequence[Mapping[str, str]]) -> float:
    """Write the captions of a run to disk and return their number: an aggregation of lmms-eval.

    Raises:
        UserError: the folder can't be written, or the model is not known.
    """
    _save({item["caption_key"]: item["caption"] for item in items})
    return float(len(items))


def captioned_questions(dataset: Any) -> Any:
    """Give each standard question the captions of its frames, in a column ``captions``.

    Raises:
        UserError: this model has not described all frames; says how to make it.
    """
    asked = standard_questions(dataset, media="captions")
    known = _load()
    hashes = _clip_hashes(asked["video_id"])
    keys = [
        [_key(hashes[video_id], index) for index in indices]
        for video_id, indices in zip(asked["video_id"], asked["frame_indices"], strict=True)
    ]
    missing = {key for row in keys for key in row} - known.keys()
    if missing:
        total = len({key for row in keys for key in row})
        raise UserError(
            f"{len(missing)} of {total} frames of dataset {DATASET} have no caption by {session.model()} in "
            f"{_folder()}: run --tasks {FRAMES_TASK} first, with the same --model and --model_args"
        )
    return with_columns(asked, captions=[[known[key] for key in row] for row in keys])


def _clip_hashes(video_ids: Sequence[str]) -> dict[str, str]:
    clips = open_clips()
    return {video_id: clips.sha256(video_id) for video_id in dict.fromkeys(video_ids)}


def _key(clip_sha256: str, index: int) -> str:
    """Name a frame by its content: the same bytes and index decode to the same pixels."""
    return f"{clip_sha256}:{index}"


def _folder() -> Path:
    return files.cache_folder(VARIABLE, "captions")


def _file() -> Path:
    """Name the file of a model: readable, and different for different arguments or another request."""
    model = session.model()
    readable = re.sub(r"[^A-Za-z0-9_.-]+", "_", model)[:60]
    digest = hashlib.sha256(json.dumps([model, CAPTION_VERSION]).encode()).hexdigest()
    return _folder() / f"{readable}-{digest[:16]}.json"


def _load() -> dict[str, str]:
    file = _file()
    if not file.is_file():
        return {}
    try:
        return dict(json.loads(file.read_text(encoding="utf-8"))["captions"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} holds no captions of physprobe ({error!r}): remove it") from error


def _save(captions: Mapping[str, str]) -> None:
    """Add captions to the model's file, which is replaced whole or not at all."""
    file = _file()
    about = {"model": session.model(), "request": CAPTION_REQUEST, "version": CAPTION_VERSION}
    content = {**about, "captions": {**_load(), **captions}}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(file, json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False))
    except OSError as error:
        raise UserError(
            f"can't write captions to {file.parent}: {error.strerror}; set ${VARIABLE}"
        ) from error
