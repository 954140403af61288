"""From a model's free text to a diagnosis, or to why it is none (Physical Consistency, section 6).

An answer is invalid when a field is missing, malformed or contradicts another. What can be read of an invalid
answer counts all the same: a category without a box is a category, with a box IoU of 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from physprobe.consistency.boxes import Box, Convention, read_box
from physprobe.consistency.fields import Fields, read_fields, text_of, word
from physprobe.consistency.loose_json import is_number
from physprobe.consistency.vocabulary import CATEGORIES, CLEAN, Label

# Names for the four fields, the prompt's own first.
KEYS: Mapping[str, tuple[str, ...]] = {
    "consistent": ("consistent", "is_consistent", "physically_consistent", "physical_consistency"),
    "category": ("category", "violation", "violation_category", "violation_type", "violated_category"),
    "box": ("box", "bbox", "bounding_box", "boundingbox", "bbox_2d", "region", "boxes", "bounding_boxes"),
    "explanation": ("explanation", "reason", "reasoning", "rationale", "description"),
}

_YES = frozenset({"true", "yes", "consistent", "physically_consistent", "1"})
_NO = frozenset({"false", "no", "inconsistent", "not_consistent", "physically_inconsistent", "0"})
_NO_CATEGORY = frozenset({"", "none", "null", "n_a", "na", "nothing"})
_CLEAN_WORDS = frozenset({CLEAN, "consistent", "physically_consistent", "no_violation", "no_violations"})

_ASIDE = re.compile(r"\([^()]*\)")
_NUMBERING = re.compile(r"^(?:\d{1,2}|[a-k])\s*[.):]\s*", re.IGNORECASE)
_LIST = re.compile(r"[,;/|]|\band\b")


@dataclass(frozen=True)
class Diagnosis:
    """What an answer says.

    Attributes:
        consistent: whether nothing is violated. category: one of the eleven labels. box: of the region that
            is wrong. Each None where it can't be read, and the box also where nothing is violated.
        explanation: "" where there is none.
        reasons: why the answer is invalid, none twice, in the order of the fields; empty when it is valid.
    """

    consistent: bool | None
    category: Label | None
    box: Box | None
    explanation: str
    reasons: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """Whether all fields are there, well formed, and fit together."""
        return not self.reasons


def read_diagnosis(
    answer: str, convention: Convention = "fractions", size: tuple[int, int] | None = None
) -> Diagnosis:
    """Read an answer. Never raises, whatever it says.

    Args:
        answer: what the model wrote. convention, size: see :func:`physprobe.consistency.boxes.read_box`.

    Returns:
        Reasons: "empty"; "no_object" (no JSON object with a field of ours); "several_answers" (objects that
        differ); "cut_off" (the object does not end); "missing_consistent", "malformed_consistent";
        "missing_category", "unknown_category", "several_categories"; "contradiction" (says both that nothing
        and that something is violated: neither counts); those of boxes; "missing_explanation".
    """
    fields = read_fields(answer, KEYS, ("consistent", "category", "box"))
    if not fields.values:
        return Diagnosis(None, None, None, "", fields.reasons)
    return _diagnosis(fields, convention, size)


def read_category(value: Any) -> tuple[Label | None, str]:
    """Read the value that an answer gives for its category.

    Returns:
        A label and "", or None and why: "missing_category", "unknown_category", "several_categories".
    """
    if isinstance(value, list) and len(value) < 2:
        value = value[0] if value else None
    if isinstance(value, list):
        return None, "several_categories"
    if value is None:
        return None, "missing_category"
    if not isinstance(value, str):
        return None, "unknown_category"
    label = _label(value)
    if label is not None:
        return label, ""
    if word(value) in _NO_CATEGORY:
        return None, "missing_category"
    parts = {_label(part) for part in _LIST.split(value)} - {None}
    return None, "several_categories" if len(parts) > 1 else "unknown_category"


def _diagnosis(found: Fields, convention: Convention, size: tuple[int, int] | None) -> Diagnosis:
    fields = found.values
    consistent, first = _read_consistent(fields)
    category, second = read_category(fields.get("category"))
    if consistent and category is None and second == "missing_category":
        category, second = CLEAN, "" if "category" in fields else second  # an explicit null names none
    if None not in (consistent, category) and consistent != (category == CLEAN):
        consistent, category, second = None, None, "contradiction"
    box, third = None, ""
    if not (consistent or category == CLEAN):
        read = read_box(fields.get("box"), convention, size)
        box, third = read.box, read.reason
    explanation = text_of(fields.get("explanation"))
    reasons = (*found.reasons, first, second, third, "" if explanation else "missing_explanation")
    return Diagnosis(consistent, category, box, explanation, tuple(reason for reason in reasons if reason))


def _read_consistent(fields: Mapping[str, Any]) -> tuple[bool | None, str]:
    value = fields.get("consistent")
    if value is None:
        return None, "missing_consistent"
    if isinstance(value, bool):
        return value, ""
    said = word(str(int(value)) if is_number(value) and value in (0, 1) else value)
    if said in _YES or said in _NO:
        return said in _YES, ""
    return None, "malformed_consistent"


def _label(text: str) -> Label | None:
    """Return the label that a text is, however it is spelled, numbered or commented."""
    for candidate in (text, _ASIDE.sub(" ", text), _NUMBERING.sub("", text.strip())):
        label = _LABELS.get(word(candidate))
        if label is not None:
            return label
    return None


_LABELS: Mapping[str, Label] = {
    **dict.fromkeys(_CLEAN_WORDS, CLEAN),
    **{label: label for label in CATEGORIES},
    **{word(each.name): label for label, each in CATEGORIES.items()},
    "floating_objects": "floating_object",
    "impossible_occlusion": "impossible_occlusion_order",
}
