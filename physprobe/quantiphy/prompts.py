"""What a model is told (paper appendix F): instruction, prior, depth info, question, reminder, in this order.

The paper prints the order and what each part is for; the words are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Shown = Literal["video", "frames", "nothing"]
Style = Literal["direct", "cot"]

_SEEN = {
    "video": "You see a video of a fixed camera at {fps} frames per second; its first frame is t = 0 s.",
    "frames": "You see frames of a video of a fixed camera, each with its time; its first frame is t = 0 s.",
    "nothing": "A video was filmed by a fixed camera; you are not shown it.",
}
_MEASURE = "You are an expert in measuring sizes and motion in videos."
_GIVEN = "One quantity of the scene is given."
_SCALE = "It tells how many real-world units a pixel stands for."
_NOT_GIVEN = "Infer how many real-world units a pixel stands for from what you know of the things you see."
REMINDER = "Reply with nothing but one number and its unit."
STEPS = (
    "Work step by step: measure the given quantity in pixels; divide to find the real-world size of a pixel; "
    "measure what is asked in pixels, and in frames where it is about motion; convert it to the asked unit.\n"
    "End with one line of the form 'Answer: number unit'."
)


def question_text(
    question: str, *, prior: str, depth_info: str, fps: float, shown: Shown, style: Style = "direct"
) -> str:
    """Compose the text that follows the video or frames.

    Args:
        question, prior, depth_info: as in the dataset; "" leaves the latter two out. fps: of the video.
        shown: what the model sees. style: "cot" asks for the steps before the answer.

    Returns:
        Lines separated by a newline, none at the end.
    """
    scale = () if shown == "nothing" else (_SCALE,) if prior.strip() else (_NOT_GIVEN,)
    given = (_GIVEN,) if prior.strip() else ()
    lines = [" ".join((_MEASURE, _SEEN[shown].format(fps=f"{fps:g}"), *given, *scale))]
    lines += [f"Given: {line}" for line in _lines(prior)]
    lines += [f"Distance from the camera: {line}" for line in _lines(depth_info)]
    return "\n".join([*lines, f"Question: {question.strip()}", REMINDER if style == "direct" else STEPS])


def frame_labels(indices: Sequence[int], fps: float) -> list[str]:
    """Return the text that stands before each frame: its time."""
    return [f"t = {index / fps:.3f} s: " for index in indices]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
