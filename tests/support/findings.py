"""Reads what ``physprobe analyse ... --json`` prints."""

from __future__ import annotations

import importlib
import json
from typing import Any


def checked_findings(printed: str) -> dict[str, Any]:
    """Return what was printed; each finding names a function that exists, and has rows, all with n."""
    found: dict[str, Any] = json.loads(printed)
    assert found["findings"]
    for finding in found["findings"]:
        module, _, function = finding["function"].rpartition(".")
        assert callable(getattr(importlib.import_module(module), function))
        assert finding["rows"]
        assert all("n" in row for row in finding["rows"])
    return found
