"""How long to wait before a failing server is asked again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.waiting import backoff, retry_after


@given(st.integers(0, 2000), st.floats(0.01, 10), st.floats(0.01, 100), st.text())
def test_waits_grow_up_to_the_cap_and_repeat(attempt: int, base: float, cap: float, key: str) -> None:
    wait = backoff(attempt, base, cap, key)
    nominal = min(base * 2 ** min(attempt, 60), cap)
    assert nominal / 2 <= wait <= nominal
    assert wait == backoff(attempt, base, cap, key)


def test_jitter_spreads_requests() -> None:
    waits = {backoff(0, 1.0, 60, f"request {k}") for k in range(100)}
    assert len(waits) == 100
    assert min(waits) < 0.55
    assert max(waits) > 0.95


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 30),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT", "date": "Wed, 21 Oct 2026 07:29:00 GMT"}, 0),
        ({"retry-after": "Wed, 21 Oct 1998 07:28:00 GMT"}, 0),
        ({}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e99"}, None),
        ({"retry-after": "Wed, 99 Oct 2026 07:28:00 GMT"}, None),
    ],
)
def test_reads_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@given(st.text(max_size=40), st.text(max_size=40))
def test_headers_never_raise(value: str, date: str) -> None:
    seconds = retry_after({"retry-after": value, "date": date})
    assert seconds is None or seconds >= 0
