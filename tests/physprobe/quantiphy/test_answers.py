from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from physprobe.errors import UserError
from physprobe.quantiphy.answers import Answers, read_answers

DATA = Path(__file__).parents[2] / "data" / "quantiphy"
HEADER = "id,video_source,video_type,inference_type,ground_truth_posterior,parsed_value"


@pytest.fixture
def write(tmp_path):
    def write(text: str | bytes, name: str = "p.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


@pytest.fixture
def one_column(write):
    """A file of static 2D questions with a truth of 4 and these prediction cells."""

    def one_column(cells: list[str]) -> Answers:
        rows = [f"{k},lab,S2MC,SS,4,{cell}" for k, cell in enumerate(cells, 1)]
        return read_answers(write("\n".join([HEADER, *rows]) + "\n"))

    return one_column


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("3.5", 3.5), (" 3.5 ", 3.5), ("1e3", 1000.0), ("1E+03", 1000.0), (".5", 0.5), ("5.", 5.0),
        ("+3", 3.0), ("-2.5", -2.5), ("007", 7.0), ("inf", np.inf), ("-Infinity", -np.inf), ("1e400", np.inf),
        ("-0", 0.0), ("99999999999999999999999", 1e23),
    ],
)  # fmt: skip
def test_a_number_is_what_to_numeric_reads(one_column, cell, value):
    # Once in a column of numbers, once beside a word: pandas parses these on two different ways.
    for cells in ([cell, "1.5"], [cell, "n/k"]):
        answers = one_column(cells)
        assert answers.prediction[0] == value
        assert not answers.blank[0]


@pytest.mark.parametrize(
    "cell",
    [
        '"1,000"',
        "0x10",
        "1_000",
        "50%",
        "3 m",
        "1/2",
        "1 000",
        "\u22123",
        "\uff11\uff12",
        "1e",
        "--3",
        "True",
        "False",
        "$3",
        "1d5",
    ],
)
def test_not_a_number(one_column, cell):
    answers = one_column([cell])
    assert np.isnan(answers.prediction[0])
    assert not answers.blank[0]


@pytest.mark.parametrize("cell", ["", "NA", "N/A", "nan", "NaN", "null", "None", "#N/A", '""'])
def test_blank(one_column, cell):
    answers = one_column([cell, "1"])
    assert np.isnan(answers.prediction[0])
    assert answers.blank.tolist() == [True, False]


def test_reads_the_released_validation_file_and_its_noise_columns(write):
    text = (DATA / "validation.csv").read_bytes().decode()
    first, rest = text.split("\n", 1)
    path = write("".join([first.replace(",,", ",parsed_value,", 1), "\n", rest]))
    answers = read_answers(path)
    assert len(set(answers.ids)) == 159
    assert answers.ids[0] == "2161"
    assert (answers.truth > 0).all()
    assert answers.truth[0] == 9.9
    assert answers.blank.all()
    assert answers.warnings == ()


def test_template_without_truth_asks_for_the_ground_truth_file():
    with pytest.raises(
        UserError, match=r"no column 'ground_truth_posterior'; give .* --ground-truth GT.csv; it has: 'id'"
    ):
        read_answers(DATA / "submission_template_first_50.csv")


def test_blank_truth_column_asks_for_the_ground_truth_file(write):
    with pytest.raises(UserError, match=r"'ground_truth_posterior' is blank; give .*--ground-truth"):
        read_answers(write(f"{HEADER}\n1,lab,S2MC,SS,,3\n2,lab,S2MC,SS,,3\n"))


@pytest.mark.parametrize("column", ["parsed_value", "video_type", "inference_type", "ground_truth_posterior"])
def test_missing_column_is_named_with_those_found(write, column):
    with pytest.raises(UserError, match=f"p.csv has no column '{column}'.*it has: 'id', 'video_source'"):
        read_answers(write(f"{HEADER}\n1,lab,S2MC,SS,4,3\n".replace(column, "other")))


def test_video_source_may_be_missing(write):
    answers = read_answers(
        write("video_type,inference_type,ground_truth_posterior,parsed_value\nS2MC,SS,4,3\n")
    )
    assert answers.codes.background.tolist() == ["C"]
    assert answers.ids.tolist() == ["row 1"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not a readable CSV: No columns"),
        ("\n\n", "not a readable CSV: No columns"),
        (HEADER + "\n", "has a header and no rows"),
        (HEADER + "\n1,lab,S2MC,SS,4,3\n2,lab,S2MC,SS,4,3,7,8\n", "not a readable CSV: .*line 3"),
        (HEADER + "\n1,lab,S2MC,SS,4,3,\n2,lab,S2MC,SS,4,3,\n", "more fields than the header"),
        (HEADER + '\n1,lab,S2MC,SS,4,"3\n', "not a readable CSV: .*EOF inside string"),
        (HEADER.replace(",", ";") + "\n1;lab;S2MC;SS;4;3\n", "no column 'parsed_value'.*commas, not ';'"),
        (HEADER.replace(",", "\t") + "\n1\tlab\tS2MC\tSS\t4\t3\n", "no column 'parsed_value'.*commas, not"),
        (HEADER.encode() + b"\n1,l\xe9b,S2MC,SS,4,3\n", "not a CSV in UTF-8"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "not a CSV in UTF-8"),
        (HEADER.encode("utf-16"), "not a CSV in UTF-8"),
        ('{"a": 1}', "no rows|no column"),
        (",".join(f"c{k}" for k in range(500)) + "\n" + "1," * 499 + "1\n", "'c15', and 484 more$"),
    ],
)
def test_bad_files_get_one_line(write, content, message):
    with pytest.raises(UserError, match=message) as caught:
        read_answers(write(content))
    assert "\n" not in str(caught.value)
    assert "p.csv" in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(UserError, match=r"cannot read .*gone.csv: No such file"):
        read_answers(tmp_path / "gone.csv")
    with pytest.raises(UserError, match=r"cannot read .*: Is a directory"):
        read_answers(tmp_path)


def test_byte_order_mark_crlf_and_newlines_in_quotes(write):
    rows = [HEADER + ",question", '1,lab,S2MC,SS,4,3,"two\r\nlines, and ""quotes"""', "2,lab,S2MC,SS,5,6,one"]
    answers = read_answers(write(b"\xef\xbb\xbf" + "\r\n".join(rows).encode() + b"\r\n"))
    assert answers.ids.tolist() == ["1", "2"]
    assert answers.prediction.tolist() == [3.0, 6.0]


# --- truths by id -------------------------------------------------------------------------------------


def predictions(*ids: str, truth: str = "1") -> str:
    return "\n".join([HEADER, *(f"{i},lab,S2MC,SS,{truth},3" for i in ids)]) + "\n"


def truths(*pairs: tuple[str, str], header: str = "id") -> str:
    return "\n".join([f"{header},ground_truth_posterior", *(f"{i},{t}" for i, t in pairs)]) + "\n"


def test_ground_truth_replaces_by_id_whatever_the_order(write):
    gt = write(truths(("2", "20"), ("1", "10"), header=""), "gt.csv")
    answers = read_answers(write(predictions("1", "2")), gt)
    assert answers.truth.tolist() == [10.0, 20.0]
    assert answers.warnings == ()


def test_ground_truth_works_for_the_template(write):
    ids = [str(k) for k in range(1, 51)]
    gt = write(truths(*((i, f"{i}.5") for i in ids)), "gt.csv")
    answers = read_answers(DATA / "submission_template_first_50.csv", gt)
    assert answers.truth.tolist() == [k + 0.5 for k in range(1, 51)]
    assert answers.blank.all()


@pytest.mark.parametrize("name", ["", "id", "Unnamed: 0", "Unnamed: 0.1"])
def test_id_columns(write, name):
    text = predictions("5").replace("id,", f"{name},", 1)
    assert read_answers(write(text), write(truths(("5", "7")), "gt.csv")).truth.tolist() == [7.0]


def test_ids_match_as_integers_or_as_text(write):
    gt = write(truths(("7.0", "1"), (" 8", "2"), ("09", "3"), ("ball_01", "4"), ("10", "5")), "gt.csv")
    answers = read_answers(write(predictions("7", "8", "9", "ball_01", "10.0")), gt)
    assert answers.truth.tolist() == [1, 2, 3, 4, 5]


def test_ids_missing_on_either_side_are_told(write):
    gt = write(truths(("1", "10"), ("3", "30"), ("4", "40")), "gt.csv")
    answers = read_answers(write(predictions("1", "2", "", truth="5")), gt)
    np.testing.assert_array_equal(answers.truth, [10, np.nan, np.nan])
    unknown, unused, without = answers.warnings
    assert unknown.startswith("1 id of ")
    assert unknown.endswith("gt.csv: 2")
    assert unused.startswith("2 ids of ")
    assert unused.endswith("p.csv; not scored: 3, 4")
    assert without == "2 rows without a numeric truth, left out of MRA: 2, row 3"


def test_no_common_id_is_an_error(write):
    with pytest.raises(UserError, match=r"none of the ids in .*p.csv is in .*gt.csv"):
        read_answers(write(predictions("1")), write(truths(("2", "3")), "gt.csv"))


@pytest.mark.parametrize("bad", ["predictions", "gt"])
def test_no_id_column_is_an_error(write, bad):
    p, gt = predictions("1"), truths(("1", "3"))
    p, gt = (p.replace("id,", "key,", 1), gt) if bad == "predictions" else (p, gt.replace("id,", "key,", 1))
    with pytest.raises(
        UserError, match=f"{bad[0]}.*csv has no column 'id' and no unnamed first column.*'key'"
    ):
        read_answers(write(p), write(gt, "gt.csv"))


def test_ground_truth_without_truths_names_the_column(write):
    with pytest.raises(
        UserError, match=r"gt.csv has no column 'ground_truth_posterior'; it has: 'id', 'value'"
    ):
        read_answers(write(predictions("1")), write("id,value\n1,2\n", "gt.csv"))


def test_repeated_ids_are_told_and_the_last_truth_counts(write):
    gt = write(truths(("1", "10"), ("1", "11"), ("2", "20")), "gt.csv")
    answers = read_answers(write(predictions("1", "2", "2")), gt)
    assert answers.truth.tolist() == [11, 20, 20]
    assert [w.split(" in ")[0] for w in answers.warnings] == ["1 id more than once"] * 2
    assert [w.rsplit(": ")[-1] for w in answers.warnings] == ["2", "1"]


def test_the_row_index_of_pandas_is_no_id_where_there_is_one(write):
    text = "," + predictions("8", "9").replace("\n8", "\n0,8").replace("\n9", "\n1,9")
    answers = read_answers(write(text), write(truths(("8", "80"), ("9", "90"), ("1", "5")), "gt.csv"))
    assert answers.truth.tolist() == [80, 90]


def test_two_different_id_columns_are_told(write):
    text = "," + predictions("8").replace("\n8", "\n21,8")
    answers = read_answers(write(text), write(truths(("8", "80"), ("21", "90")), "gt.csv"))
    assert answers.truth.tolist() == [90]
    assert "the first column counts" in answers.warnings[0]


# --- warnings -----------------------------------------------------------------------------------------


def test_warnings_count_and_show_the_first_ids(write):
    rows = [f"{k},lab,S2MC,SS,0,3" for k in range(1, 8)]
    rows += ["8,lab,S2MC,SS,,3", "9,lab,S2MC,SS,n/k,3", "10,lab,S2MC,SS,-2,3", "11,lab,S2MC,SS,inf,3"]
    rows += ["12,lab,S5MC,SS,1,3", "13,lab,S2MQ,SS,1,3", "14,lab,S2QC,SS,1,3"]
    assert read_answers(write("\n".join([HEADER, *rows]))).warnings == (
        "2 rows without a numeric truth, left out of MRA: 8, 9",
        "7 rows with a truth of zero, left out of MRA: 1, 2, 3, 4, 5, ...",
        "2 rows with a negative or infinite truth, where MRA is meaningless but kept: 10, 11",
        "1 row of no category (S2, D2, S3, D3), left out of MRA: 12",
        "1 row of no background (C, S, X): 13",
        "1 row of no object number (single, multiple): 14",
    )
