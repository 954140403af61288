"""The words of the benchmark: labels, mechanisms, suites (Physical Consistency, sections 3 and 4).

The paper names the ten violations and groups them into five families of constraints; the definitions are its
operational ones in our words. They tell neighbours apart: a shadow on the wrong side of its object, against
shadows of one scene that disagree about the light; an object in the air, against one drawn before what hides
it; no reflection, against one in the wrong place, against one of something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Label = Literal[
    "clean",
    "wrong_shadow_direction",
    "missing_cast_shadow",
    "floating_object",
    "shadow_illumination_inconsistency",
    "missing_reflection",
    "reflection_angle_mismatch",
    "incorrect_specular_highlight",
    "wrong_reflected_object_identity",
    "impossible_occlusion_order",
    "missing_contact_shadow",
]
Family = Literal[
    "illumination_and_shadows", "reflection", "support_and_contact", "surface_response", "depth_ordering"
]
# How a violation is made: A in train, validation, test_standard and test_appearance, B in test_intervention.
Mechanism = Literal["A", "B"]
Suite = Literal["standard", "appearance", "intervention"]

CLEAN: Final = "clean"
MECHANISMS: tuple[Mechanism, ...] = ("A", "B")
SUITES: tuple[Suite, ...] = ("standard", "appearance", "intervention")
SPLITS: tuple[str, ...] = ("train", "validation", *(f"test_{suite}" for suite in SUITES))


@dataclass(frozen=True)
class Category:
    """A kind of violation.

    Attributes:
        family: of constraints. name: in plain words. definition: what must be visible, one sentence.
        description: what an image with it shows, as a caption for models that compare images with texts.
    """

    family: Family
    name: str
    definition: str
    description: str


CATEGORIES: Mapping[Label, Category] = {
    "wrong_shadow_direction": Category(
        "illumination_and_shadows",
        "wrong shadow direction",
        "one object casts its shadow to a side where the light that made all other shadows can't throw it",
        "a scene in which the shadow of an object points in the wrong direction",
    ),
    "missing_cast_shadow": Category(
        "illumination_and_shadows",
        "missing cast shadow",
        "an object in the light casts no shadow on the surfaces around it",
        "a scene in which an object casts no shadow",
    ),
    "floating_object": Category(
        "support_and_contact",
        "floating object",
        "an object hangs in the air above the surface that should carry it, with a visible gap",
        "a scene in which an object floats in the air above the ground",
    ),
    "shadow_illumination_inconsistency": Category(
        "illumination_and_shadows",
        "shadow-illumination inconsistency",
        "the shadows agree with each other, but not with the sides on which objects are bright and dark",
        "a scene in which the shading of an object does not fit the shadow it casts",
    ),
    "missing_reflection": Category(
        "reflection",
        "missing reflection",
        "an object stands before a mirror but is absent from what the mirror shows",
        "a scene in which a mirror does not reflect the object in front of it",
    ),
    "reflection_angle_mismatch": Category(
        "reflection",
        "reflection angle mismatch",
        "a mirror shows what stands before it at places or angles where the law of reflection can't put it",
        "a scene in which the reflection of an object in a mirror is in the wrong place",
    ),
    "incorrect_specular_highlight": Category(
        "surface_response",
        "incorrect specular highlight",
        "the bright spot on a glossy surface is not where the light of the scene would put it",
        "a scene in which the highlight on a glossy object is in the wrong place",
    ),
    "wrong_reflected_object_identity": Category(
        "reflection",
        "wrong reflected object identity",
        "a mirror shows, in the right place, another object than the one that stands before it",
        "a scene in which a mirror reflects a different object than the one in front of it",
    ),
    "impossible_occlusion_order": Category(
        "depth_ordering",
        "impossible occlusion order",
        "an object that stands farther away hides one that stands nearer",
        "a scene in which an object farther away covers an object that is nearer",
    ),
    "missing_contact_shadow": Category(
        "support_and_contact",
        "missing contact shadow",
        "the narrow dark seam is missing where an object rests on the ground, though it casts a shadow",
        "a scene in which the dark seam between an object and the ground is missing",
    ),
}

# In the order of confusion matrices and of the columns of tables.
LABELS: tuple[Label, ...] = (CLEAN, *CATEGORIES)
CLEAN_DESCRIPTION: Final = "a scene in which light, shadows, reflections and contacts all obey physics"

# No image of the benchmark is a photograph; all are rendered at this size, in pixels.
IMAGE_SIZE: Final = 500


def label_name(label: str) -> str:
    """Return a label in plain words."""
    return CATEGORIES[label].name if label in CATEGORIES else label  # type: ignore[index]
