"""The audit finds a planted shortcut, and none where there is none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import balanced_accuracy_score

from builders.benchmarks import BENCHMARKS
from builders.build import Extent, build
from builders.cli import app
from builders.consistency.audit.classify import choose
from builders.consistency.audit.dataset import audit_folder, audited
from builders.consistency.audit.features import FEATURE_SETS
from builders.consistency.audit.records import ANY, Audit, Figure, schema_text
from builders.consistency.audit.report import sentences
from builders.consistency.audit.samples import FEWEST, read_samples
from builders.consistency.schema import DEFAULT
from builders.folder import ConfigEntry, read_manifest
from builders.verify import verify
from physprobe.cli.runner import run
from physprobe.consistency.vocabulary import SPLITS
from physprobe.errors import UserError
from tests.support.audited_images import (
    VIOLATION,
    Plant,
    brighter_patch,
    more_noise,
    nothing,
    quiet_patch,
    write_dataset,
)
from tests.support.raw_consistency import make_raw

SCHEMA = Path(__file__).parents[4] / "docs" / "audit.schema.json"


def silent(done: int, total: int) -> None:
    pass


def flagged(audit: Audit, split: str) -> set[str]:
    return {each.features for each in audit.flagged() if (each.split, each.category) == (split, VIOLATION)}


@pytest.fixture(scope="module")
def noisy_training(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ConfigEntry]:
    """A dataset whose violations are noisy wherever they are made by mechanism A."""
    folder = tmp_path_factory.mktemp("noisy")
    plants: dict[str, Plant] = dict.fromkeys(SPLITS, more_noise)
    return folder, write_dataset(folder, plants | {"test_intervention": nothing})


@pytest.fixture(scope="module")
def found(noisy_training: tuple[Path, ConfigEntry]) -> Audit:
    return audit_folder(*noisy_training, silent)


def test_a_shortcut_of_one_mechanism_shows_in_its_suites_alone(found: Audit) -> None:
    for split in ("test_standard", "test_appearance"):
        assert {"file_size", "noise", "low_level"} <= flagged(found, split)
    assert flagged(found, "test_intervention") == set()


@pytest.mark.parametrize(
    ("plant", "telling"), [(quiet_patch, {"noise", "seams"}), (brighter_patch, {"seams"})]
)
def test_a_seam_is_found(plant: Plant, telling: set[str], tmp_path: Path) -> None:
    audit = audit_folder(tmp_path, write_dataset(tmp_path, dict.fromkeys(SPLITS, plant)), silent)
    assert telling <= flagged(audit, "test_standard")


def test_without_a_shortcut_only_the_image_itself_tells(tmp_path: Path) -> None:
    audit = audit_folder(tmp_path, write_dataset(tmp_path, dict.fromkeys(SPLITS, nothing), 30), silent)
    assert audit.flagged() == ()
    whole = [each for each in audit.figures if each.features == "full_image"]
    assert min(each.balanced_accuracy for each in whole) > 0.65
    assert not any(each.flagged for each in whole)
    assert "flagged: no low-level figures" in "\n".join(sentences(audit))


def test_figures_are_balanced_accuracies(noisy_training: tuple[Path, ConfigEntry], found: Audit) -> None:
    folder, entry = noisy_training
    samples = read_samples(
        {split: [folder / path for path in entry.files if split in path] for split in SPLITS}
    )
    for features in FEATURE_SETS[:2]:
        chosen, suite = choose(samples, features, VIOLATION), samples["test_standard"]
        expected = balanced_accuracy_score(suite.violated, chosen.says_violated(suite, features))
        (figure,) = (f for f in found.figures if _is(f, VIOLATION, features.name, "test_standard"))
        assert figure.balanced_accuracy == pytest.approx(expected, abs=1e-4)
        assert figure.classifier == chosen.name
        assert figure.low <= figure.balanced_accuracy <= figure.high
        assert figure.images == 40


def _is(figure: Figure, *key: str) -> bool:
    return (figure.category, figure.features, figure.split) == key


def test_every_figure_is_there_once(found: Audit) -> None:
    keys = [(each.category, each.features, each.split) for each in found.figures]
    assert len(set(keys)) == len(keys) == 2 * len(FEATURE_SETS) * 3
    assert {category for category, _, _ in keys} == {VIOLATION, ANY}
    assert found.families == dict.fromkeys(SPLITS, 20)


def test_the_same_images_give_the_same_file(noisy_training: tuple[Path, ConfigEntry], found: Audit) -> None:
    again = audited(*noisy_training, silent)
    assert again is not None
    assert Audit.model_validate_json(again.text) == found
    assert found.content_sha256 == noisy_training[1].sha256
    assert [each["name"] for each in json.loads(again.text)["features"]] == [
        each.name for each in FEATURE_SETS
    ]


def test_splits_with_few_families_are_not_audited(tmp_path: Path) -> None:
    entry = write_dataset(tmp_path, dict.fromkeys(SPLITS, nothing), FEWEST - 1)
    assert audited(tmp_path, entry, silent) is None
    with pytest.raises(
        UserError, match=r"at least 20 families in each split \(here: train 19, .*preset full"
    ):
        audit_folder(tmp_path, entry, silent)


def test_an_image_that_does_not_decode_is_named(tmp_path: Path) -> None:
    entry = write_dataset(tmp_path, dict.fromkeys(SPLITS, nothing))
    path = tmp_path / DEFAULT.shard("train", 0, 1)
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows[3]["image"]["bytes"] = b"x"
    pq.write_table(type(table).from_pylist(rows, schema=table.schema), path)
    with pytest.raises(UserError, match=f"image train_001_{VIOLATION}: can't be decoded"):
        audit_folder(tmp_path, entry, silent)


def test_the_schema_is_current_and_accepts_what_is_found(found: Audit) -> None:
    """If it is not: write what ``schema_text`` returns."""
    assert SCHEMA.read_text(encoding="utf-8") == schema_text()
    jsonschema.validate(found.model_dump(mode="json"), json.loads(schema_text()))


def test_a_build_says_in_its_card_what_was_found(
    noisy_training: tuple[Path, ConfigEntry], found: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = BENCHMARKS["physical-consistency"]
    ready = audited(*noisy_training, silent)
    monkeypatch.setitem(BENCHMARKS, known.name, replace(known, audit=lambda *_: ready))
    raw = make_raw(tmp_path / "raw")
    out = build(raw, tmp_path / "out").out
    section = (
        (out / "README.md").read_text(encoding="utf-8").split("## Can shortcuts do it?")[1].split("\n## ")[0]
    )
    (line,) = [each for each in section.split("`test_standard`")[2].splitlines() if VIOLATION in each][:1]
    assert line.count("**1.00**") >= 3
    assert f"{len(found.flagged())} of 36 low-level figures are flagged" in section
    assert Audit.model_validate_json((out / "audit.json").read_text(encoding="utf-8")) == found
    assert verify(out).problems == ()
    (out / "audit.json").write_text("{}")
    assert [each for each in verify(out).problems if each.startswith("audit.json: the file was changed")]

    plain = build(raw, tmp_path / "plain", extent=Extent(audit=False)).out
    assert "was not audited" in (plain / "README.md").read_text(encoding="utf-8")
    assert "audit.json" not in read_manifest(plain).extras


def test_the_command(
    built_mini: Path,
    noisy_training: tuple[Path, ConfigEntry],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(app, ["audit", str(built_mini)]) == 2
    assert "holds conservationbench: only physical-consistency has an audit" in capsys.readouterr().err
    folder = _with_manifest(built_mini, noisy_training)
    assert run(app, ["audit", str(folder)]) == 0
    told = capsys.readouterr().out
    assert told.count("balanced accuracy") == 3
    assert "test_standard: floating object by noise: 1.00 [1.00, 1.00]" in told
    assert run(app, ["audit", str(folder), "--json"]) == 0
    assert Audit.model_validate_json(capsys.readouterr().out).flagged()


def _with_manifest(other: Path, dataset: tuple[Path, ConfigEntry]) -> Path:
    """Put the manifest of another dataset beside shards, changed to list them."""
    folder, entry = dataset
    there = read_manifest(other)
    changed = there.model_copy(update={"benchmark": "physical-consistency", "configs": {DEFAULT.name: entry}})
    (folder / "manifest.json").write_text(changed.model_dump_json())
    return folder


def test_a_random_guess_is_not_flagged_often() -> None:
    """The margin holds what run.py says of it, at 50 families."""
    from builders.consistency.audit.run import MARGIN, _mean_recall
    from physprobe.statistics.bootstrap import cluster_bootstrap

    rng = np.random.default_rng(0)
    flags = 0
    for _ in range(300):
        right = rng.integers(0, 2, (50, 2))
        bounds = cluster_bootstrap(
            np.concatenate([right, np.ones((50, 2))], axis=1), _mean_recall, resamples=500
        )
        flags += bool(bounds.low[0] > 0.5 + MARGIN or bounds.high[0] < 0.5 - MARGIN)
    assert flags <= 5
