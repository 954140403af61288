"""Where things are kept between runs, and how files are written: whole or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from physprobe.errors import UserError


def cache_folder(variable: str, name: str, environment: Mapping[str, str] | None = None) -> Path:
    """Return the folder that an environment variable names, else physprobe/NAME in the user's cache.

    Args:
        variable: for example "PHYSPROBE_CAPTIONS". name: of the folder in the cache.
        environment: where variables are looked up; default: the process's.
    """
    values = os.environ if environment is None else environment
    if values.get(variable):
        return Path(values[variable])
    base = values.get("XDG_CACHE_HOME", "")
    # The XDG specification says to ignore relative paths.
    root = Path(base) if Path(base).is_absolute() else Path.home() / ".cache"
    return root / "physprobe" / name


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file under a temporary name, then rename it; of a text, what UTF-8 can't express is replaced.

    Raises:
        OSError: it can't be written; ``path`` is as it was.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode(errors="replace") if isinstance(content, str) else content)
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def whole_folder(out: Path, mark: str = "") -> Iterator[Path]:
    """Fill a folder under another name and move it into place once it is complete.

    Args:
        out: a new or empty folder, or one to replace: one that holds a file named ``mark``.

    Raises:
        UserError: ``out`` holds something else, or no folder can be made there.
    """
    replaced = bool(mark) and (out / mark).is_file()
    if out.exists() and not replaced and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"{out} is not empty: give a new folder")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}."))
    except OSError as error:
        raise UserError(f"{out} can't be made ({error.strerror}): give another folder") from error
    try:
        folder.chmod(0o755)
        yield folder
        old = out.with_name(f"{folder.name}.old")
        if replaced:
            out.replace(old)
        elif out.exists():
            out.rmdir()
        folder.replace(out)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        while chunk := handle.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def state(path: Path) -> str:
    """Return a hash of a file's or folder's place, and of names, sizes and times of change of its files.

    Raises:
        OSError: something can't be looked at.
    """
    found = [str(path)]
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            status = file.stat()
            found.append(f"{file.relative_to(path)} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(found).encode()).hexdigest()
