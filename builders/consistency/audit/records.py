"""What an audit found, as audit.json holds it, and the JSON Schema that describes it."""

from __future__ import annotations

import json
from typing import Literal

from pydantic import Field

from generation.core.records import StrictModel

AUDIT = "audit.json"
# What "any violation" is called where a category would stand.
ANY: Literal["any"] = "any"


class Features(StrictModel):
    """A set of features."""

    name: str = Field(description="As in figures.")
    title: str = Field(description="For tables.")
    description: str = Field(description="What it is made of.")
    dimensions: int = Field(ge=1, description="Numbers for each image.")
    is_low_level: bool = Field(
        description="False for the figures to compare with: those of the image itself."
    )


class Figure(StrictModel):
    """How well a classifier tells clean images of a suite from violated ones."""

    category: str = Field(description="The violation; 'any': all of them against clean.")
    features: str = Field(description="Name of the set of features.")
    split: str = Field(description="The suite: test_standard, test_appearance or test_intervention.")
    classifier: str = Field(description="The one that was best on validation.")
    validation: float = Field(description="Its balanced accuracy there.")
    balanced_accuracy: float = Field(description="Of the suite; 0.5 is chance.")
    low: float = Field(description="Lower bound of its interval, from a bootstrap over families.")
    high: float = Field(description="Upper bound.")
    images: int = Field(ge=1, description="Images classified.")
    flagged: bool = Field(
        description="Whether the features are low-level and the whole interval is over 0.5 + margin, or "
        "under 0.5 - margin (what was learnt on train holds the other way round)."
    )


class Audit(StrictModel):
    """An audit of a dataset for shortcuts.

    Classifiers see nothing but features; fitted on train, chosen on validation, used on the suites.
    """

    format_version: Literal[1] = 1
    content_sha256: str = Field(description="Content hash of the audited rows, as in manifest.json.")
    margin: float = Field(description="How far from 0.5 a whole interval must lie to be flagged.")
    confidence: float = Field(description="Of the intervals.")
    resamples: int = Field(ge=1, description="Of the bootstrap.")
    classifiers: tuple[str, ...] = Field(description="Those that were fitted, in order of preference.")
    families: dict[str, int] = Field(description="Split -> number of families.")
    features: tuple[Features, ...] = Field(description="In the order of tables.")
    versions: dict[str, str] = Field(description="Of the packages that figures may depend on.")
    figures: tuple[Figure, ...]

    def flagged(self) -> tuple[Figure, ...]:
        """Return the figures that are flagged, the most telling first."""
        found = (figure for figure in self.figures if figure.flagged)
        return tuple(sorted(found, key=lambda each: -abs(each.balanced_accuracy - 0.5)))


def schema_text() -> str:
    """Return the published JSON Schema (docs/audit.schema.json), with a newline at the end."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Audit.model_json_schema()}
    return json.dumps(schema, indent=2) + "\n"
