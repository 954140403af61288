"""Numbers in sentences."""

from __future__ import annotations

import pandas as pd


def percent(share: float) -> str:
    """Word a share."""
    return "–" if pd.isna(share) else f"{100 * share:.1f}%"


def in_points(difference: float) -> str:
    """Word a difference of shares in points, with its sign."""
    return "–" if pd.isna(difference) else f"{100 * difference:+.1f}".replace("-", "−")


def signed(value: float) -> str:
    """Word a number that may be negative."""
    return "–" if pd.isna(value) else f"{value:.2f}".replace("-", "−")
