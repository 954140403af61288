"""Raw folder in, dataset folder out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import huggingface_hub
import PIL
import pyarrow

import physprobe
from builders.auditing import Audited, Progress
from builders.benchmarks import Benchmark, Source, benchmark
from builders.card import render_card
from builders.croissant import CROISSANT, croissant, croissant_text
from builders.examples import EXAMPLES, example_page
from builders.folder import (
    CARD,
    ConfigEntry,
    FileEntry,
    Manifest,
    config_entries,
    publish,
    refuse_foreign,
    workshop,
    write_manifest,
)
from builders.shards import Written, write_config
from generation.core.raw import RawFolder
from physprobe.errors import UserError, unknown_name
from physprobe.files import file_sha256

# Other versions may give other bytes for the same rows.
_WRITERS = {
    "physprobe": physprobe.__version__,
    "pyarrow": pyarrow.__version__,
    "huggingface_hub": huggingface_hub.__version__,
    "pillow": PIL.__version__,
}


@dataclass(frozen=True)
class Extent:
    """How much of a dataset is built.

    Attributes:
        optional: names of optional configs to build as well.
        audit: whether to look for shortcuts, where the benchmark has an audit. progress: of that.
    """

    optional: Collection[str] = ()
    audit: bool = True
    progress: Progress = lambda done, total: None


@dataclass(frozen=True)
class Build:
    """The outcome of a build: where, what, and whether it is new or was there already."""

    out: Path
    manifest: Manifest
    is_new: bool


def build(
    raw: Path,
    out: Path,
    *,
    selections: Sequence[Path] = (),
    partial: bool = False,
    extent: Extent = Extent(),
) -> Build:
    """Build the dataset of a raw folder; ``out`` appears whole or not at all.

    Args:
        raw: made by ``python -m generation``. out: absent or empty, or the same dataset built before.
        selections: files with frames that a model or people chose (docs/selections.md).
        partial: accept a raw folder that lacks items. extent: what is built beyond the rows that all have.

    Raises:
        SelectionsError: the selections files hold anything wrong; lists all of it by line.
        UserError: the raw folder is unfinished or damaged, ``out`` holds something else, or the dataset has
            no such optional config.
    """
    if raw.absolute() == out.absolute() or out.absolute().is_relative_to(raw.absolute()):
        raise UserError(f"--out {out} lies in the raw folder; choose another --out")
    refuse_foreign(out)
    folder = RawFolder.open(raw)
    chosen = benchmark(folder.manifest.benchmark)
    _check_optional(chosen, extent)
    source = chosen.read(folder, partial, selections)
    with workshop(out) as scratch:
        manifest = _fill(scratch, chosen, source, folder, extent)
        return Build(out, manifest, publish(scratch, out))


def _check_optional(chosen: Benchmark, extent: Extent) -> None:
    optional = [spec.name for spec in chosen.configs if spec.optional]
    for name in extent.optional:
        if name not in optional:
            raise unknown_name(f"optional config of {chosen.name}", name, optional or ["none"])


def _fill(scratch: Path, chosen: Benchmark, source: Source, raw: RawFolder, extent: Extent) -> Manifest:
    written = {
        spec.name: write_config(
            scratch, spec, {split: source.rows(spec.name, split) for split in spec.splits}
        )
        for spec in chosen.held(extent.optional)
    }
    entries = config_entries(written)
    audited = _audit(scratch, chosen, entries, extent)
    facts = {**source.facts(), **(audited.facts if audited else {})}
    card = render_card(chosen, raw.manifest, written, facts, complete=source.complete)
    (scratch / CARD).write_text(card, encoding="utf-8")
    extras = dict(_extras(scratch, chosen, written, card, audited))
    manifest = Manifest(
        benchmark=chosen.name,
        dataset_version=chosen.version,
        source=raw.manifest,
        complete=source.complete,
        configs=entries,
        written_by=_WRITERS,
        extras=extras,
    )
    write_manifest(scratch, manifest)
    return manifest


def _audit(
    scratch: Path, chosen: Benchmark, entries: Mapping[str, ConfigEntry], extent: Extent
) -> Audited | None:
    if chosen.audit is None or not extent.audit:
        return None
    return chosen.audit(scratch, entries[chosen.default.name], extent.progress)


def _extras(
    scratch: Path, chosen: Benchmark, written: Mapping[str, Written], card: str, audited: Audited | None
) -> Iterator[tuple[str, FileEntry]]:
    """Write what stands beside the data; yield it for the manifest."""
    metadata = croissant_text(croissant(chosen, written, card)).encode()
    page = example_page(scratch, chosen.held(written))
    found = [(audited.path, audited.text.encode())] if audited else []
    for name, content in [(EXAMPLES, page), (CROISSANT, metadata), *found]:
        if content is not None:
            (scratch / name).write_bytes(content)
            yield name, FileEntry(bytes=len(content), sha256=file_sha256(scratch / name))
