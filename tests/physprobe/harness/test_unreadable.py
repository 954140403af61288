from __future__ import annotations

import pytest

from physprobe.errors import UserError
from physprobe.harness.unreadable import DEFAULT, VARIABLE, threshold, unreadable


def test_a_model_is_flagged_above_the_threshold_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert unreadable([True, False]) == {"threshold": DEFAULT, "rate": 0.5, "flagged": False}
    assert unreadable([True, True, False])["flagged"]
    monkeypatch.setenv(VARIABLE, "0.2")
    assert unreadable([True, False]) == {"threshold": 0.2, "rate": 0.5, "flagged": True}
    assert not unreadable([True, False], 0.7)["flagged"]
    assert not unreadable([True], 1.0)["flagged"]


@pytest.mark.parametrize("value", ["-0.1", "1.1", "half", "nan", "20%"])
def test_the_threshold_is_a_share(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(UserError, match=r"must be a share from 0 to 1, such as 0\.2"):
        threshold()
