"""The record saved beside a family's images."""

from __future__ import annotations

from importlib import metadata
from typing import Any, Literal

from generation.consistency.params import FamilyParams
from generation.core.records import FORMAT_VERSION, StrictModel
from physprobe import renderer
from physprobe.consistency.vocabulary import Label, Mechanism

NAME: Literal["physical-consistency"] = "physical-consistency"
Box = tuple[float, float, float, float]

_RECORDED_PACKAGES = ("mitsuba", "drjit", "numpy", "scipy", "pillow")


class FileRecord(StrictModel):
    """A file beside the record: its name and its checksum."""

    name: str
    sha256: str


class ImageRecord(StrictModel):
    """One image of a family.

    Attributes:
        image_id: family_id + "_" + category. mechanism: None for the clean image; so are box and masks.
        box: tight normalised box of the affected mask. explanation: the law, the object, what shows it.
        area: share of the image in the affected mask. effect: mean change of sRGB in it, in [0, 1].
    """

    image_id: str
    category: Label
    mechanism: Mechanism | None
    box: Box | None
    explanation: str
    image: FileRecord
    affected_mask: FileRecord | None
    evidence_mask: FileRecord | None
    area: float
    effect: float


class StillRenderer(StrictModel):
    """How the pixels were made; see :mod:`generation.consistency.render_paths`.

    Attributes:
        variant: of Mitsuba. spp: samples per pixel. max_depth: longest path, in segments.
        llvm: version, or "". versions: of packages. processor: model name; pixels may differ between types.
    """

    variant: str
    spp: int
    max_depth: int
    reconstruction_filter: Literal["box"] = "box"
    denoiser: Literal["none"] = "none"
    llvm: str
    versions: dict[str, str]
    processor: str


class FamilyRecord(StrictModel):
    """A scene family.

    Attributes:
        attempt: how many drawn families were thrown away before this one, once their images were there.
        rejections: what -> why -> how many draws were thrown away; "scene" or a category.
        parameters: all that the images can be made again from. seed: of the run.
    """

    format_version: int = FORMAT_VERSION
    benchmark: Literal["physical-consistency"] = NAME
    family_id: str
    split: str
    preset: str
    seed: int
    attempt: int
    rejections: dict[str, dict[str, int]]
    parameters: FamilyParams
    images: tuple[ImageRecord, ...]
    renderer: StillRenderer


def still_renderer(spp: int, max_depth: int) -> StillRenderer:
    """Return what makes the pixels here."""
    choice = renderer.choose()
    packages: dict[str, Any] = {name: metadata.version(name) for name in _RECORDED_PACKAGES}
    return StillRenderer(
        variant=choice.variant,
        spp=spp,
        max_depth=max_depth,
        llvm=choice.llvm_version,
        versions=packages,
        processor=renderer.processor(),
    )
