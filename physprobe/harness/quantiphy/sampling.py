"""Whether an adapter shows a model fewer frames than a video has: adapters differ, and few say so."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from physprobe.harness import session

# What adapters of lmms-eval call the number or rate of frames that they take out of a video.
_ARGUMENTS = frozenset(
    {"max_num_frames", "max_frames_num", "max_frames", "num_frames", "num_video_frames", "nframes"}
    | {"fps", "video_fps", "sample_fps", "frames_upbound", "max_video_frames"}
)


def adapter_sampling() -> dict[str, Any]:
    """Return how the evaluated model's adapter samples videos, by argument, as far as its arguments tell.

    Empty where it has no such argument: it may then take all frames, or a fixed number.
    """
    name, _, given = session.model().partition(" ")
    arguments = dict(part.partition("=")[::2] for part in given.split(",") if part)
    found = {key: value for key, value in arguments.items() if key in _ARGUMENTS}
    return {**{key: value for key, value in _defaults(name).items() if value is not None}, **found}


def _defaults(name: str) -> dict[str, Any]:
    from lmms_eval.models import MODEL_REGISTRY_V2

    try:
        module, _, adapter = MODEL_REGISTRY_V2.resolve(name).class_path.rpartition(".")
        classes = inspect.getmro(getattr(importlib.import_module(module), adapter))
    except Exception:  # an adapter that can't be imported stops the run by itself, with its own words
        return {}
    defaults: dict[str, Any] = {}
    for one in reversed(classes):
        if "__init__" in vars(one) and one is not object:
            parameters = inspect.signature(one.__init__).parameters.values()  # type: ignore[misc]
            defaults |= {p.name: p.default for p in parameters if p.name in _ARGUMENTS}
    return {key: value for key, value in defaults.items() if value is not inspect.Parameter.empty}
