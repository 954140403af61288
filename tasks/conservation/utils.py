"""Wiring of the conservation tasks; everything is in ``physprobe.harness.conservation``.

lmms-eval executes this file anew for each reference in a task file, so it must hold no state.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from physprobe.harness import conservation

number_questions = partial(conservation.standard_questions, "number")
length_questions = partial(conservation.standard_questions, "length")

accuracy, accuracy_low, accuracy_high = conservation.aggregations("accuracy_overall")
conserving, conserving_low, conserving_high = conservation.aggregations("accuracy_conserving")
nonconserving, nonconserving_low, nonconserving_high = conservation.aggregations("accuracy_nonconserving")
strict_pair, strict_pair_low, strict_pair_high = conservation.aggregations("accuracy_strict_pair")
unread, unread_low, unread_high = conservation.aggregations("rate_unread")
pool = conservation.pool


def doc_to_visual(doc: Mapping[str, Any]) -> list[Any]:
    """Return the frames as PIL images."""
    return conservation.images(doc)


def doc_to_text(doc: Mapping[str, Any], lmms_eval_specific_kwargs: Any = None) -> str:
    """Return the question with its options."""
    return doc["question"]


def doc_to_messages(doc: Mapping[str, Any], lmms_eval_specific_kwargs: Any = None) -> list[dict[str, Any]]:
    """Return frames and question as one user message."""
    return conservation.messages(doc)


def process_results(doc: Mapping[str, Any], results: list[str]) -> dict[str, Any]:
    """Read and mark the model's answer."""
    return conservation.mark(doc, results[0])
