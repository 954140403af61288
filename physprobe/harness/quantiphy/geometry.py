"""The reference model ``quantiphy_geometry``."""

from __future__ import annotations

from typing import Any

from physprobe.harness.quantiphy.measured import known
from physprobe.harness.reference_models import ReferenceModel


class Geometry(ReferenceModel):
    """Measures in pixels and calibrates with the prior: shows that questions can be answered."""

    kind = "geometry"

    def told(self, row: Any) -> dict[str, Any]:
        """Return what kept answers depend on: the row, the solver, and where things are seen."""
        return {**super().told(row), "known": known(row)}
