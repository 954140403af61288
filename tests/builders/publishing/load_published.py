"""Loads a published dataset as any user would, and prints what came; a program of its own."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import Any

import av
from datasets import load_dataset
from huggingface_hub import snapshot_download

OFFLINE = os.environ["HF_HUB_OFFLINE"] == "1"


def looked_at(place: str, revision: str | None = None) -> dict[str, Any]:
    """Load every config of a revision; decode a video and an image."""
    questions = load_dataset(place, revision=revision)  # no config, no split: what people type first
    videos = load_dataset(place, "videos", split="test", revision=revision)
    static = load_dataset(place, "static", split="test", revision=revision)
    with av.open(io.BytesIO(videos[0]["video"]["bytes"])) as container:
        frames = sum(1 for _ in container.decode(video=0))
    return {
        "splits": list(questions),
        "ids": questions["test"]["question_id"][:],
        "videos": videos["video_id"][:],
        "frames": frames,
        "size": list(static[0]["image"].size),
    }


def pinned(name: str, revision: str) -> dict[str, Any]:
    """Load a revision; off line from its folder, for ``load_dataset`` would take the newest copy."""
    folder = snapshot_download(name, repo_type="dataset", revision=revision)
    return looked_at(folder) if OFFLINE else looked_at(name, revision)


def streamed(name: str, revision: str) -> list[str]:
    """Read the ids of a revision without copying it."""
    rows = load_dataset(name, split="test", revision=revision, streaming=True)
    return [row["question_id"] for row in rows]


def main() -> None:
    """Print everything as one JSON line."""
    name, *revisions = sys.argv[1:]
    found: dict[str, Any] = {revision: pinned(name, revision) for revision in revisions}
    newest = load_dataset(name, "questions", split="test")["question_id"][:]
    found["main"] = {"ids": newest} if OFFLINE else looked_at(name)
    found["streamed"] = {} if OFFLINE else {revision: streamed(name, revision) for revision in revisions}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
