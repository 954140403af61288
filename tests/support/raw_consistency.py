"""Small raw folders of physical-consistency: real scenes, masks and records, pictures that are not rendered.

A picture paints each object in its colour; where a violation affects it, it is inverted.
"""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from generation.consistency.case import Case, View
from generation.consistency.catalog import VIOLATIONS
from generation.consistency.design import Family, families
from generation.consistency.family import RECORD, Finished, save_images
from generation.consistency.params import FamilyParams
from generation.consistency.records import FamilyRecord, StillRenderer
from generation.consistency.sampling import Rejections, sample
from generation.consistency.world import build
from generation.core.canonical import canonical_json
from generation.core.raw import RawManifest, writing
from generation.core.seeds import item_rng
from tests.support.tiny_families import TINY

RENDERER = StillRenderer(
    variant="llvm_ad_rgb",
    spp=4,
    max_depth=8,
    llvm="19.1.7",
    versions={"mitsuba": "3.9.1", "drjit": "1.5.0", "numpy": "2.4.6", "pillow": "12.0.0", "scipy": "1.17.0"},
    processor="Test CPU",
)
# Streams of chance in which a scene that fits is found soon.
_LUCKY = {"test_intervention_000": 4, "train_000": 2, "test_appearance_000": 3}


def make_raw(path: Path, preset: str = "mini", limit: int | None = None) -> Path:
    """Write a raw folder with the first families of a preset (by default all of them) and return its path."""
    with writing(path, RawManifest(benchmark="physical-consistency", preset=preset, seed=0)) as raw:
        for family in families(preset)[:limit]:
            folder = raw.begin(family.family_id)
            _write(folder, family, preset)
            raw.commit(family.family_id, folder)
    return path


@functools.cache
def _drawn(family: Family) -> tuple[FamilyParams, Rejections]:
    rejections = Rejections()
    rng = item_rng(_LUCKY.get(family.family_id, 0), "raw consistency", family.family_id)
    return sample(rng, family, TINY, rejections), rejections


def _write(folder: Path, family: Family, preset: str) -> None:
    params, rejections = _drawn(family)
    record = FamilyRecord(
        family_id=family.family_id,
        split=family.split,
        preset=preset,
        seed=0,
        attempt=0,
        rejections={what: dict(sorted(c.items())) for what, c in sorted(rejections.counts.items())},
        parameters=params,
        images=save_images(family.family_id, _painted(family), folder),
        renderer=RENDERER,
    )
    (folder / RECORD).write_text(canonical_json(record.model_dump(mode="json")), encoding="utf-8")


@functools.cache
def _painted(family: Family) -> Finished:
    params, _ = _drawn(family)
    view = View(build(params))
    clean = _picture(view, params)
    cases = tuple(Case(view, intervention) for intervention in params.interventions)
    masks = tuple(VIOLATIONS[case.intervention.category].masks(case) for case in cases)
    violated = tuple(np.where(mask.affected[..., None], 255 - clean, clean) for mask in masks)
    return Finished(cases, masks, clean, violated)


def _picture(view: View, params: FamilyParams) -> NDArray[np.uint8]:
    sight = view.clean
    picture = np.full((params.height, params.width, 3), 70, np.uint8)
    picture[view.shadow] = 40
    for index, body in enumerate(params.bodies):
        for mirrored, share in ((False, 200.0), (True, 150.0)):
            picture[sight.shows(index, mirrored=mirrored)] = np.multiply(body.color, share).astype(np.uint8)
    return picture
