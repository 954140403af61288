from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.errors import UserError
from physprobe.judging.cache import CacheKey, Reply, ReplyCache

KEY = CacheKey("judge", "org/model", "r1", "match-1", "ab" * 32, 64)


def only_file(folder: Path) -> Path:
    (path,) = (path for path in folder.rglob("*") if path.is_file())
    return path


def test_keeps_replies(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "new" / "cache")
    assert cache.get(KEY) is None
    assert not (tmp_path / "new").exists()
    cache.put(KEY, Reply("B", "stop"))
    assert ReplyCache(tmp_path / "new" / "cache").get(KEY) == Reply("B", "stop")
    cache.put(KEY, Reply("C", "length"))
    assert cache.get(KEY) == Reply("C", "length")
    assert only_file(tmp_path).suffix == ".json"


@pytest.mark.parametrize("name", [field.name for field in fields(CacheKey)])
def test_every_part_of_the_key_counts(tmp_path: Path, name: str) -> None:
    cache = ReplyCache(tmp_path)
    cache.put(KEY, Reply("B"))
    value = getattr(KEY, name)
    other = replace(KEY, **{name: value + 1 if isinstance(value, int) else value + "x"})
    assert other.digest != KEY.digest
    assert cache.get(other) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-20]),
        lambda path: path.write_bytes(b"\xff\xfe\x00"),
        lambda path: path.write_text("[" * 100_000),
        lambda path: path.write_text("null"),
        lambda path: path.write_text("{}"),
        lambda path: path.write_text('{"reply": 3}'),
        lambda path: path.write_text(path.read_text().replace('"B"', '"C"')),
        lambda path: path.write_text(path.read_text().replace('"B"', "7")),
        lambda path: path.write_text(path.read_text().replace('"format": 1', '"format": 2')),
        lambda path: path.write_text(path.read_text().replace("org/model", "org/other")),
        lambda path: (path.unlink(), path.mkdir()),
    ],
)
def test_damaged_entries_are_as_good_as_none(tmp_path: Path, damage) -> None:
    cache = ReplyCache(tmp_path)
    cache.put(KEY, Reply("B"))
    damage(only_file(tmp_path))
    assert cache.get(KEY) is None


def test_a_damaged_entry_is_replaced(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path)
    cache.put(KEY, Reply("B"))
    only_file(tmp_path).write_text("{")
    cache.put(KEY, Reply("A"))
    assert cache.get(KEY) == Reply("A")


@given(text=st.text(), finish=st.text())
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, text: str, finish: str) -> None:
    cache = ReplyCache(tmp_path_factory.getbasetemp() / "any")
    cache.put(KEY, Reply(text, finish))
    assert cache.get(KEY) == Reply(text, finish)


def test_holds_no_prompt(tmp_path: Path) -> None:
    ReplyCache(tmp_path).put(KEY, Reply("B"))
    entry = json.loads(only_file(tmp_path).read_text())
    assert set(entry) == {"format", "key", "reply", "sha256"}
    assert set(entry["key"]) == {field.name for field in fields(CacheKey)}


def test_a_folder_that_cannot_be_written_is_told_once(tmp_path: Path, caplog) -> None:
    cache = ReplyCache(tmp_path / "cache")
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / KEY.digest[:2]).write_text("in the way")
    cache.put(KEY, Reply("B"))
    cache.put(KEY, Reply("B"))
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert cache.get(KEY) is None


def test_a_file_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="no folder"):
        ReplyCache(tmp_path / "file")


_WRITER = """
import sys
from dataclasses import replace
from pathlib import Path
from physprobe.judging.cache import CacheKey, Reply, ReplyCache
cache, me = ReplyCache(Path(sys.argv[1])), sys.argv[2]
for n in range(300):
    key = CacheKey("judge", "org/model", "r1", "match-1", f"{n % 5:064}", 64)
    cache.put(key, Reply(me * 2000))
    seen = cache.get(key)
    assert seen and len(set(seen.text)) == 1 and len(seen.text) == 2000, seen
"""


def test_several_processes_never_see_half_a_reply(tmp_path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path), me]) for me in "xyz"]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0]
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 5
