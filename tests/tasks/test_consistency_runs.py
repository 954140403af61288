"""Physical consistency through the real commands: what must come out, with reference models and tiny VLMs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from physprobe.consistency.metrics import SCORES
from physprobe.consistency.vocabulary import LABELS, SUITES
from physprobe.harness.rescoring import rescore
from physprobe.harness.tiny_vlm import Architecture, make
from tests.support.consistency_data import FAMILIES, image_rows, make_consistency
from tests.support.evaluation import SCRIPTS, Finished, execute, write_config
from tests.support.judge_server import JudgeServer, judge_server, replies
from tests.support.tiny_clip import make_tiny_clip

pytestmark = pytest.mark.slow

OURS = str(SCRIPTS / "lmms_eval")
GROUP = "physical_consistency"
STANDARD = f"{GROUP}_standard"
QUESTIONS = len(SUITES) * FAMILIES * len(LABELS)
REFERENCES = ("oracle", "majority", "chance")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Finished]]:
    """Each start of lmms-eval takes long, so few are made, two at a time."""
    root = tmp_path_factory.mktemp("consistency")
    datasets = make_consistency(root / "data")
    with _judges() as server, ThreadPoolExecutor(2) as pool:
        starts: dict[str, Callable[..., Finished]] = {"references": _references, "vlms": _vlms}
        done = {name: pool.submit(start, datasets, root / name, server) for name, start in starts.items()}
        yield {name: future.result() for name, future in done.items()}


@contextmanager
def _judges() -> Iterator[JudgeServer]:
    """Three judges; two of them call an explanation correct that speaks of a disc."""
    with judge_server() as fresh:
        server = fresh()
        for name, verdict in (("one", "correct"), ("two", "correct"), ("three", "partial")):
            server.play(name, replies(partial(_rated, verdict)))
        yield server


def _rated(verdict: str, prompt: str) -> str:
    said = prompt.split("BEGIN EXPLANATION")[1].split("END EXPLANATION")[0]
    return verdict if "The disc" in said else "incorrect"


def _references(datasets: Path, output: Path, server: JudgeServer) -> Finished:
    entry = {"tasks": GROUP, "log_samples": True}
    entries: list[dict[str, Any]] = [
        {**entry, "model": f"physprobe_{name}", "output_path": str(output / name)} for name in REFERENCES
    ]
    clip = make_tiny_clip(output / "tiny_clip")
    entries.append(
        {**entry, "model": "physprobe_clip", "model_args": f"pretrained={clip}", "batch_size": "4"}
    )
    entries[-1] |= {"device": "cpu", "output_path": str(output / "clip")}
    judges = [{"name": name, "base_url": server.url} for name in ("one", "two", "three")]
    return execute(
        [OURS, "--config", write_config(output / "config.yaml", entries)], datasets, output,
        NO_PROXY="127.0.0.1",
        PHYSPROBE_JUDGES=write_config(output / "judges.yaml", {"judges": judges}),
        PHYSPROBE_JUDGE_CACHE=str(output / "judged"),
    )  # fmt: skip


def _vlms(datasets: Path, output: Path, server: JudgeServer) -> Finished:
    """The tiny models, without judges."""
    entries = []
    for architecture, model in ((Architecture.QWEN2_5_VL, "qwen2_5_vl"), (Architecture.LLAVA, "llava_hf")):
        make(architecture, output / f"tiny_{model}")
        pixels = ",min_pixels=3136" if architecture is Architecture.QWEN2_5_VL else ""
        entries.append({
            "model": model, "model_args": f"pretrained={output / f'tiny_{model}'},device_map=cpu{pixels}",
            "device": "cpu", "batch_size": "1", "tasks": GROUP, "limit": 2, "gen_kwargs": "max_new_tokens=4",
            "log_samples": True, "output_path": str(output / model),
        })  # fmt: skip
    return execute([OURS, "--config", write_config(output / "config.yaml", entries)], datasets, output)


def completed(finished: Finished, name: str) -> dict[str, Any]:
    return json.loads(finished.run(name).path.read_text())["physprobe"]["consistency"]


def records(finished: Finished, name: str, task: str) -> list[dict[str, Any]]:
    return [sample[SCORES[0]] for sample in finished.run(name).samples(task)]


def test_the_oracle_scores_one_everywhere(runs: dict[str, Finished]) -> None:
    assert runs["references"].code == 0, runs["references"].err
    run = runs["references"].run("oracle")
    scores = run.metrics[GROUP]
    assert {name: scores[name] for name in SCORES} == {**dict.fromkeys(SCORES, 1.0), "rate_invalid": 0.0}
    assert run.questions[GROUP] == QUESTIONS
    found = completed(runs["references"], "oracle")
    assert {*found["scores"]} == {GROUP, *(f"{GROUP}_{suite}" for suite in SUITES)}
    assert {score["recall"]["value"] for score in found["scores"][GROUP]["category"].values()} == {1.0}


def test_the_majority_gets_the_papers_accuracies(runs: dict[str, Finished]) -> None:
    scores = runs["references"].run("majority").metrics[GROUP]
    assert scores["accuracy_binary"] == pytest.approx(10 / 11)
    assert (scores["accuracy_balanced"], scores["recall_clean"], scores["rate_invalid"]) == (0.5, 0.0, 0.0)
    assert scores["iou_mean"] == pytest.approx(0.25)  # of the whole image with a quarter of it


def test_chance_and_clip_know_nothing_but_answer_in_form(runs: dict[str, Finished]) -> None:
    for name in ("chance", "clip"):
        scores = runs["references"].run(name).metrics[GROUP]
        assert 0.0 <= scores["accuracy_category"] < 0.5
        assert scores["rate_invalid"] == 0.0


def test_results_break_scores_down(runs: dict[str, Finished]) -> None:
    found = completed(runs["references"], "oracle")
    assert found["dataset"]["name"] == "physical-consistency"
    scores = found["scores"][GROUP]
    assert {*scores["suite"]} == {*SUITES}
    assert {name: part["accuracy_category"]["n"] for name, part in scores["mechanism"].items()} == {
        "A": 2 * FAMILIES * 10, "B": FAMILIES * 10,
    }  # fmt: skip
    matrix = found["confusion"][GROUP]
    assert matrix["labels"] == [*LABELS, "unread"]
    assert sum(row[k] for k, row in enumerate(matrix["counts"])) == QUESTIONS
    assert found["invalid"][GROUP] == {}
    assert found["unreadable"] == {"threshold": 0.5, "rate": 0.0, "flagged": False}


def test_judges_rate_explanations_of_violated_images(runs: dict[str, Finished]) -> None:
    oracle, majority = (completed(runs["references"], name) for name in ("oracle", "majority"))
    for task in (f"{GROUP}_{suite}" for suite in SUITES):
        assert oracle["explanations"]["correct"][task] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 20}
        assert majority["explanations"]["correct"][task]["value"] == 0.0
        assert majority["explanations"]["ratings"][task] == {"incorrect": 20}
    assert oracle["matching"] == {"matching": "rubric"}
    rated = records(runs["references"], "oracle", STANDARD)
    assert "explanation_rating" not in rated[0]
    assert rated[1]["explanation_rating"] == "correct"
    assert rated[1]["judges"] == {"one": "correct", "two": "correct", "three": "partial"}


@pytest.mark.parametrize("model", ["qwen2_5_vl", "llava_hf"])
def test_tiny_vlms_are_asked_and_their_noise_is_invalid(runs: dict[str, Finished], model: str) -> None:
    assert runs["vlms"].code == 0, runs["vlms"].err
    assert runs["vlms"].run(model).metrics[GROUP]["rate_invalid"] == 1.0
    found = completed(runs["vlms"], model)
    assert found["matching"] == {"matching": "unrated"}
    assert found["unreadable"]["flagged"]
    for record in records(runs["vlms"], model, STANDARD):
        assert record["reasons"]
        assert record["predicted_category"] is None
    assert any(sample["filtered_resps"] for sample in runs["vlms"].run(model).samples(STANDARD))


def test_samples_hold_each_image_once_in_order(runs: dict[str, Finished]) -> None:
    ids = [record["question_id"] for record in records(runs["references"], "clip", STANDARD)]
    assert ids == [row["image_id"] for row in image_rows("test_standard")]


@pytest.mark.parametrize("name", [*REFERENCES, "clip"])
def test_scoring_anew_gives_the_same_numbers(runs: dict[str, Finished], name: str) -> None:
    again = rescore(runs["references"].run(name).path)
    assert again.reread == ()
    assert again.differences() == []
