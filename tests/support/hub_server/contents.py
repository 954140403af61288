"""Files: what is announced, uploaded, committed and downloaded."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from tests.support.hub_server.access import commit_of, hub_of, refuse, repo_name, repo_of
from tests.support.hub_server.store import Entry, Repo, pointer_entry

_LFS_SUFFIXES = (".parquet", ".png", ".mp4")
_MAX_REGULAR = 10_000_000


async def preupload(request: Request) -> Response:
    repo = repo_of(request, write=True)
    there = repo.tree(commit_of(request, repo))
    return JSONResponse({"files": [_mode(file, there) for file in (await request.json())["files"]]})


def _mode(file: dict[str, Any], there: dict[str, Entry]) -> dict[str, Any]:
    binary = b"\0" in base64.b64decode(file["sample"])
    lfs = file["path"].endswith(_LFS_SUFFIXES) or binary or file["size"] > _MAX_REGULAR
    entry = there.get(file["path"])
    oid = {"oid": entry.lfs or entry.blob_id} if entry else {}
    return {"path": file["path"], "uploadMode": "lfs" if lfs else "regular", "shouldIgnore": False, **oid}


async def commit(request: Request) -> Response:
    repo = repo_of(request, write=True)
    lines = [json.loads(line) for line in (await request.body()).splitlines()]
    branch, header = request.path_params["revision"], lines[0]["value"]
    head = repo.refs.branches.get(branch)
    if head is None:
        raise refuse(404, "Invalid rev id", "RevisionNotFound")
    if header.get("parentCommit", head) != head:
        raise refuse(412, "A commit has happened since. Please refresh and try again.")
    tree = repo.tree(head)
    for line in lines[1:]:
        _OPERATIONS[line["key"]](repo, tree, line["value"])
    oid = repo.commit(branch, tree, header["summary"])
    hub_of(request).store.moves.append((repo_name(request), branch, oid))
    return JSONResponse(
        {"commitOid": oid, "commitUrl": f"{request.base_url}{repo_name(request)}/commit/{oid}"}
    )


def _put_file(repo: Repo, tree: dict[str, Entry], value: dict[str, Any]) -> None:
    tree[value["path"]] = repo.add_blob(base64.b64decode(value["content"]))


def _put_pointer(repo: Repo, tree: dict[str, Entry], value: dict[str, Any]) -> None:
    if not repo.has_lfs(value["oid"]):
        raise refuse(400, f"{value['path']}: its LFS pointer points to a file that does not exist")
    tree[value["path"]] = pointer_entry(value["oid"], repo.lfs_path(value["oid"]).stat().st_size)


def _delete_file(repo: Repo, tree: dict[str, Entry], value: dict[str, Any]) -> None:
    if tree.pop(value["path"], None) is None:
        raise refuse(404, "A file with this name doesn't exist", "EntryNotFound")


_OPERATIONS: dict[str, Callable[[Repo, dict[str, Entry], dict[str, Any]], None]] = {
    "file": _put_file,
    "lfsFile": _put_pointer,
    "deletedFile": _delete_file,
}


async def lfs_batch(request: Request) -> Response:
    repo = repo_of(request, write=True)
    objects = (await request.json())["objects"]
    return JSONResponse({"transfer": "basic", "objects": [_upload_action(request, repo, o) for o in objects]})


def _upload_action(request: Request, repo: Repo, wanted: dict[str, Any]) -> dict[str, Any]:
    oid, size = wanted["oid"], wanted["size"]
    if repo.has_lfs(oid):
        return {"oid": oid, "size": size}
    kind = request.path_params.get("kind", "models")
    place = f"{kind}/{repo_name(request)}/{oid}"
    upload: dict[str, Any] = {"href": f"{request.base_url}upload/{place}"}
    part_size = hub_of(request).part_size
    if size > part_size:
        count = -(-size // part_size)
        urls = {str(n): f"{request.base_url}upload/{place}/{n}" for n in range(1, count + 1)}
        upload = {
            "href": f"{request.base_url}complete/{place}",
            "header": {"chunk_size": str(part_size), **urls},
        }
    verify = {"href": f"{request.base_url}verify/{place}"}
    return {"oid": oid, "size": size, "actions": {"upload": upload, "verify": verify}}


def _presigned(request: Request) -> tuple[Repo, str]:
    """Find what an upload's address names; whoever was given the address may use it."""
    repo = hub_of(request).store.find(request.path_params["kind"], repo_name(request))
    if repo is None:
        raise refuse(403, "no such bucket")
    return repo, request.path_params["oid"]


async def upload(request: Request) -> Response:
    repo, oid = _presigned(request)
    content = await request.body()
    if len(content) != int(request.headers.get("content-length", len(content))):
        raise refuse(400, "incomplete body")
    if "part" in request.path_params:
        (repo.folder / "parts" / f"{oid}.{request.path_params['part']}").write_bytes(content)
    elif not repo.add_lfs(oid, content):
        raise refuse(400, "checksum mismatch")
    return Response(headers={"ETag": f'"{hashlib.md5(content).hexdigest()}"'})


async def complete(request: Request) -> Response:
    repo, oid = _presigned(request)
    parts = (await request.json())["parts"]
    files = [repo.folder / "parts" / f"{oid}.{part['partNumber']}" for part in parts]
    if not all(file.is_file() for file in files):
        raise refuse(400, "parts are missing")
    if not repo.add_lfs(oid, b"".join(file.read_bytes() for file in files)):
        raise refuse(400, "checksum mismatch")
    return JSONResponse({})


async def verify(request: Request) -> Response:
    repo, oid = _presigned(request)
    size = (await request.json())["size"]
    if not repo.has_lfs(oid) or repo.lfs_path(oid).stat().st_size != size:
        raise refuse(404, "object is not there")
    return JSONResponse({})


async def resolve(request: Request) -> Response:
    """Serve a file, or its headers, or a range of it."""
    repo = repo_of(request)
    oid = commit_of(request, repo)
    entry = repo.tree(oid).get(request.path_params["path"])
    if entry is None:
        raise refuse(404, "Entry not found", "EntryNotFound")
    headers = {"X-Repo-Commit": oid, "ETag": f'"{entry.lfs or entry.blob_id}"'}
    if entry.lfs:
        headers |= {"X-Linked-ETag": f'"{entry.lfs}"', "X-Linked-Size": str(entry.size)}
    return FileResponse(repo.path_of(entry), headers=headers, media_type="application/octet-stream")


def _resolve_routes() -> list[Route]:
    path = "/{space}/{name}/resolve/{revision}/{path:path}"
    return [Route("/{kind}" + path, resolve), Route(path, resolve)]


_BATCH = "/{space}/{name}.git/info/lfs/objects/batch"
_OBJECT = "/{kind}/{space}/{name}/{oid}"

ROUTES = [
    Route("/api/{kind}/{space}/{name}/preupload/{revision}", preupload, methods=["POST"]),
    Route("/api/{kind}/{space}/{name}/commit/{revision}", commit, methods=["POST"]),
    Route("/{kind}" + _BATCH, lfs_batch, methods=["POST"]),
    Route(_BATCH, lfs_batch, methods=["POST"]),
    Route(f"/upload{_OBJECT}", upload, methods=["PUT"]),
    Route(f"/upload{_OBJECT}/{{part}}", upload, methods=["PUT"]),
    Route(f"/complete{_OBJECT}", complete, methods=["POST"]),
    Route(f"/verify{_OBJECT}", verify, methods=["POST"]),
    *_resolve_routes(),
]
