"""Where PICABench's questions and an editor's images are: a folder with meta_info.json, or a data set.

PHYSPROBE_PICABENCH names a folder with meta_info.json (or that file), as PICABench's own tools write it, or a
data set in the public form: one of the Hub, or a folder that ``load_dataset`` takes. The public data set has
no edited images: PHYSPROBE_PICABENCH_EDITED names the folder with those of an editor, called by row number
(00000.jpg, 0000.png, 0.webp, ...). What was found is written as lines of JSON to the user's cache, which
lmms-eval loads.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from loguru import logger

from physprobe.data import load_path, loaded_commit
from physprobe.errors import UserError
from physprobe.files import cache_folder, write_whole
from physprobe.picabench.items import questions_of, scaled_size

VARIABLE = "PHYSPROBE_PICABENCH"
EDITED_VARIABLE = "PHYSPROBE_PICABENCH_EDITED"
CANVAS_VARIABLE = "PHYSPROBE_PICABENCH_CANVAS"
CACHE_VARIABLE = "PHYSPROBE_PICABENCH_CACHE"
REPOSITORY = "Andrew613/PICABench"
SPLIT = "picabench"

_META = "meta_info.json"
_PATHS = ("output_path", "output_image_path", "output_img_path")
_EMBEDDED = ("output_image", "edited_image")
_NAMES = ("{:05d}", "{:04d}", "{}")
_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
_OFFICIAL_CANVAS = 1024


@dataclass(frozen=True)
class Found:
    """The questions that were found.

    Attributes:
        path: their file of JSON lines. sha256: of its content, in hexadecimal. without_image: how many
            records are left out because the editor has no image for them. without_box: how many questions
            have an annotated box that is none, by reason. commit: of the Hub's data set; None without one.
    """

    path: Path
    sha256: str
    without_image: int
    without_box: Mapping[str, int]
    commit: str | None


def find_questions() -> Found:
    """Read the questions, check them, and write them where lmms-eval can load them.

    Raises:
        UserError: they are not there, or not in the public form; says where it looked and what to do.
    """
    names = (VARIABLE, EDITED_VARIABLE, CANVAS_VARIABLE, CACHE_VARIABLE)
    return _found(tuple(os.environ.get(name, "").strip() for name in names))


@lru_cache(maxsize=2)
def _found(settings: tuple[str, ...]) -> Found:
    canvas, without_image = _canvas(settings[2]), 0
    lines, boxes, odd = [], dict[str, int](), 0
    for image_id, record, image in _records(settings[0] or REPOSITORY, settings[1]):
        if image is None:
            without_image += 1
            continue
        size = _size(image, image_id)
        odd += max(size) != _OFFICIAL_CANVAS
        for question in questions_of(record, image_id, scaled_size(size, canvas)):
            boxes[question.box_problem] = boxes.get(question.box_problem, 0) + 1
            lines.append(json.dumps({**asdict(question), "image_path": str(image)}, sort_keys=True))
    without_box = {reason: count for reason, count in sorted(boxes.items()) if reason}
    _tell(without_image, without_box, odd if canvas is None else 0)
    if not lines:
        raise UserError(f"{settings[0] or REPOSITORY} holds no questions on edited images: {_advice()}")
    content = "\n".join(lines) + "\n"
    sha256 = hashlib.sha256(content.encode()).hexdigest()
    path = _written(f"{sha256[:32]}.jsonl", content)
    return Found(path, sha256, without_image, without_box, loaded_commit(settings[0] or REPOSITORY))


def _records(place: str, edited: str) -> Iterator[tuple[str, Mapping[str, Any], Path | None]]:
    path = Path(place).expanduser()
    file = path / _META if path.is_dir() else path
    if file.is_file():
        yield from _from_file(file)
    elif path.exists() or place.count("/") == 1:
        yield from _from_dataset(str(path) if path.exists() else place, edited)
    else:
        raise UserError(f"{VARIABLE}={place}: there is no such folder or file; {_advice()}")


def _from_file(file: Path) -> Iterator[tuple[str, Mapping[str, Any], Path | None]]:
    try:
        records = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{file} can't be read as JSON ({error})") from error
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise UserError(f"{file} should hold a list of records, as PICABench's own tools write it")
    seen: set[str] = set()
    for number, record in enumerate(records):
        image_id = str(record.get("index", number))
        if image_id in seen:
            raise UserError(f"{file}: two records have the index {image_id}")
        seen.add(image_id)
        said = next((record[name] for name in _PATHS if record.get(name)), None)
        yield image_id, record, None if said is None else _beside(file.parent, str(said))


def _beside(folder: Path, said: str) -> Path:
    """Find an image by the path a record gives: below the folder, also where that names the folder itself."""
    path = Path(said).expanduser()
    inside = Path(*path.parts[1:]) if path.parts[:1] == (folder.name,) else path
    found = next((each for each in (folder / path, folder / inside) if each.is_file()), None)
    if found is None:
        raise UserError(f"the edited image {folder / path} is missing, which {folder / _META} names")
    return found


def _from_dataset(place: str, edited: str) -> Iterator[tuple[str, Mapping[str, Any], Path | None]]:
    dataset = _loaded(place)
    embedded = next((name for name in _EMBEDDED if name in dataset.column_names), None)
    if embedded is None and not edited:
        raise UserError(
            f"{place} has no edited images (no column {' or '.join(_EMBEDDED)}): set {EDITED_VARIABLE} to "
            "the folder with an editor's images, called 00000.jpg, 00001.jpg, ... by row"
        )
    folder = Path(edited).expanduser() if edited else None
    if folder is not None and not folder.is_dir():
        raise UserError(f"{EDITED_VARIABLE}={edited}: there is no such folder")
    for number, record in enumerate(dataset):
        image_id = str(record.get("index", number))
        yield image_id, record, _in_folder(folder, number) if folder else _embedded(record[embedded])


def _loaded(place: str) -> Any:
    from datasets import Image

    try:
        dataset = load_path(place, None, SPLIT)
    except Exception as error:  # its errors have no common base
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise UserError(f"can't load {SPLIT} of {place}: {reason}; {_advice()}") from error
    if "annotated_qa_pairs" not in dataset.column_names:
        raise UserError(f"{place} is not in PICABench's form: it has no column 'annotated_qa_pairs'")
    dataset = dataset.remove_columns([name for name in ("input_image",) if name in dataset.column_names])
    for name in _EMBEDDED:
        if name in dataset.column_names:
            dataset = dataset.cast_column(name, Image(decode=False))
    return dataset


def _in_folder(folder: Path, number: int) -> Path | None:
    names = (name.format(number) + suffix for suffix in _SUFFIXES for name in _NAMES)
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _embedded(image: Mapping[str, Any] | None) -> Path | None:
    if image is None:
        return None
    if image["bytes"] is None:
        return Path(image["path"])
    return _written(f"images/{hashlib.sha256(image['bytes']).hexdigest()}", image["bytes"])


def _written(name: str, content: str | bytes) -> Path:
    path = cache_folder(CACHE_VARIABLE, "picabench").absolute() / name
    if not path.is_file():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
        except OSError as error:
            raise UserError(
                f"can't write {path}: {error.strerror or error}; set {CACHE_VARIABLE} to another folder"
            ) from error
    return path


def _size(image: Path, image_id: str) -> tuple[int, int]:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(image) as opened:
            return opened.size
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise UserError(f"edited image {image} of record {image_id} can't be opened: {error}") from error


def _canvas(value: str) -> int | None:
    if value in ("", "image"):
        return None
    if not value.isdecimal() or int(value) < 1:
        raise UserError(f'{CANVAS_VARIABLE}={value}: must be "image", or the pixels of the longer side: 1024')
    return int(value)


def _tell(without_image: int, without_box: Mapping[str, int], odd: int) -> None:
    if without_image:
        logger.warning(f"PICABench: {without_image} records are left out, for they have no edited image")
    for reason, count in without_box.items():
        logger.warning(f"PICABench: the boxes of {count} questions are not scored: {reason}")
    if odd:
        logger.warning(
            f"PICABench: the longer side of {odd} edited images has not {_OFFICIAL_CANVAS} pixels; boxes are "
            f"taken as pixels of the edited image. PICABench's own evaluator takes them as pixels of a copy "
            f"whose longer side has {_OFFICIAL_CANVAS}: for that set {CANVAS_VARIABLE}={_OFFICIAL_CANVAS}"
        )


def _advice() -> str:
    return f"set {VARIABLE} to a folder with {_META} and the images, or to a data set like {REPOSITORY}"
