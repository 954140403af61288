"""One line of a selections file, and the JSON Schema that describes it."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from generation.core.records import StrictModel
from physprobe.conservation.vocabulary import FRAME_COUNTS


def _dependent_rules(schema: dict[str, Any]) -> None:
    """Add what ties fields together: as many indices as frames, the first one 0, none twice."""
    indices = schema["properties"]["frame_indices"]
    indices |= {"prefixItems": [{"const": 0}], "uniqueItems": True}
    schema["allOf"] = [
        {
            "if": {"properties": {"frame_count": {"const": count}}},
            "then": {"properties": {"frame_indices": {"minItems": count, "maxItems": count}}},
        }
        for count in FRAME_COUNTS
    ]


class Selection(StrictModel):
    """The frames that one annotator or model chose from one clip, for one frame count.

    A selections file is JSON Lines in UTF-8: each line holds one such object. What a line alone can't tell
    (that the clip exists, that the last index is its last frame, that indices increase, that nobody chose
    twice, that all lines of extraction "model" are one model's) is checked when the file is read.
    """

    model_config = ConfigDict(strict=True, json_schema_extra=_dependent_rules)

    extraction: Literal["model", "human"] = Field(description="Who chose: a model, or a person.")
    selector: Annotated[str, Field(min_length=1, pattern=r"\S")] = Field(
        description="The annotator's pseudonym (the file may be published: no names), or the model's id."
    )
    seed: int = Field(ge=0, description="Seed of the dataset that was looked at: another seed, other clips.")
    video_id: str = Field(description="The clip: pair_id + '_' + condition.")
    frame_count: Literal[3, 5, 7, 9, 16] = Field(description="Number of frames chosen.")
    frame_indices: tuple[Annotated[int, Field(ge=0)], ...] = Field(
        description="0-based indices, strictly increasing; the clip's first and last frame are among them."
    )


def schema_text() -> str:
    """Return the published JSON Schema (docs/selections.schema.json), with a newline at the end."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Selection.model_json_schema()}
    return json.dumps(schema, indent=2) + "\n"
