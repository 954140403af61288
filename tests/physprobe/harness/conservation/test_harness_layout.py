from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from physprobe import video
from physprobe.errors import UserError
from physprobe.harness.conservation import layout, questions
from tests.support.conservation_rows import HEIGHT, WIDTH, clips, dataset, row, twins


@pytest.fixture(autouse=True)
def decodings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Two clips in place of a dataset's, and which frames were decoded in each pass."""
    opened = clips(tmp_path, *(r["video_id"] for r in twins()))
    monkeypatch.setattr(layout, "open_clips", lambda: opened)
    passes: list[list[int]] = []
    decode = video.decode_frames

    def counted(file: bytes, indices: list[int]) -> list[Any]:
        passes.append(list(indices))
        return decode(file, indices)

    monkeypatch.setattr(video, "decode_frames", counted)
    return passes


def asked(**options: Any) -> dict[str, Any]:
    (first, _) = questions.standard_questions(dataset(twins()), **options)
    return first


def content(question: dict[str, Any]) -> list[Any]:
    (message,) = layout.messages(question)
    assert message["role"] == "user"
    return [part["text"] if part["type"] == "text" else part["url"] for part in message["content"]]


def brightness(images: list[Any]) -> list[float]:
    return [float(np.asarray(image).mean()) for image in images]


def test_frames_come_in_order_each_after_its_label() -> None:
    *shown, question = content(asked())
    assert shown[::2] == [f"Frame {k}: " for k in range(1, 8)]
    assert brightness(shown[1::2]) == pytest.approx([20 * k for k in range(7)], abs=3)
    assert question == layout.text(asked()) == row()["question"]


def test_a_clip_is_decoded_once_for_all_its_questions(decodings: list[list[int]]) -> None:
    late = {"question_id": "late", "frame_indices": [0, 11], "frame_count": 2}
    for question in questions.all_questions(dataset([*twins(), row(**late)])):
        content(question)
    assert decodings == [[0, 1, 2, 3, 4, 5, 6, 11], [0, 1, 2, 3, 4, 5, 6]]


def test_white_frames_have_the_size_of_the_clip_and_the_same_words(decodings: list[list[int]]) -> None:
    white, real = content(asked(media="white")), content(asked())
    assert [part for part in white if isinstance(part, str)] == [p for p in real if isinstance(p, str)]
    images = [part for part in white if not isinstance(part, str)]
    assert len(images) == len({id(image) for image in images}) == 7
    assert {(image.size, image.mode) for image in images} == {((WIDTH, HEIGHT), "RGB")}
    assert brightness(images) == [255.0] * 7
    assert decodings[0] == [0]


def test_text_alone_has_no_images_and_no_labels() -> None:
    question = asked(media="nothing", dont_know=True)
    assert content(question) == [row()["question"] + "\n(D) I don't know."]
    assert layout.images(question) == []


def test_captions_stand_where_frames_were() -> None:
    question = {**asked(media="captions"), "captions": [f"caption {k}" for k in range(7)]}
    (text,) = content(question)
    assert text == layout.text(question)
    assert "\nFrame 1: caption 0\nFrame 2: caption 1\n" in text
    assert text.endswith(f"Frame 7: caption 6\n{row()['question']}")
    assert layout.images(question) == []


def test_a_single_image_needs_no_label() -> None:
    image = Image.new("RGBA", (64, 48), "red")
    question = {**row(), "media": "image", "labelled": False, "image": image, "frame_indices": [11]}
    shown, text = content(question)
    assert (shown.mode, shown.size, text) == ("RGB", (64, 48), row()["question"])


def test_missing_and_broken_clips_are_named() -> None:
    with pytest.raises(UserError, match="no clip elsewhere"):
        layout.images({**asked(), "video_id": "elsewhere"})
    with pytest.raises(UserError, match=r"video number_a_1_conserving: frame 99"):
        layout.images({**asked(), "frame_indices": [99], "clip_frames": [99]})


def test_prompt_hash_tells_words_frames_clip_and_media_apart() -> None:
    variants = [
        asked(),
        asked(media="white"),
        asked(media="nothing"),
        asked(dont_know=True),
        {**asked(), "question": "Another?"},
        {**asked(), "frame_indices": [0, 1, 2, 3, 4, 5, 7]},
        {**asked(), "video_id": "another"},
        {**asked(), "labelled": False},
        *({**asked(media="captions"), "captions": [word] * 7} for word in ("one", "two")),
    ]
    assert len({layout.prompt_hash(r) for r in variants}) == len(variants)
    assert layout.prompt_hash(asked()) == layout.prompt_hash(asked())


def test_identity_tells_apart_what_a_model_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    standard = asked()
    shown = [
        standard,
        asked(media="white"),
        asked(media="nothing"),
        asked(dont_know=True),
        {**standard, "question": "Which one?"},
        {**standard, "frame_indices": standard["frame_indices"][:-1]},
        {**standard, "labelled": False},
        {**standard, "media": "image", "image": Image.new("RGB", (4, 3), "red")},
        {**standard, "media": "image", "image": Image.new("RGB", (3, 4), "red")},
        {**standard, "media": "image", "image": Image.new("RGB", (4, 3), "blue")},
    ]
    found = [json.dumps(layout.identity(question)) for question in shown]
    assert len(set(found)) == len(shown)
    assert json.dumps(layout.identity(asked())) == found[0]


def test_identity_follows_the_clip_s_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = layout.open_clips()
    before = layout.identity(asked())
    changed = replace(opened, hashes={})
    monkeypatch.setattr(type(opened), "video", lambda self, video_id: b"other bytes")
    monkeypatch.setattr(layout, "open_clips", lambda: changed)
    assert layout.identity(asked()) != before
