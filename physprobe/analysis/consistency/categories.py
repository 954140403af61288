"""Which violations are found, and by which construction (section 6, Table 5 and Figure 3)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from physprobe.analysis.consistency.tallies import parts, suites_of, tally
from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.consistency.breakdown import CATEGORY_SCORES, category_estimates
from physprobe.consistency.classification import confusion
from physprobe.consistency.metrics import Item
from physprobe.consistency.vocabulary import CATEGORIES, LABELS
from physprobe.errors import UserError
from physprobe.statistics.bootstrap import resample_totals

_NOTES = (
    "of the category against all others: recall and f1; detected is the share called violated, whatever the "
    "category (of clean images: called consistent)",
)


def categories(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Score each category on each suite.

    Args:
        frame: of Answers.

    Returns:
        One finding: model, suite, category, n (images), and recall, f1, detected and iou with low and high.

    Raises:
        UserError: the frame is empty.
    """
    suites_of(frame)
    rows = []
    for (model, suite), part in parts(frame):
        tally(part)  # refuses two answers to one question
        items = items_of(part)
        for label in LABELS:
            found = category_estimates(items, label, resamples=resamples, seed=seed)
            if found["recall"].n:
                cells = {
                    f"{name.removesuffix('_mean')}{suffix}": value
                    for name in CATEGORY_SCORES
                    for suffix, value in (
                        ("", found[name].value), ("_low", found[name].low), ("_high", found[name].high),
                    )
                }  # fmt: skip
                levels = {"model": model, "suite": suite, "category": label, "n": found["recall"].n}
                rows.append({**levels, **cells})
    return (
        Finding(
            "Scores of each category",
            pd.DataFrame(rows),
            "images of the category",
            bootstrap_over("scene families", resamples),
            made_by(categories),
            _NOTES,
        ),
    )


def mechanisms(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Compare the two constructions of each violation: is it found however it is made?

    Mechanism A is that of the standard suite, whose appearance mechanism B's suite shares; the appearance
    suite is left out, for there something else differs too.

    Args:
        frame: of Answers.

    Returns:
        One finding: model, category, recall_a, recall_b and their difference (a - b) in points with low and
        high, iou_a, iou_b, n (images of both).

    Raises:
        UserError: no model was asked about both.
    """
    chosen = frame[frame["suite"] != "appearance"]
    rows = [
        {"model": model, "category": label, **found}
        for (model,), part in parts(chosen, ("model",))
        for label in CATEGORIES
        if (found := _contrast(part[part["category"] == label], resamples, seed))
    ]
    if not rows:
        raise UserError(
            "no model was asked about both mechanisms: evaluate --tasks physical_consistency, --log_samples"
        )
    return (
        Finding(
            "Each violation by two mechanisms",
            pd.DataFrame(rows),
            "images of the category, of both mechanisms",
            f"{bootstrap_over('scene families', resamples)}, each mechanism by itself",
            made_by(mechanisms),
            ("recall: share named rightly; difference: recall_a - recall_b in points",),
        ),
    )


def confusions(frame: pd.DataFrame) -> tuple[Finding, ...]:
    """Count what was said of each label: one table for each model and suite.

    Args:
        frame: of Answers.

    Returns:
        Findings: truth, n (images), and a column for each label and for "unread".

    Raises:
        UserError: the frame is empty.
    """
    suites_of(frame)
    return tuple(
        Finding(
            f"Confusion of {model}, {suite} suite",
            confusion_table(part),
            "images",
            "none",
            made_by(confusions),
            ("rows: the truth; columns: what was said",),
        )
        for (model, suite), part in parts(frame)
    )


def confusion_table(part: pd.DataFrame) -> pd.DataFrame:
    """Return the counts of one model in one suite: truth, n, a column for each label and for "unread"."""
    said = part["predicted"].astype(object)
    counts = confusion(part["category"].astype(str).tolist(), said.where(said.notna(), None).tolist(), LABELS)
    table = counts.reset_index(names="truth")
    table.insert(1, "n", counts.sum(axis=1).to_numpy())
    return table[table["n"] > 0].reset_index(drop=True)


def items_of(part: pd.DataFrame) -> list[Item]:
    """Return the answers of one model as the metrics take them."""
    columns = ("family_id", "category", "predicted", "says_consistent", "iou", "invalid")
    return [
        Item(
            str(family),
            str(category),
            None if pd.isna(said) else str(said),
            None if pd.isna(says) else bool(says),
            float(iou),
            bool(invalid),
        )
        for family, category, said, says, iou, invalid in zip(
            *(part[name].astype(object) for name in columns), strict=True
        )
    ]


def _contrast(part: pd.DataFrame, resamples: int, seed: int) -> dict[str, float]:
    """Compare recall of one category by mechanism; images of one mechanism are of families of their own."""
    found: dict[str, float] = {}
    drawn = []
    for number, name in enumerate(("A", "B")):
        here = part[part["mechanism"] == name]
        if here.empty:
            return {}
        right = here["correct"].to_numpy(dtype=np.float64)
        totals = resample_totals(np.column_stack([right, np.ones(len(right))]), resamples, seed=seed + number)
        drawn.append(totals[:, 0] / totals[:, 1])
        key, iou = name.lower(), float(here["iou"].mean())
        found |= {f"recall_{key}": float(right.mean()), f"iou_{key}": iou}
    low, high = np.quantile(100 * (drawn[0] - drawn[1]), [0.025, 0.975]).tolist()
    gap = 100 * (found["recall_a"] - found["recall_b"])
    return {
        **{"recall_a": found["recall_a"], "recall_b": found["recall_b"], "difference": gap},
        **{"low": low, "high": high, "iou_a": found["iou_a"], "iou_b": found["iou_b"], "n": len(part)},
    }
