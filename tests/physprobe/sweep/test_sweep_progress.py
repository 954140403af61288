from __future__ import annotations

import os
from pathlib import Path

from physprobe.harness.answers.store import Answer, AnswerStore
from physprobe.sweep.progress import AnswerCounter, Progress


def answer(store: AnswerStore, *numbers: int) -> None:
    for number in numbers:
        store.put(f"key {number}", Answer("A"), {})


def store(job: Path) -> AnswerStore:
    return AnswerStore(job / "answers" / "model", {})


def test_answers_are_counted_as_they_come(tmp_path: Path) -> None:
    counter = AnswerCounter(tmp_path, since=0)
    assert counter.look() is None
    kept = store(tmp_path)
    assert counter.look() is None
    kept.announce(0, 500, 120)
    assert counter.look() == Progress(120, 500)
    answer(kept, 1, 2, 3)
    assert counter.look() == Progress(123, 500)
    answer(kept, 4)
    assert counter.look() == Progress(124, 500)


def test_processes_add_up(tmp_path: Path) -> None:
    for rank, questions in enumerate((17, 16)):
        each = store(tmp_path)
        each.announce(rank, questions, 0)
        answer(each, rank)
    assert AnswerCounter(tmp_path, since=0).look() == Progress(2, 33)


def test_earlier_attempts_do_not_count(tmp_path: Path) -> None:
    earlier = store(tmp_path)
    earlier.announce(0, 500, 0)
    earlier.announce(1, 500, 0)
    answer(earlier, 1, 2)
    for path in (tmp_path / "answers" / "model").iterdir():
        os.utime(path, (1000, 1000))
    now = store(tmp_path)
    now.announce(0, 500, 2)
    answer(now, 3)
    assert AnswerCounter(tmp_path, since=2000).look() == Progress(3, 500)
