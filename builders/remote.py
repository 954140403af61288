"""Datasets on the Hub: a place is a folder, or ORG/NAME with an optional @REVISION."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from builders.folder import CARD, MANIFEST, Manifest, read_manifest
from physprobe.errors import UserError
from physprobe.hub.patience import Patience
from physprobe.hub.publishing import MAIN
from physprobe.hub.repository import Repository


class Place(NamedTuple):
    """A repository and one of its revisions."""

    name: str
    revision: str


def parse_place(text: str) -> Path | Place:
    """Read what a user wrote for a dataset: an existing folder wins.

    Raises:
        UserError: it is no folder and no repository's name.
    """
    if Path(text).is_dir():
        return Path(text)
    name, _, revision = text.partition("@")
    if name.count("/") != 1 or text.startswith((".", "/", "~")):
        raise UserError(f"{text} is not a folder, nor a dataset on the Hub: write DIR or ORG/NAME[@TAG]")
    Repository(name).check_name()
    return Place(name, revision or MAIN)


def fetch(place: Path | Place, patience: Patience) -> Path:
    """Return the folder of a dataset, downloaded first if it is on the Hub.

    Raises:
        UserError: it can't be downloaded.
    """
    if isinstance(place, Path):
        return place
    return Repository(place.name, patience=patience).download(place.revision)


def fetch_configs(repository: Repository, revision: str, configs: list[str]) -> Path:
    """Download a dataset's card and manifest, and the rows of some configs."""
    manifest = fetch_manifest(repository, revision)
    wanted = [path for name in configs if name in manifest.configs for path in manifest.configs[name].files]
    return repository.download(revision, [CARD, MANIFEST, *wanted])


def fetch_manifest(repository: Repository, revision: str) -> Manifest:
    """Download a dataset's manifest.

    Raises:
        UserError: the repository holds no dataset of ours at this revision.
    """
    folder = repository.download(revision, [CARD, MANIFEST])
    try:
        return read_manifest(folder)
    except UserError as error:
        raise UserError(
            f"{repository.name}@{revision} was not published by this tool ({MANIFEST} is missing or damaged)"
        ) from error
