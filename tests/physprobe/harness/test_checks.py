from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from physprobe.errors import UserError
from physprobe.harness import checks
from physprobe.harness.failures import EvaluationFailed

KNOWN = ["conservation", "conservation_length", "conservation_number", "mme", "mmmu_val"]


def test_models_are_checked_without_the_slow_start() -> None:
    for name in ("physprobe_oracle", "qwen2_5_vl", "openai_compatible"):
        checks.check_model(name)
    with pytest.raises(UserError, match=r"unknown model 'physprobe_orcle'; did you mean physprobe_oracle"):
        checks.check_model("physprobe_orcle")


def test_tasks_patterns_and_files_are_accepted(tmp_path: Path) -> None:
    task = tmp_path / "mine.yaml"
    task.write_text("task: mine\n")
    checks.check_tasks(["conservation", "mm*", str(task), str(tmp_path)], KNOWN)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("conservatoin", "did you mean conservation, "), ("zzz", "(physprobe's own: "), ("z*", "own: ")],
)
def test_unknown_tasks_are_named_with_a_hint(name: str, hint: str) -> None:
    with pytest.raises(UserError) as info:
        checks.check_tasks(["mme", name], KNOWN)
    assert str(info.value).startswith(f"unknown task {name!r}")
    assert hint in str(info.value)


@pytest.mark.parametrize("tasks", [["conservation"], ["conservation_number", "mme"]])
def test_simple_adapters_must_not_batch_several_tasks(tasks: list[str]) -> None:
    checks.check_batching("qwen2_5_vl", False, "8", tasks)  # has a chat interface
    checks.check_batching("llava_onevision", False, "1", tasks)
    for model, force_simple in (("llava_onevision", False), ("qwen2_5_vl", True)):
        with pytest.raises(UserError, match="--batch_size 1"):
            checks.check_batching(model, force_simple, "8", tasks)


def test_batches_within_one_task_or_of_others_tasks_are_fine() -> None:
    checks.check_batching("llava_onevision", False, "8", ["conservation_number"])
    checks.check_batching("llava_onevision", False, "8", ["mme", "mmmu_val"])


@pytest.mark.parametrize("value", ["1", "64", 1, "auto", "auto:4"])
def test_batch_sizes(value: object) -> None:
    checks.check_batch_size(value)


@pytest.mark.parametrize("value", ["abc", "0", "-1", "1.5", "auto:", "auto:0", "", None])
def test_no_batch_sizes(value: object) -> None:
    with pytest.raises(UserError, match=f"--batch_size {value}: must be a number from 1 on, auto, or auto:N"):
        checks.check_batch_size(value)


def test_a_share_of_several_tasks_is_refused() -> None:
    for limit, tasks in ((0.5, ["conservation_number"]), (5.0, ["conservation"]), (None, ["mme", "pope"])):
        checks.check_limit(limit, tasks)
    for tasks in (["conservation"], ["mme", "pope"]):
        with pytest.raises(UserError, match=r"--limit 0\.5 with several tasks"):
            checks.check_limit(0.5, tasks)


@pytest.mark.parametrize("limit", [0.0, -1.0, math.nan])
def test_no_questions_are_no_evaluation(limit: float) -> None:
    with pytest.raises(UserError, match=rf"--limit {limit:g}: must be above 0.*leave it out to ask all"):
        checks.check_limit(limit, ["conservation"])


def test_adapters_that_need_an_image_are_not_asked_without_one() -> None:
    checks.check_text_only("qwen2_5_vl", False, ["conservation_text_only"])
    checks.check_text_only("llava_hf", False, ["conservation", "conservation_empty_image", "mme"])
    with pytest.raises(UserError, match="leave out conservation_text_only, conservation_modality"):
        checks.check_text_only(
            "llava_hf", False, ["conservation_text_only", "conservation", "conservation_modality"]
        )


@pytest.fixture
def saved(tmp_path: Path) -> dict[str, Any]:
    """Results as lmms-eval returns them, with their files in place."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "2026_results.json").write_text('{"results": {}}')
    (folder / "2026_samples_task.jsonl").write_text("{}\n{}\n")
    return {"date": "2026", "model_name_sanitized": "model"}


def test_saved_results_pass(tmp_path: Path, saved: dict[str, Any]) -> None:
    checks.check_saved(str(tmp_path), saved, {"task": [{}, {}]})
    checks.check_saved(str(tmp_path), saved, None)


def test_unsaved_results_are_a_failure(tmp_path: Path, saved: dict[str, Any]) -> None:
    with pytest.raises(EvaluationFailed, match="holds 2 of 3 answers"):
        checks.check_saved(str(tmp_path), saved, {"task": [{}, {}, {}]})
    with pytest.raises(EvaluationFailed, match="holds 0 of 1 answers"):
        checks.check_saved(str(tmp_path), saved, {"other": [{}]})
    with pytest.raises(EvaluationFailed, match="could not be saved"):
        checks.check_saved(str(tmp_path / "elsewhere"), saved, None)
