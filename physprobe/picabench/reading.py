"""From a model's free text to yes or no, a box and a reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from physprobe.conservation.answer_cleaning import drop_thoughts
from physprobe.consistency.boxes import Box, read_box
from physprobe.consistency.fields import read_fields, text_of, word
from physprobe.consistency.reading import KEYS
from physprobe.picabench.prompts import BOX_CONVENTION

_KEYS: Mapping[str, tuple[str, ...]] = {
    "answer": ("answer", "final_answer", "response"),
    **{name: KEYS[name] for name in ("box", "explanation")},
}
_YES = frozenset({"yes", "y", "true"})
_NO = frozenset({"no", "n", "false"})
# What may follow: "No idea", "No shadow" and "Yes or no" say neither.
_FIRST_WORD = re.compile(
    r"[\W_]*(yes|no)(?=[\W_]*$|\s*[^\w\s]|_|\s+(?:as|because|he|i|in|it|its|she|since|that|the|there|these|they|this"
    r"|those|we|you)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reply:
    """What an answer says.

    Attributes:
        yes: whether it says yes, None where that can't be read. box: None where it can't be read.
        explanation: "" where there is none. reasons: why the answer is invalid; empty when it is valid.
    """

    yes: bool | None
    box: Box | None
    explanation: str
    reasons: tuple[str, ...]


def read_reply(answer: str) -> Reply:
    """Read an answer. Never raises, whatever it says.

    An answer that is no object but begins with "Yes" or "No" says that, and is invalid for having no box.

    Returns:
        Reasons: those of :func:`physprobe.consistency.fields.read_fields`; "missing_answer",
        "malformed_answer"; those of boxes; "missing_explanation".
    """
    fields = read_fields(answer, _KEYS, ("answer", "box"))
    if not fields.values:
        first = _FIRST_WORD.match(drop_thoughts(answer)) if fields.reasons == ("no_object",) else None
        return Reply(None if first is None else first[1].casefold() == "yes", None, "", fields.reasons)
    yes, wrong = _read_yes(fields.values.get("answer"))
    box = read_box(fields.values.get("box"), BOX_CONVENTION)
    explanation = text_of(fields.values.get("explanation"))
    reasons = (*fields.reasons, wrong, box.reason, "" if explanation else "missing_explanation")
    return Reply(yes, box.box, explanation, tuple(reason for reason in reasons if reason))


def _read_yes(value: Any) -> tuple[bool | None, str]:
    if value is None or value == "":
        return None, "missing_answer"
    said = word(value)
    if said in _YES or said in _NO:
        return said in _YES, ""
    return None, "malformed_answer"
