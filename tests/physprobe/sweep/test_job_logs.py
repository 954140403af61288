from __future__ import annotations

import io
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.sweep.logs import LogWriter, last_error


def written(*parts: str, secrets: tuple[str, ...] = (), seconds: list[float] | None = None) -> str:
    """What a log holds after some writes; the clock stands still unless told otherwise."""
    times = iter(seconds or [])
    file = io.BytesIO()
    writer = LogWriter(file, secrets, lambda: next(times, 0.0))
    for part in parts:
        writer.write(part)
    writer.close()
    return file.getvalue().decode()


@given(st.text(st.sampled_from("ab s\n"), max_size=60), st.lists(st.integers(0, 60), max_size=6))
def test_lines_are_kept_however_they_arrive(text: str, cuts: list[int]) -> None:
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    parts = [text[start:end] for start, end in pairwise(edges)]
    assert written(*parts) == (text if text.endswith("\n") or not text else text + "\n")


def test_a_secret_split_over_two_writes_is_masked() -> None:
    assert written("key=s3c", "ret-value\n", secrets=("s3cret-value",)) == "key=[REDACTED]\n"


def test_a_redrawn_bar_is_kept_now_and_then_and_at_its_end() -> None:
    bar = "\r  0%|", "\r 10%|", "\r 50%|", "\r100%|\n"
    assert written(*bar) == "  0%|\n100%|\n"
    assert written(*bar, seconds=[0, 0, 1, 31, 31]) == "  0%|\n 50%|\n100%|\n"


@pytest.mark.parametrize(
    ("log", "error"),
    [
        ("loading\nerror: unknown task 'x'\nexit\n", "unknown task 'x'"),
        (
            "ValueError: first\nTraceback:\n  File\nRuntimeError: CUDA out of memory\nbye\n",
            "RuntimeError: CUDA out of memory",
        ),
        ("error: the first real one\ntorch.distributed.elastic.ChildFailedError: \n", "the first real one"),
        ("[rank1]: torch.cuda.OutOfMemoryError: no\nlast\n", "[rank1]: torch.cuda.OutOfMemoryError: no"),
        ("one\ntwo\n\n", "two"),
        ("", ""),
    ],
)
def test_the_last_error_is_the_line_worth_showing(log: str, error: str) -> None:
    assert last_error(log.encode()) == error
