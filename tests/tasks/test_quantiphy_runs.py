"""QuantiPhy through the real commands: what must come out, with reference models and tiny VLMs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from physprobe.harness.rescoring import rescore
from physprobe.harness.tiny_vlm import Architecture, make
from tests.support.evaluation import SCRIPTS, Finished, execute, write_config
from tests.support.quantiphy_data import FRAMES, make_official, make_quantiphy

pytestmark = pytest.mark.slow

OURS = str(SCRIPTS / "lmms_eval")
VARIANTS = ("quantiphy_cot", "quantiphy_prior_only", "quantiphy_no_prior", "quantiphy_counterfactual")
VARIANTS += ("quantiphy_segmented", "quantiphy_official_validation")
SCORED = "mra_macro"


@pytest.fixture(scope="module")
def runs(datasets_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Finished]:
    """Each start of lmms-eval takes long, so few are made, two at a time."""
    root = tmp_path_factory.mktemp("quantiphy")
    datasets = make_quantiphy(root / "data")
    (datasets / "conservationbench").symlink_to(datasets_folder / "conservationbench")
    official = make_official(root / "official")
    variables = {"PHYSPROBE_QUANTIPHY": str(official), "PHYSPROBE_VIDEOS": str(root / "videos")}
    starts: dict[str, Callable[..., Finished]] = {
        "references": _references, "video": _video, "frames": _frames, "missing": _missing,
    }  # fmt: skip
    with ThreadPoolExecutor(2) as pool:
        done = {name: pool.submit(start, datasets, root / name, variables) for name, start in starts.items()}
        return {name: future.result() for name, future in done.items()}


def _references(datasets: Path, output: Path, variables: dict[str, str]) -> Finished:
    entry = {"log_samples": True}
    entries = [
        {
            **entry,
            "model": "physprobe_oracle",
            "tasks": "conservation,quantiphy",
            "output_path": str(output / "both"),
        },
        {
            **entry,
            "model": "physprobe_oracle",
            "tasks": ",".join(VARIANTS),
            "output_path": str(output / "variants"),
        },
        {**entry, "model": "physprobe_chance", "tasks": "quantiphy", "output_path": str(output / "chance")},
        {**entry, "model": "physprobe_invariance", "tasks": "quantiphy", "output_path": str(output / "echo")},
    ]
    return execute(
        [OURS, "--config", write_config(output / "config.yaml", entries)], datasets, output, **variables
    )


def _vlm(architecture: Architecture, output: Path, tasks: str) -> dict[str, Any]:
    folder = output / f"tiny_{architecture.value}"
    make(architecture, folder)
    pixels = ",min_pixels=3136" if architecture is Architecture.QWEN2_5_VL else ""
    model = "qwen2_5_vl" if architecture is Architecture.QWEN2_5_VL else "llava_hf"
    return {
        "model": model, "model_args": f"pretrained={folder},device_map=cpu{pixels}", "device": "cpu",
        "batch_size": "1", "tasks": tasks, "limit": 2, "gen_kwargs": "max_new_tokens=4", "log_samples": True,
        "output_path": str(output / model),
    }  # fmt: skip


def _video(datasets: Path, output: Path, variables: dict[str, str]) -> Finished:
    """The video as a file: only the adapter of Qwen2.5-VL can take one."""
    entries = [_vlm(Architecture.QWEN2_5_VL, output, "quantiphy,quantiphy_prior_only")]
    return execute(
        [OURS, "--config", write_config(output / "config.yaml", entries)], datasets, output, **variables
    )


def _frames(datasets: Path, output: Path, variables: dict[str, str]) -> Finished:
    """The video as frames, through both."""
    entries = [_vlm(each, output, "quantiphy_s2,quantiphy_official_validation") for each in Architecture]
    config = write_config(output / "config.yaml", entries)
    return execute([OURS, "--config", config], datasets, output, **variables, PHYSPROBE_FRAMES="3")


def _missing(datasets: Path, output: Path, variables: dict[str, str]) -> Finished:
    output.mkdir()
    command = [OURS, "--model", "physprobe_oracle", "--tasks", "quantiphy_official_test"]
    return execute(command, datasets, output, **variables)


def records(finished: Finished, name: str, task: str) -> list[dict[str, Any]]:
    return [sample[SCORED] for sample in finished.run(name).samples(task)]


def completed(finished: Finished, name: str) -> dict[str, Any]:
    return json.loads(finished.run(name).path.read_text())["physprobe"]["quantiphy"]


def test_the_oracle_scores_one_everywhere_in_one_command_with_conservation(
    runs: dict[str, Finished],
) -> None:
    assert runs["references"].code == 0, runs["references"].err
    run = runs["references"].run("both")
    assert run.metrics["conservation"]["accuracy_overall"] == 1.0
    scores = run.metrics["quantiphy"]
    assert {
        name: scores[name] for name in (SCORED, "mra_S2", "mra_D2", "mra_S3", "mra_D3", "mra_questions")
    } == (dict.fromkeys((SCORED, "mra_S2", "mra_D2", "mra_S3", "mra_D3", "mra_questions"), 1.0))
    assert (scores["rate_unread"], scores["share_zero"]) == (0.0, 0.0)
    assert run.questions["quantiphy"] == 16
    variants = runs["references"].run("variants")
    assert {task: variants.metrics[task]["mra_questions"] for task in VARIANTS} == dict.fromkeys(
        VARIANTS, 1.0
    )


def test_scores_over_nothing_are_left_out(runs: dict[str, Finished]) -> None:
    found = json.loads(runs["references"].run("both").path.read_text())["results"]
    assert "mra_S2,none" in found["quantiphy_s2"]
    assert not {"mra_macro,none", "mra_D3,none", "ci95_low_macro,none"} & set(found["quantiphy_s2"])
    assert "ci95_low_macro,none" in found["quantiphy"]
    for row in found.values():
        assert not any(isinstance(value, float) and math.isnan(value) for value in row.values())


def test_results_break_scores_down_and_count_how_answers_were_read(runs: dict[str, Finished]) -> None:
    found = completed(runs["references"], "both")
    assert found["video"] == {"frames": "video", "adapter_sampling": {}}
    scores = found["scores"]["quantiphy"]
    assert scores["all"][SCORED]["n"] == 16
    assert scores["category"]["S2"]["mra_questions"]["n"] == 4
    assert scores["all"]["mra_bg_X"]["value"] is None  # of two categories only
    assert found["reading"]["quantiphy"] == {"answers": 16, "unread": {}, "rules": {"exact": 16}, "flags": {}}
    told = completed(runs["references"], "variants")["reading"]
    assert told["quantiphy_cot"]["rules"] == {"label": 16}


def test_chance_and_echo_know_nothing(runs: dict[str, Finished]) -> None:
    for name in ("chance", "echo"):
        scores = runs["references"].run(name).metrics["quantiphy"]
        assert 0.0 <= scores[SCORED] < 0.6
        assert scores["rate_unread"] == 0.0


def test_tiny_vlm_takes_videos_and_is_told_when_its_adapter_samples(runs: dict[str, Finished]) -> None:
    video = runs["video"]
    assert video.code == 0, video.err
    assert "adapter samples frames from the videos (max_num_frames=32)" in video.out + video.err
    assert completed(video, "qwen2_5_vl")["video"]["adapter_sampling"] == {"max_num_frames": 32}
    for task in ("quantiphy_s2", "quantiphy_d3"):
        (first, second) = records(video, "qwen2_5_vl", task)
        assert first["question_id"] != second["question_id"]
        assert (first["shown"], first["frame_indices"]) == ("video", [*range(FRAMES)])
        assert first["reason"] or first["prediction"] is not None
    assert {r["shown"] for r in records(video, "qwen2_5_vl", "quantiphy_prior_only")} == {"nothing"}
    reading = completed(video, "qwen2_5_vl")["reading"]["quantiphy"]
    assert reading["answers"] == 8 == sum(reading["unread"].values()) + sum(reading["rules"].values())


@pytest.mark.parametrize("model", ["qwen2_5_vl", "llava_hf"])
def test_tiny_vlms_take_frames(runs: dict[str, Finished], model: str) -> None:
    frames = runs["frames"]
    assert frames.code == 0, frames.err
    for task in ("quantiphy_s2", "quantiphy_official_validation"):
        for record in records(frames, model, task):
            assert (record["shown"], record["frame_indices"]) == ("frames", [0, 6, 11])
    assert any(sample["filtered_resps"] for sample in frames.run(model).samples("quantiphy_s2"))


def test_missing_official_files_are_told_at_once(runs: dict[str, Finished]) -> None:
    missing = runs["missing"]
    assert missing.code == 2
    assert "PHYSPROBE_QUANTIPHY=" in missing.error
    assert "test_dataset.parquet" in missing.error
    assert "Traceback" not in missing.err


@pytest.mark.parametrize("name", ["references", "video", "frames"])
def test_all_numbers_can_be_computed_anew(runs: dict[str, Finished], name: str) -> None:
    for path in runs[name].output.rglob("*_results.json"):
        again = rescore(path)
        assert (again.differences(), again.reread) == ([], ())
        assert len(again.found) > 10
