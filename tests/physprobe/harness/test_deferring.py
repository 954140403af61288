"""Stand-ins for modules that take long to import."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from pathlib import Path

import pytest

from physprobe.harness.deferring import defer

NAME = "slow_module_of_a_test"


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f"{NAME}.py").write_text(
        "import os\nos.environ['IMPORTED'] = '1'\n__version__ = '3'\nvalue = 5\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("IMPORTED", raising=False)
    monkeypatch.delitem(sys.modules, NAME, raising=False)


def imported() -> bool:
    import os

    return "IMPORTED" in os.environ


def test_a_module_is_imported_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    defer(NAME)
    stand_in = __import__(NAME)
    for found in list(sys.modules.values()):  # as inspect does
        hasattr(found, "__file__")
    inspect.getmodule(test_a_module_is_imported_when_it_is_used)
    assert importlib.util.find_spec(NAME) is not None
    assert not imported()
    assert stand_in.value == 5
    assert imported()
    assert sys.modules[NAME] is not stand_in
    assert (stand_in.value, sys.modules[NAME].value) == (5, 5)
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        _ = stand_in.other


def test_its_version_is_a_use() -> None:
    defer(NAME)
    assert __import__(NAME).__version__ == "3"


def test_nothing_stands_in_for_what_is_imported_or_absent() -> None:
    before = sys.modules["json"] = __import__("json")
    defer("json", "no_such_module_at_all")
    assert sys.modules["json"] is before
    assert "no_such_module_at_all" not in sys.modules
