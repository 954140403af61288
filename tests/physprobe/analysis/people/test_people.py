"""Answers of people from small made-up CSVs: no person gave any of them."""

from __future__ import annotations

import json

import pytest

from physprobe.analysis.answers import load_answers, load_every
from physprobe.analysis.layout import people_only
from physprobe.analysis.leaderboard import by_domain, leaderboard
from physprobe.analysis.people.agreement import box_agreement, people
from physprobe.analysis.people.study import findings_on_people
from physprobe.analysis.people.table import PersonAnswer, read_people
from physprobe.analysis.quantiphy.leaderboard import by_category
from physprobe.analysis.quantiphy.leaderboard import leaderboard as ranking_of_numbers
from physprobe.analysis.scatter import scatter
from physprobe.cli import app
from physprobe.cli.runner import run
from physprobe.consistency.vocabulary import LABELS
from physprobe.errors import UserError
from physprobe.report.build import write_report
from physprobe.report.model import ReportOptions
from tests.support.consistency_answers import right, save_consistency
from tests.support.saved_answers import PAIRS, both_twins, save_run
from tests.support.saved_quantiphy import asked, save_quantiphy

FAST = {"resamples": 60}
HEADER = "participant,benchmark,question_id,answer\n"
CLIPS = [(pair, condition) for pair in PAIRS for condition in ("conserving", "nonconserving")]
NUMBERS = [asked(number) for number in range(3)]


def written(path, lines, header=HEADER):
    path.write_text(header + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    return read_people(path)


def of_clips(participant, letters):
    """Letters for the clips in order; "-" was not asked. The conserving clips' answer is A, the others' B."""
    return [
        f"{participant},conservation,{pair}_{condition}__direct_7_uniform,{letter if letter != '.' else ''}"
        for (pair, condition), letter in zip(CLIPS, letters, strict=True)
        if letter != "-"
    ]


@pytest.fixture
def results(tmp_path):
    rows = both_twins()
    for model in ("m", "n"):
        tasks = {
            f"conservation_{domain}": [row for row in rows if row["domain"] == domain]
            for domain in ("number", "length")
        }
        save_run(
            tmp_path / model, model, tasks, (lambda r: "A") if model == "n" else lambda r: str(r["answer"])
        )
    save_quantiphy(tmp_path / "q", "m", {"quantiphy_s2": NUMBERS})
    return tmp_path


@pytest.fixture
def two(tmp_path):
    """Of eight clips P1 has seven right and P2, not asked about the last pair, three of six."""
    return written(tmp_path / "p.csv", [*of_clips("P1", "ABABABAA"), *of_clips("P2", "ABBA.B--")])


def test_people_stand_among_models(results, two):
    answers = load_answers([results / "m", results / "n"], people=two)
    ranking, neighbours = leaderboard(answers.frame, **FAST)
    assert ranking.table["model"].tolist() == ["m", "people", "n"]
    row = ranking.table.set_index("model").loc["people"]
    assert row["n"] == 14
    assert row["accuracy"] == pytest.approx((7 + 3) / 14)
    # Strict pairs: P1 three of four; P2 one of three.
    assert row["strict_pair"] == pytest.approx(4 / 7)
    assert row["unread"] == pytest.approx(1 / 14)
    assert neighbours.table[["model", "next"]].to_numpy().tolist() == [["m", "n"]]
    means, each = by_domain(answers.frame, **FAST)
    number = means.table.set_index("domain").loc["number"]
    assert (number["n"], number["accuracy"]) == (8, pytest.approx(0.75))  # of the two models alone
    assert set(each.table["model"]) == {"m", "n", "people"}
    assert set(scatter(answers.frame, **FAST)[2].table["model"]) == {"m", "n"}


def test_participants_are_scored_one_by_one_and_their_agreement_measured(results, two):
    scores, agreed = people(load_answers([results / "m", results / "n"], people=two), "conservation", **FAST)
    found = scores.table.set_index("participant")
    assert found["accuracy"].to_dict() == pytest.approx({"P1": 7 / 8, "P2": 3 / 6})
    assert found["strict_pair"].to_dict() == pytest.approx({"P1": 3 / 4, "P2": 1 / 3})
    row = agreed.table.set_index("group").loc["all"]
    # Six clips with two answers: alike on the first two and the sixth; claims same 6, more 5, unread 1 of 12.
    expected = (6 / 12) ** 2 + (5 / 12) ** 2 + (1 / 12) ** 2
    assert row["agreement"] == pytest.approx(3 / 6)
    assert row["kappa"] == pytest.approx((3 / 6 - expected) / (1 - expected))
    assert (row["raters"], row["n"]) == (2, 6)
    assert agreed.table["group"].tolist() == ["all", "number", "length"]
    assert "2 questions were answered by another number of people" in " ".join(agreed.notes)


def test_numbers_of_people_are_read_as_those_of_models(results, tmp_path):
    lines = [
        *("P1,quantiphy,q000,2 m", "P1,quantiphy,q001,about 300 cm", "P1,quantiphy,q002,no idea"),
        *("P2,quantiphy,q000,20 m", "P2,quantiphy,q001,3 m", "P2,quantiphy,q002,2"),
    ]
    given = written(tmp_path / "n.csv", lines)
    answers = load_answers([results / "q"], "quantiphy", people=given)
    (ranking,) = ranking_of_numbers(answers.frame, **FAST)
    row = ranking.table.set_index("model").loc["people"]
    assert (row["n"], row["unread"]) == (6, pytest.approx(1 / 6))
    assert row["mra_questions"] == pytest.approx((1 + 0.4 + 0 + 0 + 0.4 + 1) / 6)
    (categories,) = by_category(answers.frame, **FAST)
    assert categories.table["S2"].tolist() == pytest.approx([1, 1, row["mra_questions"]])
    scores, apart = people(answers, "quantiphy", **FAST)
    assert scores.table.set_index("participant")["mra_questions"].to_dict() == pytest.approx(
        {"P1": 1.4 / 3, "P2": 1.4 / 3}
    )
    (spread,) = apart.table.to_dict("records")
    assert spread["spread"] == pytest.approx((1 / 2**0.5 + 0) / 2)  # a factor of ten, and none
    assert (spread["raters"], spread["n"]) == (2, 2)


def test_both_benchmarks_in_one_file(results, two, tmp_path):
    given = written(tmp_path / "b.csv", [*of_clips("P1", "A-------"), "P1,quantiphy,q000,2 m"])
    every = load_every([results], people=given)
    assert {name: int((a.frame["model"] == "people").sum()) for name, a in every.items()} == {
        "conservation": 1,
        "quantiphy": 1,
    }


def test_boxes():
    """Two boxes of area 0.08 that share 0.06: IoU 0.6; a third apart from both."""
    left, right, far = (0.0, 0.0, 0.4, 0.2), (0.1, 0.0, 0.5, 0.2), (0.6, 0.6, 0.9, 0.9)
    answers = [
        PersonAnswer(k, f"P{k}", "conservation", question, "", box)
        for k, (question, box) in enumerate([("a", left), ("a", right), ("b", left), ("b", far), ("c", None)])
    ]
    found = box_agreement(answers, {"a": left}, **FAST).table.set_index("against")
    people_row, truth = found.loc["people"], found.loc["truth"]
    assert people_row["iou"] == pytest.approx((0.6 + 0) / 2)
    assert (people_row["iou_0.5"], people_row["iou_0.75"]) == (0.5, 0)
    assert (people_row["pairs"], people_row["n"]) == (2, 2)
    assert truth["iou"] == pytest.approx((1 + 0.6) / 2)
    assert (truth["iou_0.5"], truth["iou_0.75"], truth["pairs"], truth["n"]) == (1, 0.5, 2, 1)


def test_labels_and_boxes_of_images(tmp_path):
    """Of four images P1 has all right, boxes too; P2 misses the second and says nothing of the fourth."""
    labels = [
        "clean",
        "floating_object",
        *[name for name in LABELS if name not in ("clean", "floating_object")][:2],
    ]
    save_consistency(tmp_path / "runs", {"m": right}, 1, ["standard"])
    box = '"0.25 0.25 0.75 0.75"'
    lines = [
        f"P1,consistency,standard_0__{label},{label},{'' if label == 'clean' else box}" for label in labels
    ] + [
        f"P2,consistency,standard_0__{labels[0]},Clean,",
        f"P2,consistency,standard_0__{labels[1]},clean,",
        f'P2,consistency,standard_0__{labels[2]},{labels[2]},"0.25 0.25 0.75 0.5"',
        f"P2,consistency,standard_0__{labels[3]},,",
    ]
    given = written(tmp_path / "p.csv", lines, HEADER.replace("\n", ",box\n"))
    answers = load_answers([tmp_path / "runs"], "consistency", people=given)
    frame = people_only(answers.frame).set_index(["participant", "question_id"])
    one, two = (frame.loc[name] for name in ("P1", "P2"))
    assert one["correct"].all()
    assert one["iou"].dropna().tolist() == [1, 1, 1]
    assert not one["invalid"].any()
    assert two["correct"].sum() == 2
    assert two["unread"].sum() == 1
    assert two.loc[f"standard_0__{labels[2]}", "iou"] == 0.5
    scores, agreed, boxes = findings_on_people(answers, "consistency", given, **FAST)
    assert set(scores.table["participant"]) == {"P1", "P2"}
    found = agreed.table.set_index("group").loc["all"]
    assert (found["agreement"], found["n"]) == (0.5, 4)
    against = boxes.table.set_index("against")
    assert against.loc["people", ["iou", "iou_0.5", "iou_0.75", "n"]].tolist() == [0.5, 1, 0, 1]
    assert against.loc["truth", "n"] == 3


@pytest.mark.parametrize(
    ("header", "line", "what"),
    [
        ("participant,benchmark,question_id\n", "P1,quantiphy,q", "has no column 'answer'"),
        (HEADER, "", "has a header and no answers"),
        (HEADER, ",quantiphy,q,1", "line 2: participant is empty"),
        (HEADER, "P1,quantiphy,,1", "line 2: question_id is empty"),
        (HEADER, "P1,quantify,q,1", "line 2: benchmark 'quantify' must be one of conservation, quantiphy"),
        (HEADER, "P1,quantiphy,q,1\nP1,quantiphy,q,2", "line 3: P1 already answered q in line 2"),
        (HEADER.replace("\n", ",box\n"), 'P1,quantiphy,q,1,"0 0 1"', "line 2: box '0 0 1' must be x_min"),
        (HEADER.replace("\n", ",box\n"), 'P1,quantiphy,q,1,"0.5,0,0.4,1"', "as shares of width and height"),
        (HEADER.replace("\n", ",box\n"), 'P1,quantiphy,q,1,"0 0 640 480"', "as shares of width and height"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(tmp_path, header, line, what):
    with pytest.raises(UserError, match=what):
        written(tmp_path / "p.csv", [line] if line else [], header)


def test_a_file_that_is_no_csv(tmp_path):
    with pytest.raises(UserError, match="can't be read as a CSV in UTF-8"):
        read_people(tmp_path / "absent.csv")
    (tmp_path / "latin.csv").write_bytes(HEADER.encode() + "P1,quantiphy,q,3 m²\n".encode("latin-1"))
    with pytest.raises(UserError, match="can't be read as a CSV in UTF-8"):
        read_people(tmp_path / "latin.csv")


def test_spreadsheets_byte_order_marks_and_other_columns_do_not_matter(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("\ufeffnotes,box," + HEADER + "x,0 0 1 1,P1,quantiphy,q,  2 m \n", encoding="utf-8")
    (answer,) = read_people(path).answers
    assert answer == PersonAnswer(2, "P1", "quantiphy", "q", "2 m", (0, 0, 1, 1))


def test_unknown_questions_are_named(results, tmp_path):
    given = written(tmp_path / "p.csv", ["P1,quantiphy,q000,1", "P1,quantiphy,q999,1"])
    with pytest.raises(UserError, match="line 3: question 'q999' is in no samples file of quantiphy_s2"):
        load_answers([results / "q"], "quantiphy", people=given)
    with pytest.raises(UserError, match="holds no answers of people to conservation"):
        load_answers([results / "m"], people=given)


def test_the_command(results, tmp_path, capsys):
    lines = [*of_clips("P1", "ABABABAA"), *of_clips("P2", "ABABABAB")]
    written(tmp_path / "p.csv", lines)
    names = ["analyse", "people", str(results / "m"), "--people", str(tmp_path / "p.csv")]
    assert run(app, [*names, "--resamples", "100", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["title"] for each in found["findings"]] == [
        "2 participants, scored as models are",
        "Agreement of people (Fleiss' kappa)",
    ]
    beside = ["analyse", "leaderboard", str(results / "m"), "--people", str(tmp_path / "p.csv")]
    assert run(app, [*beside, "--resamples", "100"]) == 0
    assert " people " in capsys.readouterr().out
    assert run(app, ["analyse", "people", "--help"]) == 0
    assert "Example: physprobe analyse people" in capsys.readouterr().out


def test_people_stand_in_the_report_and_have_a_section(results, tmp_path):
    lines = [f"P{k},quantiphy,q{number:03d},{number + 1} m" for k in (1, 2) for number in range(3)]
    given = written(tmp_path / "p.csv", lines)
    write_report([results / "q"], tmp_path / "report", ReportOptions(resamples=60, people=given))
    told = json.loads((tmp_path / "report" / "report.json").read_text())["benchmarks"]["quantiphy"]
    ranking = next(name for name in told["tables"] if name.startswith("quantiphy-leaderboard-1"))
    table = json.loads((tmp_path / "report" / "tables" / f"{ranking}.json").read_text())
    assert [row["model"] for row in table["rows"]] == ["m", "people"]
    assert any(name.startswith("quantiphy-people-1") for name in told["tables"])
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "2 people gave 6 answers to 3 questions." in page
    assert "m is first, with an MRA of 100.0% over 3 questions" in page
