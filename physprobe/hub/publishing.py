"""Publishes files as one change of main: everything or nothing, at any moment, also when killed.

Git's own way, moving main to a finished branch, is not part of the Hub's HTTP API. So files are first
collected and checked on a branch; then a single commit on main copies them from there by name. Large files
are copied as pointers on the Hub, without sending a byte again, and a commit is atomic. It names the commit
that main has to point to, so that two who publish at once can't mix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from physprobe.errors import UserError
from physprobe.hub.contents import Listing, Uploads, missing, surplus
from physprobe.hub.patience import HubError
from physprobe.hub.repository import Repository

MAIN = "main"

# Of one commit on the branch: what a rerun need not send again, against the Hub's limit of commits an hour.
_BATCH_BYTES = 2 * 10**9
_BATCH_FILES = 50

Report = Callable[[str], None]


@dataclass(frozen=True)
class Publication:
    """What is published.

    Attributes:
        uploads: the files. message: of the commit. tag: to be set on it, or None.
        branch: collects the files; two publications that may run at the same time need two.
        whole: whether main holds these files alone afterwards, or keeps its others.
        private: whether the repository has to be private.
    """

    uploads: Uploads
    message: str
    branch: str
    tag: str | None = None
    whole: bool = True
    private: bool = False


def publish(repository: Repository, publication: Publication, report: Report = lambda text: None) -> str:
    """Publish, or continue where a run that was interrupted stopped.

    Main and its tags are untouched until everything has arrived; then main moves once, and the tag is set.

    Args:
        repository: made if it isn't there. publication: what. report: told what is being done.

    Returns:
        The commit.

    Raises:
        HubError: a step can't be done; run again to continue.
        UserError: what arrived is not what was sent, or somebody else published meanwhile.
    """
    report("opening the repository")
    repository.create(publication.private)
    start = repository.refs().branches[MAIN]
    if not _is_on_main(repository, publication, start):
        source = _collect(repository, publication, start, report)
        report("moving main")
        _move_main(repository, publication, start, source)
    commit = repository.refs().branches[MAIN]
    if not _is_on_main(repository, publication, commit):
        raise UserError(f"main of {repository.name} was changed by somebody else meanwhile; run again")
    if publication.tag is not None:
        report(f"setting the tag {publication.tag}")
        repository.create_tag(publication.tag, commit)
    discard(repository, publication.branch)
    return commit


def discard(repository: Repository, branch: str) -> None:
    """Remove a branch of ours; one that stays does no harm."""
    with suppress(HubError):
        repository.delete_branch(branch)


def _is_on_main(repository: Repository, publication: Publication, commit: str) -> bool:
    there = repository.listing(commit)
    return not missing(publication.uploads, there) and not _to_delete(publication, there)


def _to_delete(publication: Publication, there: Listing) -> list[str]:
    return surplus(publication.uploads, there) if publication.whole else []


def _collect(repository: Repository, publication: Publication, start: str, report: Report) -> str:
    """Bring the files to the branch, look at what arrived, and return the commit that holds it."""
    branch, uploads = publication.branch, publication.uploads
    repository.create_branch(branch, start)
    absent = missing(uploads, repository.listing(branch))
    done = 0
    for batch in _batches(uploads, absent):
        for path in batch:
            done += 1
            report(f"uploading {done} of {len(absent)}: {path} ({uploads[path].size / 1e6:,.1f} MB)")
            repository.upload(branch, path, uploads[path])
        repository.commit(branch, {path: uploads[path] for path in batch}, publication.message)
    report("checking what arrived")
    commit = repository.refs().branches[branch]
    wrong = missing(uploads, repository.listing(commit))
    if wrong:
        raise UserError(f"{', '.join(wrong)} did not arrive in {repository.name} as sent; run again")
    return commit


def _move_main(repository: Repository, publication: Publication, start: str, source: str) -> None:
    there = repository.listing(start)
    repository.replace_main(
        source,
        copy=missing(publication.uploads, there),
        delete=_to_delete(publication, there),
        parent=start,
        message=publication.message,
    )


def _batches(uploads: Uploads, paths: list[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for path in paths:
        if batch and (size + uploads[path].size > _BATCH_BYTES or len(batch) == _BATCH_FILES):
            yield batch
            batch, size = [], 0
        batch.append(path)
        size += uploads[path].size
    if batch:
        yield batch
