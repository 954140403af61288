from __future__ import annotations

import pytest

from physprobe.judging.retries import Breaker, Failure


@pytest.mark.parametrize(
    ("status", "transient", "hopeless"),
    [
        (None, True, False),
        (429, True, False),
        (500, True, False),
        (503, True, False),
        (400, False, False),
        (302, False, False),
        (401, False, True),
        (404, False, True),
    ],
)
def test_kinds_of_failure(status: int | None, transient: bool, hopeless: bool) -> None:
    failure = Failure("http_status" if status else "timeout", str(status), status)
    assert (failure.transient, failure.hopeless) == (transient, hopeless)


def test_breaker_opens_after_failures_in_a_row_only() -> None:
    breaker, failure = Breaker(3), Failure("timeout", "1 s")
    for result in (failure, failure, None, failure, failure):
        breaker.record(result)
    assert not breaker.open
    breaker.record(failure)
    assert breaker.open
    breaker.record(None)
    assert breaker.cause is failure


def test_breaker_opens_at_once_when_hopeless() -> None:
    breaker = Breaker(100)
    breaker.record(Failure("http_status", "401", 401))
    assert breaker.open
