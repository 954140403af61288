"""Repositories on disk: blobs by their hash, whole trees as commits, branches and tags as names for them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from physprobe.files import write_whole

GITATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n*.png filter=lfs diff=lfs merge=lfs -text\n"


@dataclass(frozen=True)
class Entry:
    """A file in a tree: its git blob, its size, and the SHA-256 of what an LFS pointer points to."""

    blob_id: str
    size: int
    lfs: str | None = None


@dataclass
class Refs:
    """Everything of a repository that can change."""

    private: bool
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)


def git_blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def pointer_entry(oid: str, size: int) -> Entry:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {size}\n".encode()
    return Entry(git_blob_id(pointer), size, oid)


class Repo:
    """One repository. Nothing is cached: what the disk says is so, also after a kill."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def create(cls, folder: Path, private: bool) -> Repo:
        for name in ("blobs", "lfs", "parts", "commits"):
            (folder / name).mkdir(parents=True)
        repo = cls(folder)
        repo.save(Refs(private))
        repo.commit("main", {".gitattributes": repo.add_blob(GITATTRIBUTES)}, "initial commit")
        return repo

    @property
    def refs(self) -> Refs:
        return Refs(**json.loads((self.folder / "refs.json").read_text()))

    def save(self, refs: Refs) -> None:
        write_whole(self.folder / "refs.json", json.dumps(asdict(refs)))

    def commit(self, branch: str, tree: Mapping[str, Entry], summary: str) -> str:
        """Let a branch point to a new commit with exactly this tree."""
        refs = self.refs
        number = len(list((self.folder / "commits").iterdir()))
        data = {
            "parent": refs.branches.get(branch),
            "number": number,
            "summary": summary,
            "files": {path: asdict(entry) for path, entry in sorted(tree.items())},
        }
        text = json.dumps(data)
        oid = hashlib.sha1(text.encode()).hexdigest()
        write_whole(self.folder / "commits" / f"{oid}.json", text)
        refs.branches[branch] = oid
        self.save(refs)
        return oid

    def read_commit(self, oid: str) -> dict[str, Any]:
        return json.loads((self.folder / "commits" / f"{oid}.json").read_text())

    def tree(self, oid: str) -> dict[str, Entry]:
        return {path: Entry(**entry) for path, entry in self.read_commit(oid)["files"].items()}

    def history(self, oid: str | None) -> Iterator[str]:
        """Yield a commit and its ancestors, newest first."""
        while oid:
            yield oid
            oid = self.read_commit(oid)["parent"]

    def resolve(self, revision: str) -> str | None:
        """Find the commit of a branch, tag or commit id."""
        refs = self.refs
        found = refs.branches.get(revision) or refs.tags.get(revision)
        return found or (revision if (self.folder / "commits" / f"{revision}.json").is_file() else None)

    def add_blob(self, content: bytes) -> Entry:
        entry = Entry(git_blob_id(content), len(content))
        write_whole(self.folder / "blobs" / entry.blob_id, content)
        return entry

    def has_lfs(self, oid: str) -> bool:
        return self.lfs_path(oid).is_file()

    def lfs_path(self, oid: str) -> Path:
        return self.folder / "lfs" / oid

    def path_of(self, entry: Entry) -> Path:
        return self.lfs_path(entry.lfs) if entry.lfs else self.folder / "blobs" / entry.blob_id

    def add_lfs(self, oid: str, content: bytes) -> bool:
        """Store an object if it is what its name says."""
        if hashlib.sha256(content).hexdigest() != oid:
            return False
        write_whole(self.lfs_path(oid), content)
        return True


@dataclass(frozen=True)
class Store:
    """All repositories below a folder.

    Attributes:
        moves: every (repository, branch, commit) that a client moved a branch to, in order.
    """

    root: Path
    moves: list[tuple[str, str, str]] = field(default_factory=list)

    def folder(self, kind: str, name: str) -> Path:
        return self.root / kind / name

    def find(self, kind: str, name: str) -> Repo | None:
        folder = self.folder(kind, name)
        return Repo(folder) if (folder / "refs.json").is_file() else None

    def create(self, kind: str, name: str, private: bool) -> Repo:
        return Repo.create(self.folder(kind, name), private)
