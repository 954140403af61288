"""The words of a conservation question (paper Appendix C and D).

The wording of "direct", "sequential" and "cot" is the paper's; Table 3, which holds "continuous", is not part
of the published text, so that style uses our words for what Appendix C says about it. Any change here changes
scores: raise the N of the task version with it. A snapshot test pins every string.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from string import ascii_uppercase
from typing import Literal, NamedTuple

from physprobe.conservation.vocabulary import PROMPT_STYLES, RELATIONS, Relation
from physprobe.errors import UserError, unknown_name

Part = tuple[Literal["text"], str] | tuple[Literal["image"], int]

CHOOSE = "Please choose one of the following options:"

# {question} stands for the domain's question.
INSTRUCTIONS: dict[str, str] = {
    "direct": "{question}",
    "sequential": "Please process the images below sequentially, and then answer: {question}",
    "cot": (
        "Please process the images below sequentially. "
        "First describe what happens across the images, then answer: {question}"
    ),
    "continuous": "The images show one continuous process, in temporal order. {question}",
}

# The orders in which a question's three options can be shown, by what each option claims.
ORDERS: tuple[tuple[Relation, ...], ...] = tuple(permutations(RELATIONS))

SAME = "Yes, they are the same."


class _Wording(NamedTuple):
    question: str
    more: str  # {position}: the object that has more of the quantity
    positions: tuple[str, str]


# Volume: between the two stands the glass poured from. Size: a smaller piece lies in a dish, or beside them.
_WORDINGS: dict[str, _Wording] = {
    "number": _Wording(
        "Is the number of coins in the upper row the same as in the lower row in the final image?",
        "No, the {position} row has more coins.",
        ("upper", "lower"),
    ),
    "length": _Wording(
        "Is the upper straw the same length as the lower straw in the final image?",
        "No, the {position} straw is longer.",
        ("upper", "lower"),
    ),
    "volume": _Wording(
        "Is the amount of liquid in the leftmost glass the same as in the rightmost glass "
        "in the final image?",
        "No, the {position}most glass has more liquid.",
        ("left", "right"),
    ),
    "size": _Wording(
        "Is the amount of clay in the large piece on the left the same as in the large piece on the right "
        "in the final image?",
        "No, the piece on the {position} has more clay.",
        ("left", "right"),
    ),
}

# The same comparison without a transformation, for the last frame alone (paper section 3.1).
STATIC_QUESTIONS: dict[str, str] = {
    "number": "Is the number of coins in the upper row the same as in the lower row?",
    "length": "Is the upper straw the same length as the lower straw?",
}


def _wording(domain: str) -> _Wording:
    if domain not in _WORDINGS:
        raise unknown_name("domain", domain, _WORDINGS)
    return _WORDINGS[domain]


def positions(domain: str) -> tuple[str, str]:
    """Return where the two compared objects can lie in the image: ("upper", "lower") or ("left", "right").

    Raises:
        UserError: the domain has no wording; lists those that have.
    """
    return _wording(domain).positions


def option_text(domain: str, relation: str, moved_position: str) -> str:
    """Word the option that claims ``relation``.

    Args:
        domain: one of DOMAINS.
        relation: one of RELATIONS, the final quantity of the moved object against the reference.
        moved_position: where the moved object lies in the image, "upper" or "lower" ("left" or "right" in
            volume and size).

    Raises:
        UserError: a domain, relation or position that has no wording; lists those that have.
    """
    wording = _wording(domain)
    if relation not in RELATIONS:
        raise unknown_name("relation", relation, RELATIONS)
    if moved_position not in wording.positions:
        raise unknown_name(f"moved position in {domain}", moved_position, wording.positions)
    if relation == "same":
        return SAME
    first, second = wording.positions
    other = second if moved_position == first else first
    return wording.more.format(position=moved_position if relation == "moved_more" else other)


def relation_of(domain: str, option: str, moved_position: str) -> Relation:
    """Tell what an option claims: the inverse of :func:`option_text`.

    Raises:
        UserError: ``option`` is none of the three texts of this domain, or as :func:`option_text`.
    """
    for relation in RELATIONS:
        if option_text(domain, relation, moved_position) == option:
            return relation
    raise UserError(f"{option!r} is no option of domain {domain!r}: rebuild the dataset with this version")


def options_block(options: Sequence[str]) -> str:
    """List the options one a line, as shown: ``(A) ...``. Takes 2 to 26 texts in shown order."""
    if not 2 <= len(options) <= len(ascii_uppercase):
        raise UserError(f"a question needs 2 to {len(ascii_uppercase)} options, got {len(options)}")
    lettered = zip(ascii_uppercase, options, strict=False)
    return "\n".join(f"({letter}) {text}" for letter, text in lettered)


def question_text(domain: str, style: str, options: Sequence[str]) -> str:
    """Compose the full text that follows the frames: instruction with question, request, options.

    Args:
        domain: one of DOMAINS. style: one of PROMPT_STYLES. options: texts in shown order.

    Returns:
        Lines separated by a newline, none at the end.

    Raises:
        UserError: a domain or style without wording (the message lists those that have), too few options.
    """
    if style not in INSTRUCTIONS:
        raise unknown_name("prompt style", style, PROMPT_STYLES)
    asked = INSTRUCTIONS[style].format(question=_wording(domain).question)
    return "\n".join((asked, CHOOSE, options_block(options)))


def static_question(domain: str, options: Sequence[str]) -> str:
    """Compose the full text that follows the single image of a static task.

    Args:
        domain: one in which the last frame suffices: "number" or "length". options: texts in shown order.

    Returns:
        Lines separated by a newline, none at the end.

    Raises:
        UserError: a domain without static tasks (the message lists those that have), too few options.
    """
    if domain not in STATIC_QUESTIONS:
        raise unknown_name("domain of static tasks", domain, STATIC_QUESTIONS)
    return "\n".join((STATIC_QUESTIONS[domain], CHOOSE, options_block(options)))


def interleave(num_frames: int, text: str) -> tuple[Part, ...]:
    """Lay out a question as the model receives it: frames with their labels, then ``text``.

    Returns:
        ("text", "Frame 1: "), ("image", 0), ("text", "Frame 2: "), ("image", 1), ..., ("text", text).
        An image part holds the position among the shown frames, in temporal order.
    """
    parts: list[Part] = []
    for k in range(num_frames):
        parts += [("text", f"Frame {k + 1}: "), ("image", k)]
    return (*parts, ("text", text))
