"""Reads the items of a raw folder, checking what it reads; what is wrong is told with what to do about it."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from generation.core.raw import RawFolder
from physprobe.errors import UserError

Item = TypeVar("Item")
Record = TypeVar("Record", bound=BaseModel)


def present(
    raw: RawFolder, wanted: Sequence[Item], key: Callable[[Item], str], noun: str, *, partial: bool
) -> tuple[Item, ...]:
    """Return those items of the folder's preset that are there, in design order.

    Args:
        raw: the folder. wanted: all items of its preset. key: names an item. noun: for them, plural.
        partial: whether some may be missing.

    Raises:
        UserError: there is none, or some are missing and ``partial`` is not set.
    """
    there = tuple(item for item in wanted if raw.is_complete(key(item)))
    if not there or (len(there) < len(wanted) and not partial):
        raise UserError(
            f"{raw.path} lacks {len(wanted) - len(there)} of {len(wanted)} {noun}; "
            + ("" if partial or not there else "add --partial, or ")
            + f"finish it with  python -m generation {raw.manifest.benchmark} --preset {raw.manifest.preset} "
            f"--seed {raw.manifest.seed} --out {shlex.quote(str(raw.path))}"
        )
    return there


def read_record(path: Path, kind: type[Record], noun: str, expected: Mapping[str, object]) -> Record:
    """Read an item's record.

    Args:
        path: the file. kind: of record. noun: for what it describes. expected: field -> value.

    Raises:
        UserError: it is unreadable, or of another item or run.
    """
    try:
        record = kind.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"can't read {path}: {error}; {redo(path.parent)}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UserError(f"{path} is no {noun} record: {where}: {first['msg']}; {redo(path.parent)}") from None
    for name, value in expected.items():
        if getattr(record, name) != value:
            found = f"{name} is {getattr(record, name)!r}, not {value!r}"
            raise UserError(f"{path}: {found}; {redo(path.parent)}")
    return record


def read_file(path: Path, sha256: str) -> bytes:
    """Read a file of an item.

    Raises:
        UserError: the file is missing or not the one that the record was made with.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"can't read {path}: {error.strerror}; {redo(path.parent)}") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise UserError(f"{path} is not the file its record describes; {redo(path.parent)}")
    return data


def redo(item: Path) -> str:
    """Say how to mend an item."""
    return f"remove {item} and generate it again"
