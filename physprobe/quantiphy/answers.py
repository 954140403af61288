"""Prediction and ground-truth tables in the CSV format of the public QuantiPhy benchmark.

Columns that are read: an id (the unnamed first column, or ``id``), ``parsed_value`` (the prediction),
``ground_truth_posterior`` (the truth), ``inference_type``, ``video_type`` and, where there is one,
``video_source``. All others are ignored, also the noise columns at the end of the released validation file.

A number is what ``pandas.to_numeric`` reads, as in the published evaluator: '3.5', ' 3.5 ', '.5', '1e3' and
'inf' are; '1,000', '0x10', '50%', '3 m', '1/2', 'True' and a Unicode minus are not. Empty cells and pandas'
markers of a missing value ('NA', 'N/A', 'nan', 'null', 'None', ...) are blank.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from physprobe.errors import UserError
from physprobe.quantiphy.codes import BACKGROUNDS, CATEGORIES, OBJECT_NUMBERS, Codes, read_codes
from physprobe.quantiphy.metrics import Items

PREDICTION_COLUMN = "parsed_value"
TRUTH_COLUMN = "ground_truth_posterior"

# pandas' names for a first column without one; the second once such a file was written and read again.
_UNNAMED = re.compile(r"^Unnamed: 0(\.\d+)?$")
_IDS_SHOWN = 5


@dataclass(frozen=True)
class Answers:
    """A prediction file made ready for scoring; all arrays have shape (N,), one entry a row, in file order.

    Attributes:
        ids: (N,) str, the row's id, or 'row K' (K from 1) in a file without ids.
        prediction: (N,) float64 in the question's unit, NaN where blank or not a number.
        truth: (N,) float64 in the question's unit, NaN where missing or not a number.
        blank: (N,) bool, no prediction was given.
        videos: (N,) str, the row's video, None in a file without a column ``video_id``.
        codes: category, background and object number of each row.
        warnings: one line for each thing in the files that a user should know of.
    """

    ids: NDArray[np.object_]
    prediction: NDArray[np.float64]
    truth: NDArray[np.float64]
    blank: NDArray[np.bool_]
    videos: NDArray[np.object_] | None
    codes: Codes
    warnings: tuple[str, ...]


def read_answers(predictions: Path, ground_truth: Path | None = None) -> Answers:
    """Read a prediction file and its truths.

    Args:
        predictions: the CSV with ``parsed_value``.
        ground_truth: a CSV with ids and ``ground_truth_posterior`` that replaces the truths of
            ``predictions``, by id; a prediction whose id it lacks has no truth. None: the prediction file's
            own ``ground_truth_posterior``.

    Raises:
        UserError: a file that cannot be read or is no such table, a needed column that is missing, no truth
            at all, or ids of which none is in ``ground_truth``.
    """
    table = _read_table(predictions)
    raw = _column(table, PREDICTION_COLUMN, predictions)
    codes = _codes(table, predictions)
    ids, warnings = _find_ids(table, predictions)
    labels = _labels(ids, len(table))
    if ground_truth is None:
        truth = _own_truth(table, predictions)
    else:
        known = _need_ids(ids, table, predictions)
        truth, about_ids = _truth_by_id(known, predictions, ground_truth)
        warnings += about_ids
    return Answers(
        ids=labels,
        prediction=_numbers(raw),
        truth=truth,
        blank=raw.isna().to_numpy(dtype=bool),
        videos=table["video_id"].fillna("").to_numpy(dtype=object) if "video_id" in table.columns else None,
        codes=codes,
        warnings=(*warnings, *_about_truth(truth, labels), *_about_codes(codes, labels)),
    )


def items_of(answers: Answers, path: Path | None = None) -> Items:
    """Return what metrics are computed from.

    Args:
        answers: of one file. path: the file, where its rows must say which video they are about.

    Raises:
        UserError: ``path`` is given and the file has no column ``video_id``.
    """
    if path is not None and answers.videos is None:
        raise UserError(f"{path} has no column 'video_id'; intervals come from resampling videos")
    videos = answers.ids if answers.videos is None else answers.videos
    return Items(videos, answers.prediction, answers.truth, answers.codes)


def _read_table(path: Path) -> pd.DataFrame:
    try:
        table = pd.read_csv(path, dtype=str, compression=None)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not a CSV in UTF-8; save it as CSV UTF-8") from error
    except (pd.errors.EmptyDataError, pd.errors.ParserError) as error:
        raise UserError(f"{path} is not a readable CSV: {' '.join(str(error).split())}") from error
    if not isinstance(table.index, pd.RangeIndex):
        raise UserError(f"{path}: the rows have more fields than the header names; mend the header")
    if table.empty:
        raise UserError(f"{path} has a header and no rows")
    return table


def _column(table: pd.DataFrame, name: str, path: Path, hint: str = "") -> pd.Series:
    if name not in table.columns:
        raise UserError(f"{path} has no column {name!r}{hint}; it has: {_columns_found(table)}")
    return table[name]


def _columns_found(table: pd.DataFrame) -> str:
    names = [repr(str(name)[:40]) for name in table.columns[:16]]
    if len(table.columns) > len(names):
        names.append(f"and {len(table.columns) - len(names)} more")
    only = str(table.columns[0])
    separator = next((s for s in (";", "\t") if len(table.columns) == 1 and s in only), None)
    return ", ".join(names) + (
        f" (fields must be separated by commas, not {separator!r})" if separator else ""
    )


def _find_ids(table: pd.DataFrame, path: Path) -> tuple[list[str] | None, list[str]]:
    """Return the normalised ids ('' where blank), or None without any, and what to warn of."""
    first = table.iloc[:, 0].fillna("") if _UNNAMED.match(str(table.columns[0])) else None
    named = table["id"].fillna("") if "id" in table.columns else None
    chosen, warnings = first, []
    if named is not None and (first is None or _is_row_index(first)):
        chosen = named
    elif named is not None and first is not None and first.tolist() != named.tolist():
        # The published evaluator always takes the first column.
        warnings = [f"{path} has ids in its unnamed first column and others in 'id'; the first column counts"]
    if chosen is None:
        return None, []
    # '7', '007' and '7.0' (an integer column that once held a blank) are one id.
    ids = chosen.str.strip().str.replace(r"^0*(\d+)(?:\.0*)?$", r"\1", regex=True).tolist()
    repeated = [i for i, count in Counter(ids).items() if i and count > 1]
    return ids, warnings + _notice(repeated, "id", f"more than once in {path}")


def _is_row_index(column: pd.Series) -> bool:
    """Whether this is the row index that pandas writes as an unnamed first column."""
    return column.tolist() == [str(k) for k in range(len(column))]


def _need_ids(ids: list[str] | None, table: pd.DataFrame, path: Path) -> list[str]:
    if ids is None:
        raise UserError(
            f"{path} has no column 'id' and no unnamed first column, so truths cannot be matched; "
            f"it has: {_columns_found(table)}"
        )
    return ids


def _labels(ids: list[str] | None, rows: int) -> NDArray[np.object_]:
    return np.array([i or f"row {k}" for k, i in enumerate(ids or [""] * rows, 1)], dtype=object)


def _numbers(column: pd.Series) -> NDArray[np.float64]:
    return pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64)


def _own_truth(table: pd.DataFrame, path: Path) -> NDArray[np.float64]:
    column = _column(table, TRUTH_COLUMN, path, hint="; give the truths with --ground-truth GT.csv")
    if column.isna().all():
        raise UserError(
            f"{path}: column {TRUTH_COLUMN!r} is blank; give the truths with --ground-truth GT.csv"
        )
    return _numbers(column)


def _truth_by_id(
    ids: list[str], predictions: Path, ground_truth: Path
) -> tuple[NDArray[np.float64], list[str]]:
    table = _read_table(ground_truth)
    values = _numbers(_column(table, TRUTH_COLUMN, ground_truth))
    found, warnings = _find_ids(table, ground_truth)
    # Of several truths for one id the published evaluator, too, keeps the last.
    truths = dict(zip(_need_ids(found, table, ground_truth), values, strict=True))
    truths.pop("", None)
    wanted = dict.fromkeys(i for i in ids if i)
    unknown, unused = [i for i in wanted if i not in truths], [i for i in truths if i not in wanted]
    if len(unknown) == len(wanted):
        raise UserError(
            f"none of the ids in {predictions} is in {ground_truth}; are they of the same data set?"
        )
    warnings += _notice(unknown, "id", f"of {predictions} not in {ground_truth}")
    warnings += _notice(unused, "id", f"of {ground_truth} not in {predictions}; not scored")
    return np.array([truths.get(i, np.nan) for i in ids], dtype=np.float64), warnings


def _codes(table: pd.DataFrame, path: Path) -> Codes:
    return read_codes(
        _column(table, "inference_type", path), _column(table, "video_type", path), table.get("video_source")
    )


def _about_truth(truth: NDArray[np.float64], labels: NDArray[np.object_]) -> list[str]:
    odd = (truth < 0) | np.isinf(truth)
    return (
        _notice(labels[np.isnan(truth)], "row", "without a numeric truth, left out of MRA")
        + _notice(labels[truth == 0], "row", "with a truth of zero, left out of MRA")
        + _notice(labels[odd], "row", "with a negative or infinite truth, where MRA is meaningless but kept")
    )


def _about_codes(codes: Codes, labels: NDArray[np.object_]) -> list[str]:
    known = codes.category != ""
    no_background, no_objects = known & (codes.background == ""), known & (codes.objects == "")
    return (
        _notice(labels[~known], "row", f"of no category ({', '.join(CATEGORIES)}), left out of MRA")
        + _notice(labels[no_background], "row", f"of no background ({', '.join(BACKGROUNDS)})")
        + _notice(labels[no_objects], "row", f"of no object number ({', '.join(OBJECT_NUMBERS)})")
    )


def _notice(ids: Sequence[str] | NDArray[np.object_], noun: str, what: str) -> list[str]:
    if not len(ids):
        return []
    shown = ", ".join(str(i) for i in ids[:_IDS_SHOWN]) + (", ..." if len(ids) > _IDS_SHOWN else "")
    return [f"{len(ids)} {noun}{'' if len(ids) == 1 else 's'} {what}: {shown}"]
