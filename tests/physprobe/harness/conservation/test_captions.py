from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from physprobe.errors import UserError
from physprobe.harness import session
from physprobe.harness.conservation import captions, layout
from tests.support.conservation_rows import clips, dataset, twins


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    opened = clips(tmp_path, *(r["video_id"] for r in twins()))
    for module in (captions, layout):
        monkeypatch.setattr(module, "open_clips", lambda: opened)
    monkeypatch.setenv("PHYSPROBE_CAPTIONS", str(tmp_path / "captions"))
    return tmp_path / "captions"


def describe(model: str, arguments: str = "") -> int:
    """Play the first run: caption every frame by its own name."""
    with session.evaluating(model, arguments):
        frames = captions.frames_to_caption(dataset(twins()))
        marked = [captions.mark_caption(frame, f"Seen: {frame['answer']}") for frame in frames]
        return int(captions.keep([m["captions_kept"] for m in marked]))


def captioned(model: str, arguments: str = "") -> list[dict[str, Any]]:
    with session.evaluating(model, arguments):
        return captions.captioned_questions(dataset(twins())).to_list()


def test_each_frame_is_asked_about_once_alone_and_without_a_label(folder: Path) -> None:
    with session.evaluating("model", ""):
        frames = captions.frames_to_caption(dataset(twins())).to_list()
    assert len({frame["question_id"] for frame in frames}) == len(frames) == 14
    (message,) = layout.messages(frames[3])
    assert [part["type"] for part in message["content"]] == ["image", "text"]
    assert message["content"][1]["text"] == captions.CAPTION_REQUEST


def test_captions_come_back_at_their_frames() -> None:
    assert describe("model", "a=1,b=2") == 14
    (first, _) = captioned("model", "b=2,a=1")  # the order of arguments says nothing
    assert first["captions"] == [f"Seen: Frame {k} of number_a_1_conserving." for k in range(7)]
    assert first["media"] == "captions"


@pytest.mark.parametrize("other", [("model", "a=2"), ("another", "a=1")])
def test_another_model_has_none_of_them(other: tuple[str, str]) -> None:
    describe("model", "a=1")
    with pytest.raises(UserError, match=r"14 of 14 frames .* --tasks conservation_caption_frames first"):
        captioned(*other)


def test_another_wording_or_clip_has_none_of_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    describe("model")
    with monkeypatch.context() as patch:
        patch.setattr(captions, "CAPTION_VERSION", "caption-2")
        with pytest.raises(UserError, match="14 of 14"):
            captioned("model")
    table = [{"video": {"bytes": name}} for name in (b"another", b"and another")]
    changed = captions.open_clips()
    monkeypatch.setattr(
        captions, "open_clips", lambda: type(changed)("x", table, changed.rows, changed.cache)
    )
    with pytest.raises(UserError, match="14 of 14"):
        captioned("model")


def test_a_later_run_adds_and_replaces(folder: Path) -> None:
    describe("model")
    with session.evaluating("model", ""):
        frame = captions.frames_to_caption(dataset(twins()))[2]
        captions.keep([captions.mark_caption(frame, "Seen\n again. ")["captions_kept"]])
    (first, _) = captioned("model")
    assert first["captions"][1:4] == [
        "Seen: Frame 1 of number_a_1_conserving.",
        "Seen again.",
        "Seen: Frame 3 of number_a_1_conserving.",
    ]
    (file,) = folder.iterdir()  # no temporary file stays
    content = json.loads(file.read_text())
    assert (content["model"], content["version"]) == ("model", captions.CAPTION_VERSION)


def test_thoughts_are_no_caption_and_empty_ones_are_counted() -> None:
    frame = {"question_id": "q", "caption_key": "k"}
    marked = captions.mark_caption(frame, "<think>hm</think> Two\n\nrows.")
    assert (marked["captions_kept"]["caption"], marked["captions_empty"]) == ("Two rows.", 0.0)
    assert captions.mark_caption(frame, "<think>hm")["captions_empty"] == 1.0


def test_a_folder_that_cannot_be_written_is_told_before_the_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write_text("a file is in the way")
    with (
        session.evaluating("model", ""),
        pytest.raises(UserError, match=r"can't write captions to .*captions"),
    ):
        captions.frames_to_caption(dataset(twins()))


def test_a_spoilt_file_is_named(folder: Path) -> None:
    describe("model")
    (file,) = folder.iterdir()
    file.write_text("{}")
    with pytest.raises(UserError, match=f"{file.name} holds no captions"):
        captioned("model")


def test_captions_need_a_known_model() -> None:
    with pytest.raises(UserError, match="can't tell which model"):
        captions.captioned_questions(dataset(twins()))
