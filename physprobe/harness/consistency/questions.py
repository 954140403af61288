"""Which images each task asks about. A row holds what is shown and what marking needs, and no masks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from physprobe.consistency.boxes import check_box
from physprobe.consistency.vocabulary import CLEAN, LABELS, Suite
from physprobe.errors import UserError
from physprobe.harness.columns import require_columns, with_columns

DATASET = "physical-consistency"
CONFIG = "default"

Row = Mapping[str, Any]

_KEPT = ("image", "image_id", "family_id", "category", "mechanism", "box", "explanation")


def suite_questions(dataset: Any, suite: Suite) -> Any:
    """Take the images of a test suite.

    Args:
        dataset: its split, a ``datasets.Dataset``.

    Returns:
        The rows in their order, with the columns of the data set that are needed, "question_id" and "suite".

    Raises:
        UserError: a column is missing, or a row contradicts itself; names it.
    """
    require_columns(dataset, DATASET, _KEPT)
    kept = dataset.select_columns(list(_KEPT))
    for row in kept.remove_columns("image"):
        _check(row)
    ids = list(kept["image_id"])
    return with_columns(
        kept,
        question_id=ids,
        suite=[suite] * len(ids),
        mechanism=[name or "" for name in kept["mechanism"]],
    )


def _check(row: Row) -> None:
    if row["category"] not in LABELS:
        raise UserError(
            f"dataset {DATASET}: image {row['image_id']} has the unknown category {row['category']!r}"
        )
    clean, box = row["category"] == CLEAN, row["box"]
    good = box is None if clean else box is not None and len(box) == 4 and check_box(*box).box is not None
    if not good:
        wanted = "none" if clean else "one inside the image, as four fractions"
        raise UserError(
            f"dataset {DATASET}: image {row['image_id']} has the box {box}, but should have {wanted}"
        )
