"""Columns of the data sets that tasks ask from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from physprobe.errors import UserError


def require_columns(dataset: Any, name: str, columns: Sequence[str]) -> None:
    """Check that a data set of ours has what is needed.

    Args:
        dataset: a ``datasets.Dataset``. name: of the data set. columns: the names that are needed.

    Raises:
        UserError: names the first that is missing.
    """
    missing = [column for column in columns if column not in dataset.column_names]
    if missing:
        raise UserError(
            f"dataset {name} lacks column {missing[0]!r}: rebuild it with this version of physprobe"
        )


def with_columns(dataset: Any, **columns: list[Any]) -> Any:
    """Return the dataset with columns added, or put in the place of those of the same name."""
    dataset = dataset.remove_columns([name for name in columns if name in dataset.column_names])
    for name, values in columns.items():
        dataset = dataset.add_column(name, values)
    return dataset
