"""What a dataset folder holds beside its rows: pictures and Croissant metadata."""

from __future__ import annotations

import io
import json
from pathlib import Path

import mlcroissant
import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image

from builders.conservation.schema import CONFIGS, STATIC, VIDEOS
from builders.examples import example_page
from builders.folder import read_manifest
from physprobe.video import decode_frames
from tests.support.damage import problems


@pytest.fixture(scope="module")
def croissant(built_mini: Path) -> mlcroissant.Dataset:
    return mlcroissant.Dataset(built_mini / "croissant.json")


def test_croissant_is_valid(croissant: mlcroissant.Dataset) -> None:
    issues = croissant.metadata.ctx.issues
    assert issues.errors == set()
    (warning,) = issues.warnings
    assert "datePublished" in warning  # a build has no clock


def test_croissant_describes_every_column_and_file(croissant: mlcroissant.Dataset, built_mini: Path) -> None:
    manifest, metadata = read_manifest(built_mini), croissant.metadata
    assert metadata.version == manifest.dataset_version
    described = {each.uuid: [field.name for field in each.fields] for each in metadata.record_sets}
    assert described == {spec.name: spec.schema.names for spec in CONFIGS}
    files = {file.uuid: file.sha256 for file in metadata.distribution if hasattr(file, "sha256")}
    wanted = {
        path: file.sha256 for config in manifest.configs.values() for path, file in config.files.items()
    }
    assert files == wanted
    assert metadata.cite_as.startswith("@misc{luo2026transformation")


@pytest.mark.parametrize("config", ["static", "videos"])
def test_croissant_reads_the_rows(croissant: mlcroissant.Dataset, built_mini: Path, config: str) -> None:
    rows = pq.read_table(built_mini / config).to_pylist()
    found = list(croissant.records(config))
    assert len(found) == len(rows) == 24
    row, wanted = found[5], rows[5]
    assert row[f"{config}/video_id"].decode() == wanted["video_id"]
    if config == "videos":
        assert row["videos/video"] == wanted["video"]["bytes"]
        assert row["videos/quantities"]["videos/quantities/moved"] == wanted["quantities"]["moved"]
    else:
        pixels = np.asarray(Image.open(io.BytesIO(wanted["image"]["bytes"])))
        np.testing.assert_array_equal(np.asarray(row["static/image"]), pixels)
        assert [text.decode() for text in row["static/options"]] == wanted["options"]


def test_the_picture_shows_the_first_and_the_last_row(built_mini: Path) -> None:
    page = np.asarray(Image.open(built_mini / "examples.png").convert("RGB")).astype(int)
    rows = pq.read_table(built_mini / "videos").to_pylist()
    assert page.shape[1] < 1200
    for row, (top, left) in (
        (rows[0], (16, 0)),
        (rows[-1], (page.shape[0] // 4 * 3 + 16, page.shape[1] // 2)),
    ):
        frames = decode_frames(row["video"]["bytes"], (0, row["num_frames"] - 1))
        for frame, at in zip(frames, (left, left + 2 * 164), strict=True):
            shown = page[top + 20 : top + 100, at + 20 : at + 140]
            assert abs(shown.mean() - frame[20:40, 8:56].mean()) < 12


def test_images_are_shown_as_they_are(built_mini: Path) -> None:
    data = example_page(built_mini, [spec for spec in CONFIGS if spec == STATIC])
    assert data is not None
    assert Image.open(io.BytesIO(data)).size == (4 * 168, 2 * (120 + 16 + 8))
    assert example_page(built_mini, [spec for spec in CONFIGS if not spec.media]) is None
    assert example_page(built_mini, [VIDEOS]) == (built_mini / "examples.png").read_bytes()


def test_changed_extras_are_found(dataset: Path) -> None:
    metadata = json.loads((dataset / "croissant.json").read_text())
    (dataset / "croissant.json").write_text(json.dumps({**metadata, "version": "9.9.9"}))
    (dataset / "examples.png").unlink()
    assert problems(dataset) == [
        "croissant.json: the file was changed after the build (SHA-256 differs)",
        "examples.png: missing",
    ]
