from __future__ import annotations

from typing import Any

import datasets
import numpy as np
import pytest
from PIL import Image

from physprobe import data
from physprobe.conservation.vocabulary import LETTERS, RELATIONS
from physprobe.errors import UserError
from physprobe.harness.conservation import questions
from tests.support.conservation_rows import dataset, row, static_row, twins


def standard(rows: list[dict[str, Any]], **options: Any) -> Any:
    return questions.standard_questions(dataset(rows), **options)


def test_only_rows_in_the_standard_condition_are_kept() -> None:
    others = [row(style="cot"), row(frame_count=9), row(extraction="human"), row("length_a_1")]
    kept = standard([*others, *twins()], domain="number")
    assert kept["question_id"][:] == [r["question_id"] for r in twins()]
    assert kept["relations"][:] == [list(RELATIONS)] * 2
    assert kept["media"][:] == ["frames"] * 2
    assert kept["labelled"][:] == [True] * 2


def test_without_a_domain_all_are_kept() -> None:
    rows = [*twins("volume_red_1"), *twins(), *twins("size_red_1"), *twins("length_a_1")]
    assert standard(rows)["domain"][:] == [r["domain"] for r in rows]


def test_claims_follow_the_shown_order() -> None:
    turned = [
        r | {"options": r["options"][::-1], "answer": LETTERS[2 - LETTERS.index(r["answer"])]}
        for r in twins("size_red_1")
    ]
    assert standard(turned)["relations"][:] == [list(RELATIONS)[::-1]] * 2


def test_what_is_missing_is_named() -> None:
    lacking = [{k: v for k, v in r.items() if k != "frame_indices"} for r in twins()]
    with pytest.raises(UserError, match="lacks column 'frame_indices'"):
        standard(lacking)
    with pytest.raises(UserError, match="no question with domain=length, prompt_style=direct"):
        standard(twins(), domain="length")
    with pytest.raises(UserError, match="pair number_a_1 lacks one of its twins"):
        standard([row()])


def test_dont_know_is_offered_last_and_claims_nothing() -> None:
    (asked, _) = standard(twins(), dont_know=True)
    assert asked["options"] == [*row()["options"], "I don't know."]
    assert asked["question"] == row()["question"] + "\n(D) I don't know."
    assert asked["relations"] == [*RELATIONS, "idk"]
    assert asked["answer"] == row()["answer"]


def test_every_row_is_asked_and_knows_the_frames_of_its_clip() -> None:
    few = {"frame_indices": [0, 5, 11], "frame_count": 3, "question_id": "few"}
    rows = [*twins(), row(style="cot", **few), *twins("length_a_1")]
    asked = questions.all_questions(dataset(rows))
    assert len(asked) == 5
    assert (
        asked["clip_frames"][:]
        == [[0, 1, 2, 3, 4, 5, 6, 11], [*range(7)], [0, 1, 2, 3, 4, 5, 6, 11]] + [[*range(7)]] * 2
    )


def test_the_human_subset_is_one_pair_in_eight_in_both_conditions_and_all_extractions() -> None:
    pairs = [
        f"{domain}_{a}_{b}" for domain in ("number", "length") for a in ("near", "far") for b in range(8)
    ]
    rows = [
        r
        for pair in pairs
        for extraction in ("uniform", "kinematic")
        for style in ("direct", "cot")
        for r in twins(pair, extraction=extraction, style=style)
    ]
    kept = questions.human_subset_questions(dataset(rows)).to_list()
    assert {r["prompt_style"] for r in kept} == {"direct"}
    for domain in ("number", "length"):
        inside = [r for r in kept if r["domain"] == domain]
        assert len({r["pair_id"] for r in inside}) == 2  # of 16
        assert len(inside) == 2 * 2 * 2
    assert len({(r["video_id"], r["extraction"]) for r in kept}) == len(kept)


def test_static_rows_bring_their_image() -> None:
    image = Image.fromarray(np.full((48, 64, 3), 99, np.uint8))
    rows = [{**static_row(condition), "image": image} for condition in ("conserving", "nonconserving")]
    features = datasets.Dataset.from_list([static_row("conserving")]).features
    asked = questions.static_questions(
        datasets.Dataset.from_list(rows, features=datasets.Features({**features, "image": datasets.Image()}))
    )
    assert asked["media"][:] == ["image"] * 2
    assert asked["frame_indices"][:] == [[11]] * 2
    assert {questions.STANDARD.keys() <= r.keys() for r in asked} == {True}
    assert asked[1]["relations"][LETTERS.index(asked[1]["answer"])] == "moved_more"
    with pytest.raises(UserError, match="lacks column 'frame_index'"):
        questions.static_questions(dataset(twins()))


def test_domains_without_questions_are_left_out_with_one_warning(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[str] = []
    monkeypatch.setattr(questions.logger, "warning", told.append)
    monkeypatch.setattr(data, "load_config", lambda *_: dataset([*twins(), *twins("size_red_1")]))
    tasks = ["conservation_number", "conservation_length", "conservation_volume", "conservation_size"]
    assert questions.domain_tasks(tasks) == ["conservation_number", "conservation_size"]
    (line,) = told
    assert "conservation_length, conservation_volume" in line
    assert questions.domain_tasks(tasks[:1]) == tasks[:1]
    assert len(told) == 1
    with pytest.raises(UserError, match="no questions on any of"):
        questions.domain_tasks(["conservation_length"])
