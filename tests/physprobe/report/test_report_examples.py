"""Examples: what is written for the page to load."""

from __future__ import annotations

import io
import json

import datasets
import pytest
from PIL import Image

from physprobe import data
from physprobe.analysis.answers import load_answers
from physprobe.errors import UserError
from physprobe.report.examples.clips import clip_pictures, frame_name, why_no_pictures
from physprobe.report.examples.conservation import examples
from physprobe.report.examples.writing import CHUNK, write_examples
from physprobe.report.model import Answered, Box, Example, Examples, Picture, ReportOptions
from tests.support.conservation_rows import clips
from tests.support.saved_answers import both_twins, save_run


def item(number: int, **changes) -> Example:
    made = {
        "key": f"q{number}",
        "facets": {"domain": "number" if number % 2 else "size"},
        "prompt": "Which?",
        "truth": "A",
        "pictures": (),
        "answers": (Answered("m", "raw", "A", number % 3 == 0), Answered("n", None, "", None)),
    }
    return Example(**{**made, **changes})


def called(path) -> list:
    text = path.read_text()
    return json.loads(f"[{text[text.index('(') + 1 : text.rindex(')')]}]")


def nothing(names):
    return iter(())


def test_items_lie_in_chunks_and_the_index_says_which_fit(tmp_path):
    count = CHUNK + 3
    items = (item(number) for number in range(count))
    assert write_examples("b", Examples(("m", "n"), items, nothing), tmp_path / "x") == count
    part, index = called(tmp_path / "x/index.js")
    assert (part, index["count"], index["models"]) == ("b", count, ["m", "n"])
    (facet,) = index["facets"]
    assert [facet["levels"][ord(code) - 48] for code in facet["codes"][:3]] == ["size", "number", "size"]
    assert index["verdicts"][0][:4] == "rwwr"
    assert set(index["verdicts"][1]) == {"u"}
    assert [len(called(tmp_path / f"x/{number:04d}.js")[2]) for number in (0, 1)] == [CHUNK, 3]


def test_only_names_that_stay_in_the_folder_are_written(tmp_path):
    names = ("../out", "a/b", ".hidden", "clip-001")
    asked = []

    def pictures(needed):
        asked.extend(needed)
        return ((name, b"jpeg") for name in needed)

    boxes = (Box("law", (0.1, 0.2, 0.3, 0.4), true=True),)
    shown = tuple(Picture(name, "frame", boxes) for name in names)
    write_examples("b", Examples(("m",), [item(0, pictures=shown)], pictures), tmp_path / "x")
    assert asked == ["clip-001"]
    assert [path.name for path in (tmp_path / "x/pictures").iterdir()] == ["clip-001.jpg"]
    _, _, (told,) = called(tmp_path / "x/0000.js")
    assert told["pictures"][0]["boxes"] == [["law", 0.1, 0.2, 0.3, 0.4, True]]


def test_answers_are_shown_as_said_and_as_read(tmp_path, monkeypatch):
    monkeypatch.delenv(data.VARIABLE, raising=False)
    save_run(tmp_path / "a", "sound", {"conservation_full": both_twins()})
    save_run(tmp_path / "b", "odd", {"conservation_full": both_twins()}, lambda row: "Hm " * 3000)
    made = examples(load_answers([tmp_path]), ReportOptions())
    found = list(made.items)
    assert len(found) == 8
    assert made.models == ("odd", "sound")
    odd, sound = found[0].answers
    assert sound.parsed.startswith("(")
    assert sound.right is True
    assert "read by rule" in sound.score
    assert odd.parsed == ""
    assert odd.right is None
    assert "more characters in the samples file" in odd.raw
    assert found[0].prompt.endswith(tuple(f"({letter}) {text}" for letter, text in [_last(found[0].prompt)]))
    assert "set PHYSPROBE_DATA" in made.notes[-1]


def _last(prompt: str) -> tuple[str, str]:
    letter, _, text = prompt.splitlines()[-1][1:].partition(") ")
    return letter, text


def test_models_can_be_chosen(tmp_path):
    for model in "abcdefgh":
        save_run(tmp_path / model, model, {"conservation_full": both_twins()})
    answers = load_answers([tmp_path])
    made = examples(answers, ReportOptions())
    assert len(made.models) == 6
    assert "6 of 8 models" in made.notes[0]
    assert examples(answers, ReportOptions(example_models=("h", "b"))).models == ("h", "b")
    with pytest.raises(UserError, match="unknown model 'z'"):
        examples(answers, ReportOptions(example_models=("z",)))


def test_frames_come_from_the_dataset(tmp_path, monkeypatch):
    table = clips(tmp_path, "v1", "v2").table
    rows = [{"video_id": name, **row} for name, row in zip(("v1", "v2"), table, strict=True)]
    monkeypatch.setattr(data, "load_config", lambda *_: datasets.Dataset.from_list(rows))
    wanted = frozenset(
        {frame_name("v2", 0), frame_name("v2", 5), frame_name("v2", 99), frame_name("gone", 0)}
    )
    found = dict(clip_pictures("conservationbench", wanted))
    assert set(found) == {"v2-000", "v2-005"}
    shades = [Image.open(io.BytesIO(found[name])).convert("L").getpixel((9, 9)) for name in sorted(found)]
    assert shades == [pytest.approx(1, abs=4), pytest.approx(101, abs=4)]


def test_pictures_of_another_version_are_not_shown(tmp_path, monkeypatch):
    folder = tmp_path / "conservationbench"
    folder.mkdir()
    monkeypatch.setenv(data.VARIABLE, str(tmp_path))
    assert why_no_pictures("conservationbench", {"1.0.0"}) == ""
    (folder / "manifest.json").write_text(json.dumps({"dataset_version": "2.0.0", "configs": {}}))
    assert "holds version 2.0.0 of conservationbench, answers are of 1.0.0" in why_no_pictures(
        "conservationbench", {"1.0.0", ""}
    )
    assert why_no_pictures("conservationbench", {"2.0.0"}) == ""
    assert why_no_pictures("conservationbench", {""}) == ""
    monkeypatch.setenv(data.VARIABLE, str(tmp_path / "none"))
    assert why_no_pictures("conservationbench", set())
