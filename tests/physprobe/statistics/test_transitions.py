from __future__ import annotations

import numpy as np
import pytest

from physprobe.statistics.calibration import signed_log_ratio
from physprobe.statistics.transitions import transition_table


def crossed() -> list[tuple[str, str, str, str]]:
    """Truth, standard, control, pair."""
    return [
        ("same", "same", "same", "p1"),
        ("same", "same", "moved_more", "p2"),
        ("same", "moved_more", "same", "p3"),
        ("moved_more", "moved_more", "same", "p1"),
        ("moved_more", "moved_more", "same", "p2"),
        ("moved_more", "same", "unread", "p3"),
    ]


def test_counts_and_shares_by_truth():
    table = transition_table(*zip(*crossed(), strict=True), resamples=200)
    rows = table.set_index(["truth", "standard", "control"])
    by_truth = rows.loc[("same", "any", "same")]
    assert (by_truth["count"], by_truth["n"], by_truth["share"]) == (2, 3, pytest.approx(2 / 3))
    kept = rows.loc[("same", "same", "same")]
    assert (kept["count"], kept["n"], kept["share"]) == (1, 2, 0.5)
    switched = rows.loc[("moved_more", "moved_more", "same")]
    assert (switched["count"], switched["n"], switched["share"]) == (2, 2, 1)
    assert (switched["low"], switched["high"]) == (1, 1)


def test_shares_of_each_row_add_up_and_any_is_the_sum():
    rng = np.random.default_rng(0)
    labels = ["same", "moved_more", "moved_less", "unread"]
    columns = [rng.choice(labels, 500) for _ in range(3)]
    table = transition_table(*columns, [f"p{k % 40}" for k in range(500)], resamples=100)
    assert table.groupby(["truth", "standard"])["share"].sum().to_numpy() == pytest.approx(1)
    whole = table[table["standard"] == "any"].groupby("truth")["count"].sum()
    parts = table[table["standard"] != "any"].groupby("truth")["count"].sum()
    assert whole.equals(parts)
    assert ((table["low"] <= table["share"]) & (table["share"] <= table["high"])).all()


def test_more_correlated_pairs_make_wider_intervals():
    """The same answers, once spread over 400 pairs and once 10 to a pair with one mind."""
    rng = np.random.default_rng(1)
    control = np.repeat(rng.choice(["same", "moved_more"], 40), 10)
    truth = ["same"] * 400
    together = transition_table(truth, truth, control, [f"p{k // 10}" for k in range(400)])
    apart = transition_table(truth, truth, control, [f"p{k}" for k in range(400)])
    widths = [float((t["high"] - t["low"]).iloc[0]) for t in (together, apart)]
    assert widths[0] == pytest.approx(np.sqrt(10) * widths[1], rel=0.1)


def test_bias_by_hand():
    found = signed_log_ratio([2, 2, 0.5, np.nan, -1, 0], [1, 1, 1, 1, 1, 1], list("abcdef"), resamples=500)
    assert found.log_ratio == pytest.approx(np.log10(2) / 3)
    assert found.factor == pytest.approx(2 ** (1 / 3))
    assert (found.n, found.excluded) == (3, 3)
    assert found.share_over == pytest.approx(2 / 3)
    assert found.low < found.log_ratio < found.high


def test_bias_is_recovered():
    rng = np.random.default_rng(2)
    true = 10 ** rng.uniform(-1, 2, 2000)
    given = 1.5 * true * 10 ** rng.normal(0, 0.3, 2000)
    found = signed_log_ratio(given, true, [f"v{k % 400}" for k in range(2000)], resamples=1000)
    assert found.low <= np.log10(1.5) <= found.high
    assert found.spread == pytest.approx(0.3, abs=0.02)


def test_negative_truths_and_nothing_to_count():
    assert signed_log_ratio([-2], [-1], ["a"]).factor == pytest.approx(2)
    nothing = signed_log_ratio([np.nan], [1], ["a"])
    assert (nothing.n, nothing.excluded) == (0, 1)
    assert np.isnan(nothing.log_ratio)
    with pytest.raises(ValueError, match="1 predictions, 2 truths"):
        signed_log_ratio([1], [1, 2], ["a"])
