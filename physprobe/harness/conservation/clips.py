"""The clips of conservationbench."""

from __future__ import annotations

from physprobe.harness import clips
from physprobe.harness.clips import Clips

DATASET = "conservationbench"


def open_clips() -> Clips:
    """Return the clips of the dataset in use.

    Raises:
        UserError: it can't be loaded.
    """
    return clips.open_clips(DATASET)
