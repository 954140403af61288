"""The public columns of physical-consistency, and its versions."""

from __future__ import annotations

import pyarrow as pa

from builders.schema import FILE, ConfigSpec, Examples, list_of
from physprobe.consistency.vocabulary import LABELS, SPLITS

NAME = "physical-consistency"

# Newest first. Patch: no row changed; minor: rows added; major: rows changed.
CHANGELOG: tuple[tuple[str, str], ...] = (
    ("0.1.0", "First release: scene families with a clean image and ten violations each, in five splits."),
)
VERSION = CHANGELOG[0][0]

DEFAULT = ConfigSpec(
    name="default",
    description="One row per image: a scene as physics wants it, or with one law broken, and where.",
    default=True,
    key="image_id",
    splits=SPLITS,
    media={"image": "image", "affected_mask": "image", "evidence_mask": "image"},
    nullable=frozenset({"mechanism", "box"}),
    images_as_generated=True,
    examples=Examples(
        first={"test_standard": len(LABELS), "test_intervention": len(LABELS)},
        label="category",
        columns=6,
        width=210,
    ),
    schema=pa.schema(
        {
            "image": FILE,
            "image_id": pa.string(),
            "family_id": pa.string(),
            "consistent": pa.bool_(),
            "category": pa.string(),
            "mechanism": pa.string(),
            "box": list_of(pa.float64()),
            "affected_mask": FILE,
            "evidence_mask": FILE,
            "explanation": pa.string(),
            "parameters": pa.string(),
            "seed": pa.int64(),
        }
    ),
)

# Of the columns no more than it takes to find a row of the default config again.
PRESENTATION = ConfigSpec(
    name="presentation",
    description="The same images, denoised: to look at and to print, never for scoring.",
    key="image_id",
    splits=SPLITS,
    media={"image": "image"},
    optional=True,
    schema=pa.schema([DEFAULT.schema.field(name) for name in ("image", "image_id", "family_id", "category")]),
)

CONFIGS = (DEFAULT, PRESENTATION)

# The suite of shifted appearance, and the one of the other mechanism.
APPEARANCE, INTERVENTION = "test_appearance", "test_intervention"
