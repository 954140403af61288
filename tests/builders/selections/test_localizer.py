from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from builders.selections.localizer import PROMPT, load
from physprobe.errors import UserError
from tests.support.tiny_blip2 import BACKBONES, QUERIES, save_tiny_blip2

# What SeViLA's localizer reads for a query without options, word by word.
SEVILA = (
    "Question: extract the most complete set of frames that capture the entire process. "
    "Option A: yes. Option B: no. "
    "Does the information within the frame provide the necessary details to accurately answer the given "
    "question?"
)


@pytest.fixture(scope="module")
def frames() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.integers(0, 256, (48, 64, 3), dtype=np.uint8) for _ in range(7)]


def generated(folder: Path, backbone: str, frame: np.ndarray) -> np.ndarray:
    """Let transformers itself begin an answer; return the probability of each token as its first."""
    processor = transformers.Blip2Processor.from_pretrained(folder)
    model = transformers.Blip2ForConditionalGeneration.from_pretrained(folder)
    text = SEVILA if backbone == "t5" else f"{SEVILA} Answer:"
    inputs = processor(images=frame, text=text, return_tensors="pt")
    if backbone == "t5":
        prefix = processor.tokenizer("Frame: ", add_special_tokens=False, return_tensors="pt")
        for name in ("input_ids", "attention_mask"):
            inputs[name] = torch.cat([prefix[name], inputs[name]], dim=1)
    answer = model.generate(
        **inputs, max_new_tokens=1, do_sample=False, output_scores=True, return_dict_in_generate=True
    )
    return answer.scores[0][0].double().softmax(-1).numpy()


def test_the_prompt_is_sevilas():
    assert PROMPT == SEVILA


@pytest.mark.parametrize("backbone", BACKBONES)
def test_scores_are_what_generation_would_begin_with(checkpoints, frames, backbone):
    tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoints[backbone])
    space = {"opt": "Ġ", "t5": "▁"}[backbone]
    yes, no = (tokenizer.convert_tokens_to_ids(space + word) for word in ("yes", "no"))
    assert tokenizer.unk_token_id not in (yes, no)
    scores = load(str(checkpoints[backbone]), device="cpu").score(frames[:3])
    for k, frame in enumerate(frames[:3]):
        expected = generated(checkpoints[backbone], backbone, frame)
        assert scores.yes[k] == pytest.approx(expected[yes], rel=1e-4)
        assert scores.no[k] == pytest.approx(expected[no], rel=1e-4)


@pytest.mark.parametrize("backbone", BACKBONES)
def test_each_frame_is_scored_by_itself(checkpoints, frames, backbone):
    folder = str(checkpoints[backbone])
    batches = [load(folder, device="cpu", batch_size=size).score(frames) for size in (1, 3, 16)]
    for other in batches[1:]:
        np.testing.assert_allclose(other.yes, batches[0].yes, rtol=1e-5)
        np.testing.assert_allclose(other.no, batches[0].no, rtol=1e-5)
    assert len({f"{score:.4g}" for score in batches[0].yes}) == len(frames)


@pytest.mark.parametrize("backbone", BACKBONES)
def test_scores_repeat_exactly(checkpoints, frames, backbone):
    first, second = (load(str(checkpoints[backbone]), device="cpu").score(frames) for _ in range(2))
    np.testing.assert_array_equal(first.yes, second.yes)


def test_no_frames_no_scores(localizer):
    assert localizer.score([]).yes.shape == (0,)


@pytest.mark.parametrize("backbone", BACKBONES)
def test_checkpoints_without_an_image_token_score_the_same(tmp_path, checkpoints, frames, backbone):
    old = save_tiny_blip2(tmp_path / "old", backbone, legacy=True)
    assert json.loads((old / "config.json").read_text())["image_token_index"] is None
    np.testing.assert_allclose(
        load(str(old), device="cpu").score(frames).yes,
        load(str(checkpoints[backbone]), device="cpu").score(frames).yes,
        rtol=1e-6,
    )


@pytest.mark.parametrize("backbone", BACKBONES)
def test_half_precision_is_close(checkpoints, frames, backbone):
    exact, half = (
        load(str(checkpoints[backbone]), device="cpu", dtype=dtype).score(frames)
        for dtype in ("float32", "bfloat16")
    )
    np.testing.assert_allclose(half.yes, exact.yes, rtol=0.1)
    assert (half.yes != exact.yes).any()


def test_the_selector_names_the_checkpoint_and_its_weights(tmp_path, checkpoints):
    one = load(str(checkpoints["t5"]), device="cpu")
    again = load(str(shutil.copytree(checkpoints["t5"], tmp_path / "copy")), device="cpu", name="org/t5")
    other = load(str(save_tiny_blip2(tmp_path / "other", "t5", seed=1)), device="cpu")
    assert one.selector == f"t5@{one.fingerprint[:12]}"
    assert again.selector == f"org/t5@{one.fingerprint[:12]}"
    assert other.fingerprint != one.fingerprint


def test_the_image_takes_as_many_tokens_as_there_are_queries(localizer):
    assert localizer._ids.count(localizer._model.config.image_token_index) == QUERIES


@pytest.mark.parametrize("backbone", BACKBONES)
@pytest.mark.parametrize("knows", [("no",), ("yes",)])
def test_a_tokenizer_without_the_words_is_refused(tmp_path, backbone, knows):
    folder = save_tiny_blip2(tmp_path / "wordless", backbone, knows=knows)
    missing = {"yes": "no", "no": "yes"}[knows[0]]
    with pytest.raises(UserError, match=f"no single token for '{missing}'"):
        load(str(folder), device="cpu")


def test_scores_that_are_no_numbers_are_refused(tmp_path, checkpoints, frames):
    broken = load(str(checkpoints["t5"]), device="cpu")
    with torch.no_grad():
        broken._model.language_projection.weight.fill_(float("nan"))
    with pytest.raises(UserError, match="not finite"):
        broken.score(frames)


def test_what_can_not_be_loaded_is_refused(tmp_path, checkpoints):
    empty = tmp_path / "empty"
    empty.mkdir()
    other = tmp_path / "other"
    transformers.OPTConfig(hidden_size=8).save_pretrained(other)
    damaged = Path(shutil.copytree(checkpoints["opt"], tmp_path / "damaged"))
    weights = damaged / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    lacking = Path(shutil.copytree(checkpoints["opt"], tmp_path / "lacking"))
    drop_weight(lacking, "language_projection.bias")
    for folder, told in (
        (empty, "can't load the BLIP-2 checkpoint"),
        (other, "is a opt checkpoint, not a BLIP-2 one"),
        (damaged, "can't load the BLIP-2 checkpoint"),
        (lacking, "lacks weights: language_projection.bias"),
    ):
        with pytest.raises(UserError, match=told):
            load(str(folder), device="cpu")


def drop_weight(folder: Path, name: str) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    del weights[name]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def test_unknown_devices_and_types_are_refused(checkpoints):
    with pytest.raises(UserError, match="no device 'nowhere' here"):
        load(str(checkpoints["t5"]), device="nowhere")
    with pytest.raises(UserError, match="int8"):
        load(str(checkpoints["t5"]), dtype="int8")
