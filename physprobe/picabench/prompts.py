"""How a question of PICABench is asked. A snapshot test pins it; any change needs a new task version.

The question is PICABench's own; the form of the answer is that of its evaluator, with the box that Physical
Consistency (section 6) scores.
"""

from __future__ import annotations

from typing import Final

BOX_CONVENTION: Final = "fractions"

_PROMPT = """\
{question}

Reply with one JSON object and nothing else, with these three keys:
"answer": "Yes" or "No".
"box": [x_min, y_min, x_max, y_max] of the region that the question is about: numbers from 0 to 1, as \
fractions of the image's width and height, with the origin in the upper left corner.
"explanation": one sentence: what in that region shows it."""


def question_text(question: str) -> str:
    """Return all that is told in words."""
    return _PROMPT.format(question=question)
