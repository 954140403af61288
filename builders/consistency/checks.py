"""What must hold in physical-consistency beyond the schema; computed from the rows, not by the generator."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from builders.consistency.image_checks import (
    Pictures,
    Pixels,
    effect,
    label_problems,
    picture_problems,
    read_pictures,
    visibility_problems,
)
from builders.consistency.matching import Measured, compared, matching_lines, matching_problems
from builders.consistency.presentation_checks import PresentationChecker
from builders.consistency.schema import APPEARANCE, PRESENTATION
from builders.consistency.shift_checks import overlaps
from builders.folder import Manifest
from generation.consistency.design import PRESETS, families
from physprobe.consistency.vocabulary import CATEGORIES, CLEAN, LABELS, SPLITS

Row = Mapping[str, Any]

# Of a family's parameters: all else makes its scene.
_NOT_THE_SCENE = ("family_id", "split", "interventions", "noise", "spp", "width", "height")


@dataclass
class _Family:
    """A family, row by row. Its split is that of its first row."""

    split: str
    parameters: str
    labels: Counter[str] = field(default_factory=Counter)
    clean: Pixels | None = None

    def scene(self) -> str:
        """Return what makes the scene, as text."""
        whole = json.loads(self.parameters)
        return json.dumps({key: value for key, value in whole.items() if key not in _NOT_THE_SCENE})


class ConsistencyChecker:
    """Checks rows one by one, then families, splits and the design."""

    def __init__(self, manifest: Manifest | None) -> None:
        """Start checking a dataset with this manifest; None if it can't be read."""
        self._manifest = manifest
        self._families: dict[str, _Family] = {}
        self._counts: Counter[tuple[str, str]] = Counter()  # split, mechanism
        self._seeds: set[int] = set()
        self._sizes: set[tuple[int, int]] = set()
        self._last: _Family | None = None
        self._measured: list[Measured] = []
        self._presentation = PresentationChecker(bool(manifest and PRESENTATION.name in manifest.configs))

    def visit(self, config: str, split: str, row: Row) -> Iterator[str]:
        """Take in a row that fits the schema, no nulls where none may be; yield what is wrong with it."""
        if config == PRESENTATION.name:
            found = self._presentation.visit(split, row)
            return (f"{config}: image {row['image_id']}: {problem}" for problem in found)
        return (f"image {row['image_id']}: {problem}" for problem in self._row_problems(split, row))

    def finish(self) -> Iterator[str]:
        """Yield what is wrong across rows."""
        once: Counter[str] = Counter(LABELS)
        for family_id, family in self._families.items():
            if family.labels != once:
                wrong = sorted((once - family.labels) + (family.labels - once))
                yield f"family {family_id}: not each label once: {', '.join(wrong)}"
        yield from self._scene_problems()
        yield from self._design_problems()
        yield from matching_problems(compared(self._measured))
        yield from self._presentation.finish()
        if len(self._seeds) > 1:
            yield f"families of different seeds: {sorted(self._seeds)}"
        if len(self._sizes) > 1:
            yield f"images of different sizes: {sorted(self._sizes)}"

    def summary(self) -> list[str]:
        """Say in a few lines what was looked at."""
        split = Counter(family.split for family in self._families.values())
        sizes = ", ".join(f"{width}x{height}" for width, height in sorted(self._sizes))
        images = f"{self._counts.total()} images of {sizes} pixels"
        return [
            f"{len(self._families)} families, {images} with masks decoded",
            "families: " + ", ".join(f"{name} {split[name]}" for name in SPLITS),
            "violations by mechanism: "
            + ", ".join(
                f"{name} {mechanism} {count}"
                for (name, mechanism), count in sorted(self._counts.items())
                if mechanism
            ),
            *matching_lines(compared(self._measured)),
        ]

    def coverage(self) -> str:
        """Say how many of the preset's families are there."""
        wanted = self._wanted()
        there = len(self._families)
        return f"{there} of {len(wanted)} families" if wanted else f"{there} families"

    def _wanted(self) -> dict[str, str]:
        """Return family -> split of the preset."""
        preset = self._manifest.source.preset if self._manifest else ""
        return {each.family_id: each.split for each in families(preset)} if preset in PRESETS else {}

    def _row_problems(self, split: str, row: Row) -> Iterator[str]:
        family = self._family(split, row)
        family.labels[row["category"]] += 1
        self._counts[split, row["mechanism"] or ""] += 1
        self._seeds.add(row["seed"])
        if family.split != split:
            yield f"its family is in {family.split} too, not in {split} alone"
        if family.parameters != row["parameters"]:
            yield "parameters are not those of its family"
        found = [*label_problems(row, split)]
        yield from found
        if "parameters are not a JSON object" in found:
            return
        try:
            pictures = read_pictures(row)
        except ValueError as error:
            yield str(error)
            return
        height, width = pictures.affected.shape
        self._sizes.add((width, height))
        self._presentation.remember(split, row, pictures.image)
        yield from picture_problems(row, pictures)
        if row["category"] == CLEAN:
            family.clean = pictures.image
        elif family.clean is None:
            yield "it stands before the clean image of its family"
        else:
            yield from visibility_problems(family.clean, pictures)
            self._measure(split, row, family.clean, pictures)

    def _measure(self, split: str, row: Row, clean: Pixels, pictures: Pictures) -> None:
        if clean.shape == pictures.image.shape and row["category"] in CATEGORIES:
            area, inside = float(pictures.affected.mean()), effect(clean, pictures)
            self._measured.append(Measured(split, row["category"], row["mechanism"] or "", area, inside))

    def _family(self, split: str, row: Row) -> _Family:
        family = self._families.setdefault(row["family_id"], _Family(split, row["parameters"]))
        if self._last is not None and self._last is not family:
            self._last.clean = None  # families stand together: one image is kept at a time
        self._last = family
        return family

    def _scene_problems(self) -> Iterator[str]:
        """Compare scenes: no two families share one, and the shifted suite looks like no other split."""
        try:
            scenes: dict[str, str] = {}
            for family_id, family in self._families.items():
                first = scenes.setdefault(family.scene(), family_id)
                if first != family_id:
                    yield f"family {family_id}: its scene is that of {first}"
            groups: dict[bool, list[Any]] = defaultdict(list)
            for family in self._families.values():
                groups[family.split == APPEARANCE].append(json.loads(family.parameters))
            for overlap in overlaps(groups[False], groups[True]):
                yield f"{APPEARANCE} has {overlap}"
        except (ValueError, KeyError, TypeError, AttributeError):
            yield "scenes can't be compared: parameters of some family are not the generator's"

    def _design_problems(self) -> Iterator[str]:
        wanted = self._wanted()
        if self._manifest is None or not wanted:
            return
        preset, there = self._manifest.source.preset, self._families
        yield from (f"family {name}: not in preset {preset}" for name in sorted(there.keys() - wanted.keys()))
        for name in sorted(there.keys() & wanted.keys()):
            if there[name].split != wanted[name]:
                yield f"family {name}: it belongs to {wanted[name]}, not {there[name].split}"
        if self._manifest.complete:
            yield from (f"family {name}: missing" for name in wanted if name not in there)
        elif there.keys() >= wanted.keys():
            yield "manifest.json calls the dataset incomplete, but no family of the preset is missing"
