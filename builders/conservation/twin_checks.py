"""Twins differ in the change of the quantity and what shows it, and in nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from builders.conservation.clip_checks import ClipCheck, Picture, same

# Of 255, in the square of pixels that differs most. In the mini preset (seed 0) twins' first frames differ by
# up to 3.3, from coding, their last frames by at least 36.
VISIBLE = 10.0

# What a generator may change between twins.
_CHANGED_PARAMETERS = {"condition"}


def twin_problems(conserving: ClipCheck, twin: ClipCheck) -> Iterator[str]:
    """Compare the two clips of a pair, each of which was looked at alone."""
    for name in ("fps", "num_frames", "seed"):
        if conserving.row[name] != twin.row[name]:
            yield f"its twins differ in {name}: {conserving.row[name]} and {twin.row[name]}"
    changed = [
        name
        for name in sorted(conserving.parameters.keys() | twin.parameters.keys())
        if conserving.parameters.get(name) != twin.parameters.get(name)
    ]
    if others := [name for name in changed if name not in _CHANGED_PARAMETERS]:
        yield f"its twins differ in parameters other than the condition: {', '.join(others)}"
    if conserving.relation and twin.relation:
        yield from _quantity_problems(conserving, twin)
    if conserving.first and conserving.last and twin.first and twin.last:
        yield from _picture_problems(conserving.first, twin.first, conserving.last, twin.last)


def _quantity_problems(conserving: ClipCheck, twin: ClipCheck) -> Iterator[str]:
    references = conserving.quantity("reference")[0], twin.quantity("reference")[0]
    if not same(*references):
        yield f"its twins have other reference quantities: {references[0]} and {references[1]}"
    moved = twin.quantity("moved")
    steps = np.diff(moved)
    steps[np.isclose(moved[1:], moved[:-1], rtol=1e-9, atol=0)] = 0
    if (steps > 0).any() and (steps < 0).any():
        yield "the moved quantity both grows and shrinks in its nonconserving clip"
    direction = twin.parameters.get("direction")
    wanted = {"gain": "moved_more", "loss": "moved_less"}.get(str(direction))
    if twin.relation != wanted:
        yield f"direction is {direction!r}, but its nonconserving clip ends with {twin.relation}"


def _picture_problems(
    first: Picture, twin_first: Picture, last: Picture, twin_last: Picture
) -> Iterator[str]:
    if first.blocks.shape != twin_first.blocks.shape:
        yield "its twins have pictures of different sizes"
        return
    if (apart := _apart(first, twin_first)) > VISIBLE:
        yield f"its twins don't begin with the same picture: they differ by up to {apart:.1f} of 255"
    if (apart := _apart(last, twin_last)) <= VISIBLE:
        yield f"its twins end with the same picture: they differ by at most {apart:.1f} of 255"


def _apart(one: Picture, other: Picture) -> float:
    """Return the largest difference of a square, averaged over the channels."""
    return float(np.abs(one.blocks - other.blocks).mean(axis=-1).max(initial=0.0))
