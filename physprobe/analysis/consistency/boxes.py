"""How well the affected region is found: how the box IoU is spread (section 6)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from physprobe.analysis.consistency.tallies import parts, suites_of
from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.statistics.bootstrap import cluster_bootstrap, cluster_sums

# Shares of boxes whose IoU lies in a range: lower bound excluded, upper one included; the first is exactly 0.
EDGES: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
BINS: tuple[str, ...] = ("zero", *(f"to_{round(100 * edge)}" for edge in EDGES[1:]))


def boxes(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Show how the IoU of boxes with the true ones is spread over violated images.

    Args:
        frame: of Answers.

    Returns:
        One finding: model, suite, n (violated images), iou (mean) with low and high, median, and the share in
        each of BINS; they add up to 1.

    Raises:
        UserError: the frame is empty.
    """
    suites_of(frame)
    rows = []
    for (model, suite), part in parts(frame[frame["iou"].notna()]):
        iou = part["iou"].to_numpy(dtype=np.float64)
        _, sums = cluster_sums(
            part["family_id"].astype(str).tolist(), np.column_stack([iou, np.ones(len(iou))])
        )
        found = cluster_bootstrap(sums, resamples=resamples, seed=seed)
        value, low, high = (float(each[0]) for each in found)
        rows.append(
            {
                **{
                    "model": model,
                    "suite": suite,
                    "n": len(iou),
                    "iou": value,
                    "iou_low": low,
                    "iou_high": high,
                },
                "median": float(np.median(iou)),
                **dict(zip(BINS, _shares(iou), strict=True)),
            }
        )
    return (
        Finding(
            "Box IoU over violated images",
            pd.DataFrame(rows),
            "violated images",
            bootstrap_over("scene families", resamples),
            made_by(boxes),
            (
                "shares by IoU: zero (boxes that miss or can't be read), to_25 (above 0 to 0.25), and so on",
                "the true box encloses what the construction changed, not all that shows the fault",
            ),
        ),
    )


def _shares(iou: np.ndarray) -> list[float]:
    """Return the share in each of BINS."""
    places = np.searchsorted(EDGES, iou, side="left")
    return (np.bincount(places, minlength=len(BINS)) / len(iou)).tolist()
