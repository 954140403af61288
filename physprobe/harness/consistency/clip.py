"""``physprobe_clip``: zero-shot CLIP, the paper's reference without a language model (section 6, Baselines).

An image gets the label whose description it is most similar to, by the cosine of CLIP's embeddings of image
and text, out of eleven. CLIP tells neither place nor reason, so the box is the whole image.

Example: lmms_eval --model physprobe_clip --model_args pretrained=openai/clip-vit-large-patch14 \
    --tasks physical_consistency --batch_size 32 --log_samples --output_path results
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lmms_eval.api.instance import GenerationResult, Instance
from tqdm import tqdm  # type: ignore[import-untyped]

from physprobe.consistency.vocabulary import CATEGORIES, CLEAN, CLEAN_DESCRIPTION, LABELS, Label
from physprobe.errors import UserError
from physprobe.harness import catalog
from physprobe.harness.consistency.references import without_place
from physprobe.harness.reference_models import ReferenceModel

if TYPE_CHECKING:
    from PIL.Image import Image

BENCHMARK = "physprobe.harness.consistency"


def descriptions() -> list[str]:
    """Return what images are compared with, in the order of the labels."""
    return [CLEAN_DESCRIPTION if label == CLEAN else CATEGORIES[label].description for label in LABELS]


class Clip(ReferenceModel):
    """Any CLIP checkpoint that transformers loads, from a folder or the Hub."""

    kind = "clip"

    def __init__(
        self,
        pretrained: str = "",
        revision: str = "main",
        dtype: str = "float32",
        batch_size: int | str | None = None,
        max_batch_size: int | None = None,
        device: str | None = None,
        **unknown: object,
    ) -> None:
        """Load the checkpoint.

        Raises:
            UserError: an argument is wrong or missing, or the checkpoint can't be loaded.
        """
        if unknown:
            valid = "pretrained, revision, dtype"
            raise UserError(f"physprobe_clip: unknown model argument {min(unknown)!r}; valid: {valid}")
        if not pretrained:
            raise UserError(
                "physprobe_clip needs a checkpoint: --model_args pretrained=openai/clip-vit-large-patch14"
            )
        super().__init__()
        self.batch_size = int(str(batch_size)) if str(batch_size).isdecimal() else 1
        self._place = device or str(self.device)
        self._model, self._processor = _load(pretrained, revision, dtype, self._place)

    def told(self, row: Any) -> dict[str, Any]:
        """Return nothing: this model knows only what it is shown."""
        return {}

    def generate_until(self, requests: list[Instance]) -> list[GenerationResult]:
        """Answer each request with the label of its image."""
        answers: list[GenerationResult] = []
        with tqdm(total=len(requests), desc="Model Responding", disable=self.rank != 0) as progress:
            for batch in _batches(requests, self.batch_size):
                labels = self.label([self._image(*request.args) for request in batch])
                answers += [GenerationResult(text=without_place(label)) for label in labels]
                progress.update(len(batch))
        return answers

    def label(self, images: Sequence[Image]) -> list[Label]:
        """Return the label of each image."""
        import torch

        texts = descriptions()
        given = self._processor(
            text=texts, images=list(images), return_tensors="pt", padding=True, truncation=True
        )
        placed = {
            name: value.to(self._place, self._model.dtype if value.is_floating_point() else None)
            for name, value in given.items()
        }
        with torch.inference_mode():
            similar = self._model(**placed).logits_per_image  # cosines, times one positive number
        return [LABELS[k] for k in similar.argmax(dim=-1).tolist()]

    def _image(
        self, context: str, doc_to_messages: Any, gen_kwargs: dict, doc_id: int, task: str, split: str
    ) -> Image:
        if task not in catalog.task_files() or catalog.benchmark_module(task).__name__ != BENCHMARK:
            raise UserError(f"physprobe_clip can't answer task {task!r}, only those of physical_consistency")
        (message,) = doc_to_messages(self.task_dict[task][split][doc_id])
        (image,) = [part["url"] for part in message["content"] if part["type"] == "image"]
        return image


def _batches(requests: Sequence[Instance], size: int) -> Iterator[Sequence[Instance]]:
    for start in range(0, len(requests), size):
        yield requests[start : start + size]


def _load(pretrained: str, revision: str, dtype: str, place: str) -> tuple[Any, Any]:
    import torch
    from transformers import AutoModel, AutoProcessor

    kind = getattr(torch, dtype, None)
    if not isinstance(kind, torch.dtype):
        raise UserError(f"physprobe_clip: dtype {dtype!r} is none of torch's, such as float32 or float16")
    try:
        model = AutoModel.from_pretrained(pretrained, revision=revision, dtype=kind)
        processor = AutoProcessor.from_pretrained(pretrained, revision=revision)
    except (OSError, ValueError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise UserError(f"physprobe_clip can't load pretrained={pretrained}: {reason}") from error
    if not hasattr(model, "logit_scale"):
        raise UserError(
            f"physprobe_clip: {pretrained} is a {type(model).__name__}, which compares no images with texts"
        )
    return model.eval().to(place), processor
