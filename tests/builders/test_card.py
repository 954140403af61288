"""The card: pinned text, documented fields, true numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from huggingface_hub import DatasetCard
from syrupy.assertion import SnapshotAssertion

from builders.conservation.schema import CONFIGS, VERSION
from builders.folder import read_manifest


@pytest.fixture(scope="session")
def card(built_mini: Path) -> str:
    return (built_mini / "README.md").read_text(encoding="utf-8")


def test_text_is_pinned(card: str, snapshot: SnapshotAssertion) -> None:
    """Hashes and sizes depend on the encoder's version, the rest does not."""
    fixed = re.sub(r"[0-9a-f]{64}", "HASH", card)
    fixed = re.sub(r"(num_bytes|download_size|dataset_size): \d+", r"\1: N", fixed)
    assert fixed == snapshot


def test_every_column_is_documented_with_its_type(card: str) -> None:
    for spec in CONFIGS:
        section = re.split(r"\n#+ ", card.split(f"### `{spec.name}`")[1])[0]
        documented = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", section, flags=re.MULTILINE)
        assert [name for name, _ in documented] == spec.schema.names
        for name, kind in documented:
            assert re.search(r"string|int32|int64|struct", kind), name
            assert (str(spec.schema.field(name).type) in kind) or "list" in kind or "struct" in kind


def test_metadata_is_what_load_dataset_and_the_hub_need(card: str, built_mini: Path) -> None:
    metadata = DatasetCard(card).data.to_dict()
    manifest = read_manifest(built_mini)
    assert metadata["license"] == "apache-2.0"
    assert metadata["language"] == ["en"]
    assert metadata["size_categories"] == ["n<1K"]
    assert {"visual-question-answering"} <= set(metadata["task_categories"])
    assert [config["config_name"] for config in metadata["configs"]] == ["questions", "videos", "static"]
    assert [config.get("default", False) for config in metadata["configs"]] == [True, False, False]
    for config, info in zip(metadata["configs"], metadata["dataset_info"], strict=True):
        entry = manifest.configs[config["config_name"]]
        assert entry.sha256 in config["description"]
        assert info["splits"][0]["num_examples"] == entry.rows
        assert info["download_size"] == sum(file.bytes for file in entry.files.values())
    assert manifest.dataset_version == VERSION


def test_counts_of_pairs_and_rows(card: str) -> None:
    assert "12 pairs, 24 clips, 960 question rows" in card
    assert "- 24 static questions on a last frame" in card
    assert "| number | count | 6 | 12 (6 + 6) | 480 | 12 | 3 | 3 |" in card
    assert "| length | action | slide (2), rotate (2), vertical (2) |" in card
    for condition in ("conserving", "nonconserving"):
        assert f"| uniform | length | {condition} | 20 | 6 | 1 | 2 | 2 | 2 |" in card
        assert f"| static | length | {condition} | 1 | 6 | 1 | 2 | 2 | 2 |" in card


def test_it_says_who_picked_the_frames(card: str) -> None:
    assert "| `kinematic` | the exact motion record: " in card
    assert "| 120 of 120 | 480 |" in card
    assert "Not present: `model`, `human`." in card
