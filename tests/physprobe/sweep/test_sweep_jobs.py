from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from physprobe.errors import UserError
from physprobe.sweep.commands import gpus_for, model_arguments
from physprobe.sweep.config import Sweep
from physprobe.sweep.jobs import check_fit, plan


def sweep(*models: dict[str, Any], **more: Any) -> Sweep:
    return Sweep.model_validate({"tasks": ["conservation", "quantiphy"], "models": models, **more})


def qwen(**more: Any) -> dict[str, Any]:
    return {"adapter": "qwen2_5_vl", "arguments": {"pretrained": "Qwen/Qwen2.5-VL-7B-Instruct"}, **more}


@pytest.mark.parametrize(
    ("billions", "gpus"),
    [(0.5, 1), (7, 1), (13, 1), (13.1, 2), (32, 2), (32.5, 4), (70, 4), (72, 8), (400, 8)],
)
def test_gpus_follow_the_size(billions: float, gpus: int) -> None:
    assert gpus_for(billions) == gpus


def test_each_model_has_a_job_for_each_entry_of_tasks(tmp_path: Path) -> None:
    jobs = plan(
        sweep(qwen(parameters=7), {"adapter": "physprobe_oracle", "gpus": 0, "tasks": ["a,b"]}), tmp_path
    )
    assert [(job.name, job.tasks, job.gpus) for job in jobs] == [
        ("Qwen2.5-VL-7B-Instruct/conservation", "conservation", 1),
        ("Qwen2.5-VL-7B-Instruct/quantiphy", "quantiphy", 1),
        ("physprobe_oracle/a+b", "a,b", 0),
    ]
    assert jobs[2].folder == tmp_path / "physprobe_oracle" / "a+b"
    assert jobs[2].logs == tmp_path / "physprobe_oracle" / "log"


def test_a_command_is_what_one_would_type(tmp_path: Path) -> None:
    model = qwen(parameters=7, batch_size=2, limit=8, gen_kwargs="max_new_tokens=64", options=["--seed", "1"])
    job, _ = plan(sweep(model), tmp_path)
    assert job.command == (
        *(sys.executable, "-m", "physprobe.lmms_eval", "--model", "qwen2_5_vl"),
        *("--model_args", "pretrained=Qwen/Qwen2.5-VL-7B-Instruct", "--tasks", "conservation"),
        *("--batch_size", "2", "--limit", "8", "--gen_kwargs", "max_new_tokens=64"),
        *("--log_samples", "--output_path", str(job.folder), "--seed", "1"),
    )


@pytest.mark.parametrize(
    ("more", "slots", "launcher"),
    [
        ({}, None, ["accelerate.commands.launch", "--multi_gpu", "--num_processes", "2"]),
        ({}, 2, ["torch.distributed.run", "--standalone", "--nproc_per_node", "2"]),
        ({"gpus": 0}, None, ["torch.distributed.run", "--standalone", "--nproc_per_node", "2"]),
        ({"launcher": "torchrun"}, None, ["torch.distributed.run", "--standalone", "--nproc_per_node", "2"]),
    ],
)
def test_several_processes_have_a_launcher(
    tmp_path: Path, more: dict[str, Any], slots: int | None, launcher: list[str]
) -> None:
    job, _ = plan(sweep(qwen(parameters=7, processes=2, **more), slots=slots), tmp_path)
    assert list(job.command[2 : 2 + len(launcher)]) == launcher
    assert job.command[job.command.index("physprobe.lmms_eval") - 1] == "-m"
    assert job.gpus == more.get("gpus", 2)


def test_arguments_are_written_as_lmms_eval_reads_them() -> None:
    from lmms_eval.utils import simple_parse_args_string

    given = {"pretrained": "a/b", "use_flash": True, "fps": 0.5, "n": 3, "limits": {"image": 16, "video": 0}}
    read = simple_parse_args_string(model_arguments(given))
    assert {name: value for name, value in read.items() if name != "limits"} == {
        name: value for name, value in given.items() if name != "limits"
    }
    assert read["limits"] == '{"image":16,"video":0}'


def test_two_jobs_may_share_a_gpu(tmp_path: Path) -> None:
    job, _ = plan(sweep(qwen(gpus=0.5)), tmp_path)
    assert job.gpus == 0.5


def test_a_size_or_gpus_must_be_given(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"model Qwen2\.5-VL-7B-Instruct: give its parameters in billions"):
        plan(sweep(qwen()), tmp_path)


@pytest.mark.parametrize(
    "models",
    [
        (qwen(parameters=7), qwen(parameters=7, arguments={"pretrained": "other/Qwen2.5-VL-7B-Instruct"})),
        (qwen(parameters=7, name="same"), qwen(parameters=7, name="SAME")),
        (qwen(parameters=7, tasks=["conservation", "conservation"]),),
    ],
)
def test_jobs_that_share_a_folder_are_refused(tmp_path: Path, models: tuple[dict[str, Any], ...]) -> None:
    with pytest.raises(UserError, match="two jobs are called"):
        plan(sweep(*models), tmp_path)


def test_a_checkpoint_s_path_can_t_lead_out_of_the_folder(tmp_path: Path) -> None:
    models = [qwen(parameters=1, arguments={"pretrained": path}) for path in ("../..", "my model/", "/")]
    folders = [job.folder.parent for job in plan(sweep(*models[:2], tasks=["a"]), tmp_path)]
    assert folders == [tmp_path / "qwen2_5_vl", tmp_path / "my_model"]


def test_a_missing_interpreter_is_refused_here_but_not_on_a_cluster(tmp_path: Path) -> None:
    model = qwen(parameters=7, python=str(tmp_path / "bin" / "python"))
    with pytest.raises(UserError, match="there is no interpreter"):
        plan(sweep(model), tmp_path)
    assert len(plan(sweep(model, cluster="host:6379"), tmp_path)) == 2


def test_a_job_that_fits_nowhere_is_refused(tmp_path: Path) -> None:
    jobs = plan(sweep(qwen(parameters=72), qwen(parameters=7, name="small")), tmp_path)
    check_fit(jobs, (4, 8), "GPU")
    with pytest.raises(UserError, match=r"more GPUs are needed than the largest machine has 4: Qwen.*\(8\)"):
        check_fit(jobs, (4, 4), "GPU")
    with pytest.raises(UserError, match="--slots N runs jobs without GPUs"):
        check_fit(jobs, (0,), "GPU")


def test_the_documented_example_can_be_planned(tmp_path: Path) -> None:
    from lmms_eval.models import list_available_models

    text = (Path(__file__).parents[3] / "docs" / "sweeps.md").read_text()
    content = yaml.safe_load(text.partition("```yaml\n")[2].partition("```")[0])
    example = Sweep.model_validate({**content, "cluster": "host:6379"})  # its interpreters are not here
    jobs = plan(example, tmp_path)
    assert len(jobs) == 2 * len(example.models)
    assert {job.model: job.gpus for job in jobs} == {
        **{"Qwen2.5-VL-7B-Instruct": 1, "Qwen2.5-VL-72B-Instruct": 4, "Qwen3-VL-4B-Instruct": 2},
        **{
            "InternVL3_5-8B-HF": 1,
            "llava-onevision-qwen2-7b-ov-hf": 1,
            "Qwen2.5-VL-32B-vllm": 2,
            "gpt-4o": 0,
        },
    }
    assert {model.adapter for model in example.models} <= set(list_available_models(include_aliases=True))
