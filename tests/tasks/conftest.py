"""Each start of lmms-eval takes 8 to 13 s of CPU, so all runs are made once, two at a time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from physprobe.harness.tiny_vlm import Architecture, make
from tests.support.evaluation import SCRIPTS, Finished, execute, make_dataset, write_config
from tests.support.judge_server import closed_port

REFERENCES = ("physprobe_oracle", "physprobe_invariance", "physprobe_change", "physprobe_chance")
SCORED = (
    *("conservation_empty_image", "conservation_text_only"),
    *("conservation_idk", "conservation_idk_empty_image", "conservation_idk_text_only"),
    *("conservation_full", "conservation_human_subset", "conservation_static"),
)
VARIANTS = (*SCORED, "conservation_caption_frames", "conservation_modality")
OURS = str(SCRIPTS / "lmms_eval")


@pytest.fixture(scope="session")
def datasets_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_dataset(tmp_path_factory.mktemp("evaluation"))


@pytest.fixture(scope="session")
def runs(datasets_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Finished]:
    """Every run of this folder's tests, by name; see the functions below."""
    root = tmp_path_factory.mktemp("runs")
    starts: dict[str, Callable[[Path, Path], Finished]] = {
        "references": _references,
        "vlms": _vlms,
        "stock": _stock,
        "module": _module,
        "failing": _failing,
        "unknown": _unknown,
    }
    with ThreadPoolExecutor(2) as pool:
        done = {name: pool.submit(start, datasets_folder, root / name) for name, start in starts.items()}
        return {name: future.result() for name, future in done.items()}


def _references(datasets: Path, output: Path) -> Finished:
    """The standard condition with each; then every variant, captions last, for they need a run before."""
    entry = {"tasks": "conservation", "log_samples": True}
    entries = [{**entry, "model": name, "output_path": str(output / name)} for name in REFERENCES]
    for folder, tasks in (("variants", ",".join(VARIANTS)), ("captioned", "conservation_caption")):
        entries.append({**entries[0], "tasks": tasks, "output_path": str(output / folder)})
    config = write_config(output / "config.yaml", entries)
    return execute([OURS, "--config", config], datasets, output, PHYSPROBE_CAPTIONS=str(output / "captions"))


def _vlms(datasets: Path, output: Path) -> Finished:
    """The tiny Qwen2.5-VL in batches of two, and the tiny LLaVA (whose adapter takes one at a time).

    Nobody listens where the judges should be. The variants show each kind of media to each interface.
    """
    folders = {arch: output / f"tiny_{arch.value}" for arch in Architecture}
    for arch, folder in folders.items():
        make(arch, folder)
    entry = {"log_samples": True, "device": "cpu", "gen_kwargs": "max_new_tokens=4"}
    qwen = {**entry, "model": "qwen2_5_vl", "batch_size": "2", "output_path": str(output / "qwen")}
    qwen["model_args"] = f"pretrained={folders[Architecture.QWEN2_5_VL]},device_map=cpu,min_pixels=3136"
    llava = {**entry, "model": "llava_hf", "batch_size": "1", "output_path": str(output / "llava")}
    llava["model_args"] = f"pretrained={folders[Architecture.LLAVA]},device_map=cpu"
    entries: list[dict[str, object]] = [{**model, "tasks": "conservation"} for model in (qwen, llava)]
    without_images = "conservation_text_only,conservation_modality,conservation_caption_frames"
    for model, others in ((qwen, f",{without_images}"), (llava, "")):  # llava_hf can't ask without an image
        path = f"{model['output_path']}_controls"
        tasks = f"conservation_empty_image,conservation_idk{others}"
        entries.append({**model, "tasks": tasks, "limit": 2, "output_path": path})
    config = write_config(output / "config.yaml", entries)
    judges = write_config(
        output / "judges.yaml",
        {
            "judges": [{"name": "one", "base_url": closed_port()}],
            "limits": {"attempts": 1, "give_up_after": 1},
        },
    )
    return execute(
        [OURS, "--config", config],
        datasets,
        output,
        PHYSPROBE_JUDGES=judges,
        PHYSPROBE_JUDGE_CACHE=str(output / "judged"),
        PHYSPROBE_CAPTIONS=str(output / "captions"),
    )


def _stock(datasets: Path, output: Path) -> Finished:
    command = [str(SCRIPTS / "lmms-eval"), "--model", "physprobe_chance", "--tasks", "conservation"]
    return execute([*command, "--log_samples", "--output_path", str(output)], datasets, output)


def _module(datasets: Path, output: Path) -> Finished:
    command = [str(SCRIPTS / "python"), "-m", "lmms_eval", "--model", "physprobe_chance"]
    command += ["--model_args", "seed=1", "--tasks", "conservation"]
    return execute([*command, "--log_samples", "--output_path", str(output)], datasets, output)


def _failing(datasets: Path, output: Path) -> Finished:
    """Two evaluations, the first of which can't succeed."""
    entry = {"tasks": "conservation_number", "log_samples": True}
    missing = str(output / "no_such_checkpoint")
    broken = {**entry, "model": "llava_hf", "model_args": f"pretrained={missing}", "device": "cpu"}
    broken["output_path"] = str(output / "broken")
    sound = {**entry, "model": "physprobe_oracle", "limit": 2, "output_path": str(output / "sound")}
    config = write_config(output / "config.yaml", [broken, sound])
    return execute(
        [str(SCRIPTS / "python"), "-m", "physprobe.lmms_eval", "--config", config], datasets, output
    )


def _unknown(datasets: Path, output: Path) -> Finished:
    return execute([OURS, "--model", "physprobe_oracle", "--tasks", "conservatoin"], datasets, output)
