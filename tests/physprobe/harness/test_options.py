from __future__ import annotations

import pytest

from physprobe.errors import UserError
from physprobe.harness import options
from physprobe.harness.options import Options


def test_our_options_are_taken_out() -> None:
    argv = [
        "--model",
        "m",
        "--yes",
        "--requests_per_minute",
        "90",
        "--tasks=a",
        "--debug",
        "--batch_size",
        "1",
    ]
    found, others = options.read(argv)
    assert found == Options(debug=True, yes=True, requests_per_minute=90.0, given=tuple(argv))
    assert others == ["--model", "m", "--tasks=a", "--batch_size", "1"]
    assert options.read(["tasks", "list"]) == (Options(given=("tasks", "list")), ["tasks", "list"])


@pytest.mark.parametrize("value", ["0", "-3", "fast", "nan", "inf"])
def test_a_wrong_rate_is_refused(value: str) -> None:
    with pytest.raises(UserError, match="must be a number above 0, such as 500"):
        options.read([f"--requests_per_minute={value}"])
    with pytest.raises(UserError, match="expected one argument"):
        options.read(["--requests_per_minute"])


def test_options_hold_for_a_run() -> None:
    with options.using(Options(yes=True)):
        assert options.current().yes
    assert options.current() == Options()
