"""What the benchmark of the harness makes of its measurements."""

from __future__ import annotations

from benchmarks.harness import FULL, Outcome, milliseconds_to_keep, rows


def test_a_whole_run_is_extrapolated_and_held_against_the_targets() -> None:
    ours = Outcome(first=4, last=5, clock=9, questions=100, peak_mb=900)
    stock = Outcome(first=12, last=14, clock=20, questions=100, peak_mb=4500)
    assert ours.whole == (4 + FULL * 0.01) / 60
    found = list(rows(ours, stock, 0.3))
    assert found[0][1:] == ("4.00", "12.00", "3.00", "6 (met)")
    assert found[2][3:] == ("5.00", "3000 (met)")
    assert found[3][-1] == "0.2 (MISSED)"


def test_keeping_an_answer_takes_time() -> None:
    assert 0 < milliseconds_to_keep(200) < 20
