from __future__ import annotations

from pathlib import Path

import pytest

from physprobe.harness.conservation import layout, modality
from tests.support.conservation_rows import clips, dataset, twins

ROWS = [
    r
    for pair in ("number_a_1", "number_a_2", "size_red_1")
    for style in ("direct", "cot")
    for count in (3, 7)
    for r in twins(
        pair,
        style=style,
        frame_count=count,
        frame_indices=[*range(count)],
        question_id=f"{pair}{style}{count}",
    )
]


@pytest.fixture(scope="module")
def checks() -> list[dict]:
    return modality.modality_questions(dataset(ROWS)).to_list()


def test_the_first_clip_of_each_domain_is_shown_in_each_count_white_and_not_at_all(
    checks: list[dict],
) -> None:
    assert [(c["video_id"], c["media"], c["count"]) for c in checks] == [
        (video, media, count)
        for video in ("number_a_1_conserving", "size_red_1_conserving")
        for media, count in (("frames", 3), ("frames", 7), ("white", 7), ("nothing", 0))
    ]
    assert len({c["question_id"] for c in checks}) == len(checks)


def test_what_is_shown_is_what_is_counted_and_no_label_tells(
    checks: list[dict], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = clips(tmp_path, *{c["video_id"] for c in checks})
    monkeypatch.setattr(layout, "open_clips", lambda: opened)
    for check in checks:
        (message,) = layout.messages(check)
        kinds = [part["type"] for part in message["content"]]
        assert kinds == ["image"] * check["count"] + ["text"]


def test_counts_are_scored_and_samples_say_what_was_said(checks: list[dict]) -> None:
    marked = [modality.mark_modality(checks[0], answer) for answer in ("Images: 3", "Images: 4", "Coins.")]
    assert [m["count_unread"] for m in marked] == [0.0, 0.0, 1.0]
    items = [m["count_correct"] for m in marked]
    assert [(i["count"], i["said"], i["correct"]) for i in items] == [
        (3, 3, True),
        (3, 4, False),
        (3, None, False),
    ]
    assert modality.share_correct(items) == pytest.approx(1 / 3)
    assert modality.mean([m["count_unread"] for m in marked]) == pytest.approx(1 / 3)
    assert all(modality.mark_modality(c, c["answer"])["count_correct"]["correct"] for c in checks)
