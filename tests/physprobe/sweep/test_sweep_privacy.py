from __future__ import annotations

import os

import pytest

from physprobe.sweep import privacy


def test_a_ray_of_our_own_takes_work_from_us_alone() -> None:
    first, second = (privacy.variables(None, {}) for _ in range(2))
    assert first["RAY_AUTH_MODE"] == "token"
    assert len(first["RAY_AUTH_TOKEN"]) == 64
    assert first["RAY_AUTH_TOKEN"] != second["RAY_AUTH_TOKEN"]
    assert first["RAY_USAGE_STATS_ENABLED"] == "0"


@pytest.mark.parametrize("address", [None, "host:6379"])
def test_what_the_user_says_of_authentication_stays(address: str | None) -> None:
    found = privacy.variables(address, {"RAY_AUTH_MODE": "disabled"})
    assert found.keys().isdisjoint({"RAY_AUTH_MODE", "RAY_AUTH_TOKEN"})


def test_a_cluster_is_shown_the_token_that_is_known() -> None:
    assert privacy.variables("host:6379", {"RAY_AUTH_TOKEN": "x"})["RAY_AUTH_MODE"] == "token"


def test_variables_are_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHYSPROBE_A", "before")
    monkeypatch.setenv("PHYSPROBE_B", "before")
    monkeypatch.delenv("PHYSPROBE_C", raising=False)
    with privacy.with_variables({"PHYSPROBE_A": "in", "PHYSPROBE_B": None, "PHYSPROBE_C": "in"}):
        found = [os.environ.get(f"PHYSPROBE_{name}") for name in "ABC"]
    assert found == ["in", None, "in"]
    assert [os.environ.get(f"PHYSPROBE_{name}") for name in "ABC"] == ["before", "before", None]
