"""One repository of the Hub: each method is a step that is repeated until it is done (patience.py)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from huggingface_hub import (
    CommitOperationAdd,
    CommitOperationCopy,
    CommitOperationDelete,
    HfApi,
    constants,
    get_token,
    snapshot_download,
)
from huggingface_hub.errors import RepositoryNotFoundError
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils import validate_repo_id

from physprobe.errors import UserError
from physprobe.hub.contents import Listing, Remote, Upload, Uploads
from physprobe.hub.patience import HubError, Patience

T = TypeVar("T")

_CONFLICT = 412


@dataclass(frozen=True)
class Refs:
    """Branches and tags, each with its commit."""

    branches: Mapping[str, str]
    tags: Mapping[str, str]


@dataclass(frozen=True)
class Repository:
    """A repository and how to reach it.

    Attributes:
        name: "ORG/NAME". kind: "dataset" or "model".
    """

    name: str
    kind: str = "dataset"
    patience: Patience = field(default_factory=Patience)

    @cached_property
    def api(self) -> HfApi:
        """The client; HF_ENDPOINT and the token are found by it, in the usual places."""
        return HfApi(endpoint=os.environ.get("HF_ENDPOINT") or None)

    def check_name(self) -> None:
        """Refuse what is no ORG/NAME.

        Raises:
            UserError: it isn't.
        """
        if self.name.count("/") != 1:
            raise UserError(f"{self.name!r} is no repository: write ORG/NAME")
        self.patience.persist("check the name", lambda: validate_repo_id(self.name))

    def check_token(self, needed: bool = True) -> None:
        """Ask the Hub whose token this is.

        Args:
            needed: whether to refuse to go on without any.

        Raises:
            HubError: there is none, or the Hub doesn't know it.
        """
        if needed or get_token():
            self.patience.persist("log in", self.api.whoami)

    def exists(self) -> bool:
        """Tell whether the repository is there and may be seen."""

        def look() -> bool:
            try:
                self.api.repo_info(self.name, repo_type=self.kind)
            except RepositoryNotFoundError:
                return False
            return True

        return self._step("look at", look)

    def create(self, private: bool) -> None:
        """Make the repository, if it isn't there.

        Raises:
            UserError: it is to be private and is there, public.
        """

        def make() -> None:
            # None: an organisation may have its own rule for new repositories.
            self.api.create_repo(self.name, repo_type=self.kind, private=private or None, exist_ok=True)

        self._step("create", make)
        if (
            private
            and not self._step("look at", lambda: self.api.repo_info(self.name, repo_type=self.kind)).private
        ):
            raise UserError(f"{self.name} is public: make it private on the Hub, or push without --private")

    def refs(self) -> Refs:
        """Return branches and tags."""
        found = self._step(
            "list the tags of", lambda: self.api.list_repo_refs(self.name, repo_type=self.kind)
        )
        return Refs(
            {branch.name: branch.target_commit for branch in found.branches},
            {tag.name: tag.target_commit for tag in found.tags},
        )

    def listing(self, revision: str) -> Listing:
        """Return the files of a revision."""

        def walk() -> dict[str, Remote]:
            entries = self.api.list_repo_tree(
                self.name, recursive=True, revision=revision, repo_type=self.kind
            )
            return {entry.path: _remote(entry) for entry in entries if isinstance(entry, RepoFile)}

        return self._step("list the files of", walk)

    def download(self, revision: str, patterns: Sequence[str] | None = None) -> Path:
        """Fetch files of a revision into the client's cache; return the folder that holds them."""

        def fetch() -> Path:
            return Path(
                snapshot_download(
                    self.name,
                    repo_type=self.kind,
                    revision=revision,
                    allow_patterns=None if patterns is None else [*patterns],
                    endpoint=self.api.endpoint,
                )
            )

        return self._step("download", fetch)

    def create_branch(self, branch: str, revision: str) -> None:
        """Make a branch, if it isn't there."""

        def make() -> None:
            self.api.create_branch(
                self.name, branch=branch, revision=revision, repo_type=self.kind, exist_ok=True
            )

        self._step("create a branch of", make)

    def delete_branch(self, branch: str) -> None:
        """Remove a branch, if it is there."""

        def remove() -> None:
            if branch in self.refs().branches:
                self.api.delete_branch(self.name, branch=branch, repo_type=self.kind)

        self._step("remove a branch of", remove)

    def create_tag(self, tag: str, commit: str) -> None:
        """Set a tag.

        Raises:
            UserError: it is set to another commit; it is never moved.
        """

        def make() -> None:
            found = self.refs().tags.get(tag)
            if found is None:
                self.api.create_tag(self.name, tag=tag, revision=commit, repo_type=self.kind)
            elif found != commit:
                raise UserError(f"{self.name} has had a tag {tag} set by somebody else meanwhile; it stays")

        self._step("tag", make)

    def upload(self, branch: str, path: str, upload: Upload) -> None:
        """Send a file's content, unless the Hub has it; it becomes part of a branch with :meth:`commit`.

        Large files arrive here, small ones are sent with the commit.
        """

        def send() -> None:
            operations = [_addition(path, upload)]
            self.api.preupload_lfs_files(self.name, operations, repo_type=self.kind, revision=branch)

        self._step(f"upload {path} to", send)

    def commit(self, branch: str, uploads: Uploads, message: str) -> None:
        """Add or replace files of a branch, with content sent before."""

        def add() -> None:
            operations = [_addition(path, upload) for path, upload in uploads.items()]
            self.api.create_commit(
                self.name, operations, commit_message=message, repo_type=self.kind, revision=branch
            )

        self._step("commit to", add)

    def replace_main(
        self, source: str, copy: Sequence[str], delete: Sequence[str], parent: str, message: str
    ) -> None:
        """Move main forward by one commit that copies files from another commit and deletes others.

        Args:
            source: the commit to copy from. copy, delete: paths. parent: what main has to point to.

        Raises:
            UserError: main points elsewhere.
        """
        operations: list[CommitOperationCopy | CommitOperationDelete] = [
            *(CommitOperationCopy(path, path, src_revision=source) for path in copy),
            *(CommitOperationDelete(path, is_folder=False) for path in delete),
        ]

        def move() -> None:
            if self.refs().branches[constants.DEFAULT_REVISION] != parent:
                return  # by an attempt whose answer was lost, or by others: whoever calls looks what it holds
            self.api.create_commit(
                self.name, operations, commit_message=message, repo_type=self.kind, parent_commit=parent
            )

        try:
            self._step("move main of", move)
        except HubError as error:
            if error.status != _CONFLICT:
                raise

    def _step(self, what: str, act: Callable[[], T]) -> T:
        return self.patience.persist(f"{what} {self.name}", act)


def _addition(path: str, upload: Upload) -> CommitOperationAdd:
    operation = CommitOperationAdd(path, upload.source)
    operation.upload_info.sha256 = bytes.fromhex(
        upload.sha256
    )  # or the client reads the file again and again
    return operation


def _remote(entry: RepoFile) -> Remote:
    if entry.lfs is not None:
        return Remote(entry.lfs.size, True, entry.lfs.sha256)
    return Remote(entry.size, False, entry.blob_id)
