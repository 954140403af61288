"""The one question of the benchmark. A snapshot test pins it; any change needs a new task version.

The wording is ours: the paper fixes one prompt for all models and suites but does not print it. As its human
raters did, models get the definitions of the labels and nothing about the renderer.
"""

from __future__ import annotations

from typing import Final

from physprobe.consistency.vocabulary import CATEGORIES, CLEAN

# How the fixed prompt asks for boxes, see :mod:`physprobe.consistency.boxes`.
BOX_CONVENTION: Final = "fractions"

_PROMPT = """\
Look at this image. Does everything that is visible in it agree with the laws of physics, or is one of the \
laws below violated? At most one is. Possible categories:
- {clean}: nothing is violated.
{categories}

Reply with one JSON object and nothing else, with these four keys:
"consistent": true if nothing is violated, else false.
"category": one of the categories above, spelled as above.
"box": null if nothing is violated; else [x_min, y_min, x_max, y_max] of the region that is wrong, or in \
which something is missing: numbers from 0 to 1, as fractions of the image's width and height, with the \
origin in the upper left corner.
"explanation": one or two sentences: which law, for which object, and what shows it."""


def question() -> str:
    """Return the question, the same for every image."""
    categories = "\n".join(f"- {label}: {each.definition}." for label, each in CATEGORIES.items())
    return _PROMPT.format(clean=CLEAN, categories=categories)
