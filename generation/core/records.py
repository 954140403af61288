"""The per-clip record saved beside each mp4: what happened, as the scene knows it.

Units are SI; boxes are normalised (x_min, y_min, x_max, y_max) with the origin at the top left.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

FORMAT_VERSION = 1


class StrictModel(BaseModel):
    """A frozen model that refuses unknown fields, so that a typo can't be saved silently."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RendererInfo(StrictModel):
    """How the pixels were made.

    Attributes:
        variant: Mitsuba variant, for example "llvm_ad_rgb".
        spp: samples per pixel of the moving crop; background_spp of the still full frame.
        denoiser: "oidn X.Y.Z" or "none".
        llvm: LLVM version for llvm variants, else "".
        versions: package name -> version for mitsuba, drjit, av, numpy and the like.
        processor: model name of the CPU; pixels may differ between processor types.
    """

    variant: str
    spp: int
    background_spp: int
    denoiser: str
    llvm: str
    versions: dict[str, str]
    processor: str


class ObjectInfo(StrictModel):
    """One annotated body."""

    object_id: str
    role: Literal["moved", "reference", "prop"]
    material: dict[str, Any]


class ObjectState(StrictModel):
    """One body at one frame.

    Attributes:
        position: m, (x, y, z). quaternion: (w, x, y, z), unit, w >= 0.
        box: tight normalised box of the projected mesh, not clipped to the frame.
        visibility: share of the camera-facing surface that no other body hides, in [0, 1].
    """

    object_id: str
    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float]
    box: tuple[float, float, float, float]
    visibility: float


class FrameRecord(StrictModel):
    """All bodies at t = index / fps."""

    index: int
    time: float
    objects: tuple[ObjectState, ...]


class QuantityRecord(StrictModel):
    """The asked quantity at each frame, both objects, exact."""

    unit: str
    moved: tuple[float, ...]
    reference: tuple[float, ...]


class ClipRecord(StrictModel):
    """One clip of conservationbench.

    Attributes:
        pair_id: shared by a conserving clip and its twin. video_id: pair_id + "_" + condition.
        answer_relation: final quantity of the moved object against the reference.
        direction: what the NON-CONSERVING twin of this pair does ("gain" or "loss"); same for both twins.
        moved_position: where the moved object lies in the image at the end; "" where that means nothing.
        parameters: the generator's Params, whole; the clip can be rebuilt from it alone.
        media: file name of the mp4 beside this record, with its sha256.
    """

    format_version: int = FORMAT_VERSION
    benchmark: Literal["conservationbench"] = "conservationbench"
    pair_id: str
    video_id: str
    domain: Literal["number", "length", "volume", "size"]
    condition: Literal["conserving", "nonconserving"]
    direction: Literal["gain", "loss"]
    answer_relation: Literal["same", "moved_more", "moved_less"]
    transformation: Literal["mandatory", "helpful"]
    moved_position: Literal["upper", "lower", "left", "right", ""]
    parameters: dict[str, Any]
    notes: dict[str, Any]
    seed: int
    preset: str
    fps: int
    num_frames: int
    width: int
    height: int
    camera: dict[str, Any]
    quantities: QuantityRecord
    objects: tuple[ObjectInfo, ...]
    frames: tuple[FrameRecord, ...]
    renderer: RendererInfo
    media: str
    media_sha256: str
