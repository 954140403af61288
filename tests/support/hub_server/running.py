"""Starts the Hub in a thread of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tests.support.hub_server import contents, repositories
from tests.support.hub_server.access import Hub, User
from tests.support.hub_server.faults import Faults
from tests.support.hub_server.store import Entry, Repo, Store
from tests.support.serving import local_listener, serving

WRITER, READER = "hf_writerwriterwriterwriterwriter", "hf_readerreaderreaderreaderreader"
USERS = {WRITER: User("ada", frozenset({"ada", "lab"})), READER: User("bob")}


@dataclass(frozen=True)
class LocalHub:
    """The running Hub: where it is, what it holds, what goes wrong."""

    url: str
    store: Store
    faults: Faults

    def repo(self, name: str, kind: str = "datasets") -> Repo:
        found = self.store.find(kind, name)
        assert found is not None, f"no {kind}/{name}"
        return found

    def files(self, name: str, revision: str = "main", kind: str = "datasets") -> dict[str, Entry]:
        """List a revision's files, without .gitattributes."""
        repo = self.repo(name, kind)
        oid = repo.resolve(revision)
        assert oid is not None, f"no revision {revision}"
        return {path: entry for path, entry in repo.tree(oid).items() if path != ".gitattributes"}

    def read(self, name: str, path: str, revision: str = "main", kind: str = "datasets") -> bytes:
        return self.repo(name, kind).path_of(self.files(name, revision, kind)[path]).read_bytes()


async def _say_no(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


def _application(hub: Hub) -> Starlette:
    app = Starlette(
        routes=[*repositories.ROUTES, *contents.ROUTES], exception_handlers={HTTPException: _say_no}
    )
    app.state.hub = hub
    return app


@contextmanager
def local_hub(root: Path, page_size: int = 3, part_size: int = 200_000) -> Iterator[LocalHub]:
    """Run a Hub over a folder.

    Args:
        root: keeps its repositories. page_size: entries of a listing sent at once.
        part_size: files larger than this are uploaded in parts, in bytes.
    """
    faults, store = Faults(), Store(root)
    app = faults.around(_application(Hub(store, USERS, page_size, part_size)))
    listener, url = local_listener()
    with serving(app, listener, "hub"):
        yield LocalHub(url, store, faults)
