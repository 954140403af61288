"""physical-consistency from raw folder to dataset: five splits, verified, loaded; tampering is found."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlcroissant
import numpy as np
import pyarrow.parquet as pq
import pytest
from datasets import load_dataset
from PIL import Image
from syrupy.assertion import SnapshotAssertion

from builders.build import build
from builders.consistency.facts import standardised_difference
from builders.consistency.schema import DEFAULT
from builders.diff import compare
from builders.folder import read_manifest
from builders.hf import PhysicalConsistency
from builders.verify import verify
from generation.consistency.family import RECORD
from physprobe.consistency.vocabulary import LABELS, SPLITS, SUITES, Suite
from physprobe.errors import UserError
from tests.support.damage import Change, Row, edit, problems, put
from tests.support.raw_consistency import make_raw


@pytest.fixture(scope="module")
def raw_families(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_raw(tmp_path_factory.mktemp("raw") / "consistency")


@pytest.fixture(scope="module")
def built_families(raw_families: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(raw_families, tmp_path_factory.mktemp("built") / "physical-consistency").out


@pytest.fixture
def families(built_families: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built_families, tmp_path / "physical-consistency"))


def test_a_sound_dataset(built_families: Path, raw_families: Path) -> None:
    verdict = verify(built_families, raw=raw_families)
    assert verdict.problems == ()
    assert verdict.summary == (
        "5 families, 55 images of 100x100 pixels with masks decoded",
        "families: train 1, validation 1, test_standard 1, test_appearance 1, test_intervention 1",
        "violations by mechanism: test_appearance A 10, test_intervention B 10, test_standard A 10, "
        "train A 10, validation A 10",
        "mechanisms: too few families to compare (under 10 of one)",
    )


def test_it_loads_split_by_split(built_families: Path) -> None:
    assert tuple(load_dataset(str(built_families))) == SPLITS
    rows = load_dataset(str(built_families), split="test_intervention")
    assert rows["category"][:] == [*LABELS]
    assert rows["mechanism"][:] == [None] + ["B"] * 10
    clean, violated = rows[0], rows[1]
    assert (clean["consistent"], clean["box"], clean["affected_mask"].getbbox()) == (True, None, None)
    assert violated["image"].size == (100, 100)
    assert [round(100 * value) for value in violated["box"]] == [*violated["affected_mask"].getbbox()]


def test_the_builder_class_gives_the_same_rows(
    raw_families: Path, built_families: Path, tmp_path: Path
) -> None:
    builder = PhysicalConsistency(data_dir=raw_families, cache_dir=str(tmp_path))
    builder.download_and_prepare()
    for split in ("validation", "test_appearance"):
        made, built = builder.as_dataset(split=split), load_dataset(str(built_families), split=split)
        assert made.features == built.features
        assert made.to_list() == built.to_list()


def test_the_manifest_knows_each_split(built_families: Path) -> None:
    entry = read_manifest(built_families).configs["default"]
    assert {name: split.rows for name, split in entry.splits.items()} == dict.fromkeys(SPLITS, 11)
    assert len({split.sha256 for split in entry.splits.values()} | {entry.sha256}) == 6


def test_an_unfinished_raw_folder(tmp_path: Path) -> None:
    raw = make_raw(tmp_path / "raw", limit=1)
    with pytest.raises(UserError, match="lacks 4 of 5 families; add --partial, or finish it with"):
        build(raw, tmp_path / "out")
    out = build(raw, tmp_path / "out", partial=True).out
    verdict = verify(out)
    assert (verdict.problems, verdict.incomplete) == ((), "1 of 5 families")
    assert len(load_dataset(str(out), split="train")) == 11
    assert Image.open(out / "examples.png").width > 400


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda item: (item / "clean.png").write_bytes(b"x"), "is not the file its record describes"),
        (lambda item: (item / "clean.png").unlink(), "can't read .*clean.png"),
        (lambda item: (item / RECORD).write_text("{}"), "is no family record"),
    ],
)
def test_a_damaged_raw_folder_is_refused(
    raw_families: Path, tmp_path: Path, damage: Callable[[Path], Any], message: str
) -> None:
    raw = Path(shutil.copytree(raw_families, tmp_path / "raw"))
    damage(raw / "items" / "train_000")
    with pytest.raises(UserError, match=f"{message}.*remove .* and generate it again"):
        build(raw, tmp_path / "out")


def repainted(column: str, change: Callable[[np.ndarray], np.ndarray], index: int = 2) -> Change:
    """Change the pixels of a row's picture."""

    def edited(rows: list[Row]) -> None:
        pixels = np.array(Image.open(io.BytesIO(rows[index][column]["bytes"])))
        data = io.BytesIO()
        Image.fromarray(change(pixels)).save(data, format="PNG")
        rows[index][column]["bytes"] = data.getvalue()

    return edited


def as_clean(rows: list[Row]) -> None:
    rows[4]["image"]["bytes"] = rows[0]["image"]["bytes"]


def with_parameters(**values: Any) -> Change:
    """Change parameters of the whole family."""

    def edited(rows: list[Row]) -> None:
        for row in rows:
            row["parameters"] = json.dumps(json.loads(row["parameters"]) | values)

    return edited


DAMAGE = [
    ("train", put(2, mechanism="B"), "mechanism is 'B', not 'A'"),
    ("test_intervention", put(2, mechanism="A"), "mechanism is 'A', not 'B'"),
    ("train", put(0, mechanism="A"), "mechanism is 'A', not None"),
    ("train", put(2, mechanism=None), "mechanism is None, not 'A'"),
    ("train", put(2, consistent=True), "consistent is True, not False"),
    ("train", put(2, category="melting"), "category is 'melting'"),
    ("train", put(2, box=[0.1, 0.1, 0.2, 0.2]), "that of affected_mask is"),
    ("train", put(2, box=None), "box is None, that of affected_mask is"),
    ("train", put(0, box=[0.1, 0.1, 0.2, 0.2]), "a clean image has masks or a box"),
    ("train", put(2, explanation="It is wrong."), "explanation names none of the objects"),
    ("train", put(2, parameters="[]"), "parameters are not a JSON object"),
    ("train", put(2, parameters="{}"), "parameters are not those of its family"),
    ("train", put(2, seed=7), "families of different seeds"),
    ("train", put(2, explanation=None), "no value in explanation"),
    ("train", repainted("affected_mask", np.zeros_like), "affected_mask is empty"),
    ("train", repainted("evidence_mask", np.zeros_like), "evidence_mask doesn't contain affected_mask"),
    ("train", repainted("evidence_mask", lambda mask: mask // 2), "values other than 0 and 255"),
    ("train", repainted("image", lambda image: image[:50]), "image is 100x50, masks are 100x100"),
    ("train", repainted("image", lambda image: image[..., 0]), "not PNG of mode RGB"),
    ("train", put(2, image={"bytes": b"x", "path": "x.png"}), "image can't be decoded|image.path is 'x.png'"),
    ("train", as_clean, "it differs from the clean image by 0.000 in affected_mask"),
    ("train", lambda rows: rows[:5] + rows[6:], "not each label once"),
    ("train", lambda rows: rows[1:], "it stands before the clean image of its family"),
    ("validation", lambda rows: rows[:5], "validation: 5 rows, built with 11"),
    (
        "test_appearance",
        with_parameters(lamp={}),
        "scenes can't be compared",
    ),
]


@pytest.mark.parametrize(("split", "change", "message"), DAMAGE)
def test_tampering_is_found(families: Path, split: str, change: Change, message: str) -> None:
    edit(families, DEFAULT, change, split)
    assert [problem for problem in problems(families) if re.search(message, problem)]


def test_a_family_in_two_splits_is_found(families: Path) -> None:
    def moved(rows: list[Row]) -> list[Row]:
        return [*rows, *pq.read_table(families / DEFAULT.shard("train", 0, 1)).to_pylist()[5:]]

    edit(families, DEFAULT, moved, "validation")
    found = problems(families)
    assert [each for each in found if "its family is in train too, not in validation alone" in each]
    assert [each for each in found if "occurs twice" in each]


def test_scenes_and_appearance_are_held_apart(families: Path) -> None:
    (row, *_) = pq.read_table(families / DEFAULT.shard("train", 0, 1)).to_pylist()
    edit(families, DEFAULT, with_parameters(**json.loads(row["parameters"])), "test_appearance")
    found = problems(families)
    assert "family test_appearance_000: its scene is that of train_000" in found
    for what in ("colours", "lamps", "roughness", "hue of the ground", "a .* of other splits' proportions"):
        assert [each for each in found if re.match(f"test_appearance has {what}", each)], what


def test_rows_of_another_raw_folder_are_found(families: Path, raw_families: Path, tmp_path: Path) -> None:
    edit(families, DEFAULT, repainted("image", lambda image: 255 - image), "test_standard")
    assert [
        each
        for each in verify(families, raw=raw_families).problems
        if each.endswith("RAW gives another image")
    ]


def test_a_row_that_changes_its_split_is_a_changed_row(built_families: Path, families: Path) -> None:
    """Of the manifest only the hashes are read, to choose which configs to compare."""
    path = {split: families / DEFAULT.shard(split, 0, 1) for split in SPLITS}
    train, validation = (path[split].read_bytes() for split in ("train", "validation"))
    path["train"].write_bytes(validation)
    path["validation"].write_bytes(train)
    manifest = json.loads((families / "manifest.json").read_text())
    manifest["configs"]["default"]["sha256"] = "0"
    (families / "manifest.json").write_text(json.dumps(manifest))
    (changes,) = compare(built_families, families)
    assert (len(changes.changed), changes.added, changes.removed) == (22, (), ())


@pytest.mark.parametrize("suite", SUITES)
def test_the_tasks_take_what_is_built(
    built_families: Path, monkeypatch: pytest.MonkeyPatch, suite: Suite
) -> None:
    from physprobe.data import load_config
    from physprobe.harness.consistency.marking import DETAILS, mark
    from physprobe.harness.consistency.questions import CONFIG, DATASET, suite_questions
    from physprobe.harness.consistency.references import reference_answer

    monkeypatch.setenv("PHYSPROBE_DATA", str(built_families.parent))
    rows = suite_questions(load_config(DATASET, CONFIG, f"test_{suite}"), suite)
    for row in rows:
        marked = mark(row, reference_answer("oracle", row, np.random.default_rng(0)))[DETAILS]
        assert (marked["correct"], marked["reasons"]) == (True, [])
        assert marked["iou"] == (None if row["category"] == "clean" else 1)


def test_the_card_is_pinned(built_families: Path, snapshot: SnapshotAssertion) -> None:
    card = (built_families / "README.md").read_text(encoding="utf-8")
    fixed = re.sub(r"[0-9a-f]{64}", "HASH", card)
    assert re.sub(r"(num_bytes|download_size|dataset_size): \d+", r"\1: N", fixed) == snapshot
    section = re.split(r"\n#+ ", card.split("### `default`")[1])[0]
    assert re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE) == DEFAULT.schema.names
    table = re.split(r"\n#+ ", card.split("## Categories")[1])[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE)) == LABELS


def test_croissant_reads_rows_with_their_split(built_families: Path) -> None:
    described = mlcroissant.Dataset(built_families / "croissant.json")
    assert described.metadata.ctx.issues.errors == set()
    rows = list(described.records("default"))
    for row in rows:
        assert row["default/family_id"] == row["default/split"] + b"_000"
    assert len({row["default/image_id"] for row in rows}) == 55
    assert rows[0]["default/image"].size == (100, 100)


def test_standardised_difference_is_cohens_d() -> None:
    one, other = np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0, 4.0])
    assert standardised_difference(one, other) == pytest.approx(1.0)
    assert standardised_difference(other, one) == pytest.approx(-1.0)
    assert standardised_difference(one[:1], other) is None
    assert standardised_difference(np.ones(3), np.ones(3)) is None
