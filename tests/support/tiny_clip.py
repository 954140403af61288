"""A CLIP of true architecture with tiny random weights, made from a configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from physprobe.harness.consistency.clip import descriptions

_SIZE = 32


def make_tiny_clip(folder: Path, seed: int = 0) -> Path:
    """Write a checkpoint that transformers loads like any downloaded one."""
    import torch
    import transformers

    transformers.logging.set_verbosity_error()
    tokenizer = _tokenizer(transformers)
    tower = {
        "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
        "initializer_factor": 8.0, "projection_dim": 16,
    }  # fmt: skip
    special = {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 1}
    config = transformers.CLIPConfig(
        text_config={**tower, **special, "vocab_size": len(tokenizer), "max_position_embeddings": 77},
        vision_config={**tower, "image_size": _SIZE, "patch_size": 8},
        projection_dim=16,
    )
    torch.manual_seed(seed)
    transformers.CLIPModel(config).save_pretrained(folder)
    image_processor = transformers.CLIPImageProcessor(
        size={"shortest_edge": _SIZE}, crop_size={"height": _SIZE, "width": _SIZE}
    )
    transformers.CLIPProcessor(image_processor, tokenizer).save_pretrained(folder)
    return folder


def _tokenizer(transformers: Any) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from tokenizers.processors import TemplateProcessing

    start, end = "<|startoftext|>", "<|endoftext|>"
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=[start, end], show_progress=False)
    tokenizer.train_from_iterator(descriptions(), trainer)
    ids = [(token, tokenizer.token_to_id(token)) for token in (start, end)]
    tokenizer.post_processor = TemplateProcessing(single=f"{start} $A {end}", special_tokens=ids)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=start, eos_token=end, pad_token=end, model_max_length=77
    )
