from __future__ import annotations

import pytest

from physprobe.errors import UserError
from physprobe.harness import media


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", 512 * 2**20),
        ("0", 0),
        ("4096", 4096),
        ("64MB", 64 * 2**20),
        ("2 GiB", 2**31),
        ("1.5g", 3 * 2**29),
        ("10 kb", 10240),
    ],
)
def test_sizes(value: str, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(media.VARIABLE, value)
    assert media.cache_bytes() == expected


@pytest.mark.parametrize("value", ["much", "-1", "5TB", "1..5M", "GB"])
def test_no_size(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(media.VARIABLE, value)
    with pytest.raises(UserError, match='is no size: write for example "512MB"'):
        media.cache_bytes()


def test_without_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(media.VARIABLE, raising=False)
    assert media.cache_bytes() == 512 * 2**20
