"""What people fill in, in the form that a benchmark's reader of answers expects."""

from __future__ import annotations

import json

from physprobe.analysis.people.table import PersonAnswer

NOT_ASKED = "(people were not asked for an explanation)"


def as_told(answer: PersonAnswer) -> str:
    """Return the text to be read.

    A category alone, with or without a box, becomes the whole diagnosis of an image that models are asked
    for; everything else is read as it is.
    """
    if answer.benchmark != "consistency" or "{" in answer.answer or not answer.answer:
        return answer.answer
    from physprobe.consistency.reading import read_category
    from physprobe.consistency.vocabulary import CLEAN

    category, _ = read_category(answer.answer)
    told = {"consistent": category == CLEAN, "category": answer.answer, "box": answer.box}
    return json.dumps({**told, "explanation": NOT_ASKED})
