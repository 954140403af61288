from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.canonical import canonical_json

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers()
DATA = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(DATA)
def test_reads_back_the_same(data: object) -> None:
    text = canonical_json(data)
    assert json.loads(text) == data
    assert text.endswith("\n")
    assert text.count("\n") == 1


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_order_of_keys_does_not_matter(data: dict[str, int]) -> None:
    assert canonical_json(dict(reversed(data.items()))) == canonical_json(data)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_refuses_what_json_cannot_say(value: float) -> None:
    with pytest.raises(ValueError):
        canonical_json({"x": value})
