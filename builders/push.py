"""Publishes a dataset folder on the Hub under a version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import get_token

from builders.diff import Changes, changed_configs, compare, overall_step
from builders.folder import CARD, MANIFEST, Manifest
from builders.intact import check_intact
from builders.remote import fetch_configs, fetch_manifest
from builders.stamp import stamped
from builders.versions import Version, check_step, newest, parse_tag
from physprobe.errors import UserError
from physprobe.hub.contents import GITATTRIBUTES, Listing, Upload, Uploads, missing, surplus
from physprobe.hub.patience import HubError
from physprobe.hub.publishing import MAIN, Publication, Report, discard, publish
from physprobe.hub.repository import Repository


@dataclass(frozen=True)
class Plan:
    """What a push does.

    Attributes:
        uploads: all files of the version. is_published: whether all was done before.
        changes: of rows, since the version published before; None for the first one.
    """

    version: Version
    manifest: Manifest
    uploads: Uploads
    changes: tuple[Changes, ...] | None = None
    is_published: bool = False

    @property
    def branch(self) -> str:
        """The branch that collects the files."""
        return f"publishing-{self.version.tag}"

    def publication(self, private: bool) -> Publication:
        """Word it for the Hub."""
        message = f"{self.manifest.benchmark} {self.version}"
        return Publication(self.uploads, message, self.branch, self.version.tag, private=private)


def plan(folder: Path, repository: Repository, tag: str, report: Report = lambda text: None) -> Plan:
    """Check a dataset and its version against what is published; nothing is changed.

    Raises:
        UserError: the tag is no version, older than what is published, promises more than holds, or is
            published with other content; the folder is not as it was built; the repository holds something
            else; the name is not allowed; the Hub refuses.
    """
    version, manifest = _checked(folder, repository, tag, report)
    repository.check_token()
    return _planned(folder, repository, version, manifest, report)


def _planned(
    folder: Path, repository: Repository, version: Version, manifest: Manifest, report: Report
) -> Plan:
    report("looking at what is published")
    tags = _tags(repository, manifest)
    if version.tag in tags:
        _check_same(repository, version, manifest)
        return Plan(version, manifest, {}, is_published=True)
    older = newest(tags)
    if older is None:
        return _first(folder, manifest, version)
    report(f"comparing with {older.tag}")
    changes, card = _changes(repository, older, folder, manifest)
    told = "; ".join(map(str, changes)) or "no row changed"
    check_step(version, older, overall_step(changes), told)
    files = stamped(folder, manifest, str(version), f"Since {older}: {told}.", card)
    return Plan(version, manifest, _uploads(folder, manifest, files), tuple(changes))


def push(planned: Plan, repository: Repository, private: bool, report: Report = lambda text: None) -> str:
    """Carry out a plan, or continue where a run that was interrupted stopped; return the commit.

    Raises:
        UserError: as :func:`physprobe.hub.publishing.publish`.
    """
    if planned.is_published:
        discard(repository, planned.branch)  # of a run that was killed after it had published
        return repository.refs().tags[planned.version.tag]
    return publish(repository, planned.publication(private), report)


def rehearse(
    folder: Path,
    repository: Repository,
    tag: str,
    private: bool,
    report: Report = lambda text: None,
) -> list[str]:
    """Say what a push would do, a line each; nothing is changed.

    Without a token a private repository can't be seen, and without a network none: then it is said what the
    first version there would be.

    Raises:
        UserError: as :func:`plan`.
    """
    version, manifest = _checked(folder, repository, tag, report)
    try:
        repository.check_token(needed=False)
        planned = _planned(folder, repository, version, manifest, report)
        if planned.is_published:
            return [f"already published: {repository.name}@{tag}"]
        return list(preview(planned, repository, private))
    except HubError as error:
        if error.status is not None:
            raise
        unseen = f"what is published is unknown, for the Hub can't be asked ({error}); a first version would"
        return [unseen, *_changes_of_files(_first(folder, manifest, version), {})]


def preview(planned: Plan, repository: Repository, private: bool) -> Iterator[str]:
    """Say what :func:`push` would do, a line each."""
    exists = repository.exists()
    if not exists:
        unseen = "" if get_token() else " (or it is private, and can't be seen without a token)"
        yield f"create {'private' if private else 'public'} dataset {repository.name}{unseen}"
    yield from _changes_of_files(planned, repository.listing(MAIN) if exists else {})


def _changes_of_files(planned: Plan, there: Listing) -> Iterator[str]:
    for path in missing(planned.uploads, there):
        yield f"{'replace' if path in there else 'add'} {path} ({planned.uploads[path].size:,} bytes)"
    yield from (f"remove {path}" for path in surplus(planned.uploads, there))
    yield from (f"rows of {change}" for change in planned.changes or ())
    yield f"move main and set the tag {planned.version.tag}"


def _checked(folder: Path, repository: Repository, tag: str, report: Report) -> tuple[Version, Manifest]:
    """Check all that can be checked without the Hub."""
    version = parse_tag(tag)
    repository.check_name()
    report("checking the folder")
    return version, check_intact(folder)


def _first(folder: Path, manifest: Manifest, version: Version) -> Plan:
    files = stamped(folder, manifest, str(version), "First version published here.", "")
    return Plan(version, manifest, _uploads(folder, manifest, files))


def _uploads(folder: Path, manifest: Manifest, replaced: dict[str, bytes]) -> dict[str, Upload]:
    listed = {path: Upload(folder / path, file.sha256) for path, file in manifest.files().items()}
    plain = {path: Upload((folder / path).read_bytes()) for path in (CARD, MANIFEST)}
    return {**plain, **listed, **{path: Upload(content) for path, content in replaced.items()}}


def _changes(
    repository: Repository, older: Version, folder: Path, manifest: Manifest
) -> tuple[list[Changes], str]:
    """Return the changes of rows since a published version, and its card."""
    before = fetch_manifest(repository, older.tag)
    there = fetch_configs(repository, older.tag, changed_configs(before, manifest))
    return compare(there, folder), (there / CARD).read_text(encoding="utf-8")


def _tags(repository: Repository, manifest: Manifest) -> Iterable[str]:
    """List tags; refuse a repository whose main holds something else: a push would remove it there."""
    if not repository.exists():
        return ()
    there = repository.listing(MAIN)
    if MANIFEST in there:
        found = fetch_manifest(repository, MAIN).benchmark
        if found != manifest.benchmark:
            raise UserError(f"{repository.name} holds {found}, not {manifest.benchmark}; choose another name")
    elif there.keys() - {GITATTRIBUTES, CARD}:
        raise UserError(f"{repository.name} holds files that are not ours; choose another name")
    return repository.refs().tags


def _check_same(repository: Repository, version: Version, manifest: Manifest) -> None:
    there = fetch_manifest(repository, version.tag)
    changed = changed_configs(there, manifest)
    if changed:
        hashes = ", ".join(f"{name} {_hash(there, name)} -> {_hash(manifest, name)}" for name in changed)
        raise UserError(
            f"{repository.name}@{version.tag} is published with other content, and a tag is never moved "
            f"(SHA-256 of rows: {hashes}); choose a new tag"
        )


def _hash(manifest: Manifest, name: str) -> str:
    entry = manifest.configs.get(name)
    return entry.sha256[:16] if entry else "none"
