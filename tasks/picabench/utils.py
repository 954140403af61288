"""Wiring of the task picabench; everything is in ``physprobe.harness.picabench``.

lmms-eval executes this file anew for each reference in a task file, so it must hold no state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from physprobe.harness.picabench import layout, marking

METRICS = marking.SCORING.metric_list(marking.SCORES)


def doc_to_visual(doc: Mapping[str, Any]) -> list[Any]:
    """Return the image."""
    return layout.images(doc)


def doc_to_text(doc: Mapping[str, Any], lmms_eval_specific_kwargs: Any = None) -> str:
    """Return the question."""
    return layout.text(doc)


def doc_to_messages(doc: Mapping[str, Any], lmms_eval_specific_kwargs: Any = None) -> list[dict[str, Any]]:
    """Return image and question as one user message."""
    return layout.messages(doc)


def process_results(doc: Mapping[str, Any], results: list[str]) -> dict[str, Any]:
    """Read and mark the model's answer."""
    return marking.mark(doc, results[0])
