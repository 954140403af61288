"""Accounts, repositories, branches, tags and listings."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlencode

import yaml
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.support.hub_server.access import commit_of, hub_of, refuse, repo_name, repo_of, user_of
from tests.support.hub_server.store import Entry

_DATE = "2026-01-02T03:04:05.000Z"
_REPO = "/api/{kind}/{space}/{name}"


async def whoami(request: Request) -> Response:
    user = user_of(request)
    if user is None:
        raise refuse(401, "Invalid username or password.")
    access = {"role": "write" if user.writes else "read", "displayName": "test"}
    orgs = [{"name": name, "type": "org"} for name in sorted(user.writes - {user.name})]
    return JSONResponse(
        {
            "type": "user",
            "name": user.name,
            "orgs": orgs,
            "auth": {"accessToken": access, "type": "access_token"},
        }
    )


async def validate_yaml(request: Request) -> Response:
    content = (await request.json())["content"]
    try:
        found = yaml.safe_load(content.split("---")[1]) if content.startswith("---") else {}
        errors = [] if isinstance(found, dict) else [{"message": "metadata must be a mapping"}]
    except yaml.YAMLError as error:
        errors = [{"message": str(error)}]
    return JSONResponse({"errors": errors, "warnings": []}, 400 if errors else 200)


async def create(request: Request) -> Response:
    user, wanted = user_of(request), await request.json()
    if user is None:
        raise refuse(401, "Invalid username or password.")
    space = wanted.get("organization") or user.name
    if space not in user.writes:
        raise refuse(403, f"You don't have the rights to create a repository under {space}")
    kind, name = f"{wanted.get('type') or 'model'}s", f"{space}/{wanted['name']}"
    prefix = "" if kind == "models" else f"{kind}/"
    url = f"{request.base_url}{prefix}{name}"
    store = hub_of(request).store
    if store.find(kind, name):
        return JSONResponse({"error": "You already created this repo", "url": url}, 409)
    store.create(kind, name, bool(wanted.get("private")) or wanted.get("visibility") == "private")
    return JSONResponse({"url": url, "name": name})


async def info(request: Request) -> Response:
    repo = repo_of(request)
    oid = commit_of(request, repo)
    name = repo_name(request)
    found = {
        "_id": "0",
        "id": name,
        "author": name.split("/")[0],
        "sha": oid,
        "lastModified": _DATE,
        "createdAt": _DATE,
        "private": repo.refs.private,
        "disabled": False,
        "gated": False,
        "downloads": 0,
        "likes": 0,
        "tags": [],
        "siblings": [{"rfilename": path} for path in repo.tree(oid)],
    }
    return JSONResponse(found)


async def refs(request: Request) -> Response:
    found = repo_of(request).refs
    branches = [_ref("heads", name, oid) for name, oid in found.branches.items()]
    tags = [_ref("tags", name, oid) for name, oid in found.tags.items()]
    return JSONResponse({"branches": branches, "converts": [], "tags": tags})


def _ref(kind: str, name: str, oid: str) -> dict[str, str]:
    return {"name": name, "ref": f"refs/{kind}/{name}", "targetCommit": oid}


async def commits(request: Request) -> Response:
    repo = repo_of(request)
    found = [
        {"id": oid, "title": repo.read_commit(oid)["summary"], "message": "", "date": _DATE, "authors": []}
        for oid in repo.history(commit_of(request, repo))
    ]
    return JSONResponse(found)


async def tree(request: Request) -> Response:
    repo = repo_of(request)
    below = request.path_params.get("path", "")
    found = list(_listing(repo.tree(commit_of(request, repo)), below, _flag(request, "recursive")))
    if below and not found:
        raise refuse(404, f"{below} does not exist", "EntryNotFound")
    start, size = int(request.query_params.get("cursor", 0)), hub_of(request).page_size
    headers = {}
    if start + size < len(found):
        query = urlencode({**request.query_params, "cursor": start + size})
        headers["Link"] = f'<{request.url.replace(query="")}?{query}>; rel="next"'
    return JSONResponse([_described(*item, request) for item in found[start : start + size]], headers=headers)


def _listing(files: dict[str, Entry], below: str, recursive: bool) -> Any:
    """Yield (path, entry or None for a folder), each once."""
    folders = set()
    prefix = f"{below}/" if below else ""
    for path, entry in files.items():
        if not path.startswith(prefix):
            continue
        parts = path[len(prefix) :].split("/")
        for depth in range(1, len(parts)):
            folder = prefix + "/".join(parts[:depth])
            if folder not in folders and (recursive or depth == 1):
                folders.add(folder)
                yield folder, None
        if recursive or len(parts) == 1:
            yield path, entry


def _flag(request: Request, name: str) -> bool:
    return request.query_params.get(name, "").lower() in ("1", "true")


def _described(path: str, entry: Entry | None, request: Request) -> dict[str, Any]:
    last = {"lastCommit": {"id": "0" * 40, "title": "", "date": _DATE}} if _flag(request, "expand") else {}
    if entry is None:
        return {"type": "directory", "path": path, "oid": "0" * 40, "size": 0, **last}
    lfs = {"lfs": {"oid": entry.lfs, "size": entry.size, "pointerSize": 130}} if entry.lfs else {}
    return {"type": "file", "path": path, "oid": entry.blob_id, "size": entry.size, **lfs, **last}


async def paths_info(request: Request) -> Response:
    repo = repo_of(request)
    files = repo.tree(commit_of(request, repo))
    found = []
    for path in parse_qs((await request.body()).decode()).get("paths", []):
        if path in files:
            found.append(_described(path, files[path], request))
        elif any(name.startswith(f"{path}/") for name in files):
            found.append(_described(path, None, request))
    return JSONResponse(found)


async def create_branch(request: Request) -> Response:
    repo = repo_of(request, write=True)
    body, name = await request.json(), request.path_params["branch"]
    start = repo.resolve(body.get("startingPoint") or "main")
    current = repo.refs
    if start is None:
        raise refuse(404, "Invalid rev id", "RevisionNotFound")
    if name in current.branches:
        raise refuse(409, f"Reference already exists: {name}")
    current.branches[name] = start
    repo.save(current)
    return JSONResponse({})


async def delete_branch(request: Request) -> Response:
    repo = repo_of(request, write=True)
    current, name = repo.refs, request.path_params["branch"]
    if name == "main":
        raise refuse(403, "main can't be deleted")
    if current.branches.pop(name, None) is None:
        raise refuse(404, "Reference does not exist", "RevisionNotFound")
    repo.save(current)
    return JSONResponse({})


async def create_tag(request: Request) -> Response:
    repo = repo_of(request, write=True)
    oid, name = commit_of(request, repo), (await request.json())["tag"]
    current = repo.refs
    if name in current.tags:
        raise refuse(409, f"Tag reference exists already: {name}")
    current.tags[name] = oid
    repo.save(current)
    return JSONResponse({})


async def delete_tag(request: Request) -> Response:
    repo = repo_of(request, write=True)
    current = repo.refs
    if current.tags.pop(request.path_params["revision"], None) is None:
        raise refuse(404, "Tag does not exist", "RevisionNotFound")
    repo.save(current)
    return JSONResponse({})


ROUTES = [
    Route("/api/whoami-v2", whoami),
    Route("/api/validate-yaml", validate_yaml, methods=["POST"]),
    Route("/api/repos/create", create, methods=["POST"]),
    Route(f"{_REPO}/revision/{{revision}}", info),
    Route(f"{_REPO}/refs", refs),
    Route(f"{_REPO}/commits/{{revision}}", commits),
    Route(f"{_REPO}/tree/{{revision}}", tree),
    Route(f"{_REPO}/tree/{{revision}}/{{path:path}}", tree),
    Route(f"{_REPO}/paths-info/{{revision}}", paths_info, methods=["POST"]),
    Route(f"{_REPO}/branch/{{branch}}", create_branch, methods=["POST"]),
    Route(f"{_REPO}/branch/{{branch}}", delete_branch, methods=["DELETE"]),
    Route(f"{_REPO}/tag/{{revision}}", create_tag, methods=["POST"]),
    Route(f"{_REPO}/tag/{{revision}}", delete_tag, methods=["DELETE"]),
    Route(_REPO, info),
]
