"""Publishes a dataset folder on the Hub under a version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from builders.diff import Changes, changed_configs, compare, overall_step
from builders.folder import CARD, MANIFEST, Manifest
from builders.intact import check_intact
from builders.remote import fetch_configs, fetch_manifest
from builders.stamp import stamped
from builders.versions import Version, check_step, newest, parse_tag
from physprobe.errors import UserError
from physprobe.hub.contents import GITATTRIBUTES, Upload, Uploads, missing, surplus
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
    version = parse_tag(tag)
    repository.check_name()
    report("checking the folder")
    manifest = check_intact(folder)
    report("looking at what is published")
    repository.check_token()
    tags = _tags(repository, manifest)
    if version.tag in tags:
        _check_same(repository, version, manifest)
        return Plan(version, manifest, {}, is_published=True)
    older = newest(tags)
    if older is None:
        files = stamped(folder, manifest, str(version), "First version published here.", "")
        return Plan(version, manifest, _uploads(folder, manifest, files))
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


def preview(planned: Plan, repository: Repository, private: bool) -> Iterator[str]:
    """Say what :func:`push` would do, a line each."""
    exists = repository.exists()
    if not exists:
        yield f"create {'private' if private else 'public'} dataset {repository.name}"
    there = repository.listing(MAIN) if exists else {}
    for path in missing(planned.uploads, there):
        yield f"{'replace' if path in there else 'add'} {path} ({planned.uploads[path].size:,} bytes)"
    yield from (f"remove {path}" for path in surplus(planned.uploads, there))
    yield from (f"rows of {change}" for change in planned.changes or ())
    yield f"move main and set the tag {planned.version.tag}"


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
