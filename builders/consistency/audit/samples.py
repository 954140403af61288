"""Reads the images of a dataset's default config and describes each once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from builders.consistency.audit.features import FEATURE_SETS, FeatureSet, describe
from builders.consistency.audit.pictures import Float, decode
from physprobe.consistency.vocabulary import CLEAN, SPLITS
from physprobe.errors import UserError

# Split -> paths of its shards, in the order of the rows.
Shards = Mapping[str, Sequence[Path]]
Progress = Callable[[int], None]

# Images held encoded at a time.
_BATCH = 16
# Families a split needs: with fewer, hardly any finding could differ from chance.
FEWEST = 20


@dataclass(frozen=True)
class Samples:
    """All images of a split, described.

    Attributes:
        families, categories: of each of the N images. parts: name -> (N, D) float32.
    """

    families: NDArray[np.str_]
    categories: NDArray[np.str_]
    parts: Mapping[str, Float]

    def matrix(self, features: FeatureSet) -> Float:
        """Return a set of features, (N, D)."""
        return np.concatenate([self.parts[part] for part in features.parts], axis=1)

    def of(self, category: str | None) -> NDArray[np.bool_]:
        """Tell which images are clean, or violated in this category; None: in any."""
        clean = self.categories == CLEAN
        return np.asarray(clean | (self.categories == category) if category else np.ones_like(clean))

    @property
    def violated(self) -> NDArray[np.bool_]:
        """Tell which images are violated."""
        return np.asarray(self.categories != CLEAN)


def count_families(shards: Shards) -> dict[str, int]:
    """Count the families of each split, without reading images."""
    return {
        split: len({row["family_id"] for path in shards[split] for row in _rows(path, ["family_id"])})
        for split in SPLITS
    }


def too_few(families: Mapping[str, int]) -> str:
    """Say why splits with so many families can't be audited; "" if they can."""
    small = [f"{split} {count}" for split, count in families.items() if count < FEWEST]
    return (
        f"an audit needs at least {FEWEST} families in each split (here: {', '.join(small)})" if small else ""
    )


def read_samples(shards: Shards, progress: Progress = lambda images: None) -> dict[str, Samples]:
    """Describe all images, split by split; each is decoded once.

    Args:
        shards: of the default config. progress: called with the number of images described so far.

    Raises:
        UserError: a file or an image can't be read.
    """
    done = 0
    described: dict[str, Samples] = {}
    for split in SPLITS:
        families: list[str] = []
        categories: list[str] = []
        parts: defaultdict[str, list[Float]] = defaultdict(list)
        for row in (row for path in shards[split] for row in _rows(path, [*_NAMES, "image"])):
            for name, values in _described(row).items():
                parts[name].append(values)
            families.append(row["family_id"])
            categories.append(row["category"])
            done += 1
            progress(done)
        described[split] = Samples(np.array(families), np.array(categories), _stacked(parts))
    return described


_NAMES = ("image_id", "family_id", "category")


def _described(row: Mapping[str, Any]) -> dict[str, Float]:
    try:
        return describe(decode(row["image"]["bytes"]))
    except ValueError as error:
        raise UserError(f"image {row['image_id']}: {error}; see  python -m builders verify") from error


def _rows(path: Path, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_BATCH, columns=[*columns]):
                yield from batch.to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise UserError(f"can't read {path}: {error!s:.200}; see  python -m builders verify") from error


def _stacked(parts: Mapping[str, Iterable[Float]]) -> dict[str, Float]:
    wanted = {part for features in FEATURE_SETS for part in features.parts}
    return {name: np.stack([*values]) for name, values in parts.items() if name in wanted}
