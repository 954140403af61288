"""Who may do what, and how the Hub says no."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request

from tests.support.hub_server.store import Repo, Store


@dataclass(frozen=True)
class User:
    """An account and the namespaces that its token may write to."""

    name: str
    writes: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Hub:
    """What the routes share."""

    store: Store
    users: Mapping[str, User]
    page_size: int
    part_size: int


def refuse(status: int, message: str, code: str = "") -> HTTPException:
    headers = {"X-Error-Message": message, **({"X-Error-Code": code} if code else {})}
    return HTTPException(status, message, headers)


def hub_of(request: Request) -> Hub:
    return request.app.state.hub


def user_of(request: Request) -> User | None:
    """Find who asks; a token that nobody has is refused, none at all is a reader."""
    given = request.headers.get("authorization", "")
    if not given:
        return None
    user = hub_of(request).users.get(given.removeprefix("Bearer "))
    if user is None:
        raise refuse(401, "Invalid credentials in Authorization header")
    return user


def repo_name(request: Request) -> str:
    return f"{request.path_params['space']}/{request.path_params['name']}"


def repo_of(request: Request, write: bool = False) -> Repo:
    """Find the repository of a route."""
    user, name = user_of(request), repo_name(request)
    space = name.split("/")[0]
    repo = hub_of(request).store.find(request.path_params.get("kind", "models"), name)
    if repo is None or (repo.refs.private and (user is None or space not in user.writes | {user.name})):
        raise refuse(404 if user else 401, "Repository not found", "RepoNotFound")
    if write and (user is None or space not in user.writes):
        raise refuse(403, f"You don't have write access to {name}")
    return repo


def commit_of(request: Request, repo: Repo) -> str:
    """Find the commit of a route's revision."""
    oid = repo.resolve(request.path_params.get("revision", "main"))
    if oid is None:
        raise refuse(404, "Invalid rev id", "RevisionNotFound")
    return oid
