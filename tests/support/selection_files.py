"""Selections files as people and models leave them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def selection(extraction: str, selector: str, video_id: str, indices: Sequence[int]) -> dict[str, Any]:
    """One line: a choice from a clip of seed 0."""
    return {
        "extraction": extraction,
        "selector": selector,
        "seed": 0,
        "video_id": video_id,
        "frame_count": len(indices),
        "frame_indices": list(indices),
    }


def write_selections(path: Path, lines: Sequence[Mapping[str, Any]]) -> Path:
    """Write a file and return its path."""
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path
