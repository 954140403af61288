"""The reference model ``quantiphy_geometry``."""

from __future__ import annotations

from physprobe.harness.reference_models import ReferenceModel


class Geometry(ReferenceModel):
    """Measures in pixels and calibrates with the prior: shows that questions can be answered."""

    kind = "geometry"
