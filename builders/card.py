"""The dataset card: YAML that ``load_dataset`` obeys, and a page for people."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from huggingface_hub import DatasetCard, DatasetCardData
from jinja2 import Template

from builders.benchmarks import Benchmark
from builders.schema import ConfigSpec
from builders.shards import Written
from generation.core.raw import RawManifest

TEMPLATES = Path(__file__).parent.parent / "hub_cards"
LICENSE = "apache-2.0"
_SUFFIX = ".md.j2"

_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"))


def render_card(
    benchmark: Benchmark,
    source: RawManifest,
    written: Mapping[str, Written],
    facts: Mapping[str, Any],
    *,
    complete: bool,
) -> str:
    """Fill a benchmark's card template.

    Args:
        benchmark: gives title, tags and changelog, and the template, which places the ``shared`` sections.
        source: the raw folder's manifest. written: config name -> what was written.
        facts: the template's own variables. complete: whether every item of the preset is there.

    Returns:
        The text of README.md, one newline at its end.
    """
    template = (TEMPLATES / benchmark.template).read_text(encoding="utf-8")
    card = DatasetCard.from_template(
        _metadata(benchmark, written),
        template_str=template,
        benchmark=benchmark,
        source=source,
        written=written,
        complete=complete,
        shared=_shared_sections(benchmark),
        **facts,
    )
    return str(card).rstrip() + "\n"


def _shared_sections(benchmark: Benchmark) -> dict[str, str]:
    """Return the sections that all cards have, by name."""
    return {
        path.name.removesuffix(_SUFFIX): Template(path.read_text(encoding="utf-8")).render(
            benchmark=benchmark
        )
        for path in sorted((TEMPLATES / "shared").glob(f"*{_SUFFIX}"))
    }


def hash_note(sha256: str) -> str:
    """Return the part of a config's description that changes with its rows.

    ``load_dataset`` caches a local folder by its path and card, not by its data: without this note an edited
    dataset, or another one of the same name, would silently come back as the old one.
    """
    return f"Content SHA-256 {sha256}"


def _metadata(benchmark: Benchmark, written: Mapping[str, Written]) -> DatasetCardData:
    rows = written[benchmark.default.name].rows
    held = benchmark.held(written)
    return DatasetCardData(
        language=["en"],
        license=LICENSE,
        annotations_creators=["machine-generated"],
        source_datasets=["original"],
        size_categories=[next((name for limit, name in _SIZES if rows < limit), "1M<n<10M")],
        pretty_name=benchmark.title,
        **benchmark.metadata,
        configs=[_config(spec, written[spec.name]) for spec in held],
        dataset_info=[_info(spec, written[spec.name]) for spec in held],
    )


def _config(spec: ConfigSpec, written: Written) -> dict[str, Any]:
    return {
        "config_name": spec.name,
        **({"default": True} if spec.default else {}),
        "description": f"{spec.description} {hash_note(written.sha256)}",
        "data_files": data_files(spec),
    }


def data_files(spec: ConfigSpec) -> list[dict[str, str]]:
    """Say where the splits of a config lie, as ``load_dataset`` reads it from a card."""
    return [{"split": split, "path": pattern} for split, pattern in spec.patterns.items()]


def _info(spec: ConfigSpec, written: Written) -> dict[str, Any]:
    return {
        "config_name": spec.name,
        "features": spec.features(),
        "splits": [
            {"name": name, "num_bytes": split.memory_bytes, "num_examples": split.rows}
            for name, split in written.splits.items()
        ],
        "download_size": sum(file.bytes for file in written.files),
        "dataset_size": written.memory_bytes,
    }
