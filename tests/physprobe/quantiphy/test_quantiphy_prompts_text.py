from __future__ import annotations

import pytest

from physprobe.quantiphy.prompts import REMINDER, frame_labels, question_text

ARGUMENTS = {
    "prior": "width = 1 m\nheight = 2 m\n",
    "depth_info": "t=1s, distance_a_camera = 3 m \n",
    "fps": 30.0,
}


def test_parts_stand_in_the_papers_order() -> None:
    lines = question_text(" How wide? ", shown="video", **ARGUMENTS).split("\n")  # type: ignore[arg-type]
    assert "at 30 frames per second" in lines[0]
    assert lines[1:] == [
        "Given: width = 1 m",
        "Given: height = 2 m",
        "Distance from the camera: t=1s, distance_a_camera = 3 m",
        "Question: How wide?",
        REMINDER,
    ]


@pytest.mark.parametrize("shown", ["video", "frames", "nothing"])
def test_no_prior_is_not_claimed_to_be_given(shown: str) -> None:
    text = question_text("How wide?", prior=" ", depth_info="", fps=24, shown=shown)  # type: ignore[arg-type]
    assert "Given:" not in text
    assert "is given" not in text
    assert "not shown" in text or shown != "nothing"


def test_only_the_ending_changes_with_the_style() -> None:
    direct, cot = (
        question_text("How wide?", shown="frames", style=s, **ARGUMENTS) for s in ("direct", "cot")
    )  # type: ignore[arg-type]
    assert direct.rsplit("\n", 1)[0] == cot.rsplit("\n", 2)[0]
    assert cot.endswith("'Answer: number unit'.")


def test_frames_are_labelled_with_their_times() -> None:
    assert frame_labels([0, 1, 24], 24) == ["t = 0.000 s: ", "t = 0.042 s: ", "t = 1.000 s: "]
