"""What the card says of the two mechanisms, against the records it is made of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from builders.consistency.dataset import read
from builders.consistency.facts import card_facts
from builders.consistency.source import read_family
from generation.core.raw import RawFolder
from physprobe.consistency.vocabulary import CATEGORIES
from tests.support.raw_consistency import make_raw


def test_mechanisms_are_compared_over_all_families_of_the_common_appearance(tmp_path: Path) -> None:
    source = read(RawFolder.open(make_raw(tmp_path / "raw")), False, ())
    records = {family.split: read_family(source.raw, family).record for family in source.families}
    facts = card_facts([*records.values()])
    for index, category in enumerate(CATEGORIES):
        for quantity in ("area", "effect"):
            told = facts[f"{quantity}s"][index]
            values = {
                split: getattr(next(image for image in record.images if image.category == category), quantity)
                for split, record in records.items()
            }
            common = [values[split] for split in ("train", "validation", "test_standard")]
            assert told["A"]["mean"] == pytest.approx(np.mean(common))
            assert told["A"]["sd"] == pytest.approx(np.std(common, ddof=1))
            assert told["B"] == {"mean": pytest.approx(values["test_intervention"]), "sd": None}
