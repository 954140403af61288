from __future__ import annotations

from pathlib import Path

import pytest

from physprobe.errors import UserError
from physprobe.files import cache_folder, whole_folder, write_whole


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"VARIABLE": "/place", "XDG_CACHE_HOME": "/cache"}, Path("/place")),
        ({"VARIABLE": "", "XDG_CACHE_HOME": "/cache"}, Path("/cache/physprobe/things")),
        ({"XDG_CACHE_HOME": "relative"}, Path.home() / ".cache/physprobe/things"),
        ({}, Path.home() / ".cache/physprobe/things"),
    ],
)
def test_the_variable_comes_first_then_the_users_cache(environment: dict[str, str], expected: Path) -> None:
    assert cache_folder("VARIABLE", "things", environment) == expected


def test_a_file_is_replaced_whole_and_readable_by_all(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    for text in ("old and long", "new \ud800"):
        write_whole(path, text)
    assert path.read_text(encoding="utf-8") == "new ?"
    assert path.stat().st_mode & 0o777 == 0o644
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "taken"
    (folder / "inside").mkdir(parents=True)
    with pytest.raises(OSError):
        write_whole(folder, "text")
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_appears_whole_and_replaces_its_like_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for text in ("old", "new"):
        with whole_folder(out, mark="made.txt") as folder:
            (folder / "made.txt").write_text(text)
            assert folder != out
    with pytest.raises(RuntimeError), whole_folder(out, mark="made.txt"):
        raise RuntimeError
    assert (out / "made.txt").read_text() == "new"
    with pytest.raises(UserError, match="is not empty"), whole_folder(out, mark="other.txt"):
        raise AssertionError("unreachable")
    assert list(tmp_path.iterdir()) == [out]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="file/out can't be made"), whole_folder(tmp_path / "file" / "out"):
        pass
