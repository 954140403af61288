from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from physprobe.errors import UserError
from physprobe.sweep.config import JobSettings, Model, load_sweep, settings_of

MODEL = {"adapter": "qwen2_5_vl", "parameters": 7}


def load(folder: Path, **content: Any) -> Any:
    file = folder / "sweep.yaml"
    file.write_text(yaml.safe_dump({"tasks": ["conservation"], "models": [MODEL], **content}))
    return load_sweep(file)


def test_what_is_not_said_has_a_default(tmp_path: Path) -> None:
    sweep = load(tmp_path)
    assert (sweep.slots, sweep.cluster, sweep.out) == (None, None, None)
    settings = settings_of(sweep.models[0], sweep.defaults)
    assert (settings.processes, settings.retries, settings.timeout_hours) == (1, 1, 72)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"model": []}, "model: unknown key"),
        ({"models": [{**MODEL, "retrys": 2}]}, "models.0.retrys: unknown key"),
        ({"defaults": {"tasks": ["quantiphy"]}}, "defaults.tasks: unknown key"),
        ({"models": []}, "models: "),
        ({"tasks": []}, "tasks: "),
        ({"tasks": ["../conservation"]}, "tasks.0: "),
        ({"models": [{"parameters": 7}]}, "models.0.adapter: Field required"),
        ({"models": [{**MODEL, "name": "a/b"}]}, "models.0.name: "),
        ({"models": [{**MODEL, "parameters": 7_000_000_000}]}, "models.0.parameters: "),
        ({"models": [{**MODEL, "gpus": 1.5}]}, "models.0.gpus: must be a whole number"),
        ({"models": [{**MODEL, "gpus": 1, "processes": 2}]}, "2 processes can't share 1 GPUs"),
        ({"models": [{**MODEL, "options": ["--output_path=x"]}]}, "--output_path is set by the sweep"),
        ({"models": [{**MODEL, "arguments": {"stop": "a,b"}}]}, "stop: lmms-eval can't take a comma"),
        ({"models": [{**MODEL, "timeout_hours": 0}]}, "models.0.timeout_hours: "),
        ({"slots": 0}, "slots: "),
    ],
)
def test_what_is_wrong_is_named_in_one_line(tmp_path: Path, wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UserError) as error:
        load(tmp_path, **wrong)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"models": [{**MODEL, "paramaters": 7}]}, "models.0.paramaters: unknown key"),
        (
            {"models": [{**MODEL, "limit": 0}, {**MODEL, "processes": 0}]},
            "models.0.limit: Input should be greater than 0; "
            "models.1.processes: Input should be greater than or equal to 1",
        ),
        ({"tasks": ["a b"]}, "tasks.0: String should match pattern"),
        ({"models": []}, "models: Tuple should have at least 1 item"),
        ({"tasks": "conservation"}, "tasks: must be a list"),
    ],
)
def test_a_complaint_names_what_is_wrong_and_no_more(
    tmp_path: Path, wrong: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(UserError) as error:
        load(tmp_path, **wrong)
    told = str(error.value).removeprefix(f"sweep file {tmp_path / 'sweep.yaml'}: ")
    assert told.startswith(complaint)
    assert told.count("Tuple should have") == complaint.count("Tuple should have")


def test_a_complaint_quotes_no_value(tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        load(tmp_path, models=[{**MODEL, "api_key": "sk-very-secret"}])
    assert "sk-very-secret" not in str(error.value)


@pytest.mark.parametrize("content", ["", "- a\n", "tasks: [\n"])
def test_a_file_that_says_nothing_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "sweep.yaml").write_text(content)
    with pytest.raises(UserError, match=r"sweep\.yaml"):
        load_sweep(tmp_path / "sweep.yaml")


def test_a_model_wins_over_the_defaults_and_variables_add_up() -> None:
    defaults = JobSettings(retries=5, batch_size=4, environment={"A": "1", "B": "1"})
    model = Model(adapter="vllm", batch_size=1, environment={"B": 2})
    settings = settings_of(model, defaults)
    assert (settings.retries, settings.batch_size) == (5, 1)
    assert settings.environment == {"A": "1", "B": 2}


def test_a_model_and_the_defaults_must_fit_together() -> None:
    with pytest.raises(UserError, match="model vllm, with the defaults: 4 processes can't share 2 GPUs"):
        settings_of(Model(adapter="vllm", gpus=2), JobSettings(processes=4))
