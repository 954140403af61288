"""Frames chosen by a model: the candidates that it finds most telling (paper section 3.3, "Model-based")."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from builders.conservation.source import Clip, read_clips
from builders.selections.localizer import Localizer
from builders.selections.records import Selection
from builders.selections.scores import ClipScores, Header, scores_file
from generation.core.canonical import canonical_json
from generation.core.raw import RawFolder
from physprobe.conservation.frames import uniform_indices
from physprobe.conservation.vocabulary import FRAME_COUNTS
from physprobe.errors import UserError
from physprobe.video import decode_frames

# SeViLA's own number of frames to localize in.
CANDIDATES = 32

Progress = Callable[[int, int], Any]


def top_frames(candidates: Sequence[int], scores: Sequence[float], count: int) -> tuple[int, ...]:
    """Take the first and the last candidate and the best-scored ones between them, in temporal order.

    Args:
        candidates: increasing frame indices. scores: one each, higher is better; of equals the earlier wins.
        count: frames to take, 2 <= count <= number of candidates.
    """
    if not 2 <= count <= len(candidates):
        raise UserError(f"cannot take {count} of {len(candidates)} candidate frames: raise --candidates")
    between = range(1, len(candidates) - 1)
    best = sorted(between, key=lambda k: (-scores[k], candidates[k]))[: count - 2]
    return tuple(candidates[k] for k in sorted({0, *best, len(candidates) - 1}))


def scores_path(out: Path) -> Path:
    """Return where the scores of a selections file lie: beside it."""
    return out.with_name(f"{out.name}.scores")


def check_use(out: Path, candidates: int) -> None:
    """Refuse what can't work, before a model is loaded.

    Raises:
        UserError: as :func:`select`.
    """
    if candidates < max(FRAME_COUNTS):
        raise UserError(
            f"--candidates {candidates} is less than the largest frame count, {max(FRAME_COUNTS)}"
        )
    if not out.parent.is_dir():
        raise UserError(f"{out.parent} is no folder: make it first")
    if out.exists() and not (out.is_file() and scores_path(out).is_file()):
        raise UserError(f"{out} is not of a run of this command: choose another --out")


def select(
    raw: RawFolder,
    localizer: Localizer,
    out: Path,
    *,
    dtype: str,
    candidates: int,
    progress: Progress,
    partial: bool = False,
) -> tuple[int, bool]:
    """Score evenly spaced candidates of every clip and write the best as a selections file.

    A killed run continues after the last scored clip. ``out`` appears whole, when all clips are scored.

    Args:
        raw: the folder. localizer: the model. dtype: of its numbers, for the record.
        out: the file to write. candidates: frames scored a clip (all of a shorter one).
        progress: called with the number of clips scored and of all.
        partial: take the pairs that are there instead of asking for all of the preset.

    Returns:
        Number of lines in ``out``, and whether it is new (False: it held the same already).

    Raises:
        UserError: fewer candidates than the largest frame count, a clip is missing, changed or damaged, or
            ``out`` or its scores file holds something else.
    """
    check_use(out, candidates)
    clips = read_clips(raw, partial=partial)
    header = Header(
        model=localizer.selector,
        fingerprint=localizer.fingerprint,
        dtype=dtype,
        prompt=localizer.prompt,
        candidates=candidates,
        source=raw.manifest,
    )
    with scores_file(scores_path(out), header) as scores:
        for number, clip in enumerate(clips):
            progress(number, len(clips))
            done = scores.done.get(clip.record.video_id)
            if done is None:
                scores.add(_score(clip, localizer, candidates))
            elif done.media_sha256 != clip.record.media_sha256:
                raise UserError(f"{clip.path} changed since it was scored: remove {scores_path(out)}")
        progress(len(clips), len(clips))
        lines = [*_selections(clips, scores.done, localizer.selector)]
    return len(lines), _publish(out, lines)


def _score(clip: Clip, localizer: Localizer, candidates: int) -> ClipScores:
    record = clip.record
    indices = uniform_indices(record.num_frames, min(candidates, record.num_frames))
    try:
        frames = decode_frames(clip.read_media(), indices)
    except UserError as error:
        raise UserError(f"{clip.path}: {error}") from error
    found = localizer.score(frames)
    return ClipScores(
        video_id=record.video_id,
        media_sha256=record.media_sha256,
        frame_indices=indices,
        yes=_rounded(found.yes),
        no=_rounded(found.no),
    )


def _rounded(scores: Iterable[float]) -> tuple[float, ...]:
    """Round to 6 significant digits: the last ones depend on the batch size and the processor."""
    return tuple(float(f"{score:.5e}") for score in scores)


def _selections(clips: Sequence[Clip], done: dict[str, ClipScores], selector: str) -> Iterable[Selection]:
    for clip in clips:
        scores = done[clip.record.video_id]
        for count in FRAME_COUNTS:
            yield Selection(
                extraction="model",
                selector=selector,
                seed=clip.record.seed,
                video_id=clip.record.video_id,
                frame_count=count,  # type: ignore[arg-type]
                frame_indices=top_frames(scores.frame_indices, scores.yes, count),
            )


def _publish(out: Path, selections: Iterable[Selection]) -> bool:
    """Write the file whole; return False when the same is there already."""
    text = "".join(canonical_json(selection.model_dump(mode="json")) for selection in selections).encode()
    if out.exists():
        if out.is_file() and out.read_bytes() == text:
            return False
        raise UserError(f"{out} holds something else: choose another --out or remove it")
    scratch = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        scratch.write_bytes(text)
        scratch.replace(out)
    finally:
        scratch.unlink(missing_ok=True)
    return True
