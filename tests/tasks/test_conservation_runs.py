"""conservationbench through the real commands: what must come out, and what failure looks like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binom

from physprobe.conservation.metrics import AnswerRecord, conservation_scores, metric_names
from physprobe.harness.conservation.marking import DETAILS, SCORES
from physprobe.harness.rescoring import rescore
from physprobe.results import Run
from tests.support.evaluation import TOKEN, Finished
from tests.tasks.conftest import SCORED

pytestmark = pytest.mark.slow

SUBTASKS = ("conservation_number", "conservation_length")
QUESTIONS = 24  # 12 pairs of the mini preset
Runs = dict[str, Finished]


def answers(run: Run) -> dict[str, str]:
    """The raw answer to each question, by id."""
    return {
        sample["accuracy_overall"]["question_id"]: sample["filtered_resps"]
        for task in SUBTASKS
        for sample in run.samples(task)
    }


def records(run: Run) -> list[AnswerRecord]:
    return [AnswerRecord.taken_from(s[DETAILS]) for task in SUBTASKS for s in run.samples(task)]


def completed(run: Run) -> dict[str, Any]:
    """What physprobe adds to a results file."""
    return json.loads(run.path.read_text())["physprobe"]["conservation"]


def values(run: Run, task: str = "conservation") -> dict[str, float]:
    return {score: run.estimate(task, score).value for score in SCORES}


@pytest.mark.parametrize(
    ("model", "overall", "conserving", "nonconserving", "strict"),
    [("physprobe_oracle", 1.0, 1.0, 1.0, 1.0), ("physprobe_invariance", 0.5, 1.0, 0.0, 0.0)],
)
def test_reference_models_score_what_they_must(
    runs: Runs, model: str, overall: float, conserving: float, nonconserving: float, strict: float
) -> None:
    assert runs["references"].code == 0, runs["references"].err
    found = values(runs["references"].run(model))
    assert found == {
        "accuracy_overall": overall,
        "accuracy_conserving": conserving,
        "accuracy_nonconserving": nonconserving,
        "accuracy_strict_pair": strict,
        "rate_unread": 0.0,
    }


def test_change_never_claims_that_nothing_changed(runs: Runs) -> None:
    run = runs["references"].run("physprobe_change")
    assert {record.relation for record in records(run)} == {"moved_more", "moved_less"}
    assert values(run)["accuracy_conserving"] == 0.0
    assert values(run)["accuracy_strict_pair"] == 0.0
    assert 0.0 < values(run)["accuracy_nonconserving"] < 1.0


def test_chance_is_chance_and_reproducible(runs: Runs) -> None:
    ours, stock = runs["references"].run("physprobe_chance"), runs["stock"].run()
    low, high = binom.interval(0.9999, QUESTIONS, 1 / 3)
    assert low <= QUESTIONS * values(ours)["accuracy_overall"] <= high
    assert answers(ours) == answers(stock)
    assert answers(ours) != answers(runs["module"].run())  # another seed
    assert ours.metrics == stock.metrics


def test_stock_commands_find_the_tasks(runs: Runs) -> None:
    for name in ("stock", "module"):
        run = runs[name].run()
        assert run.versions == {"conservation": "1.0"}
        assert run.questions == {"conservation": QUESTIONS}


def test_group_is_scored_from_all_records(runs: Runs) -> None:
    run = runs["module"].run()
    for score, expected in conservation_scores(records(run)).items():
        if score not in SCORES:
            continue
        found = [run.metrics["conservation"][name] for name in metric_names(score)]
        assert found == [expected.value, expected.low, expected.high]


def test_every_variant_is_scored(runs: Runs) -> None:
    """The oracle is right whatever it is shown, for it looks at nothing."""
    run, captioned = (runs["references"].run(name) for name in ("variants", "captioned"))
    for task in SCORED:
        assert values(run, task)["accuracy_overall"] == 1.0
    assert values(captioned, "conservation_caption")["accuracy_strict_pair"] == 1.0
    assert run.metrics["conservation_modality"] == {"count_correct": 1.0, "count_unread": 0.0}
    assert run.metrics["conservation_caption_frames"] == {"captions_kept": 24 * 7, "captions_empty": 0.0}
    assert run.metrics["conservation_idk"]["share_idk"] == 0.0
    assert run.questions["conservation_full"] == 24 * 4 * 5 * 2
    assert run.questions["conservation_static"] == 24


def test_captions_of_the_first_run_are_shown_in_the_second(runs: Runs) -> None:
    (sample, *_) = runs["references"].run("captioned").samples("conservation_caption")
    video_id = sample[DETAILS]["video_id"]
    assert f"Frame 1: Frame 0 of {video_id}.\nFrame 2: Frame 4 of {video_id}." in sample["input"]


def test_stock_commands_complete_their_results_too(runs: Runs) -> None:
    """Judged, or not; and every score by every factor."""
    for name in ("stock", "module"):
        run = runs[name].run()
        found = completed(run)
        assert found["matching"]["matching"] == run.matching == "stage1-only"
        assert set(found["scores"]) == {"conservation", *SUBTASKS}
        overall = found["scores"]["conservation"]["all"]["accuracy_overall"]
        assert overall["value"] == values(run)["accuracy_overall"]
        assert found["scores"]["conservation"]["domain"]["number"]["accuracy_overall"]["n"] == 12


def test_absent_domains_are_left_out_with_one_warning(runs: Runs) -> None:
    told = [line for line in runs["stock"].out.splitlines() if "left out" in line]
    assert len(told) == 1
    assert "conservation_volume, conservation_size" in told[0]


def test_judges_out_of_reach_leave_saved_scores_and_exit_code_3(runs: Runs) -> None:
    vlms = runs["vlms"]
    assert vlms.code == 3
    assert "answers remain unread because judges gave no reply: one (connection" in vlms.error
    run = vlms.run("qwen")
    matching = completed(run)["matching"]
    assert (run.matching, matching["answers"]) == ("hybrid-incomplete", QUESTIONS)
    assert matching["unread_pending"] > 0
    assert values(run)["rate_unread"] >= matching["unread_pending"] / QUESTIONS
    assert "|conservation_idk" in vlms.out  # the tables are printed all the same


def test_each_kind_of_media_goes_through_the_adapters(runs: Runs) -> None:
    for model, tasks in (
        ("qwen", ("empty_image", "idk", "text_only", "modality", "caption_frames")),
        ("llava", ("empty_image", "idk")),
    ):
        run = runs["vlms"].run(f"{model}_controls")
        assert set(run.metrics) == {f"conservation_{task}" for task in tasks}
        for task in run.metrics:
            answers = [sample["filtered_resps"] for sample in run.samples(task)]
            assert len(answers) == 2
            assert any(answers)


@pytest.mark.parametrize("model", ["qwen", "llava"])
def test_vlm_leaves_one_record_a_question(runs: Runs, model: str) -> None:
    run = runs["vlms"].run(model)
    found = answers(run)
    assert len(found) == QUESTIONS
    assert all(isinstance(answer, str) for answer in found.values())
    assert any(found.values())  # llava_hf turns its own errors into empty answers
    assert sum(1 for task in SUBTASKS for _ in run.samples(task)) == QUESTIONS
    assert f"tiny_{'qwen2_5_vl' if model == 'qwen' else 'llava'}" == run.model


def test_samples_carry_what_rescoring_needs(runs: Runs) -> None:
    (sample, *_) = runs["references"].run("physprobe_oracle").samples("conservation_number")
    record = sample["accuracy_overall"]
    assert record["question_id"] == f"{record['video_id']}__direct_7_uniform"
    assert record["video_id"] == f"{record['pair_id']}_{record['condition']}"
    assert (record["relation"] == "same") == (record["condition"] == "conserving")
    assert record["letter"] == record["answer"]
    assert record["frame_indices"] == [0, 4, 8, 12, 15, 19, 23]
    assert len(record["prompt_sha256"]) == 64
    assert record["rule"]


@pytest.mark.parametrize("name", ["references", "vlms", "stock"])
def test_all_numbers_can_be_computed_anew(runs: Runs, name: str) -> None:
    for path in runs[name].output.rglob("*_results.json"):
        again = rescore(path)
        assert (again.differences(), again.reread) == ([], ())
        assert len(again.found) > 10


def test_results_say_what_made_them(runs: Runs, datasets_folder: Path) -> None:
    run = runs["references"].run("physprobe_oracle")
    manifest = json.loads((datasets_folder / "conservationbench" / "manifest.json").read_text())
    assert completed(run)["dataset"]["version"] == manifest["dataset_version"]
    assert completed(run)["unreadable"]["flagged"] is False
    record = json.loads(run.path.read_text())["physprobe"]["run"]
    assert (record["model"], record["processes"]) == ("physprobe_oracle", 1)
    assert record["tasks"]["conservation"] == "1.0"
    assert record["command"].startswith("lmms_eval --config ")


def test_failure_shows_in_exit_code_and_one_line(runs: Runs) -> None:
    failing = runs["failing"]
    assert failing.code == 1
    assert failing.error.startswith("error: ")
    assert "no_such_checkpoint" in failing.error
    assert "Traceback" not in failing.err
    assert failing.run("sound").questions == {"conservation_number": 2}  # the next evaluation still ran


def test_unknown_task_is_bad_use(runs: Runs) -> None:
    assert runs["unknown"].code == 2
    assert "unknown task 'conservatoin'; did you mean conservation" in runs["unknown"].error
    assert "Traceback" not in runs["unknown"].err


def test_token_is_never_printed(runs: Runs) -> None:
    assert "[REDACTED]" in runs["references"].out  # lmms-eval does print it
    for name in ("references", "vlms", "failing", "unknown"):
        assert TOKEN not in runs[name].out + runs[name].err
    for path in runs["references"].output.rglob("*.json*"):
        assert TOKEN not in path.read_text()
