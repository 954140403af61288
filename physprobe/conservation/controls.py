"""The words of the control conditions: "I don't know", captions instead of frames, the modality check.

The paper describes these controls without giving their wording (section 4.3, Appendix E; its second version
adds captions and "I don't know"), so the words are ours. Any change here changes scores: raise the N of the
task version with it. A snapshot test pins every string.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from physprobe.conservation.prompts import options_block
from physprobe.errors import UserError

DONT_KNOW = "I don't know."

# Kept with every caption: captions of another wording are not used.
CAPTION_VERSION = "caption-1"
CAPTION_REQUEST = (
    "Describe in detail what this image shows: which objects there are, how many, and the shape, size and "
    "position of each. Do not guess at what happens before or after it."
)
CAPTIONS_NOTE = "Instead of images you are given descriptions of them, in temporal order."

MODALITY_REQUEST = (
    "This is a check of what reaches you. How many images did you receive with this message? "
    'Begin with a line "Images: N", where N is their number, 0 if there are none. '
    "Then describe each image in one short line."
)

_NUMBERS = {
    **{
        "no": 0,
        "any": 0,
        "zero": 0,
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
    },
    **{"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14},
    **{"fifteen": 15, "sixteen": 16},
}
_NUMBER = rf"(\d{{1,4}}|{'|'.join(_NUMBERS)})"
_ASKED_FORM = re.compile(rf"^\W*images?\W*[:=]\W*{_NUMBER}\b", re.IGNORECASE | re.MULTILINE)
_IN_PROSE = re.compile(rf"\b{_NUMBER} (?:\w+ )?images?\b", re.IGNORECASE)


def with_dont_know(question: str, options: Sequence[str]) -> tuple[str, list[str]]:
    """Offer "I don't know" as one more option, always the last.

    Args:
        question: full text, which ends with its options. options: as shown.

    Returns:
        The longer question and options.

    Raises:
        UserError: the question does not end with these options.
    """
    listed = options_block(options)
    if not question.endswith(listed):
        raise UserError(f"a question does not end with its options, {listed!r}: rebuild the dataset")
    offered = [*options, DONT_KNOW]
    return question.removesuffix(listed) + options_block(offered), offered


def captioned(captions: Sequence[str], question: str) -> str:
    """Ask a question about captions, one a line, in the place of its frames."""
    lines = [f"Frame {k}: {' '.join(caption.split())}" for k, caption in enumerate(captions, start=1)]
    return "\n".join((CAPTIONS_NOTE, *lines, question))


def modality_answer(count: int) -> str:
    """Return the line with which a right answer to the modality check begins."""
    return f"Images: {count}"


def read_count(answer: str) -> int | None:
    """Read how many images an answer to the modality check claims.

    Returns:
        The number in the line that was asked for, else the only number of images named in the text ("I see
        seven images"); None when there is none, or when several are named.
    """
    found = _ASKED_FORM.findall(answer)[:1] or _IN_PROSE.findall(answer)
    counts = {_NUMBERS[text.lower()] if text.lower() in _NUMBERS else int(text) for text in found}
    return counts.pop() if len(counts) == 1 else None
