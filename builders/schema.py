"""What a config of a dataset looks like, for Parquet, for the card and for the checks.

The Parquet files carry no Hugging Face schema: a ``List`` feature written by datasets 4 cannot be read by
datasets 3. The card's YAML carries the features instead, in words that every version from 3.6 on reads.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow as pa

# A media file: its bytes and its name.
FILE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])

Media = Literal["video", "image"]

_DTYPES = {pa.string(): "string", pa.binary(): "binary", pa.int32(): "int32", pa.int64(): "int64"}
_DTYPES |= {pa.float64(): "float64", pa.bool_(): "bool"}


def list_of(item: pa.DataType) -> pa.DataType:
    """Return a list type that Parquet gives back unchanged."""
    return pa.list_(pa.field("element", item))


@dataclass(frozen=True)
class Examples:
    """Rows for the card's picture.

    Attributes:
        first: split -> how many of its first rows. label: column that is written above each.
        columns: how many stand side by side. width: of each, in pixels.
    """

    first: Mapping[str, int]
    label: str
    columns: int
    width: int


@dataclass(frozen=True)
class ConfigSpec:
    """One config of a dataset: a table, whole or in several splits.

    Attributes:
        name: as in ``load_dataset(path, name)``. description: one sentence.
        schema: exact columns, types and order. key: the column that names a row, unique over all splits.
        default: loaded when no name is given. splits: in the order of the card.
        media: column of type FILE -> what its files are; they are compressed already.
        nullable: columns that may hold no value.
        examples: which rows the card shows; None: some, evenly spread.
        images_as_generated: whether images are those of the raw folder, not made anew by the builder.
        optional: built only when asked for, from the rows of another config; checked against those, not RAW.
    """

    name: str
    description: str
    schema: pa.Schema
    key: str
    default: bool = False
    splits: tuple[str, ...] = ("test",)
    media: Mapping[str, Media] = field(default_factory=dict)
    nullable: frozenset[str] = frozenset()
    examples: Examples | None = None
    images_as_generated: bool = False
    optional: bool = False

    @property
    def patterns(self) -> dict[str, str]:
        """Split -> glob of its shards inside the dataset folder."""
        return {split: f"{self.name}/{split}-*.parquet" for split in self.splits}

    def shard(self, split: str, index: int, count: int) -> str:
        """Return the path of a shard inside the dataset folder."""
        return f"{self.name}/{split}-{index:05d}-of-{count:05d}.parquet"

    def features(self) -> list[dict[str, Any]]:
        """Describe the columns in the YAML that datasets reads from a card's ``dataset_info``."""
        return [self._feature(column) for column in self.schema]

    def _feature(self, column: pa.Field) -> dict[str, Any]:
        media = self.media.get(column.name)
        return {"name": column.name, **(_MEDIA_FEATURES[media] if media else _feature_type(column.type))}


_SHARD = re.compile(r"(?:.*/)?(.+)-\d{5}-of-\d{5}\.parquet")


def split_of(shard: str) -> str:
    """Return which split a shard holds, by its path.

    Raises:
        ValueError: it is no shard.
    """
    found = _SHARD.fullmatch(shard)
    if found is None:
        raise ValueError(f"{shard} is not named like a shard")
    return found.group(1)


# Videos stay undecoded, so that reading a row needs no torchcodec.
_MEDIA_FEATURES: dict[Media, dict[str, Any]] = {
    "video": {"dtype": {"video": {"decode": False}}},
    "image": {"dtype": "image"},
}


def _feature_type(kind: pa.DataType) -> dict[str, Any]:
    if pa.types.is_struct(kind):
        children = [kind.field(i) for i in range(kind.num_fields)]
        return {"struct": [{"name": child.name, **_feature_type(child.type)} for child in children]}
    if pa.types.is_list(kind):
        return {"sequence": _DTYPES[kind.value_type]}
    return {"dtype": _DTYPES[kind]}
