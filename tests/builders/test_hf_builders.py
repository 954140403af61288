"""Builder classes give the rows of the built folder, and see edits."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from datasets import Version, load_dataset

from builders.benchmarks import BENCHMARKS
from builders.hf import ConservationBench, PhysicalConsistency, QuantiPhy, RawFolderBuilder
from physprobe.errors import UserError
from tests.support.raw_conservation import make_raw


@pytest.mark.parametrize("config", ["questions", "videos", "static"])
def test_same_rows_as_the_folder(raw_mini: Path, built_mini: Path, tmp_path: Path, config: str) -> None:
    builder = ConservationBench(config, data_dir=raw_mini, cache_dir=str(tmp_path))
    builder.download_and_prepare()
    made = builder.as_dataset(split="test")
    built = load_dataset(str(built_mini), config, split="test")
    assert made.features == built.features
    assert made.to_list() == built.to_list()


def test_version_and_configs(raw_mini: Path, tmp_path: Path) -> None:
    for kind in (ConservationBench, PhysicalConsistency, QuantiPhy):
        known = BENCHMARKS[kind.BENCHMARK.name]
        assert Version(known.version) == kind.VERSION
        assert [config.name for config in kind.BUILDER_CONFIGS] == [spec.name for spec in known.configs]
    builder = ConservationBench(data_dir=raw_mini, cache_dir=str(tmp_path))
    assert builder.config.name == "questions"
    assert builder.info.version == ConservationBench.VERSION


def test_every_benchmark_has_one() -> None:
    assert {kind.BENCHMARK.name for kind in RawFolderBuilder.__subclasses__()} == set(BENCHMARKS)


def test_an_edited_folder_is_seen(tmp_path: Path) -> None:
    raw = make_raw(tmp_path / "raw")
    seeds = []
    for seed in (0, 1):
        shutil.rmtree(raw)
        make_raw(raw, seed=seed)
        builder = ConservationBench("videos", data_dir=raw, cache_dir=str(tmp_path / "cache"))
        builder.download_and_prepare()
        seeds.append(builder.as_dataset(split="test")[0]["seed"])
    assert seeds == [0, 1]


def test_another_benchmarks_folder(raw_mini: Path) -> None:
    with pytest.raises(UserError, match="holds conservationbench, not quantiphy"):
        QuantiPhy(data_dir=raw_mini)
