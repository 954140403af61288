"""Where the datasets are, and how a config of one is loaded."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

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

_ORGANISATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


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
    try:
        dataset = _load(path, config, split)
    except (DatasetsError, OSError, ValueError) as error:
        with suppress(DatasetsError, OSError, ValueError):
            configs = get_dataset_config_names(path)
            if config not in configs:
                raise unknown_name(f"config of {path}", config, configs) from error
        raise UserError(
            f"can't load {config}/{split} of {path}: {_first_line(error)}; {_advice(path)}"
        ) from error
    for column, feature in dataset.features.items():
        if isinstance(feature, Video) and feature.decode:
            dataset = dataset.cast_column(column, Video(decode=False))
    return dataset


def _load(path: str, config: str, split: str) -> Dataset:
    from datasets import load_dataset, load_dataset_builder

    cache = os.environ.get(_LMMS_EVAL_CACHE, "").strip()
    cache_dir = str(Path(cache).expanduser()) if cache else None
    if Path(path).is_dir():
        _refresh(Path(path), load_dataset_builder(path, config, cache_dir=cache_dir))
    return load_dataset(path, config, split=split, cache_dir=cache_dir)


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
    return f"check your connection, or set {VARIABLE} to a folder of built datasets"
