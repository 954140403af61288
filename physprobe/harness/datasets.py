"""Where task files find our datasets."""

from __future__ import annotations

from loguru import logger

from physprobe import data
from physprobe.harness import processes

_warned: set[str] = set()


def place_of(name: str, config: str, split: str = "test") -> str:
    """Return where a dataset lies, for a task file; warn once if it can't tell which state it is in.

    Args:
        name: the dataset. config, split: to be there.

    Raises:
        UserError: they are not; says where it looked and what to do.
    """
    data.load_config(name, config, split)
    place = data.dataset_path(name)
    if not data.has_manifest(place) and place not in _warned and processes.rank() == 0:
        _warned.add(place)
        logger.warning(
            f"{place} has no readable {data.MANIFEST}: results will not say which dataset was asked, and "
            "tables mark them; build it with  python -m builders build"
        )
    return place
