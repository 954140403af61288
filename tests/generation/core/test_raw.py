from __future__ import annotations

from pathlib import Path

import pytest

from generation.core.raw import RawFolder, RawManifest, writing
from physprobe.errors import UserError
from tests.support.fake_items import MANIFEST, tree


def _finish(root: Path, key: str, text: str = "x") -> None:
    with writing(root, MANIFEST) as raw:
        folder = raw.begin(key)
        (folder / "data.txt").write_text(text)
        raw.commit(key, folder)


def test_a_finished_run_holds_the_manifest_and_the_items_alone(tmp_path: Path) -> None:
    _finish(tmp_path / "deep" / "raw", "b")
    assert tree(tmp_path / "deep" / "raw") == {
        "raw.json": b'{"benchmark":"fake","format_version":1,"preset":"tiny","seed":0}\n',
        "items": None,
        "items/b": None,
        "items/b/data.txt": b"x",
        "items/b/.complete": b"",
    }


def test_reading_lists_finished_items_by_key(tmp_path: Path) -> None:
    for key in ("b", "a", "c"):
        _finish(tmp_path, key)
    (tmp_path / "items" / "b" / ".complete").unlink()
    raw = RawFolder.open(tmp_path)
    assert raw.manifest == MANIFEST
    assert [item.name for item in raw.items()] == ["a", "c"]
    assert raw.is_complete("a")
    assert not raw.is_complete("b")
    assert raw.size_bytes() == 2


def test_what_a_killed_run_left_is_discarded(tmp_path: Path) -> None:
    _finish(tmp_path, "a")
    before = tree(tmp_path)
    (tmp_path / ".tmp" / "b.7").mkdir(parents=True)
    (tmp_path / ".tmp" / "b.7" / "half.mp4").write_bytes(b"half")
    (tmp_path / "items" / "c").mkdir()
    (tmp_path / "items" / "c" / "whole.mp4").write_bytes(b"whole, but not marked")
    with writing(tmp_path, MANIFEST):
        assert tree(tmp_path) == before
    assert tree(tmp_path) == before


def test_scratch_is_removed_when_the_run_fails(tmp_path: Path) -> None:
    def fail() -> None:
        with writing(tmp_path, MANIFEST) as raw:
            (raw.begin("a") / "half").write_bytes(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert set(tree(tmp_path)) == {"raw.json"}


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"preset": "full"}, {"benchmark": "other"}, {"format_version": 2}]
)
def test_another_run_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    _finish(tmp_path, "a")
    before = tree(tmp_path)
    other = MANIFEST.model_copy(update=change)
    with (
        pytest.raises(UserError, match=r"holds fake, preset tiny, seed 0.*choose another --out"),
        writing(tmp_path, other),
    ):
        pytest.fail("entered")
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"thesis.tex": b"years of work"}, "not empty and has no valid raw.json"),
        ({".hidden": b""}, "not empty and has no valid raw.json"),
        ({"raw.json": b"", "thesis.tex": b"years of work"}, "not empty and has no valid raw.json"),
        ({"raw.json": b"{}"}, "not a raw folder's manifest"),
        ({"raw.json": b"\xff\x00 not JSON"}, "not a raw folder's manifest"),
        ({"raw.json": b'{"benchmark":"fake"'}, "not a raw folder's manifest"),
    ],
)
def test_foreign_folders_are_refused_untouched(tmp_path: Path, files: dict[str, bytes], message: str) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=message), writing(tmp_path, MANIFEST):
        pytest.fail("entered")
    assert tree(tmp_path) == files


def test_a_file_or_an_unwritable_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UserError, match="is a file"), writing(tmp_path / "file", MANIFEST):
        pytest.fail("entered")
    with pytest.raises(UserError, match="can't write to"), writing(tmp_path / "file" / "below", MANIFEST):
        pytest.fail("entered")
    assert tree(tmp_path) == {"file": b"mine"}


def test_killed_before_the_manifest_was_written(tmp_path: Path) -> None:
    (tmp_path / "raw.json").touch()
    _finish(tmp_path, "a")
    assert RawFolder.open(tmp_path).is_complete("a")


def test_two_runs_on_one_folder_are_refused(tmp_path: Path) -> None:
    with writing(tmp_path, MANIFEST) as raw:
        folder = raw.begin("a")
        with pytest.raises(UserError, match="another run is writing"), writing(tmp_path, MANIFEST):
            pytest.fail("entered")
        assert folder.is_dir()
    with writing(tmp_path, MANIFEST):
        pass


def test_opening_something_else_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="python -m generation"):
        RawFolder.open(tmp_path)
    with pytest.raises(UserError, match="python -m generation"):
        RawFolder.open(tmp_path / "absent")
    newer = RawManifest(format_version=99, benchmark="fake", preset="tiny", seed=0)
    (tmp_path / "raw.json").write_text(newer.model_dump_json())
    with pytest.raises(UserError, match="format 99"):
        RawFolder.open(tmp_path)


@pytest.mark.parametrize("key", ["", ".", "..", "../up", "a/b", ".hidden", "sp ace"])
def test_keys_that_are_no_plain_names_are_bugs(tmp_path: Path, key: str) -> None:
    with writing(tmp_path, MANIFEST) as raw, pytest.raises(ValueError, match="plain name"):
        raw.begin(key)
