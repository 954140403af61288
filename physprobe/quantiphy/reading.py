"""Reads a number in the asked unit out of a model's free text (paper appendix G).

In this order: the whole answer is one quantity; what stands in a box or after 'Answer:'; a quantity that the
answer starts with and then explains; what is bold; the quantity that the text concludes with, after an '=' or
a verb before others. A quantity without a unit counts only where none with a unit of the asked kind is there,
and nothing shows that the number is something else (a time, a frame, a number of cars). What can't be read is
left unread, with the reason; nothing is guessed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from physprobe.quantiphy.reading_cleaning import clean
from physprobe.quantiphy.reading_numbers import digits_for_words
from physprobe.quantiphy.reading_quantities import Quantity, before, find_quantities
from physprobe.quantiphy.units import Unit, asked_unit, convert

Reason = Literal["empty", "error", "refusal", "other_dimension", "calculation", "no_number", "not_finite"]
Rule = Literal["exact", "boxed", "label", "lead", "bold", "equation", "conclusion"]
REASONS: tuple[Reason, ...] = get_args(Reason)
RULES: tuple[Rule, ...] = get_args(Rule)
FLAGS: tuple[str, ...] = ("approximate", "bound", "converted", "no_unit", "range", "tolerance")

_ROUNDED = 0.1  # two values that differ by less may be one, said twice

_ERROR = re.compile(
    r"\s*(?:\[?(?:api|runtime|server|internal)[\s_-]*error|error\b\s*(?:code)?\s*[:\d(]|exception\b|traceback\b|"
    r"http\s*\d{3}|rate limit|request timed out|timeout\b)",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"(?:can(?:\s?not|'t)|could\s?(?:not|n't)|unable\s+to|impossible\s+to|not\s+possible\s+to|no\s+way\s+to)\s+"
    r"(?:be\s+)?(?:\w+ly\s+)?(?:determin|calculat|measur|estimat|answer|provid|tell|know|comput|infer|assist|help|"
    r"see|view|watch|access|give|find|say|derive|establish)\w*|"
    r"\b(?:insufficient|not\s+enough|no|lacks?|without)\s+(?:enough\s+|sufficient\s+|any\s+)?"
    r"(?:information|data|video|context|reference)\b|"
    r"\bi(?:'m|\s+am)\s+(?:sorry|unable|not\s+able|not\s+sure)|\b(?:i\s+)?(?:don't|do\s+not)\s+know\b|"
    r"\bas\s+an\s+ai\b|\b(?:undetermined|indeterminate|undefined|unknowable)\b|"
    r"\b(?:is|are|was)\s+(?:not\s+(?:given|provided|specified|stated|known|visible|determinable)|unknown)\b|"
    r"^\s*(?:unknown|n/?a|none|null|nan|not\s+(?:available|applicable|sure|given|visible))\s*\.?\s*$",
    re.IGNORECASE,
)
_NEVERTHELESS = re.compile(
    r"\b(?:but|however|still|estimat\w*|approximat\w*|assum\w*|roughly|about|around|likely|probably|nevertheless|"
    r"would\s+be|best\s+guess|based\s+on|using|so|thus|hence|therefore|take)\b|≈|~|=",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\b(?:answer|result|estimate|prediction|value)[\"']?\s*(?:is\b|was\b|:|=|≈|would\s+be\b)\s*",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"(=|≈|:|\b(?:is|are|was|were|equals?|be|gives?|get|yields?|obtain|of)\b)\s*"
    r"(?:an?\s+)?(?:equal\s+to\s+|close\s+to\s+)?"
    r"(?:about|approx(?:\.|imate(?:ly)?)?|around|roughly|nearly|almost|circa|some|~|≈|estimated\s+(?:at|to\s+be))?"
    r"\s*[(\[]?\s*$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"\n+|(?<=[a-z)\]\d%²^])[.;!?](?=\s+\S)")
_NOT_A_VALUE_BEFORE = re.compile(
    r"(?:\b(?:t|time|frames?|step|figure|fig\.?|option|no\.?|number|point|part|question|example|method|case|at|"
    r"fps|first|last|every|from|to|after|before|until|object|car|ball)|#|\[[\d., -]+,)\s*[_:=]?\s*$",
    re.IGNORECASE,
)
_ONLY_ABOUT = re.compile(r"(?:about|approx(?:\.|imate(?:ly)?)?|around|roughly|nearly|≈|~)", re.IGNORECASE)
_EXPLAINED = re.compile(
    r"\s*(?:$|\n|[.;](?:\s|$)|,?\s*(?:based|because|since|given|assuming|as|using)\b|\()", re.IGNORECASE
)
_LIST_NUMBER = re.compile(r"(?:^|\n)\s*[(\[]?$")
_LISTED = re.compile(r"[.)\]]\s+\S")
_MAY_FOLLOW = re.compile(
    r"\s*(?:$|[.,;:!?)\]\"'\n]|(?:at|in|for|when|which|based|and|as|if|given|because|since|so|with|long|wide|tall|"
    r"high|according|per\s+the|on\s+average|overall|total)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """What was read from an answer.

    Attributes:
        value: in the asked unit; None where unread.
        reason: why it is unread, one of REASONS; "" where it was read.
        rule: by which rule it was found, one of RULES; "" where unread.
        flags: what else is to be known of it, some of FLAGS, sorted: "range" is the middle of one, "bound"
            was 'at least' or the like, "converted" was given in another unit, "no_unit" without one.
    """

    value: float | None
    reason: str = ""
    rule: str = ""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Found:
    """What a part of an answer gives: a quantity, or only ``failure``: why it gives none ("" no number)."""

    quantity: Quantity | None
    failure: str = ""
    marked: str = ""


def read_answer(answer: str, unit: str) -> Reading:
    """Read an answer to a question that asks for a value in ``unit``.

    Args:
        answer: free text. unit: of size, velocity or acceleration ("m", "cm/s", "m/s^2", in any spelling).

    Raises:
        UserError: ``unit`` is none.
    """
    asked = asked_unit(unit)
    if not answer.strip():
        return Reading(None, "empty")
    if _ERROR.match(answer):
        return Reading(None, "error")
    cleaned = clean(answer)
    text = digits_for_words(cleaned.text)
    return (
        _exact(text, asked)
        or _explicit(_last_first(cleaned.boxed), asked, "boxed")
        or _explicit(_labelled(text), asked, "label")
        or _refusal(text, asked)
        or _lead(text, asked)
        or _bold(_last_first(cleaned.bold), asked)
        or _whole(text, asked)
    )


def _exact(text: str, asked: Unit) -> Reading | None:
    bare = re.sub(
        r"^(?:≈|~|about|approximately|around|roughly)\s*", "", text.strip(" .\n'\""), flags=re.IGNORECASE
    )
    found = find_quantities(text)
    if len(found) != 1 or found[0].operand or bare not in _spans(text, found[0]):
        return None
    if found[0].unit is not None and found[0].unit.kind != asked.kind:
        return Reading(None, "other_dimension")
    return _reading(found[0], asked, "exact")


def _spans(text: str, quantity: Quantity) -> Sequence[str]:
    span = text[quantity.start : quantity.end]
    return span, span.strip(" .'\""), f"[{span}]", f"({span})", f"[{span}", f"({span}"


def _last_first(parts: Iterable[str]) -> list[str]:
    return [digits_for_words(part) for part in parts][::-1]


def _labelled(text: str) -> list[str]:
    """Return what stands after each label, last first: the rest of its line, or the next line."""
    parts = [text[label.end() :].strip().partition("\n")[0] for label in _LABEL.finditer(text)]
    return [part for part in parts[::-1] if part]


def _explicit(parts: Sequence[str], asked: Unit, rule: Rule) -> Reading | None:
    """Read from parts that claim to be the answer: what is wrong with the last is wrong with the answer."""
    for part in parts:
        found = _conclude(part, asked)
        if found.quantity is not None:
            return _reading(found.quantity, asked, rule)
        if _REFUSAL.search(part):
            return Reading(None, "refusal")
        if found.failure in ("other_dimension", "calculation"):
            return Reading(None, found.failure)
    return None


def _refusal(text: str, asked: Unit) -> Reading | None:
    """Take a refusal for one, unless an estimate follows all the same."""
    *_, last = [None, *_REFUSAL.finditer(text)]
    if last is None:
        return None
    rest = text[last.end() :]
    contrast = _NEVERTHELESS.search(rest)
    found = _conclude(rest, asked) if contrast else _Found(None)
    if contrast and found.quantity and found.quantity.start >= contrast.start() and found.quantity.unit:
        return _reading(found.quantity, asked, "conclusion")
    return Reading(None, "refusal")


def _lead(text: str, asked: Unit) -> Reading | None:
    first = next(iter(find_quantities(text)), None)
    if first is None or first.operand or first.unit is None or first.unit.kind != asked.kind:
        return None
    start = text[: first.start].strip(" ([")
    leads = not start or _ONLY_ABOUT.fullmatch(start)
    return _reading(first, asked, "lead") if leads and _EXPLAINED.match(text, first.end) else None


def _bold(parts: Sequence[str], asked: Unit) -> Reading | None:
    for part in parts:
        found = _conclude(part, asked)
        if found.quantity is not None and found.quantity.unit is not None:
            return _reading(found.quantity, asked, "bold")
    return None


def _whole(text: str, asked: Unit) -> Reading:
    found = _conclude(text, asked)
    if found.quantity is None:
        return Reading(None, found.failure or "no_number")
    return _reading(found.quantity, asked, "equation" if found.marked in ("=", "≈") else "conclusion")


def _conclude(text: str, asked: Unit) -> _Found:
    """Find the quantity that a text ends on: with a unit of the asked kind, else without a unit."""
    quantities = find_quantities(text)
    free = [q for q in quantities if not q.operand]
    asked_kind = [q for q in free if q.unit is not None and q.unit.kind == asked.kind]
    bare = [q for q in free if q.unit is None and _may_be_value(text, q)]
    for candidates in (asked_kind, bare):
        if candidates:
            return _last_conclusion(text, candidates, asked)
    if any(q.unit is not None and q.unit.kind == asked.kind for q in quantities) or (
        quantities and all(q.operand for q in quantities)
    ):
        return _Found(None, "calculation")
    return _Found(None, "other_dimension" if any(q.unit is not None for q in free) else "")


def _last_conclusion(text: str, candidates: Sequence[Quantity], asked: Unit) -> _Found:
    start = max([0, *(m.end() for m in _SENTENCE.finditer(text) if m.end() <= candidates[-1].start)])
    sentence = [q for q in candidates if q.start >= start]
    outside = [q for q in sentence if not _in_brackets(text[start:], q.start - start)] or sentence
    marks = [(q, _MARK.search(before(text, q.start))) for q in outside]
    marked = [(q, mark.group(1)) for q, mark in marks if mark and "bound" not in q.flags]
    quantity, mark = marked[-1] if marked else (outside[-1], "")
    return _Found(_as_asked(quantity, sentence, asked), marked=mark)


def _as_asked(quantity: Quantity, sentence: Sequence[Quantity], asked: Unit) -> Quantity:
    """Of '1.5 m/s, i.e. 5 km/h' take what is in the asked unit: the other may be rounded."""
    if quantity.unit is None or quantity.unit == asked:
        return quantity
    value = convert(quantity.value, quantity.unit, asked)
    same = [q for q in sentence if q.unit == asked and math.isclose(q.value, value, rel_tol=_ROUNDED)]
    return same[-1] if same else quantity


def _in_brackets(text: str, position: int) -> bool:
    return text.rfind("(", 0, position) > text.rfind(")", 0, position) and text.find(")", position) >= 0


def _may_be_value(text: str, quantity: Quantity) -> bool:
    context = before(text, quantity.start)
    if _LIST_NUMBER.search(context) and _LISTED.match(text, quantity.end):
        return False
    return not _NOT_A_VALUE_BEFORE.search(context) and _MAY_FOLLOW.match(text, quantity.end) is not None


def _reading(quantity: Quantity, asked: Unit, rule: Rule) -> Reading:
    flags = set(quantity.flags)
    value = quantity.value
    if quantity.unit is None:
        flags.add("no_unit")
    elif quantity.unit != asked:
        flags.add("converted")
        value = convert(value, quantity.unit, asked)
    if not math.isfinite(value):
        return Reading(None, "not_finite")
    return Reading(value, rule=rule, flags=tuple(sorted(flags)))
