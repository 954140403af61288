"""The closed vocabularies of conservationbench (papers: Table 1, Table 4; dataset contract)."""

from __future__ import annotations

from typing import Literal, get_args

Domain = Literal["number", "length", "volume", "size"]
Condition = Literal["conserving", "nonconserving"]
Direction = Literal["gain", "loss"]
Relation = Literal["same", "moved_more", "moved_less"]
PromptStyle = Literal["direct", "sequential", "cot", "continuous"]
Extraction = Literal["uniform", "kinematic", "model", "human"]
Position = Literal["upper", "lower", "left", "right"]

DOMAINS: tuple[Domain, ...] = get_args(Domain)
CONDITIONS: tuple[Condition, ...] = get_args(Condition)
RELATIONS: tuple[Relation, ...] = get_args(Relation)
PROMPT_STYLES: tuple[PromptStyle, ...] = get_args(PromptStyle)
EXTRACTIONS: tuple[Extraction, ...] = get_args(Extraction)
FRAME_COUNTS: tuple[int, ...] = (3, 5, 7, 9, 16)
LETTERS: tuple[str, ...] = ("A", "B", "C")

# Seeing the change is needed for volume and size; end frames suffice for number and length (paper 3.1).
TRANSFORMATION: dict[Domain, Literal["mandatory", "helpful"]] = {
    "number": "helpful",
    "length": "helpful",
    "volume": "mandatory",
    "size": "mandatory",
}
