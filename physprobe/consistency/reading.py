"""From a model's free text to a diagnosis, or to why it is none (Physical Consistency, section 6).

An answer is invalid when a field is missing, malformed or contradicts another. What can be read of an invalid
answer counts all the same: a category without a box is a category, with a box IoU of 0.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from physprobe.conservation.answer_cleaning import drop_thoughts
from physprobe.consistency.boxes import Box, Convention, read_box
from physprobe.consistency.loose_json import Found, find_objects, is_number
from physprobe.consistency.vocabulary import CATEGORIES, CLEAN, Label

# Names for the four fields, the prompt's own first.
KEYS: Mapping[str, tuple[str, ...]] = {
    "consistent": ("consistent", "is_consistent", "physically_consistent", "physical_consistency"),
    "category": ("category", "violation", "violation_category", "violation_type", "violated_category"),
    "box": ("box", "bbox", "bounding_box", "boundingbox", "bbox_2d", "region", "boxes", "bounding_boxes"),
    "explanation": ("explanation", "reason", "reasoning", "rationale", "description"),
}
_FIELD = {name: field for field, names in KEYS.items() for name in names}

_YES = frozenset({"true", "yes", "consistent", "physically_consistent", "1"})
_NO = frozenset({"false", "no", "inconsistent", "not_consistent", "physically_inconsistent", "0"})
_NO_CATEGORY = frozenset({"", "none", "null", "n_a", "na", "nothing"})
_CLEAN_WORDS = frozenset({CLEAN, "consistent", "physically_consistent", "no_violation", "no_violations"})

_ASIDE = re.compile(r"\([^()]*\)")
_NUMBERING = re.compile(r"^(?:\d{1,2}|[a-k])\s*[.):]\s*", re.IGNORECASE)
_NO_WORD = re.compile(r"[\W_]+")
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
    if not drop_thoughts(answer).strip():
        return _nothing("empty")
    objects = [found for found in map(_fields, find_objects(drop_thoughts(answer))) if found.value]
    if not objects:
        return _nothing("no_object")
    if any(_comparable(found.value) != _comparable(objects[0].value) for found in objects):
        return _nothing("several_answers")
    last = objects[-1]
    return _diagnosis(last.value, () if last.complete else ("cut_off",), convention, size)


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
    if _word(value) in _NO_CATEGORY:
        return None, "missing_category"
    parts = {_label(part) for part in _LIST.split(value)} - {None}
    return None, "several_categories" if len(parts) > 1 else "unknown_category"


def _nothing(reason: str) -> Diagnosis:
    return Diagnosis(None, None, None, "", (reason,))


def _fields(found: Found) -> Found:
    """Keep the fields that are ours, under our names; those of an object inside, if it alone has some."""
    made: dict[str, Any] = {}
    for name, value in found.value.items():
        field = _FIELD.get(_word(name))
        if field and (field not in made or _word(name) == field):
            made[field] = value
    inner = [value for value in found.value.values() if isinstance(value, dict)]
    if not made and len(inner) == 1:
        return _fields(Found(inner[0], found.complete))
    return Found(made, found.complete)


def _comparable(fields: Mapping[str, Any]) -> str:
    return repr([fields.get(name) for name in ("consistent", "category", "box")])


def _diagnosis(
    fields: Mapping[str, Any],
    reasons: tuple[str, ...],
    convention: Convention,
    size: tuple[int, int] | None,
) -> Diagnosis:
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
    text = fields.get("explanation")
    explanation = text.strip() if isinstance(text, str) else ""
    fourth = "" if explanation else "missing_explanation"
    found = (*reasons, first, second, third, fourth)
    return Diagnosis(consistent, category, box, explanation, tuple(reason for reason in found if reason))


def _read_consistent(fields: Mapping[str, Any]) -> tuple[bool | None, str]:
    value = fields.get("consistent")
    if value is None:
        return None, "missing_consistent"
    if isinstance(value, bool):
        return value, ""
    word = _word(str(int(value)) if is_number(value) and value in (0, 1) else value)
    if word in _YES or word in _NO:
        return word in _YES, ""
    return None, "malformed_consistent"


def _label(text: str) -> Label | None:
    """Return the label that a text is, however it is spelled, numbered or commented."""
    for candidate in (text, _ASIDE.sub(" ", text), _NUMBERING.sub("", text.strip())):
        label = _LABELS.get(_word(candidate))
        if label is not None:
            return label
    return None


def _word(value: Any) -> str:
    """Bring a text into one spelling: lower case, words joined by underscores."""
    text = unicodedata.normalize("NFKC", str(value)).casefold()
    return _NO_WORD.sub("_", text).strip("_")


_LABELS: Mapping[str, Label] = {
    **dict.fromkeys(_CLEAN_WORDS, CLEAN),
    **{label: label for label in CATEGORIES},
    **{_word(each.name): label for label, each in CATEGORIES.items()},
    "floating_objects": "floating_object",
    "impossible_occlusion": "impossible_occlusion_order",
}
