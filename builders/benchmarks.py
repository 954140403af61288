"""What the core needs to know about each benchmark, and which ones there are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from builders.auditing import Audited, Progress
from builders.conservation import checks as conservation_checks
from builders.conservation import dataset as conservation
from builders.conservation import schema as conservation_schema
from builders.consistency import checks as consistency_checks
from builders.consistency import dataset as consistency
from builders.consistency import schema as consistency_schema
from builders.consistency.audit import dataset as consistency_audit
from builders.folder import ConfigEntry, Manifest
from builders.quantiphy import checks as quantiphy_checks
from builders.quantiphy import dataset as quantiphy
from builders.quantiphy import schema as quantiphy_schema
from builders.schema import ConfigSpec
from generation.core.raw import RawFolder
from physprobe.errors import unknown_name


class Source(Protocol):
    """A raw folder read for building.

    Attributes:
        complete: whether every item of the preset is there.
    """

    @property
    def complete(self) -> bool: ...  # noqa: D102

    def rows(self, config: str, split: str) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of a config's split in their final order."""

    def facts(self) -> Mapping[str, Any]:
        """Return the card template's own variables."""


class Checker(Protocol):
    """Looks at every row of a dataset and then at the whole."""

    def visit(self, config: str, split: str, row: Mapping[str, Any]) -> Iterator[str]:
        """Take in a row that fits the schema, no nulls where none may be; yield what is wrong with it."""

    def finish(self) -> Iterator[str]:
        """Yield what is wrong across rows and configs."""

    def summary(self) -> list[str]:
        """Say in a few lines what was looked at."""

    def coverage(self) -> str:
        """Say how many of the preset's items are there."""


@dataclass(frozen=True)
class Benchmark:
    """A benchmark as a dataset.

    Attributes:
        name: as in raw.json, and the dataset's name.
        title: pretty name. version: of the dataset. changelog: (version, what changed), newest first.
        configs: in card order. template: in ``hub_cards``. metadata: the card's tags and the like.
        read: opens a raw folder; the flag accepts an unfinished one, the files hold choices made elsewhere.
        checker: makes a checker for a dataset with this manifest; None where that can't be read.
        audit: looks for shortcuts in the default config of what is being built; None if that is too small.
    """

    name: str
    title: str
    version: str
    changelog: tuple[tuple[str, str], ...]
    configs: tuple[ConfigSpec, ...]
    template: str
    metadata: Mapping[str, Any]
    read: Callable[[RawFolder, bool, Sequence[Path]], Source]
    checker: Callable[[Manifest | None], Checker]
    audit: Callable[[Path, ConfigEntry, Progress], Audited | None] | None = None

    @property
    def default(self) -> ConfigSpec:
        """The config that is loaded when no name is given."""
        return next(spec for spec in self.configs if spec.default)

    def held(self, names: Collection[str]) -> tuple[ConfigSpec, ...]:
        """Return the configs that a dataset with these ones must hold: all but the optional ones it lacks."""
        return tuple(spec for spec in self.configs if not spec.optional or spec.name in names)


BENCHMARKS: dict[str, Benchmark] = {
    conservation_schema.NAME: Benchmark(
        name=conservation_schema.NAME,
        title="ConservationBench",
        version=conservation_schema.VERSION,
        changelog=conservation_schema.CHANGELOG,
        configs=conservation_schema.CONFIGS,
        template="conservationbench.md.j2",
        metadata={
            "task_categories": ["visual-question-answering", "video-text-to-text"],
            "tags": ["benchmark", "physics", "conservation", "video", "synthetic", "lmms-eval"],
        },
        read=conservation.read,
        checker=conservation_checks.ConservationChecker,
    ),
    quantiphy_schema.NAME: Benchmark(
        name=quantiphy_schema.NAME,
        title="QuantiPhy, exact",
        version=quantiphy_schema.VERSION,
        changelog=quantiphy_schema.CHANGELOG,
        configs=quantiphy_schema.CONFIGS,
        template="quantiphy.md.j2",
        metadata={
            "task_categories": ["visual-question-answering", "video-text-to-text"],
            "tags": ["benchmark", "physics", "kinematics", "video", "synthetic", "lmms-eval"],
        },
        read=quantiphy.read,
        checker=quantiphy_checks.QuantiphyChecker,
    ),
    consistency_schema.NAME: Benchmark(
        name=consistency_schema.NAME,
        title="Physical Consistency",
        version=consistency_schema.VERSION,
        changelog=consistency_schema.CHANGELOG,
        configs=consistency_schema.CONFIGS,
        template="physical-consistency.md.j2",
        metadata={
            "task_categories": ["visual-question-answering", "image-classification", "object-detection"],
            "tags": ["benchmark", "physics", "image", "image-forensics", "synthetic", "lmms-eval"],
        },
        read=consistency.read,
        checker=consistency_checks.ConsistencyChecker,
        audit=consistency_audit.audited,
    ),
}


def benchmark(name: str) -> Benchmark:
    """Look up a benchmark.

    Raises:
        UserError: there is no such benchmark; lists those there are.
    """
    if name not in BENCHMARKS:
        raise unknown_name("benchmark", name, BENCHMARKS)
    return BENCHMARKS[name]
