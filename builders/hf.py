"""Builder classes of the ``datasets`` library, for those who prefer them to a folder of Parquet files.

    from builders.hf import ConservationBench

    builder = ConservationBench("videos", data_dir="out/raw/conservationbench")
    builder.download_and_prepare()
    videos = builder.as_dataset(split="test")

They read a raw folder and give the rows that ``python -m builders build`` writes. They are never uploaded:
current clients refuse repositories with a script.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import datasets

from builders.benchmarks import BENCHMARKS, Benchmark
from builders.schema import ConfigSpec
from generation.core.raw import RawFolder
from physprobe import files
from physprobe.errors import UserError


class RawFolderBuilder(datasets.GeneratorBasedBuilder):
    """Makes the rows of one config from a raw folder."""

    BENCHMARK: ClassVar[Benchmark]

    def __init_subclass__(cls, benchmark: str) -> None:
        """Take version and configs from the benchmark of this name."""
        cls.BENCHMARK = BENCHMARKS[benchmark]
        cls.VERSION = datasets.Version(cls.BENCHMARK.version)
        cls.BUILDER_CONFIGS = [
            datasets.BuilderConfig(name=spec.name, version=cls.VERSION, description=spec.description)
            for spec in cls.BENCHMARK.configs
        ]
        cls.DEFAULT_CONFIG_NAME = next(spec.name for spec in cls.BENCHMARK.configs if spec.default)

    def __init__(self, config_name: str | None = None, *, data_dir: str | Path, **options: Any) -> None:
        """Open a raw folder.

        Args:
            config_name: of the dataset's configs; default: its default one.
            data_dir: the raw folder, as ``python -m generation`` wrote it. options: of ``DatasetBuilder``.

        Raises:
            UserError: it is no raw folder of this benchmark.
        """
        self._raw = RawFolder.open(Path(data_dir))
        if self._raw.manifest.benchmark != self.BENCHMARK.name:
            raise UserError(f"{data_dir} holds {self._raw.manifest.benchmark}, not {self.BENCHMARK.name}")
        # The cache knows a folder by its name alone: its state makes an edited one another dataset.
        options = {
            "dataset_name": self.BENCHMARK.name,
            "hash": files.state(Path(data_dir).absolute()),
            **options,
        }
        super().__init__(config_name=config_name, data_dir=str(data_dir), **options)

    @property
    def spec(self) -> ConfigSpec:
        """The config that is built."""
        return next(spec for spec in self.BENCHMARK.configs if spec.name == self.config.name)

    def _info(self) -> datasets.DatasetInfo:
        features = datasets.Features._from_yaml_list(self.spec.features())
        return datasets.DatasetInfo(
            description=self.spec.description, features=features, version=self.VERSION
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        return [
            datasets.SplitGenerator(name=split, gen_kwargs={"split": split}) for split in self.spec.splits
        ]

    def _generate_examples(self, split: str) -> Iterator[tuple[str, dict[str, Any]]]:
        source = self.BENCHMARK.read(self._raw, False, ())
        for row in source.rows(self.spec.name, split):
            yield str(row[self.spec.key]), dict(row)


class ConservationBench(RawFolderBuilder, benchmark="conservationbench"):
    """Conservation of number, length, volume and size."""


class QuantiPhy(RawFolderBuilder, benchmark="quantiphy"):
    """Sizes, speeds and accelerations in metric units."""


class PhysicalConsistency(RawFolderBuilder, benchmark="physical-consistency"):
    """Images that agree with physics, or break one law."""
