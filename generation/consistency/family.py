"""One finished item of physical-consistency: a family's eleven images, their masks and their record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from generation.consistency.case import Bool, Case, Masks, View
from generation.consistency.catalog import VIOLATIONS
from generation.consistency.checks import effect, image_misfit
from generation.consistency.design import PRESETS, Family
from generation.consistency.limits import box_of
from generation.consistency.params import FamilyParams
from generation.consistency.records import NAME, FamilyRecord, FileRecord, ImageRecord, still_renderer
from generation.consistency.render import MAX_DEPTH, paint
from generation.consistency.sampling import Rejections, sample
from generation.consistency.world import build
from generation.core.canonical import canonical_json
from generation.core.seeds import item_rng
from generation.rendering.tone import to_srgb8
from physprobe.consistency.vocabulary import CLEAN, LABELS, Label
from physprobe.files import file_sha256

Frame = NDArray[np.uint8]

RECORD = "record.json"
# Families drawn before giving up.
_ATTEMPTS = 20
_CLEAN_TEXT = (
    "Nothing is violated: shadows, shading and highlights agree on one lamp, the mirror shows what stands "
    "before it, and every object rests on the ground and hides what is behind it."
)


@dataclass(frozen=True)
class Finished:
    """A family's images.

    Attributes:
        cases, masks: of the violations. clean: (H, W, 3) sRGB. violated: likewise, one for each case.
    """

    cases: tuple[Case, ...]
    masks: tuple[Masks, ...]
    clean: Frame
    violated: tuple[Frame, ...]

    def misfits(self) -> list[tuple[Label, str]]:
        """Return category and reason of each violation that is no good."""
        found = []
        for case, masks, image in zip(self.cases, self.masks, self.violated, strict=True):
            category = case.intervention.category
            reason = image_misfit(category, self.clean, image, masks)
            if reason:
                found.append((category, reason))
        return found


def make_item(family: Family, preset: str, seed: int, folder: Path) -> None:
    """Render a family into ``folder``: CATEGORY.png, CATEGORY_affected.png, CATEGORY_evidence.png, a record.

    Raises:
        RuntimeError: no family that fits was found.
    """
    rejections = Rejections()
    for attempt in range(_ATTEMPTS):
        rng = item_rng(seed, NAME, family.family_id, str(attempt))
        params = sample(rng, family, PRESETS[preset], rejections)
        finished = finish(params)
        misfits = finished.misfits()
        if not misfits:
            images = save_images(params.family_id, finished, folder)
            record = FamilyRecord(
                family_id=family.family_id,
                split=family.split,
                preset=preset,
                seed=seed,
                attempt=attempt,
                rejections={what: dict(sorted(c.items())) for what, c in sorted(rejections.counts.items())},
                parameters=params,
                images=images,
                renderer=still_renderer(params.spp, MAX_DEPTH),
            )
            (folder / RECORD).write_text(canonical_json(record.model_dump(mode="json")), encoding="utf-8")
            return
        for category, reason in misfits:
            rejections.add(category, f"image: {reason}")
    raise RuntimeError(f"found no family for {family.family_id} in {_ATTEMPTS} attempts")


def finish(params: FamilyParams) -> Finished:
    """Render a family from its parameters alone."""
    view = View(build(params))
    cases = tuple(Case(view, intervention) for intervention in params.interventions)
    painted = paint(view, cases)
    return Finished(
        cases,
        tuple(VIOLATIONS[case.intervention.category].masks(case) for case in cases),
        to_srgb8(painted.clean),
        tuple(to_srgb8(image) for image in painted.violated),
    )


def image_id(family_id: str, category: str) -> str:
    """Name an image."""
    return f"{family_id}_{category}"


def save_images(family_id: str, finished: Finished, folder: Path) -> tuple[ImageRecord, ...]:
    """Write a family's images and masks, and describe them."""
    clean = ImageRecord(
        image_id=image_id(family_id, CLEAN),
        category=CLEAN,
        mechanism=None,
        box=None,
        explanation=_CLEAN_TEXT,
        image=_write(folder / f"{CLEAN}.png", finished.clean),
        affected_mask=None,
        evidence_mask=None,
        area=0.0,
        effect=0.0,
    )
    violated = zip(finished.cases, finished.masks, finished.violated, strict=True)
    return clean, *(_save_one(family_id, finished.clean, *each, folder) for each in violated)


def _save_one(
    family_id: str, clean: Frame, case: Case, masks: Masks, image: Frame, folder: Path
) -> ImageRecord:
    category = case.intervention.category
    return ImageRecord(
        image_id=image_id(family_id, category),
        category=category,
        mechanism=case.mechanism,
        box=box_of(masks.affected),
        explanation=VIOLATIONS[category].explain(case),
        image=_write(folder / f"{category}.png", image),
        affected_mask=_write(folder / f"{category}_affected.png", _as_bits(masks.affected)),
        evidence_mask=_write(folder / f"{category}_evidence.png", _as_bits(masks.evidence)),
        area=float(masks.affected.mean()),
        effect=effect(clean, image, masks.affected),
    )


def _as_bits(mask: Bool) -> Frame:
    return np.where(mask, np.uint8(255), np.uint8(0))


def _write(path: Path, pixels: Frame) -> FileRecord:
    Image.fromarray(pixels).save(path, optimize=False, compress_level=6)
    return FileRecord(name=path.name, sha256=file_sha256(path))


def check_item(folder: Path) -> None:
    """Check that a family's images and masks decode and are what its record says.

    Raises:
        ValueError: a label is missing, or a checksum, size or box differs.
    """
    record = FamilyRecord.model_validate_json((folder / RECORD).read_text(encoding="utf-8"))
    if tuple(image.category for image in record.images) != LABELS:
        raise ValueError(f"{RECORD} lacks a label")
    for image in record.images:
        _check_image(folder, image, (record.parameters.width, record.parameters.height))


def _check_image(folder: Path, record: ImageRecord, size: tuple[int, int]) -> None:
    files = [file for file in (record.image, record.affected_mask, record.evidence_mask) if file]
    for file in files:
        if file_sha256(folder / file.name) != file.sha256:
            raise ValueError(f"{file.name} is not the file that {RECORD} describes")
        with Image.open(folder / file.name) as image:
            image.load()
            if image.size != size:
                raise ValueError(f"{file.name} is {image.size}, {RECORD} says {size}")
    if record.affected_mask and record.box != box_of(read_mask(folder / record.affected_mask.name)):
        raise ValueError(f"{record.affected_mask.name} has another box than {RECORD} says")


def read_mask(path: Path) -> Bool:
    """Read a mask, (H, W)."""
    with Image.open(path) as image:
        mask: Bool = np.asarray(image) > 0
    return mask
