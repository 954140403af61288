"""Finds the named fields of a structured answer in free text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from physprobe.conservation.answer_cleaning import drop_thoughts
from physprobe.consistency.loose_json import Found, find_objects

_NO_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Fields:
    """What an answer holds.

    Attributes:
        values: by the fields' own names; empty where nothing counts.
        reasons: what is wrong with the answer as a whole: "empty"; "no_object" (no JSON object with a field
            of ours); "several_answers" (objects that differ); "cut_off" (the object does not end; what
            came before counts).
    """

    values: Mapping[str, Any]
    reasons: tuple[str, ...] = ()


def read_fields(answer: str, keys: Mapping[str, tuple[str, ...]], telling: tuple[str, ...]) -> Fields:
    """Read the fields of an answer. Never raises.

    Args:
        answer: what the model wrote. keys: field -> names that are understood for it, the prompt's own first.
        telling: fields in which two objects of one answer must not differ.
    """
    said = drop_thoughts(answer)
    if not said.strip():
        return Fields({}, ("empty",))
    known = {name: field for field, names in keys.items() for name in names}
    objects = [each for each in (_ours(found, known) for found in find_objects(said)) if each.value]
    if not objects:
        return Fields({}, ("no_object",))
    compared = {repr([each.value.get(name) for name in telling]) for each in objects}
    if len(compared) > 1:
        return Fields({}, ("several_answers",))
    return Fields(objects[-1].value, () if objects[-1].complete else ("cut_off",))


def text_of(value: Any) -> str:
    """Return a field that should be text, stripped; "" if it is none."""
    return value.strip() if isinstance(value, str) else ""


def word(value: Any) -> str:
    """Bring a text into one spelling: lower case, words joined by underscores."""
    text = unicodedata.normalize("NFKC", str(value)).casefold()
    return _NO_WORD.sub("_", text).strip("_")


def _ours(found: Found, known: Mapping[str, str]) -> Found:
    """Keep the fields that are ours, under our names; those of an object inside, if it alone has some."""
    made: dict[str, Any] = {}
    for name, value in found.value.items():
        field = known.get(word(name))
        if field and (field not in made or word(name) == field):
            made[field] = value
    inner = [value for value in found.value.values() if isinstance(value, dict)]
    if not made and len(inner) == 1:
        return _ours(Found(inner[0], found.complete), known)
    return Found(made, found.complete)
