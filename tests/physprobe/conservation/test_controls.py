from __future__ import annotations

import pytest

from physprobe.conservation import controls
from physprobe.conservation.matching import match_option
from physprobe.conservation.prompts import option_text, question_text
from physprobe.conservation.vocabulary import RELATIONS
from physprobe.errors import UserError

OPTIONS = [option_text("number", relation, "upper") for relation in RELATIONS]
QUESTION = question_text("number", "direct", OPTIONS)


def test_words_are_pinned(snapshot):
    assert {
        "dont_know": controls.with_dont_know(QUESTION, OPTIONS)[0],
        "caption_request": controls.CAPTION_REQUEST,
        "captioned": controls.captioned(["Two rows of\n coins.", "", "Three  coins."], QUESTION),
        "modality_request": controls.MODALITY_REQUEST,
        "version": controls.CAPTION_VERSION,
    } == snapshot


def test_not_knowing_is_the_last_option_and_changes_no_other():
    question, options = controls.with_dont_know(QUESTION, OPTIONS)
    assert options == [*OPTIONS, "I don't know."]
    assert question == f"{QUESTION}\n(D) I don't know."
    for answer in ("D", "(D)", "I don't know.", "(D) I don't know."):
        assert match_option(answer, options).letter == "D"
    assert match_option("(B)", options).letter == "B"


def test_a_question_without_its_options_is_refused():
    with pytest.raises(UserError, match="does not end with its options"):
        controls.with_dont_know(QUESTION, OPTIONS[::-1])


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ("Images: 7", 7),
        ("**Images: 16**\n1. A table.\n2. A table with 3 images on it.", 16),
        ("images = 0", 0),
        ("Image: one", 1),
        ("I received seven images. The first shows coins.", 7),
        ("There are no images in this message.", 0),
        ("I don't see any images.", 0),
        ("I see 3 separate images; all 3 images show coins.", 3),
        ("Images: 5\nImages: 6", 5),
        ("There may be 5 images or 6 images.", None),
        ("A row of 7 coins.", None),
        ("", None),
    ],
)
def test_counts_are_read(answer, count):
    assert controls.read_count(answer) == count


@pytest.mark.parametrize("count", [0, 1, 7, 16])
def test_the_expected_line_is_read_as_its_count(count):
    assert controls.read_count(controls.modality_answer(count)) == count
