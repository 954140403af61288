from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from generation.cli import app
from generation.consistency import design
from generation.consistency.design import families
from generation.consistency.family import RECORD, check_item, finish, make_item, read_mask
from generation.consistency.records import FamilyRecord
from physprobe.cli.runner import run
from physprobe.consistency.vocabulary import LABELS
from tests.support.tiny_families import TINY, family


@pytest.fixture(scope="module")
def item(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("item")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(design.PRESETS, "tiny", TINY)
        make_item(family("train_003"), "tiny", 0, folder)
    return folder


def test_an_item_holds_every_label_with_masks_and_box(item: Path) -> None:
    check_item(item)
    record = FamilyRecord.model_validate_json((item / RECORD).read_text())
    assert [image.category for image in record.images] == list(LABELS)
    clean, *violated = record.images
    assert (clean.mechanism, clean.box, clean.affected_mask) == (None, None, None)
    for image in violated:
        assert image.affected_mask is not None
        mask = read_mask(item / image.affected_mask.name)
        rows, columns = np.nonzero(mask)
        left, top, right, bottom = image.box or (0, 0, 0, 0)
        assert (round(left * 100), round(top * 100)) == (columns.min(), rows.min())
        assert (round(right * 100), round(bottom * 100)) == (columns.max() + 1, rows.max() + 1)
        assert image.area == pytest.approx(mask.mean())
    assert {path.name for path in item.iterdir()} == {RECORD} | {
        file.name for i in record.images for file in (i.image, i.affected_mask, i.evidence_mask) if file
    }


def test_images_can_be_made_again_from_the_record_alone(item: Path) -> None:
    record = FamilyRecord.model_validate_json((item / RECORD).read_text())
    again = finish(record.parameters)
    for image, pixels in zip(record.images, (again.clean, *again.violated), strict=True):
        with Image.open(item / image.image.name) as saved:
            assert np.array_equal(np.asarray(saved), pixels)


def test_damage_is_found(item: Path, tmp_path: Path) -> None:
    for path in item.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    record = FamilyRecord.model_validate_json((item / RECORD).read_text())
    name = record.images[3].image.name
    with Image.open(tmp_path / name) as image:
        image.resize((50, 50)).save(tmp_path / name)
    with pytest.raises(ValueError, match=name):
        check_item(tmp_path)
    resized = hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
    text = (tmp_path / RECORD).read_text().replace(record.images[3].image.sha256, resized)
    (tmp_path / RECORD).write_text(text)
    with pytest.raises(ValueError, match=r"\(50, 50\)"):
        check_item(tmp_path)


@pytest.mark.parametrize("preset", sorted(design.PRESETS))
def test_list_names_every_family(capsys: pytest.CaptureFixture[str], preset: str) -> None:
    assert run(app, ["physical-consistency", "--list", "--preset", preset]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["family_id"], row["split"]) for row in rows] == [
        (each.family_id, each.split) for each in families(preset)
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "Q*"], "matches no family of preset mini"),
        (["--preset", "huge"], "huge"),
        ([], "--out is missing"),
    ],
)
def test_bad_use_of_physical_consistency_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(app, ["physical-consistency", *arguments]) == 2
    assert message in capsys.readouterr().err
