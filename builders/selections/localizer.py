"""A BLIP-2 model that says of a single frame whether it shows enough: SeViLA's Localizer.

Source: S. Yu, J. Cho, P. Yadav, M. Bansal, "Self-Chained Image-Language Model for Video Localization and
Question Answering" (arXiv:2305.06988); wording as in github.com/Yui010206/SeViLA. Its Localizer sees
"Frame: ", the image, "Question: ", a query, options and LOCALIZER_QUESTION, and scores the frame by the
probability of "yes" as the first token of the answer (its code ranks by that token's logit). For a query
that has no options it puts "Option A: yes. Option B: no." (mc_video_vqa_datasets.py, QVHighlights). The query
is here the instruction that conservationbench's annotators got as well (paper section 3.3).

SeViLA's language model is Flan-T5. For a decoder-only one (OPT) the image comes first and " Answer:" last, as
these checkpoints were trained.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physprobe.errors import UserError, unknown_name

INSTRUCTION = "extract the most complete set of frames that capture the entire process"
LOCALIZER_QUESTION = (
    "Does the information within the frame provide the necessary details "
    "to accurately answer the given question?"
)
PROMPT = f"Question: {INSTRUCTION}. Option A: yes. Option B: no. {LOCALIZER_QUESTION}"

DTYPES = ("float32", "bfloat16", "float16")

_PREFIX = "Frame: "
_SUFFIX = " Answer:"
# Evenly spaced values of each weight tensor that go into a fingerprint.
_SAMPLED = 1024


@dataclass(frozen=True)
class YesNo:
    """Probabilities of "yes" and of "no" as the first word of the answer, (n,) float64, over all tokens."""

    yes: NDArray[np.float64]
    no: NDArray[np.float64]


class Localizer:
    """A BLIP-2 checkpoint that scores frames, in evaluation mode: nothing is drawn.

    Attributes:
        selector: its id in selections files: the checkpoint's name and the start of ``fingerprint``.
        fingerprint: SHA-256 over the weights' names, shapes and a sample of their values.
        prompt: the text around the image, "<image>" for the image itself.
    """

    def __init__(self, name: str, model: Any, processor: Any, batch_size: int = 16) -> None:
        """Wrap a loaded model; :func:`load` loads one.

        Args:
            name: for ``selector``. model: a Blip2ForConditionalGeneration. processor: its Blip2Processor.
            batch_size: frames scored at a time.

        Raises:
            UserError: the tokenizer has no single token for "yes" or "no".
        """
        self._model, self._images, self._batch_size = model.eval(), processor.image_processor, batch_size
        self._answers_apart = bool(model.language_model.config.is_encoder_decoder)
        self.fingerprint = _fingerprint(model)
        self.selector = f"{name}@{self.fingerprint[:12]}"
        self.prompt = f"{_PREFIX}<image>{PROMPT}" if self._answers_apart else f"<image>{PROMPT}{_SUFFIX}"
        self._ids = self._input_ids(processor.tokenizer)
        self._answers = [self._answer_id(processor.tokenizer, word) for word in ("yes", "no")]

    def score(self, frames: Sequence[NDArray[np.uint8]]) -> YesNo:
        """Score frames, each by itself.

        Args:
            frames: (H, W, 3) uint8 sRGB each.

        Raises:
            UserError: the model gives no finite numbers, as Flan-T5 may in float16.
        """
        starts = range(0, len(frames), self._batch_size)
        batches = [self._score_batch(frames[k : k + self._batch_size]) for k in starts]
        scores = np.concatenate(batches) if batches else np.zeros((0, 2))
        if not np.isfinite(scores).all():
            raise UserError("the model's scores are not finite numbers: use --dtype float32 or bfloat16")
        return YesNo(scores[:, 0], scores[:, 1])

    def _score_batch(self, frames: Sequence[NDArray[np.uint8]]) -> NDArray[np.float64]:
        import torch

        model = self._model
        writable = [np.array(frame) for frame in frames]  # torch warns of others
        pixels = self._images(images=writable, return_tensors="pt")["pixel_values"]
        ids = torch.tensor([self._ids] * len(frames), device=model.device)
        inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        if self._answers_apart:
            start = torch.full((len(frames), 1), self._start_token(), device=model.device)
            inputs["decoder_input_ids"] = start
        with torch.inference_mode():
            logits = model(pixel_values=pixels.to(model.device, model.vision_model.dtype), **inputs).logits[
                :, -1
            ]
            return logits.double().softmax(dim=-1)[:, self._answers].cpu().numpy()

    def _start_token(self) -> int:
        config = self._model.language_model.config
        start = getattr(config, "decoder_start_token_id", None)
        return int(config.pad_token_id if start is None else start)

    def _input_ids(self, tokenizer: Any) -> list[int]:
        image = [self._image_token(tokenizer)] * self._model.config.num_query_tokens
        if self._answers_apart:
            prefix = tokenizer(_PREFIX, add_special_tokens=False)["input_ids"]
            return [*prefix, *image, *tokenizer(PROMPT)["input_ids"]]
        return [*image, *tokenizer(PROMPT + _SUFFIX)["input_ids"]]

    def _image_token(self, tokenizer: Any) -> int:
        """Return the id whose embedding the model replaces by the image's."""
        config = self._model.config
        if config.image_token_index is None:
            # Checkpoints from before transformers 4.46 reserve none; padding doesn't occur in the prompt.
            config.image_token_index = tokenizer.pad_token_id
        return int(config.image_token_index)

    def _answer_id(self, tokenizer: Any, word: str) -> int:
        before = "" if self._answers_apart else PROMPT + _SUFFIX
        after = word if self._answers_apart else f"{before} {word}"
        known, longer = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in (before, after))
        if len(longer) != len(known) + 1 or longer[:-1] != known:
            raise UserError(
                f"{self.selector}: its tokenizer has no single token for {word!r}; use another model"
            )
        return int(longer[-1])


def load(
    model: str, *, name: str = "", device: str = "auto", dtype: str = "float32", batch_size: int = 16
) -> Localizer:
    """Load a BLIP-2 checkpoint.

    Args:
        model: a Hub id, or a folder.
        name: for its selector; "" takes the Hub id, or the folder's own name.
        device: "auto" takes the GPU where there is one; else as torch names it ("cpu", "cuda:1").
        dtype: one of DTYPES. batch_size: frames scored at a time.

    Raises:
        UserError: torch or transformers is missing, there is no such device, or no such BLIP-2 checkpoint.
    """
    if dtype not in DTYPES:
        raise unknown_name("dtype", dtype, DTYPES)
    try:
        import torch
        import transformers
    except ImportError as error:
        raise UserError("a localizer needs torch and transformers: pip install 'physprobe[eval]'") from error
    place = _device(torch, device)
    processor, weights = _load(transformers, model, getattr(torch, dtype))
    shown = name or (Path(model).resolve().name if Path(model).exists() else model)
    return Localizer(shown, weights.to(place), processor, batch_size)


def _load(transformers: Any, model: str, dtype: Any) -> tuple[Any, Any]:
    from safetensors import SafetensorError

    try:
        kind = transformers.AutoConfig.from_pretrained(model).model_type
        if kind != "blip-2":
            raise UserError(f"{model} is a {kind} checkpoint, not a BLIP-2 one")
        processor = transformers.Blip2Processor.from_pretrained(model)
        weights, found = transformers.Blip2ForConditionalGeneration.from_pretrained(
            model, torch_dtype=dtype, output_loading_info=True
        )
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(f"can't load the BLIP-2 checkpoint {model}: {reason}") from error
    if found["missing_keys"]:  # transformers would go on with random ones
        raise UserError(f"the BLIP-2 checkpoint {model} lacks weights: {min(found['missing_keys'])}, ...")
    return processor, weights


def _device(torch: Any, device: str) -> Any:
    if device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        return torch.zeros(1, device=device).device
    except (RuntimeError, AssertionError) as error:
        raise UserError(f"no device {device!r} here: {str(error).splitlines()[0]}") from error


def _fingerprint(model: Any) -> str:
    digest = hashlib.sha256()
    for name, sample in _weight_samples(model):
        digest.update(f"{name} {sample.dtype}".encode())
        digest.update(sample.tobytes())
    return digest.hexdigest()


def _weight_samples(model: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    for name, tensor in sorted(model.state_dict().items()):
        flat = tensor.flatten()
        step = max(1, flat.numel() // _SAMPLED)
        yield f"{name} {tuple(tensor.shape)}", flat[::step].float().cpu().numpy()
