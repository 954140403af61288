"""Wiring of the conservation tasks; everything is in ``physprobe.harness.conservation``.

lmms-eval executes this file anew for each reference in a task file, so it must hold no state.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from physprobe.harness.conservation import captions, layout, marking, modality, questions

number_questions = partial(questions.standard_questions, domain="number")
length_questions = partial(questions.standard_questions, domain="length")
volume_questions = partial(questions.standard_questions, domain="volume")
size_questions = partial(questions.standard_questions, domain="size")
empty_image_questions = partial(questions.standard_questions, media="white")
text_only_questions = partial(questions.standard_questions, media="nothing")
idk_questions = partial(questions.standard_questions, dont_know=True)
idk_empty_image_questions = partial(questions.standard_questions, media="white", dont_know=True)
idk_text_only_questions = partial(questions.standard_questions, media="nothing", dont_know=True)
all_questions = questions.all_questions
human_subset_questions = questions.human_subset_questions
static_questions = questions.static_questions
captioned_questions = captions.captioned_questions
frames_to_caption = captions.frames_to_caption
modality_questions = modality.modality_questions

METRICS = marking.SCORING.metric_list(marking.SCORES)
IDK_METRICS = marking.SCORING.metric_list(marking.IDK_SCORES)
GROUP_METRICS = marking.SCORING.group_metric_list(marking.SCORES)
keep_captions = captions.keep
share_correct = modality.share_correct
mean = modality.mean


def doc_to_visual(doc: Mapping[str, Any]) -> list[Any]:
    """Return the images as PIL images."""
    return layout.images(doc)


def doc_to_text(doc: Mapping[str, Any], lmms_eval_specific_kwargs: Any = None) -> str:
    """Return the question with its options."""
    return layout.text(doc)


def doc_to_messages(doc: Mapping[str, Any], lmms_eval_specific_kwargs: Any = None) -> list[dict[str, Any]]:
    """Return images and question as one user message."""
    return layout.messages(doc)


def process_results(doc: Mapping[str, Any], results: list[str]) -> dict[str, Any]:
    """Read and mark the model's answer."""
    return marking.mark(doc, results[0])


def process_caption(doc: Mapping[str, Any], results: list[str]) -> dict[str, Any]:
    """Take the model's caption."""
    return captions.mark_caption(doc, results[0])


def process_modality(doc: Mapping[str, Any], results: list[str]) -> dict[str, Any]:
    """Mark the number of images that the model names."""
    return modality.mark_modality(doc, results[0])
