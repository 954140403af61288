"""Which questions are asked one after the other: those that show the same frames, of the same clip.

Engines that cache prefixes (vLLM, SGLang) then compute the visual tokens of these frames once. The order of
answers, and so of all files, stays that of the questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any

from physprobe.harness.replacing import replaced

_WHAT = ("source", "media", "video_id", "image_id")

Shown = tuple[tuple[str, ...], tuple[int, ...]]


def shown_by(row: Mapping[str, Any]) -> Shown:
    """Name what a question shows: the clip or image and how it is shown, and which frames of it.

    Two questions of the same name have the same images before their text. One without a clip stands alone.
    """
    named = tuple(str(row.get(name, "")) for name in _WHAT)
    alone = () if any(named[2:]) else (str(row.get("question_id", "")),)
    return (*named, *alone), tuple(row.get("frame_indices") or ())


def grouped(shown: Mapping[int, Shown]) -> list[int]:
    """Put questions with the same clip, and in it those with the same frames, one after the other.

    Args:
        shown: by position of the questions.

    Returns:
        The positions; clips, and frames in a clip, in the order in which they first occur.
    """
    clips: dict[tuple[str, ...], int] = {}
    frames: dict[Shown, int] = {}
    for k, what in shown.items():
        clips.setdefault(what[0], k)
        frames.setdefault(what, k)
    return sorted(shown, key=lambda k: (clips[shown[k][0]], frames[shown[k]], k))


@contextmanager
def dealing_by_frames(*modules: Any) -> Iterator[None]:
    """Let lmms-eval give questions that show the same frames to the same process, in this block.

    Its ``create_iterator`` gives every Nth question to a process, and so takes such questions apart.

    Args:
        modules: that use ``create_iterator`` by their own name.
    """
    with ExitStack() as stack:
        for module in modules:
            stack.enter_context(replaced(module, "create_iterator", _dealing(module.create_iterator)))
        yield


def _dealing(create_iterator: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    @wraps(create_iterator)
    def dealt(
        raw_iterator: Iterable[Any], rank: int, world_size: int, limit: int | None = None, offset: int = 0
    ) -> Iterator[Any]:
        if int(world_size) == 1 or isinstance(raw_iterator, range):  # a range is only counted
            return create_iterator(raw_iterator, rank, world_size, limit, offset)
        return _share(create_iterator(raw_iterator, 0, 1, limit, offset), int(rank), int(world_size))

    return dealt


def _share(items: Iterable[tuple[int, Mapping[str, Any]]], rank: int, world_size: int) -> Iterator[Any]:
    """Yield what one process is to answer: each new group goes to the process that has least so far."""
    loads = [0] * world_size
    homes: dict[Shown, int] = {}
    for item in items:
        what = shown_by(item[1])
        home = homes.setdefault(what, loads.index(min(loads)))
        loads[home] += 1
        if home == rank:
            yield item
