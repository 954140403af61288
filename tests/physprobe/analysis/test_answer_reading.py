"""From samples files to columns, and what is kept apart; the records are made by the tasks' own marking."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from physprobe.analysis import conversion
from physprobe.analysis.answers import load_answers
from physprobe.analysis.printing import remarks
from physprobe.analysis.schema import LAYOUT, QUESTION
from physprobe.analysis.tallies import tally
from physprobe.conservation.breakdown import setting_of
from physprobe.conservation.metrics import SCORES, AnswerRecord, conservation_scores
from physprobe.errors import UserError
from tests.support.saved_answers import asked, both_twins, save_run

TASKS = {"conservation_full": both_twins()}


def reasons(answers) -> dict[str, str]:
    return {each.source.model: each.reason for each in answers.apart}


def test_every_column(tmp_path):
    rows = [asked("number_a_1", "conserving"), asked("number_a_1", "nonconserving", frame_count=3)]
    replies = {"conserving": "no idea", "nonconserving": "(A)"}
    save_run(tmp_path, "m", {"conservation_full": rows}, lambda r: replies[r["condition"]], dataset="1.2.0")
    answers = load_answers([tmp_path])
    first, second = answers.frame.to_dict("records")
    assert first["question_id"] == "number_a_1_conserving__direct_7_uniform"
    assert (first["pair_id"], first["video_id"]) == ("number_a_1", "number_a_1_conserving")
    assert (first["domain"], first["condition"], first["truth"]) == ("number", "conserving", "same")
    assert (first["prompt_style"], first["frame_count"], first["extraction"]) == ("direct", 7, "uniform")
    assert (first["media"], first["idk_offered"], first["line"]) == ("frames", False, 0)
    assert (first["unread"], first["correct"]) == (True, False)
    assert pd.isna(first["response"])
    assert (second["truth"], second["response"], second["correct"]) == ("moved_more", "same", False)
    assert (second["unread"], second["frame_count"], second["line"]) == (False, 3, 1)
    source = answers.sources[second["source"]]
    assert (source.model, source.task, source.task_version, source.dataset_version) == (
        *("m", "conservation_full", "1.0"),
        "1.2.0",
    )
    line = source.path.read_text().splitlines()[second["line"]]
    assert json.loads(line)["accuracy_overall"]["question_id"] == second["question_id"]


def test_dont_know_is_a_response(tmp_path):
    save_run(tmp_path, "m", {"conservation_idk": both_twins(idk=True)}, lambda r: "(D) I don't know.")
    frame = load_answers([tmp_path]).frame
    assert (frame["response"] == "idk").all()
    assert frame["idk_offered"].all()
    assert not frame[["correct", "unread"]].any().any()


def test_a_question_has_one_content_in_all_tasks(tmp_path):
    tasks = {
        "conservation_full": both_twins(),
        "conservation_empty_image": both_twins(media="white"),
        "conservation_idk": both_twins(idk=True),
    }
    save_run(tmp_path, "m", tasks)
    frame = load_answers([tmp_path]).frame
    assert (frame.groupby("question_id", observed=True)["content"].nunique() == 1).all()
    assert frame["content"].nunique() == 8


def test_levels_have_the_order_of_the_benchmark(tmp_path):
    rows = [row for style in ("cot", "direct") for row in both_twins(style=style)]
    save_run(tmp_path, "m", {"conservation_full": rows})
    frame = load_answers([tmp_path]).frame
    assert list(frame["prompt_style"].cat.categories) == ["direct", "cot"]
    assert list(frame["domain"].cat.categories) == ["number", "length"]


def test_scores_are_those_of_the_tasks(tmp_path):
    """The columns' counts against the metrics that the tasks report."""
    rows = [row for style in ("direct", "cot") for row in both_twins(style=style)]
    letters = "ABACxBCAABABBBAB"
    replies = {f"{r['question_id']}": letter for r, letter in zip(rows, letters, strict=True)}
    save_run(tmp_path, "m", {"conservation_full": rows}, lambda r: replies[r["question_id"]])
    frame = load_answers([tmp_path]).frame
    counted = tally(frame)
    names = ["question_id", "pair_id", "domain", "condition", "correct"]
    records = [
        AnswerRecord(
            **{name: row[name] for name in names},
            relation=None if row["unread"] else row["response"],
            setting=setting_of(row),
        )
        for row in frame.to_dict("records")
    ]
    expected = conservation_scores(records, resamples=10)
    assert 0 < expected["accuracy_strict_pair"].value < 1
    assert expected["rate_unread"].value == 1 / 16
    for score in SCORES:
        assert counted.values(score)[0] == pytest.approx(expected[score].value)
        assert counted.of(score)[:, 0, 1].sum() == expected[score].n


def copies(folder: Path) -> list[Path]:
    return sorted((folder / ".physprobe").glob("*.parquet"))


def test_a_second_reading_uses_the_copy_beside_the_samples(tmp_path, monkeypatch):
    save_run(tmp_path, "m", TASKS)
    first = load_answers([tmp_path]).frame
    assert len(copies(tmp_path)) == 1
    monkeypatch.setattr(conversion, "convert", None)
    pd.testing.assert_frame_equal(load_answers([tmp_path]).frame, first)


def test_changed_samples_are_read_anew_and_the_old_copy_goes(tmp_path):
    save_run(tmp_path, "m", TASKS)
    assert load_answers([tmp_path]).frame["correct"].all()
    old = copies(tmp_path)
    save_run(tmp_path, "m", TASKS, lambda r: "x")
    assert load_answers([tmp_path]).frame["unread"].all()
    assert len(copies(tmp_path)) == 1
    assert copies(tmp_path) != old


def test_a_damaged_copy_is_made_again(tmp_path):
    save_run(tmp_path, "m", TASKS)
    first = load_answers([tmp_path]).frame
    (copy,) = copies(tmp_path)
    copy.write_bytes(b"PAR1 damaged")
    pd.testing.assert_frame_equal(load_answers([tmp_path]).frame, first)
    assert copy.stat().st_size > 100


def test_without_a_place_for_copies_it_works_all_the_same(tmp_path):
    save_run(tmp_path / "run", "m", TASKS)
    (tmp_path / "file").write_text("")
    assert len(load_answers([tmp_path / "run"], cache=tmp_path / "file" / "cache").frame) == 8
    assert not (tmp_path / "run" / ".physprobe").exists()


def test_another_task_version_is_set_apart(tmp_path):
    for model in ("a", "b"):
        save_run(tmp_path / model, model, TASKS, version="1.3")
    save_run(tmp_path / "c", "c", TASKS, version="2.0")
    answers = load_answers([tmp_path])
    assert set(answers.frame["model"]) == {"a", "b"}
    assert reasons(answers) == {"c": "task version 2.0: not comparable with 1.x of the others"}


def test_an_interface_version_is_comparable(tmp_path):
    save_run(tmp_path / "a", "a", TASKS, version="1.0")
    save_run(tmp_path / "b", "b", TASKS, version="1.9")
    assert not load_answers([tmp_path]).apart


def test_of_equally_many_the_newer_version_stays(tmp_path):
    save_run(tmp_path / "a", "a", TASKS, version="9.0")
    save_run(tmp_path / "b", "b", TASKS, version="10.0")
    assert set(reasons(load_answers([tmp_path]))) == {"a"}


def test_another_dataset_version_is_set_apart(tmp_path):
    for model in ("a", "b"):
        save_run(tmp_path / model, model, TASKS, dataset="1.0.0")
    save_run(tmp_path / "c", "c", TASKS, dataset="2.0.0")
    save_run(tmp_path / "d", "d", TASKS)  # of results that don't record it, one can't tell
    answers = load_answers([tmp_path])
    assert reasons(answers) == {"c": "dataset version 2.0.0: most of these results are of 1.0.0"}


def test_another_build_of_a_version_is_set_apart(tmp_path):
    """Questions alone can't tell: the pictures may differ."""
    for model in ("a", "b"):
        save_run(tmp_path / model, model, TASKS, dataset="1.0.0", sha256="1" * 64)
    save_run(tmp_path / "c", "c", TASKS, dataset="1.0.0", sha256="2" * 64)
    save_run(tmp_path / "d", "d", TASKS, dataset="1.0.0")
    found = reasons(load_answers([tmp_path]))
    assert set(found) == {"c"}
    assert "whose rows differ: sha256 222222222222, of most of these results 111111111111" in found["c"]


def test_a_dataset_of_another_seed_is_found_out_by_its_questions(tmp_path):
    def reordered(row):
        options = [row["options"][k] for k in (2, 0, 1)]
        relations = [row["relations"][k] for k in (2, 0, 1)]
        return {
            **row,
            "options": options,
            "relations": relations,
            "answer": "BCA"["ABC".index(row["answer"])],
        }

    save_run(tmp_path / "a", "a", TASKS)
    save_run(tmp_path / "b", "b", {**TASKS, "conservation_empty_image": both_twins(media="white")})
    other = {"conservation_empty_image": [reordered(row) for row in both_twins(media="white")]}
    save_run(tmp_path / "c", "c", other)
    answers = load_answers([tmp_path])
    assert set(reasons(answers)) == {"c"}
    assert (
        "another dataset: question 'length_b_1_conserving__direct_7_uniform' and 7 more"
        in reasons(answers)["c"]
    )


def test_of_reruns_the_newest_stays(tmp_path):
    save_run(tmp_path / "new", "m", TASKS, date="20260301_000000")
    save_run(tmp_path / "old", "m", TASKS, lambda r: "x", date="20260101_000000")
    answers = load_answers([tmp_path])
    assert len(answers.frame) == 8
    assert answers.frame["correct"].all()
    assert "a newer run of this model is in" in reasons(answers)["m"]


def test_a_limited_run_is_set_apart(tmp_path):
    save_run(tmp_path / "a", "a", TASKS)
    save_run(tmp_path / "b", "b", {"conservation_full": both_twins()[:3]})
    assert reasons(load_answers([tmp_path])) == {"b": "answers 3 questions, others 8"}


def test_a_limited_run_is_set_apart_also_where_no_other_run_shows_it(tmp_path):
    save_run(tmp_path / "b", "b", {"conservation_full": both_twins()[:4]}, whole=8)
    with pytest.raises(UserError, match=r"b, answers 4 of 8 questions \(a run with --limit; --keep-limited"):
        load_answers([tmp_path])
    kept = load_answers([tmp_path], limited=True)
    assert not kept.apart
    told = "made with --limit, so not scores of the benchmark: conservation_full (4 of 8 questions)"
    assert told in remarks(kept)


def test_a_limited_run_does_not_take_the_place_of_an_older_whole_one(tmp_path):
    save_run(tmp_path / "a", "m", TASKS)
    save_run(tmp_path / "b", "m", {"conservation_full": both_twins()[:4]}, whole=8, date="20270101_000000")
    answers = load_answers([tmp_path])
    assert len(answers.frame) == 8
    assert [each.source.path.parent.name for each in answers.apart] == ["b"]


def test_answers_cut_between_lines_are_set_apart(tmp_path):
    for model in ("a", "b"):
        save_run(tmp_path / model, model, TASKS)
    cut = tmp_path / "a" / "20260101_000000_samples_conservation_full.jsonl"
    cut.write_text("".join(cut.read_text().splitlines(keepends=True)[:5]))
    answers = load_answers([tmp_path])
    assert set(answers.frame["model"]) == {"b"}
    assert reasons(answers) == {"a": f"{cut} holds 5 of 8 answers: evaluate again"}
    with pytest.raises(UserError, match="holds 5 of 8 answers"):
        load_answers([tmp_path / "a"])


def test_an_unknown_dataset_is_told(tmp_path):
    save_run(tmp_path / "a", "a", TASKS, dataset="1.0.0", sha256="1" * 64)
    assert remarks(load_answers([tmp_path])) == []
    save_run(tmp_path / "b", "b", TASKS)
    (told,) = remarks(load_answers([tmp_path]))
    assert told.startswith("dataset unknown of b: no manifest.json was beside it")


def test_nothing_depends_on_the_order_of_places(tmp_path):
    for model in ("a", "b"):
        save_run(tmp_path / model, model, TASKS)
    one = load_answers([tmp_path / "a", tmp_path / "b"])
    other = load_answers([tmp_path / "b", tmp_path / "a", tmp_path])
    pd.testing.assert_frame_equal(one.frame, other.frame)


def test_places_without_answers_are_refused(tmp_path):
    with pytest.raises(UserError, match="does not exist"):
        load_answers([tmp_path / "absent"])
    with pytest.raises(UserError, match="holds no answers to conservationbench"):
        load_answers([tmp_path])
    save_run(tmp_path / "a", "a", TASKS)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="empty holds no answers to conservationbench"):
        load_answers([tmp_path / "a", tmp_path / "empty"])


def test_missing_samples_are_named(tmp_path):
    save_run(tmp_path, "m", TASKS)
    (tmp_path / "20260101_000000_samples_conservation_full.jsonl").unlink()
    with pytest.raises(UserError, match=r"_samples_conservation_full.jsonl is missing: .*--log_samples"):
        load_answers([tmp_path])


def test_one_unreadable_run_does_not_keep_the_others_from_being_read(tmp_path):
    for model in ("a", "b", "c"):
        save_run(tmp_path / model, model, TASKS)
    (tmp_path / "a" / "20260101_000000_samples_conservation_full.jsonl").unlink()
    (tmp_path / "b" / "20260101_000000_samples_conservation_full.jsonl").write_text('{"doc_id": 0}\n')
    answers = load_answers([tmp_path])
    assert set(answers.frame["model"]) == {"c"}
    assert "is missing: evaluate with --log_samples" in reasons(answers)["a"]
    assert "holds no 'question_id' of some questions" in reasons(answers)["b"]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"accuracy_overall": {"question_id": "q"}}', "holds no 'pair_id' of some questions"),
        ('{"doc_id": 0}', "holds no 'question_id' of some questions"),
        ('{"accuracy_overall": null}', "holds no 'question_id' of some questions"),
        ('{"accuracy_overall": 1.0}', "can't be read as samples"),
        ("{broken", "can't be read as samples"),
    ],
)
def test_records_of_another_form_are_refused(tmp_path, line, what):
    save_run(tmp_path, "m", TASKS)
    (tmp_path / "20260101_000000_samples_conservation_full.jsonl").write_text(line + "\n")
    with pytest.raises(UserError, match=what):
        load_answers([tmp_path])


def test_a_model_evaluated_twice_under_one_task_is_refused(tmp_path):
    save_run(tmp_path, "m", {"conservation_full": [*both_twins(), *both_twins()]})
    with pytest.raises(UserError, match="m has two answers to one question on pair 'length_b_1'"):
        tally(load_answers([tmp_path]).frame)


def test_converted_columns_have_the_schema(tmp_path):
    save_run(tmp_path, "m", TASKS)
    table = conversion.convert(tmp_path / "20260101_000000_samples_conservation_full.jsonl", LAYOUT)
    assert table.schema == QUESTION
