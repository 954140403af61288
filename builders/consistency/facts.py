"""What the card of physical-consistency says about this very build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from builders.consistency.definitions import definitions
from builders.consistency.schema import APPEARANCE
from generation.consistency.records import FamilyRecord, ImageRecord
from physprobe.consistency.vocabulary import CATEGORIES, CLEAN, MECHANISMS, SPLITS, Label

_SCENE = "scene"
# Reasons that are told of each category, the most frequent ones.
_REASONS = 3
_AFTER_RENDERING = "image: "


def card_facts(records: Sequence[FamilyRecord]) -> dict[str, Any]:
    """Return the template's variables.

    Args:
        records: of all families, in design order.
    """
    return {
        "splits": [*_splits(records)],
        "families": len(records),
        "images": sum(len(record.images) for record in records),
        "sizes": sorted({f"{r.parameters.width}x{r.parameters.height}" for r in records}),
        "spp": sorted({r.parameters.spp for r in records}),
        "definitions": [*definitions()],
        "areas": _both_mechanisms(records, "area"),
        "effects": _both_mechanisms(records, "effect"),
        "rejections": [_rejected(records, what) for what in (_SCENE, *CATEGORIES)],
        "attempts": sum(record.attempt for record in records),
        "directions": len({record.parameters.lamp.direction for record in records}),
        "renderers": _renderers(records),
    }


def _splits(records: Sequence[FamilyRecord]) -> Iterator[dict[str, Any]]:
    for split in SPLITS:
        mine = [record for record in records if record.split == split]
        images = [image for record in mine for image in record.images]
        yield {
            "name": split,
            "families": len(mine),
            "clean": sum(image.category == CLEAN for image in images),
            "violated": sum(image.category != CLEAN for image in images),
            "mechanisms": sorted({image.mechanism for image in images if image.mechanism}),
        }


def _both_mechanisms(records: Sequence[FamilyRecord], quantity: str) -> list[dict[str, Any]]:
    """Return mean and standard deviation of a quantity of images by category and mechanism.

    They compare all families with the common appearance: mechanism A is that of three splits, B that of
    test_intervention. "difference" is the standardised mean difference, None where a mechanism has fewer than
    two families.
    """
    return [_compared(records, category, quantity) for category in CATEGORIES]


def _compared(records: Sequence[FamilyRecord], category: Label, quantity: str) -> dict[str, Any]:
    values = {
        mechanism: np.array([getattr(image, quantity) for image in _comparable(records, category, mechanism)])
        for mechanism in MECHANISMS
    }
    return {
        "category": category,
        "difference": standardised_difference(values["A"], values["B"]),
        **{str(mechanism): _spread(sample) for mechanism, sample in values.items()},
    }


def _comparable(records: Sequence[FamilyRecord], category: Label, mechanism: str) -> Iterator[ImageRecord]:
    for record in records:
        for image in record.images if record.split != APPEARANCE else ():
            if image.category == category and image.mechanism == mechanism:
                yield image


def _spread(values: np.ndarray) -> dict[str, float | None] | None:
    if not values.size:
        return None
    return {"mean": float(values.mean()), "sd": float(values.std(ddof=1)) if values.size > 1 else None}


def standardised_difference(one: np.ndarray, other: np.ndarray) -> float | None:
    """Return the difference of means over the pooled standard deviation (Cohen's d); None if undefined."""
    if min(one.size, other.size) < 2:
        return None
    freedom = one.size + other.size - 2
    pooled = ((one.size - 1) * one.var(ddof=1) + (other.size - 1) * other.var(ddof=1)) / freedom
    return float((other.mean() - one.mean()) / np.sqrt(pooled)) if pooled > 0 else None


def _rejected(records: Sequence[FamilyRecord], what: str) -> dict[str, Any]:
    """Count the draws of a scene or of a violation that were thrown away, and why."""
    reasons: Counter[str] = Counter()
    for record in records:
        reasons.update(record.rejections.get(what, {}))
    rendered = sum(count for reason, count in reasons.items() if reason.startswith(_AFTER_RENDERING))
    return {
        "what": what,
        "per_family": sum(reasons.values()) / len(records),
        "rendered": rendered,
        "reasons": {
            reason: count / sum(reasons.values())
            for reason, count in sorted(reasons.items(), key=lambda each: (-each[1], each[0]))[:_REASONS]
        },
    }


def _renderers(records: Sequence[FamilyRecord]) -> list[dict[str, Any]]:
    counts = Counter(record.renderer.model_dump_json() for record in records)
    by_text = {record.renderer.model_dump_json(): record.renderer for record in records}
    return [{"families": counts[text], **by_text[text].model_dump()} for text in sorted(counts)]
