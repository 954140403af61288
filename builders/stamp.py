"""Writes the version under which a dataset is published into its card and its manifest.

A build bears the version of its recipe. Who publishes it chooses a tag, and what users then download says
that tag: in manifest.json, from where it gets into every results record, and in the card's list of versions.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from builders.croissant import CROISSANT, croissant_text
from builders.folder import CARD, MANIFEST, FileEntry, Manifest
from generation.core.canonical import canonical_json

_HEADING = "## Versions"
_ENTRY = re.compile(r"^- \*\*\d+\.\d+\.\d+\*\* .*$", re.MULTILINE)


def stamped(folder: Path, manifest: Manifest, version: str, note: str, older_card: str) -> dict[str, bytes]:
    """Return the files that change when a build is published under a version.

    Args:
        folder, manifest: the build. version: "X.Y.Z". note: what changed, for the card's list of versions.
        older_card: of the version published before, whose list is continued; "" for the first one.

    Returns:
        Path -> content; empty when the build bears this version already.
    """
    if version == manifest.dataset_version:
        return {}
    card = (folder / CARD).read_text(encoding="utf-8")
    changed = {CARD: _stamped_card(card, manifest.dataset_version, version, note, older_card).encode()}
    extras = dict(manifest.extras)
    if CROISSANT in extras:
        metadata = json.loads((folder / CROISSANT).read_text(encoding="utf-8"))
        changed[CROISSANT] = croissant_text({**metadata, "version": version}).encode()
        extras[CROISSANT] = _entry(changed[CROISSANT])
    new = manifest.model_copy(update={"dataset_version": version, "extras": extras})
    return {**changed, MANIFEST: canonical_json(new.model_dump()).encode()}


def _stamped_card(card: str, old: str, new: str, note: str, older_card: str) -> str:
    text, heading, versions = card.partition(_HEADING)
    text = re.sub(rf"\b(version |v){re.escape(old)}\b", rf"\g<1>{new}", text, flags=re.IGNORECASE)
    listed = _ENTRY.findall(older_card.partition(_HEADING)[2]) or _ENTRY.findall(versions)
    lead = versions[: found.start()] if (found := _ENTRY.search(versions)) else "\n\n"
    return text + (heading or f"\n{_HEADING}") + lead + "\n".join([f"- **{new}** {note}", *listed]) + "\n"


def _entry(content: bytes) -> FileEntry:
    return FileEntry(bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
