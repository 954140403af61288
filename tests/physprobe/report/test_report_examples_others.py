"""Examples of quantiphy and of physical consistency."""

from __future__ import annotations

import io
import json

import datasets
import numpy as np
import pytest
from PIL import Image

from physprobe import data
from physprobe.analysis.answers import load_answers
from physprobe.report.examples import consistency, quantiphy
from physprobe.report.examples.clips import image_pictures
from physprobe.report.model import ReportOptions
from tests.support.consistency_answers import BOX, floating, right, save_consistency, silent
from tests.support.saved_quantiphy import asked, save_quantiphy


@pytest.fixture
def dataset(tmp_path, monkeypatch):
    """A place where datasets seem to be, so that pictures are named."""
    for name in ("quantiphy", "physical-consistency"):
        (tmp_path / "data" / name).mkdir(parents=True)
    monkeypatch.setenv(data.VARIABLE, str(tmp_path / "data"))


def test_a_quantity_is_shown_with_its_unit_its_score_and_few_frames(tmp_path, dataset):
    tasks = {"quantiphy_s2": [asked(number) for number in range(6)]}
    save_quantiphy(tmp_path / "a", "half", tasks, lambda row: f"about {row['truth'] / 2} m")
    save_quantiphy(tmp_path / "b", "mute", tasks, lambda row: "no idea")
    made = quantiphy.examples(load_answers([tmp_path], "quantiphy"), ReportOptions())
    items = list(made.items)
    assert [item.key for item in items] == [f"q{number:03d}" for number in range(6)]
    half, mute = items[0].answers
    assert (half.model, half.raw, half.parsed, half.right) == ("half", "about 1.0 m", "1 m", None)
    assert half.score.startswith("MRA 0.")
    assert (mute.parsed, mute.raw) == ("", "no idea")
    assert items[0].truth == "2 m"
    assert items[0].facets["category"] == "S2"
    names = [picture.name for picture in items[0].pictures]
    assert len(names) == 8
    assert (names[0], names[-1]) == ("v000-000", "v000-011")


def test_a_diagnosis_is_shown_with_true_and_predicted_boxes(tmp_path, dataset):
    save_consistency(tmp_path, {"good": right, "odd": floating, "mute": silent}, families=2)
    made = consistency.examples(load_answers([tmp_path], "consistency"), ReportOptions())
    items = {item.key: item for item in made.items}
    assert len(items) == 3 * 2 * 11
    item = items["standard_0__missing_reflection"]
    (picture,) = item.pictures
    boxes = {box.label: (box.bounds, box.true) for box in picture.boxes}
    assert boxes["truth"] == (tuple(BOX), True)
    assert boxes["odd"] == ((0, 0, 1, 1), False)
    told = {answer.model: answer for answer in item.answers}
    assert told["good"].right is True
    assert told["good"].score == "box IoU 1.00"
    assert told["odd"].right is False
    assert told["mute"].parsed == ""
    clean = items["intervention_1__clean"]
    assert clean.facets["mechanism"] == "–"
    assert [box.label for box in clean.pictures[0].boxes] == ["odd"]


def test_images_come_from_the_dataset(monkeypatch):
    image = Image.fromarray(np.full((600, 800, 3), 90, np.uint8))
    rows = {"image": [image, image], "image_id": ["a", "b"]}
    features = datasets.Features({"image": datasets.Image(), "image_id": datasets.Value("string")})
    table = datasets.Dataset.from_dict(rows, features=features)
    monkeypatch.setattr(data, "load_config", lambda *_: table)
    found = dict(image_pictures("d", "default", ["test"], "image_id", frozenset({"b", "c"})))
    assert list(found) == ["b"]
    assert Image.open(io.BytesIO(found["b"])).size == (640, 480)


def test_the_index_offers_only_what_occurs(tmp_path, dataset):
    from physprobe.report.examples.writing import write_examples
    from physprobe.report.model import Examples

    save_quantiphy(tmp_path / "a", "half", {"quantiphy_s2": [asked(number) for number in range(3)]})
    made = quantiphy.examples(load_answers([tmp_path / "a"], "quantiphy"), ReportOptions())
    write_examples("quantiphy", Examples(made.models, made.items, lambda _: iter(())), tmp_path / "out")
    text = (tmp_path / "out/index.js").read_text()
    (index,) = json.loads(f"[{text[text.index('{') : text.rindex('}') + 1]}]")
    assert index["verdicts"] == ["---"]
