from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from physprobe.quantiphy.codes import read_codes

DATA = Path(__file__).parents[2] / "data" / "quantiphy"


def read(inference: str | None, video: str | None, source: str | None = "lab") -> tuple[str, str, str]:
    series = [pd.Series([value], dtype=str) for value in (inference, video, source)]
    codes = read_codes(*series)
    return str(codes.category[0]), str(codes.background[0]), str(codes.objects[0])


@pytest.mark.parametrize(
    ("inference", "video", "source", "expected"),
    [
        ("SS", "S2MC", "lab", ("S2", "C", "multiple")),
        ("DS", "V3SX", "lab", ("D3", "X", "single")),
        ("SD", "A2SS", "internet", ("S2", "S", "single")),
        ("DD", "A3MS", None, ("D3", "S", "multiple")),
        # Exactly 'segmentation' is background X; the release's misspelling and other cases keep their code.
        ("SS", "S2MC", "segmentation", ("S2", "X", "multiple")),
        ("SS", "S2MX", "segmentation", ("S2", "X", "multiple")),
        ("SS", "S2MC", "segmentaion", ("S2", "C", "multiple")),
        ("SS", "S2MC", "Segmentation", ("S2", "C", "multiple")),
        ("SS", "S2MC", "segmentation ", ("S2", "C", "multiple")),
        # What a code does not say stays empty.
        ("SS", "S2MQ", "lab", ("S2", "", "multiple")),
        ("SS", "S2QC", "lab", ("S2", "C", "")),
        ("SS", "S4MC", "lab", ("", "C", "multiple")),
        ("XS", "S2MC", "lab", ("", "C", "multiple")),
        ("ss", "s2mc", "lab", ("", "", "")),
        (None, "S2MC", "lab", ("", "C", "multiple")),
        ("SS", None, "segmentation", ("", "", "")),
        ("SS", "S", "lab", ("", "S", "")),
        # Letter by letter, as the published evaluator: the last letter is the background at any length.
        ("SS", "S2M", "segmentation", ("S2", "X", "")),
        ("SS", "S2MCC", "lab", ("S2", "C", "multiple")),
    ],
)
def test_reads_letter_by_letter(inference, video, source, expected):
    assert read(inference, video, source) == expected


def test_needs_no_source():
    codes = read_codes(pd.Series(["SS"]), pd.Series(["S2MC"]))
    assert codes.background.tolist() == ["C"]


def test_reads_every_code_of_the_released_validation_file():
    table = pd.read_csv(DATA / "validation.csv", dtype=str)
    codes = read_codes(table["inference_type"], table["video_type"], table["video_source"])
    counts = pd.crosstab(codes.category, codes.background).stack().to_dict()
    assert counts == {
        ("S2", "C"): 18, ("S2", "S"): 8, ("S2", "X"): 6,
        ("D2", "C"): 29, ("D2", "S"): 4, ("D2", "X"): 4,
        ("S3", "C"): 11, ("S3", "S"): 13, ("S3", "X"): 19,
        ("D3", "C"): 39, ("D3", "S"): 0, ("D3", "X"): 8,
    }  # fmt: skip
    assert pd.Series(codes.objects).value_counts().to_dict() == {"multiple": 123, "single": 36}
