"""The config ``presentation``: the scored images, denoised, built only when asked for."""

from __future__ import annotations

import io
import re
import shutil
from pathlib import Path
from typing import Any

import mlcroissant
import numpy as np
import pytest
from datasets import load_dataset
from PIL import Image

from builders.build import Extent, build
from builders.cli import app
from builders.consistency.audit.pictures import Picture
from builders.consistency.denoise import denoise, denoise_png
from builders.consistency.presentation_checks import PresentationChecker
from builders.consistency.schema import DEFAULT, PRESENTATION
from builders.diff import compare, overall_step
from builders.folder import read_manifest
from builders.intact import check_intact
from builders.verify import verify
from physprobe.cli.runner import run
from physprobe.consistency.vocabulary import LABELS, SPLITS
from physprobe.errors import UserError
from tests.support.damage import Change, Row, edit, problems, put
from tests.support.raw_consistency import make_raw


@pytest.fixture(scope="module")
def raw_one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_raw(tmp_path_factory.mktemp("raw") / "one", limit=2)


@pytest.fixture(scope="module")
def built(raw_one: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "physical-consistency"
    return build(raw_one, out, partial=True, extent=Extent(optional=["presentation"])).out


@pytest.fixture
def shown(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "physical-consistency"))


def scene(noise: float) -> np.ndarray:
    """A ground with a box and its shadow, (80, 80, 3)."""
    image = np.full((80, 80, 3), 150.0)
    image[40:60, 20:70] = 90
    image[30:60, 20:50] = (180, 60, 60)
    image += np.random.default_rng(0).normal(0, noise, image.shape)
    return np.clip(image, 0, 255).round().astype(np.uint8)


def test_denoising_takes_noise_and_leaves_edges() -> None:
    truth, noisy = scene(0).astype(float), scene(8)
    calm = denoise(noisy)
    assert calm.shape == noisy.shape
    assert Picture(0, calm).block_noise.mean() < 0.2 * Picture(0, noisy).block_noise.mean()
    assert np.abs(calm - truth).mean() < 0.3 * np.abs(noisy - truth).mean()
    assert (
        np.abs(calm[45, 48].astype(float) - calm[45, 51]).max() > 60
    )  # two pixels from the edge on both sides


def test_the_same_image_gives_the_same_bytes() -> None:
    data = io.BytesIO()
    Image.fromarray(scene(8)).save(data, format="PNG")
    assert denoise_png(data.getvalue()) == denoise_png(data.getvalue())


def test_it_is_built_only_when_asked_for(raw_one: Path, built: Path, tmp_path: Path) -> None:
    plain = build(raw_one, tmp_path / "plain", partial=True).out
    assert [*read_manifest(plain).configs] == ["default"]
    assert [*read_manifest(built).configs] == ["default", "presentation"]
    assert not (plain / "presentation").exists()
    (changes,) = compare(plain, built)
    assert (changes.config, len(changes.added), changes.removed) == ("presentation", 22, ())
    assert overall_step([changes]) == "minor"


def test_it_has_the_ids_of_the_scored_images_in_their_splits(built: Path) -> None:
    for split in ("train", "validation"):
        rows = load_dataset(str(built), "presentation", split=split)
        scored = load_dataset(str(built), split=split)
        for column in ("image_id", "family_id", "category"):
            assert rows[column][:] == scored[column][:]
        assert {row["image"].size for row in rows} == {row["image"].size for row in scored}
        assert len(rows) == len(LABELS)


def test_a_sound_one(built: Path, raw_one: Path) -> None:
    verdict = verify(built, raw=raw_one)
    assert verdict.problems == ()
    assert [check.rows for check in verdict.configs] == [22, 22]
    assert check_intact(built).configs.keys() == {"default", "presentation"}


def test_the_card_says_what_it_is_for(built: Path) -> None:
    card = (built / "README.md").read_text(encoding="utf-8")
    assert card.count("never used for scoring") == 2
    section = re.split(r"\n#+ ", card.split("### `presentation`")[1])[0]
    assert re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE) == PRESENTATION.schema.names
    described = mlcroissant.Dataset(built / "croissant.json")
    assert described.metadata.ctx.issues.errors == set()
    assert {each.id for each in described.metadata.record_sets} == {"default", "presentation"}


def painted(value: int, size: tuple[int, int] = (100, 100)) -> dict[str, Any]:
    data = io.BytesIO()
    Image.new("RGB", size, (value,) * 3).save(data, format="PNG")
    return {"bytes": data.getvalue(), "path": f"train_000_{LABELS[2]}.png"}


def speckled(rows: list[Row]) -> None:
    pixels = np.array(Image.open(io.BytesIO(rows[2]["image"]["bytes"]))).astype(float)
    pixels += np.random.default_rng(0).normal(0, 5, pixels.shape)
    data = io.BytesIO()
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(data, format="PNG")
    rows[2]["image"]["bytes"] = data.getvalue()


DAMAGE = [
    (put(2, image=painted(70)), "image differs from the scored one by 0.* somewhere"),
    (put(2, image=painted(70, (90, 100))), "image is 90x100, the scored one 100x100"),
    (put(2, image={"bytes": b"x", "path": "y.png"}), "image can't be decoded|image.path is 'y.png'"),
    (put(2, image_id="train_000_melting"), "the default config has no sound image of this name"),
    (put(2, category="clean"), f"category is 'clean', that of the scored image '{LABELS[2]}'"),
    (put(2, family_id="train_001"), "family_id is 'train_001'"),
    (speckled, "image is not denoised"),
    (lambda rows: rows[:2] + rows[3:], f"presentation: image train_000_{LABELS[2]} is missing"),
]


@pytest.mark.parametrize(("change", "message"), DAMAGE)
def test_tampering_is_found(shown: Path, change: Change, message: str) -> None:
    edit(shown, PRESENTATION, change, "train")
    assert [each for each in problems(shown) if re.search(message, each)]


def test_a_folder_that_the_manifest_does_not_know_is_found(
    raw_one: Path, built: Path, tmp_path: Path
) -> None:
    plain = build(raw_one, tmp_path / "plain", partial=True).out
    shutil.copytree(built / "presentation", plain / "presentation")
    assert "manifest.json lists configs ['default'], not ['default', 'presentation']" in problems(plain)
    with pytest.raises(UserError, match="not part of the build"):
        check_intact(plain)


def test_it_needs_no_memory_where_it_is_not_wanted() -> None:
    checker = PresentationChecker(False)
    row = {"image_id": "a", "family_id": "b", "category": "clean"}
    checker.remember("train", row, scene(0))
    assert [*checker.visit("train", row), *checker.finish()] == []


def test_bad_use(raw_one: Path, raw_mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["build", str(raw_mini), "--out", str(tmp_path / "out"), "--presentation"]
    assert run(app, arguments) == 2
    told = capsys.readouterr().err
    assert "unknown optional config of conservationbench 'presentation'; valid: none" in told
    assert not (tmp_path / "out").exists()
    with pytest.raises(
        UserError, match="unknown optional config of physical-consistency 'x'; valid: presentation"
    ):
        build(raw_one, tmp_path / "out", partial=True, extent=Extent(optional=["x"]))


def test_its_columns_are_those_of_the_default_config() -> None:
    assert all(
        PRESENTATION.schema.field(name) == DEFAULT.schema.field(name) for name in PRESENTATION.schema.names
    )
    assert PRESENTATION.splits == DEFAULT.splits == SPLITS
