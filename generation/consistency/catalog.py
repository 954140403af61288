"""The ten categories; the classes say what is changed in each and by which two mechanisms.

| category | what is changed | what stays |
|---|---|---|
| wrong_shadow_direction | one object's cast shadow | its shading, all other shadows |
| missing_cast_shadow | one object's cast shadow is gone | its shading, all other shadows |
| floating_object | one object is in the air | place, size and pose otherwise, all other objects |
| shadow_illumination_inconsistency | all cast shadows | the shading of all objects |
| missing_reflection | one object in the mirror | all that is seen directly, the rest of the mirror |
| reflection_angle_mismatch | where the mirror looks | all that is seen directly |
| incorrect_specular_highlight | the highlight on one object | its diffuse shading, all shadows |
| wrong_reflected_object_identity | what the mirror shows for one object | its place, all seen directly |
| impossible_occlusion_order | which of two overlapping objects is seen | the objects, shadows, the mirror |
| missing_contact_shadow | the ground at one object's foot | the object, the rest of its shadow |
"""

from __future__ import annotations

from collections.abc import Mapping

from generation.consistency.case import Violation
from generation.consistency.violations.reflections import (
    MissingReflection,
    ReflectionAngleMismatch,
    WrongReflectedObjectIdentity,
)
from generation.consistency.violations.shadows import (
    MissingCastShadow,
    ShadowIlluminationInconsistency,
    WrongShadowDirection,
)
from generation.consistency.violations.support import FloatingObject, MissingContactShadow
from generation.consistency.violations.surfaces import ImpossibleOcclusionOrder, IncorrectSpecularHighlight
from physprobe.consistency.vocabulary import CATEGORIES, Label

_ALL: tuple[Violation, ...] = (
    WrongShadowDirection(),
    MissingCastShadow(),
    FloatingObject(),
    ShadowIlluminationInconsistency(),
    MissingReflection(),
    ReflectionAngleMismatch(),
    IncorrectSpecularHighlight(),
    WrongReflectedObjectIdentity(),
    ImpossibleOcclusionOrder(),
    MissingContactShadow(),
)
VIOLATIONS: Mapping[Label, Violation] = {violation.category: violation for violation in _ALL}

assert tuple(VIOLATIONS) == tuple(CATEGORIES)
