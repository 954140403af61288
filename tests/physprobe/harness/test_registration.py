from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from physprobe.conservation.vocabulary import DOMAINS
from physprobe.errors import UserError
from physprobe.harness import catalog, registration


def test_entry_point_is_installed_and_gives_our_models() -> None:
    (point,) = [p for p in entry_points(group="lmms_eval.models") if p.name == "physprobe"]
    manifests = point.load()()
    assert {m.model_id: m.chat_class_path for m in manifests} == catalog.REFERENCE_MODELS


def test_each_task_and_group_is_in_the_catalog() -> None:
    files = catalog.task_files()
    domains = tuple(f"conservation_{domain}" for domain in DOMAINS)
    variants = {
        *("conservation_empty_image", "conservation_text_only", "conservation_static"),
        *("conservation_idk", "conservation_idk_empty_image", "conservation_idk_text_only"),
        *("conservation_caption_frames", "conservation_caption", "conservation_modality"),
        *("conservation_full", "conservation_human_subset"),
    }
    categories = tuple(f"quantiphy_{category}" for category in ("s2", "d2", "s3", "d3"))
    others = {
        *("quantiphy_cot", "quantiphy_prior_only", "quantiphy_no_prior", "quantiphy_counterfactual"),
        *("quantiphy_segmented", "quantiphy_official_validation", "quantiphy_official_test"),
    }
    suites = tuple(f"physical_consistency_{suite}" for suite in ("standard", "appearance", "intervention"))
    expected = {"conservation", *domains, *variants, "quantiphy", *categories, *others}
    assert set(files) == expected | {"physical_consistency", *suites, "picabench"}
    groups = {name: file.members for name, file in files.items() if file.members}
    assert groups == {"conservation": domains, "quantiphy": categories, "physical_consistency": suites}
    assert catalog.only_ours(["conservation", "conservation_number"])
    assert not catalog.only_ours(["conservation", "mme"])
    assert not catalog.only_ours(["conservation_*"])
    assert not catalog.only_ours([])


def test_registering_fails_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("anything")

    monkeypatch.setattr(registration, "install", broken)
    assert registration.manifests() == []


def test_missing_task_files_leave_others_tasks_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise UserError("task files are missing")

    monkeypatch.setattr(catalog, "tasks_folder", missing)
    index = registration._adding_our_tasks(lambda self, **_: {"mme": {"type": "task"}})
    assert index(object()) == {"mme": {"type": "task"}}


def test_names_that_are_there_already_win() -> None:
    class Manager:
        def _get_task_and_group(self, folder: str) -> dict[str, str]:
            return {"conservation": "ours", "conservation_number": "ours"}

    index = registration._adding_our_tasks(lambda self, **_: {"conservation": "theirs"})
    assert index(Manager()) == {"conservation": "theirs", "conservation_number": "ours"}


def test_registering_imports_nothing_slow() -> None:
    """``lmms-eval models`` takes a tenth of a second: it must stay so."""
    code = (
        "import sys, lmms_eval.models as m;"
        "assert 'physprobe_oracle' in m.list_available_models();"
        "assert 'physprobe_oracle' in m.AVAILABLE_CHAT_TEMPLATE_MODELS;"
        "print([n for n in ('torch', 'transformers', 'datasets', 'lmms_eval.tasks') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
