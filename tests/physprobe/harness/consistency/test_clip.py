from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from physprobe.consistency.reading import read_diagnosis
from physprobe.consistency.vocabulary import LABELS
from physprobe.errors import UserError
from physprobe.harness.consistency.clip import Clip, descriptions
from tests.support.tiny_clip import make_tiny_clip

TASK = "physical_consistency_standard"


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_clip(tmp_path_factory.mktemp("clip") / "tiny")


@pytest.fixture(scope="module")
def images() -> list[Image.Image]:
    rng = np.random.default_rng(0)
    blocks = [rng.integers(0, 256, (2, 2, 3), dtype=np.uint8) for _ in range(9)]
    return [Image.fromarray(each.repeat(20, axis=0).repeat(20, axis=1)) for each in blocks]


def test_there_is_a_description_for_each_label() -> None:
    assert len(set(descriptions())) == len(LABELS) == 11


def test_labels_are_those_of_the_largest_cosine(checkpoint: Path, images: list[Image.Image]) -> None:
    import torch
    from transformers import CLIPModel, CLIPProcessor

    model, processor = CLIPModel.from_pretrained(checkpoint), CLIPProcessor.from_pretrained(checkpoint)
    given = processor(text=descriptions(), images=images, return_tensors="pt", padding=True)
    with torch.inference_mode():
        out = model(**given)
    picture, text = (
        torch.nn.functional.normalize(part, dim=-1) for part in (out.image_embeds, out.text_embeds)
    )
    expected = [LABELS[k] for k in (picture @ text.T).argmax(dim=-1).tolist()]
    assert len(set(expected)) > 1, "the random weights must tell images apart"
    assert Clip(pretrained=str(checkpoint), device="cpu").label(images) == expected


def test_it_answers_in_the_form_that_is_asked_for_in_any_batches(
    checkpoint: Path, images: list[Image.Image]
) -> None:
    answers = []
    for size in (1, 4):
        model = Clip(pretrained=str(checkpoint), batch_size=size, device="cpu")
        model.task_dict = {TASK: {"test": [{"image": image} for image in images]}}
        requests: list[Any] = [
            SimpleNamespace(args=("", _messages, {}, k, TASK, "test")) for k in range(len(images))
        ]
        answers.append([result.text for result in model.generate_until(requests)])
    assert answers[0] == answers[1]
    read = [read_diagnosis(answer) for answer in answers[0]]
    assert all(each.valid for each in read)
    assert [each.category for each in read] == model.label(images)


def test_wrong_use_is_told(checkpoint: Path, tmp_path: Path) -> None:
    for arguments, message in [
        ({}, "needs a checkpoint: --model_args pretrained="),
        ({"pretrained": "x", "seed": 1}, "unknown model argument 'seed'"),
        ({"pretrained": str(tmp_path / "none"), "device": "cpu"}, "can't load pretrained="),
        ({"pretrained": str(checkpoint), "dtype": "floaty", "device": "cpu"}, "dtype 'floaty'"),
    ]:
        with pytest.raises(UserError, match=message):
            Clip(**arguments)  # type: ignore[arg-type]
    model = Clip(pretrained=str(checkpoint), device="cpu")
    request: Any = SimpleNamespace(args=("", _messages, {}, 0, "conservation_number", "test"))
    with pytest.raises(UserError, match="can't answer task 'conservation_number'"):
        model.generate_until([request])


def _messages(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"role": "user", "content": [{"type": "image", "url": row["image"]}, {"type": "text", "text": "?"}]}
    ]
