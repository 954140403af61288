"""Questions on the same frames are asked one after the other, in one process."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lmms_eval import utils

from physprobe.harness import catalog
from physprobe.harness.answers.resuming import resuming
from physprobe.harness.answers.store import NoStore
from physprobe.harness.grouping import dealing_by_frames, grouped, shown_by
from tests.support.stub_model import TASK, StubModel, request

STYLES, COUNTS, CLIPS = ("direct", "sequential", "cot", "continuous"), (3, 7), 6

# As the builder orders them: by clip, then by style, then by number of frames.
ROWS = [
    {
        "question_id": f"{clip}_{style}_{count}",
        "video_id": str(clip),
        "media": "frames",
        "frame_indices": list(range(count)),
    }
    for clip in range(CLIPS)
    for style in STYLES
    for count in COUNTS
]


def share_of_same(asked: list[int]) -> float:
    """The share of requests whose images are those of the request before."""
    same = sum(shown_by(ROWS[a]) == shown_by(ROWS[b]) for a, b in pairwise(asked))
    return same / len(asked)


def stock(processes: int) -> list[list[int]]:
    docs = list(enumerate(ROWS))
    return [[k for k, _ in utils.create_iterator(docs, rank, processes)] for rank in range(processes)]


def ours(processes: int, folder: Path) -> list[list[int]]:
    """What a counting model of each process is asked, in order."""
    docs, asked = list(enumerate(ROWS)), []
    with dealing_by_frames(utils):
        for rank in range(processes):
            model = StubModel(folder / f"{processes}.{rank}", ROWS)
            requests = [request(k) for k, _ in utils.create_iterator(docs, rank, processes)]
            with resuming(model, NoStore(), {TASK: "1.0"}):
                answers = model.generate_until(requests)
            assert [a.text for a in answers] == [f"answer {r.doc_id} ♁" for r in requests]  # in their order
            asked.append(model.asked())
    return asked


@pytest.mark.parametrize("processes", [1, 2, 3, 8])
def test_most_requests_show_what_the_one_before_showed(
    processes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = SimpleNamespace(identity=lambda row: [row["question_id"]])
    monkeypatch.setattr(catalog, "benchmark_module", lambda task: module)
    asked = ours(processes, tmp_path)
    assert sorted(k for each in asked for k in each) == list(range(len(ROWS)))
    assert max(map(len, asked)) - min(map(len, asked)) <= len(STYLES)
    # All but the first of each group of four.
    assert all(share_of_same(each) == 1 - 1 / len(STYLES) for each in asked if each)
    # The numbers of frames alternate in the data set; two processes happen to get one of them each.
    assert max(map(share_of_same, stock(processes))) == (0.75 if processes == 2 else 0.0)


def test_clips_stay_together_too() -> None:
    rows = [ROWS[k] for k in (0, 8, 1, 9, 2)]  # two clips, with 3, 3, 7, 7 and again 3 frames
    assert grouped({k: shown_by(row) for k, row in enumerate(rows)}) == [0, 4, 2, 1, 3]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2)), max_size=20), st.integers(1, 5))
def test_each_question_goes_to_one_process(clips: list[tuple[str, int]], processes: int) -> None:
    docs = [(k, {"video_id": clip, "frame_indices": [n]}) for k, (clip, n) in enumerate(clips)]
    with dealing_by_frames(utils):
        shares = [list(utils.create_iterator(docs, rank, processes)) for rank in range(processes)]
        limited = [k for r in range(processes) for k, _ in utils.create_iterator(docs, r, processes, 3, 1)]
    assert sorted(item[0] for share in shares for item in share) == list(range(len(docs)))
    homes = [(shown_by(row), rank) for rank, share in enumerate(shares) for _, row in share]
    assert len(dict(homes)) == len(set(homes))
    assert sorted(limited) == [k for k in (1, 2, 3) if k < len(docs)]


def test_questions_without_a_clip_are_dealt_one_by_one() -> None:
    docs = [(k, {"question_id": str(k)}) for k in range(5)]
    with dealing_by_frames(utils):
        assert [k for k, _ in utils.create_iterator(docs, 1, 2)] == [1, 3]
