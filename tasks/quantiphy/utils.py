"""Wiring of the quantiphy tasks; everything is in ``physprobe.harness.quantiphy``.

lmms-eval executes this file anew for each reference in a task file, so it must hold no state.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from physprobe.harness.quantiphy import layout, marking, questions

s2_questions = partial(questions.our_questions, category="S2")
d2_questions = partial(questions.our_questions, category="D2")
s3_questions = partial(questions.our_questions, category="S3")
d3_questions = partial(questions.our_questions, category="D3")
cot_questions = partial(questions.our_questions, style="cot")
prior_only_questions = partial(questions.our_questions, seen=False)
no_prior_questions = partial(questions.our_questions, told=False)
counterfactual_questions = partial(questions.our_questions, counterfactual=True)
segmented_questions = partial(questions.our_questions, segmented=True)
official_validation_questions = partial(questions.official_questions, split="validation")
official_test_questions = partial(questions.official_questions, split="test")

METRICS = marking.SCORING.metric_list(marking.SCORES)
GROUP_METRICS = marking.SCORING.group_metric_list(marking.SCORES)


def doc_to_visual(doc: Mapping[str, Any]) -> list[Any]:
    """Return the path of the video, or its frames as PIL images."""
    return layout.visuals(doc)


def doc_to_text(doc: Mapping[str, Any], lmms_eval_specific_kwargs: Any = None) -> str:
    """Return all that is told in words."""
    return layout.text(doc)


def doc_to_messages(doc: Mapping[str, Any], lmms_eval_specific_kwargs: Any = None) -> list[dict[str, Any]]:
    """Return video and question as one user message."""
    return layout.messages(doc)


def process_results(doc: Mapping[str, Any], results: list[str]) -> dict[str, Any]:
    """Read and mark the model's answer."""
    return marking.mark(doc, results[0])
