"""The tiny VLMs: every frame must reach the model, through lmms-eval's own adapters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from physprobe.conservation.prompts import interleave
from physprobe.errors import UserError
from physprobe.harness.tiny_vlm import Architecture, app, make

pytestmark = pytest.mark.slow

NUM_FRAMES = 7
ADAPTERS = {Architecture.QWEN2_5_VL: "qwen2_5_vl", Architecture.LLAVA: "llava_hf"}


@pytest.fixture(scope="module", params=list(Architecture), ids=lambda a: a.value)
def architecture(request: pytest.FixtureRequest) -> Architecture:
    return request.param


@pytest.fixture(scope="module")
def folder(architecture: Architecture, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tiny") / architecture.value
    make(architecture, out)
    return out


@pytest.fixture(scope="module")
def offline() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("socket.socket.connect", _no_network)
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield


def _no_network(*args: object) -> None:
    raise AssertionError(f"network access: {args}")


def load(folder: Path, architecture: Architecture, batch_size: int = 1) -> Any:
    from lmms_eval.models import get_model

    # Qwen's adapter would enlarge the small test images to 256 visual tokens each.
    extra = {"min_pixels": 56 * 56} if architecture is Architecture.QWEN2_5_VL else {}
    model = get_model(ADAPTERS[architecture])
    return model(pretrained=str(folder), device="cpu", device_map="cpu", batch_size=batch_size, **extra)


@pytest.fixture(scope="module")
def adapter(architecture: Architecture, folder: Path, offline: None) -> Any:
    return load(folder, architecture)


def frames(seed: int) -> list[Image.Image]:
    pixels = np.random.default_rng(seed).integers(0, 256, (NUM_FRAMES, 56, 84, 3), dtype=np.uint8)
    return [Image.fromarray(frame) for frame in pixels]


def ask(adapter: Any, questions: list[list[Image.Image]]) -> tuple[list[str], list[dict[str, Any]]]:
    """Send one question per list of frames; return the answers, and what ``generate`` was given each time."""
    from lmms_eval.api.instance import Instance

    def messages(row: dict[str, Any]) -> list[dict[str, Any]]:
        parts = interleave(NUM_FRAMES, f"Question {row['id']}")
        content = [
            {"type": "text", "text": part}
            if isinstance(part, str)
            else {"type": "image", "url": row["frames"][part]}
            for _, part in parts
        ]
        return [{"role": "user", "content": content}]

    adapter.task_dict = {"t": {"test": [{"id": k, "frames": shown} for k, shown in enumerate(questions)]}}
    options = {"max_new_tokens": 4, "until": [], "temperature": 0.0, "do_sample": False}
    requests = [
        Instance(
            "generate_until",
            (f"{k}", messages, dict(options), k, "t", "test"),
            0,
            {"task": "t", "doc_id": k, "repeats": 1},
        )
        for k in range(len(questions))
    ]
    given: list[dict[str, Any]] = []
    generate = adapter.model.generate

    def recording(**inputs: Any) -> Any:
        given.append(inputs)
        return generate(**inputs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adapter.model, "generate", recording)
        answers = [result.text for result in adapter.generate_until(requests)]
    return answers, given


def logits(adapter: Any, inputs: dict[str, Any]) -> np.ndarray:
    import torch

    names = ("input_ids", "attention_mask", "pixel_values", "image_grid_thw", "mm_token_type_ids")
    with torch.no_grad():
        found = adapter.model(**{name: inputs[name] for name in names if name in inputs}).logits
    return found[:, -1].float().numpy()


def test_every_frame_reaches_the_model(adapter: Any, architecture: Architecture) -> None:
    _, given = ask(adapter, [frames(0), frames(1)])
    one, other = given
    if architecture is Architecture.QWEN2_5_VL:
        assert one["image_grid_thw"].shape == (NUM_FRAMES, 3)
        assert len(one["pixel_values"]) == one["image_grid_thw"].prod(dim=1).sum()
    else:
        assert one["pixel_values"].shape[0] == NUM_FRAMES
    rows = len(one["pixel_values"]) // NUM_FRAMES  # of one frame: all are of one size
    baseline = logits(adapter, one)
    for k in range(NUM_FRAMES):
        pixels = one["pixel_values"].clone()
        pixels[k * rows : (k + 1) * rows] = other["pixel_values"][k * rows : (k + 1) * rows]
        assert not pixels.equal(one["pixel_values"])
        changed = logits(adapter, {**one, "pixel_values": pixels})
        assert np.abs(changed - baseline).max() > 1e-3, f"frame {k} makes no difference"


def test_frames_and_labels_are_interleaved(adapter: Any, architecture: Architecture) -> None:
    _, (given,) = ask(adapter, [frames(0)])
    text = adapter.tokenizer.decode(given["input_ids"][0])
    pad = "<|image_pad|>" if architecture is Architecture.QWEN2_5_VL else "<image>"
    words = text.replace("<|vision_start|>", "").replace("<|vision_end|>", "")
    while pad + pad in words:
        words = words.replace(pad + pad, pad)
    labelled = "".join(f"Frame {k + 1}: {pad}" for k in range(NUM_FRAMES))
    assert f"<|im_start|>user\n{labelled}Question 0<|im_end|>\n<|im_start|>assistant\n" in words


def test_batches_give_the_answers_of_single_questions(tmp_path: Path) -> None:
    """Of Qwen2.5-VL: lmms-eval's llava_hf takes one question at a time."""
    make(Architecture.QWEN2_5_VL, tmp_path / "tiny")
    questions = [frames(seed) for seed in range(3)]
    singles, given = ask(load(tmp_path / "tiny", Architecture.QWEN2_5_VL), questions)
    assert len(given) == 3
    answers, given = ask(load(tmp_path / "tiny", Architecture.QWEN2_5_VL, batch_size=2), questions)
    assert [len(inputs["input_ids"]) for inputs in given] == [2, 1]
    assert answers == singles


def test_same_seed_same_files(folder: Path, architecture: Architecture, tmp_path: Path) -> None:
    make(architecture, tmp_path / "again")
    make(architecture, tmp_path / "other", seed=1)
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted(path.name for path in (tmp_path / "again").iterdir())
    for name in names:
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes(), name
    weights = "model.safetensors"
    assert (tmp_path / "other" / weights).read_bytes() != (folder / weights).read_bytes()


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from physprobe.cli.runner import run

    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(UserError, match="not empty"):
        make(Architecture.LLAVA, tmp_path)
    assert run(app, ["--arch", "llava", "--out", str(tmp_path)]) == 2
    assert "not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
