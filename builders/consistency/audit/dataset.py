"""The audit of a dataset folder, finished or being built."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from builders.auditing import Audited, Progress
from builders.consistency.schema import DEFAULT, NAME
from builders.folder import MANIFEST, ConfigEntry, read_manifest
from builders.schema import split_of
from generation.core.canonical import canonical_json
from physprobe.consistency.vocabulary import SPLITS
from physprobe.errors import UserError

# Imports stand in functions: every command of the builders loads this module.
if TYPE_CHECKING:
    from builders.consistency.audit.records import Audit
    from builders.consistency.audit.samples import Shards


def audit_place(folder: Path, progress: Progress) -> Audit:
    """Audit a dataset folder.

    Raises:
        UserError: it holds no physical-consistency, or one with too few families, or can't be read.
    """
    manifest = read_manifest(folder)
    if manifest.benchmark != NAME:
        raise UserError(f"{folder} holds {manifest.benchmark}: only {NAME} has an audit for shortcuts")
    if DEFAULT.name not in manifest.configs:
        raise UserError(f"{folder / MANIFEST} lists no config {DEFAULT.name}; see  python -m builders verify")
    return audit_folder(folder, manifest.configs[DEFAULT.name], progress)


def audit_folder(folder: Path, entry: ConfigEntry, progress: Progress) -> Audit:
    """Audit rows as written.

    Args:
        folder: holds the shards. entry: of its default config. progress: called with images done and in all.

    Raises:
        UserError: a split has too few families, or something can't be read.
    """
    from builders.consistency.audit.run import audit

    return audit(_shards(folder, entry), entry.sha256, lambda images: progress(images, entry.rows))


def audited(folder: Path, entry: ConfigEntry, progress: Progress) -> Audited | None:
    """Audit what is being built, for its card; None if it has too few families for that.

    Raises:
        UserError: something can't be read.
    """
    from builders.consistency.audit.records import AUDIT
    from builders.consistency.audit.report import card_facts
    from builders.consistency.audit.samples import count_families, too_few

    if too_few(count_families(_shards(folder, entry))):
        return None

    found = audit_folder(folder, entry, progress)
    return Audited(AUDIT, canonical_json(found.model_dump(mode="json")), card_facts(found))


def _shards(folder: Path, entry: ConfigEntry) -> Shards:
    paths = sorted(entry.files)
    return {split: [folder / path for path in paths if split_of(path) == split] for split in SPLITS}
