"""Where the datasets are, how a config of one is loaded, and which state of it that is."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from physprobe import files
from physprobe.errors import UserError, unknown_name

if TYPE_CHECKING:
    from datasets import Dataset, DatasetBuilder

VARIABLE = "PHYSPROBE_DATA"
DEFAULT_ORGANISATION = "physprobe"

# Where lmms-eval keeps what it loads, if it is set; it loads the same again after us.
_LMMS_EVAL_CACHE = "LMMS_EVAL_DATASETS_CACHE"

# In the folder of the datasets cache that a local dataset was copied into: which state of it was copied.
_COPIED = ".physprobe-source"

MANIFEST = "manifest.json"  # in a dataset's folder or repository: what the builders say of it

_ORGANISATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
COMMIT = re.compile(r"[0-9a-f]{40}")

_commits: dict[str, str] = {}  # of the Hub's datasets that this process has loaded, by path


@dataclass(frozen=True)
class DatasetIdentity:
    """Which state of a dataset was used.

    Attributes:
        name: for example "conservationbench". version: semantic; "" if the dataset doesn't say.
        sha256: of all its rows, in hexadecimal, see :func:`content_sha256`; "" if the dataset doesn't say.
        commit: of the Hub's repository; None for a local folder.
    """

    name: str
    version: str = ""
    sha256: str = ""
    commit: str | None = None


def dataset_path(name: str) -> str:
    """Return what ``load_dataset`` takes for a dataset of ours: a local folder or a Hub repository.

    The environment variable PHYSPROBE_DATA names either a folder that holds dataset folders or a Hub
    organisation. An existing folder, or anything spelled like a path, is a folder (the result is absolute);
    unset or empty means the organisation "physprobe".

    Args:
        name: the dataset, for example "conservationbench".

    Raises:
        UserError: the folder, or the dataset in it, does not exist, or the value is no organisation's name.
    """
    place = os.environ.get(VARIABLE, "").strip()
    if not place:
        return f"{DEFAULT_ORGANISATION}/{name}"
    folder = Path(place).expanduser().absolute()
    if folder.is_dir():
        return str(_in_folder(folder, name))
    if _looks_like_path(place):
        raise UserError(
            f"{VARIABLE}={place}: there is no such folder; set it to the folder that holds {name}/"
        )
    if not _ORGANISATION.fullmatch(place):
        raise UserError(f"{VARIABLE}={place} is neither a folder nor a Hub organisation's name")
    return f"{place}/{name}"


def load_config(name: str, config: str, split: str = "test") -> Dataset:
    """Load one config of a dataset; videos stay undecoded, as ``{"bytes", "path"}``.

    What is loaded from a local folder is what the folder holds now. ``datasets`` alone would give what it
    copied into its cache before, unless the card was changed as well.

    Args:
        name: the dataset, for example "conservationbench". config: for example "questions" or "videos".
        split: which split.

    Raises:
        UserError: the dataset, config or split does not exist, or the Hub can't be reached.
    """
    from datasets import Video, get_dataset_config_names
    from datasets.exceptions import DatasetsError

    path = dataset_path(name)
    with _briefly_asked(path) as away:
        try:
            dataset = load_path(path, config, split)
        except (DatasetsError, OSError, ValueError) as error:
            with suppress(DatasetsError, OSError, ValueError):
                configs = get_dataset_config_names(path)
                if config not in configs:
                    raise unknown_name(f"config of {path}", config, configs) from error
            reason = f"the Hub can't be reached ({away})" if away else _first_line(error)
            raise UserError(f"can't load {config}/{split} of {path}: {reason}; {_advice(path)}") from error
    for column, feature in dataset.features.items():
        if isinstance(feature, Video) and feature.decode:
            dataset = dataset.cast_column(column, Video(decode=False))
    return dataset


def dataset_identity(name: str) -> DatasetIdentity:
    """Return which state of a dataset is in use: of the Hub, the commit that this process loaded.

    What can't be found out is left empty: the dataset may be none of the builders', or the Hub out of reach.
    The version of a folder whose Parquet files were changed after the build ends in "+changed".

    Args:
        name: the dataset, for example "conservationbench".

    Raises:
        UserError: as :func:`dataset_path`.
    """
    path = dataset_path(name)
    if Path(path).is_dir():
        return _identity(name, Path(path) / MANIFEST, None, Path(path))
    commit = _commits.get(path)
    return _identity(name, _manifest_on_hub(path, commit), commit)


def has_manifest(path: str) -> bool:
    """Whether a dataset says which state it is in, as far as one can see at once; True for the Hub's.

    Args:
        path: what :func:`dataset_path` returns.
    """
    folder = Path(path)
    return not folder.is_dir() or bool(_identity(folder.name, folder / MANIFEST, None).sha256)


def content_sha256(configs: Mapping[str, str]) -> str:
    """Return one SHA-256 for all rows of a dataset: of lines "NAME SHA256", ordered by name.

    Args:
        configs: name -> SHA-256 of its rows, in hexadecimal.
    """
    lines = "".join(f"{name} {sha256}\n" for name, sha256 in sorted(configs.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def commit_in(path: Path) -> str | None:
    """Return the commit that a file in a cache of the Hub's clients is of: its path names it."""
    return next((part for part in reversed(path.parts) if COMMIT.fullmatch(part)), None)


def _identity(
    name: str, manifest: Path | None, commit: str | None, folder: Path | None = None
) -> DatasetIdentity:
    """Return what a manifest says, unless the files of the folder are no longer those that were built."""
    try:
        said = json.loads(manifest.read_text(encoding="utf-8")) if manifest else {}
        version = str(said["dataset_version"])
        hashes = {config: entry["sha256"] for config, entry in said["configs"].items()}
        changed = _changed(folder, said["configs"]) if folder else {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return DatasetIdentity(name, commit=commit)
    if changed:
        version += "+changed"
    return DatasetIdentity(name, version, content_sha256(changed or hashes), commit)


def _changed(folder: Path, configs: Mapping[str, Any]) -> dict[str, str]:
    """Return path -> SHA-256 ("" of what is missing) if that is not what was built; else nothing."""
    listed = [entry.get("files", {}) for entry in configs.values()]
    built = {path: file["sha256"] for entry in listed for path, file in entry.items()}
    there = {path: files.file_sha256(folder / path) if (folder / path).is_file() else "" for path in built}
    return {} if there == built else there


def _manifest_on_hub(repository: str, commit: str | None) -> Path | None:
    from huggingface_hub import hf_hub_download

    # Its errors have no common base; a run must not end for lack of a label.
    with suppress(Exception), _briefly_asked(repository):
        return Path(hf_hub_download(repository, MANIFEST, repo_type="dataset", revision=commit))
    return None


def loaded_commit(path: str) -> str | None:
    """Return the commit at which this process loaded a repository of the Hub; None for what it did not."""
    return _commits.get(path)


def load_path(path: str, config: str | None, split: str) -> Dataset:
    """Load a split of any dataset; what a local folder holds now, not what was copied into a cache before.

    Args:
        path: a folder, or a repository of the Hub. config: None: the default one.

    Raises:
        Exception: of ``datasets``; its errors have no common base.
    """
    from datasets import load_dataset, load_dataset_builder

    cache = os.environ.get(_LMMS_EVAL_CACHE, "").strip()
    cache_dir = str(Path(cache).expanduser()) if cache else None
    if Path(path).is_dir():
        _refresh(Path(path), load_dataset_builder(path, config, cache_dir=cache_dir))
        return load_dataset(path, config, split=split, cache_dir=cache_dir)
    with _briefly_asked(path):
        dataset = load_dataset(path, config, split=split, cache_dir=cache_dir)
        _remember_commit(path, dataset)
    return dataset


def _briefly_asked(path: str) -> AbstractContextManager[str]:
    """Wait seconds, not minutes, in this block for a Hub that does not answer; give the reason."""
    from physprobe.hub.reach import briefly_asked

    return nullcontext("") if Path(path).is_dir() else briefly_asked(path)


def _remember_commit(path: str, dataset: Dataset) -> None:
    """Note which commit of the Hub was loaded, and fetch its manifest while the Hub can be reached."""
    found = [commit_in(Path(file["filename"])) for file in dataset.cache_files[:1]]
    if found and found[0] and _commits.get(path) != found[0]:
        _commits[path] = found[0]
        _manifest_on_hub(path, found[0])


def _refresh(folder: Path, builder: DatasetBuilder) -> None:
    """Copy a local dataset into the cache, unless it was copied in the state that it is in now."""
    from filelock import FileLock

    copy = Path(builder.cache_dir)
    copy.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{copy}.physprobe.lock"):  # processes of one run start together
        state = files.state(folder)
        marker = copy / _COPIED
        if marker.is_file() and marker.read_text(encoding="utf-8") == state:
            return
        # Without a marker, others copied it, and of which state nobody knows.
        builder.download_and_prepare(download_mode="reuse_cache_if_exists")
        marker.write_text(state, encoding="utf-8")


def _in_folder(folder: Path, name: str) -> Path:
    if (folder / name).is_dir():
        return folder / name
    if folder.name == name and (folder / "README.md").is_file():
        raise UserError(
            f"{VARIABLE}={folder} is the dataset itself; set it to the folder above: {folder.parent}"
        )
    command = f"python -m builders build RAW --out {folder / name}"
    raise UserError(f"{VARIABLE}={folder} holds no {name}/; build it with  {command}")


def _looks_like_path(place: str) -> bool:
    return place.startswith((".", "~")) or "/" in place or os.sep in place


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _advice(path: str) -> str:
    if Path(path).is_dir():
        return f"check it with  python -m builders verify {path}"
    return f"set {VARIABLE} to a folder of built datasets, or check your network and the name"
