from __future__ import annotations

import json
from pathlib import Path

import pytest

from physprobe.errors import UserError
from physprobe.harness.answers.store import Answer, AnswerStore


def test_answers_are_there_for_the_next_process(tmp_path: Path) -> None:
    store = AnswerStore(tmp_path / "m", {"model": "m"})
    store.put("k", Answer("two\nlines ♁ \ud800", {"output_tokens": 3}), {"task": "t"})
    later = AnswerStore(tmp_path / "m", {"model": "m"})  # the first one is still open
    assert later.get("k") == Answer("two\nlines ♁ \ud800", {"output_tokens": 3})
    assert later.get("other") is None
    assert len(later) == 1
    assert json.loads((tmp_path / "m" / "model.json").read_text()) == {"model": "m"}


def test_processes_share_no_file(tmp_path: Path) -> None:
    stores = [AnswerStore(tmp_path, {}) for _ in range(3)]
    for k, store in enumerate(stores):
        store.put(str(k), Answer(str(k)), {})
    assert len(list(tmp_path.glob("*.jsonl"))) == 3
    assert len(AnswerStore(tmp_path, {})) == 3


@pytest.mark.parametrize("cut", [b'{"key": "b", "te', b'{"key": "b"}\n', b"\xff\xfe\n", b"[1]\n", b"1\n"])
def test_half_a_line_is_passed_over(tmp_path: Path, cut: bytes) -> None:
    (tmp_path / "old.jsonl").write_bytes(b'{"key": "a", "text": "A"}\n' + cut)
    assert len(AnswerStore(tmp_path, {})) == 1


def test_a_reader_without_answers_leaves_no_file(tmp_path: Path) -> None:
    AnswerStore(tmp_path, {}).close()
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def test_a_folder_that_can_t_be_written_is_bad_use(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="name another folder with --use_cache"):
        AnswerStore(tmp_path / "file" / "m", {})
