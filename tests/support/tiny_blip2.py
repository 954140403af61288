"""Tiny random-weight BLIP-2 checkpoints with their own tokenizers, on OPT (decoder only) and T5."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders.selections.localizer import PROMPT

BACKBONES = ("opt", "t5")
IMAGE_SIZE = 32
QUERIES = 4
HIDDEN = 32


def save_tiny_blip2(
    folder: Path,
    backbone: str,
    *,
    seed: int = 0,
    knows: tuple[str, ...] = ("yes", "no"),
    legacy: bool = False,
) -> Path:
    """Save a real BLIP-2.

    Args:
        folder: to be made. backbone: "opt" or "t5". seed: of the weights.
        knows: words that its tokenizer has a single token for.
        legacy: reserve no image token, as checkpoints from before transformers 4.46.
    """
    import torch
    from transformers import Blip2Config, Blip2ForConditionalGeneration, Blip2Processor, BlipImageProcessor
    from transformers.utils import logging

    logging.disable_progress_bar()
    tokenizer = _tokenizer(backbone, knows)
    image = tokenizer.convert_tokens_to_ids("<image>")
    torch.manual_seed(seed)
    model = Blip2ForConditionalGeneration(
        Blip2Config(
            vision_config=_layers(num_hidden_layers=2, image_size=IMAGE_SIZE, patch_size=8),
            qformer_config=_layers(num_hidden_layers=2, vocab_size=8, encoder_hidden_size=HIDDEN),
            text_config=_text_config(backbone, tokenizer),
            num_query_tokens=QUERIES,
            image_token_index=None if legacy else image,
        )
    )
    _spread(torch, model)
    model.save_pretrained(folder)
    pictures = BlipImageProcessor(size={"height": IMAGE_SIZE, "width": IMAGE_SIZE})
    Blip2Processor(pictures, tokenizer, num_query_tokens=QUERIES).save_pretrained(folder)
    return folder


def _layers(**more: Any) -> dict[str, Any]:
    return {"hidden_size": HIDDEN, "intermediate_size": 2 * HIDDEN, "num_attention_heads": 4, **more}


def _text_config(backbone: str, tokenizer: Any) -> Any:
    from transformers import OPTConfig, T5Config

    ids = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id}
    if backbone == "t5":
        return T5Config(
            vocab_size=len(tokenizer),
            d_model=HIDDEN,
            d_kv=8,
            d_ff=2 * HIDDEN,
            num_layers=2,
            num_heads=4,
            decoder_start_token_id=tokenizer.pad_token_id,
            **ids,
        )
    return OPTConfig(
        vocab_size=len(tokenizer),
        hidden_size=HIDDEN,
        word_embed_proj_dim=HIDDEN,
        ffn_dim=2 * HIDDEN,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=512,
        bos_token_id=tokenizer.bos_token_id,
        **ids,
    )


def _tokenizer(backbone: str, knows: tuple[str, ...]) -> Any:
    """Make a tokenizer in the backbone's manner: OPT's starts a text, T5's ends it, with a special token."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    splitters = {"opt": pre_tokenizers.ByteLevel(add_prefix_space=False), "t5": pre_tokenizers.Metaspace()}
    space = {"opt": "Ġ", "t5": "▁"}[backbone]
    specials = ["<pad>", "</s>", "<unk>", "<image>"]
    letters = sorted({space, *"F:abcdefghijklmnopqrstuvwxyz", *PROMPT.replace(" ", "")})
    merges = [pair for word in knows for pair in _merges(space + word)]
    words = ["".join(pair) for pair in merges]
    vocabulary = {token: k for k, token in enumerate(dict.fromkeys([*specials, *letters, *words]))}
    base = Tokenizer(models.BPE(vocabulary, merges, unk_token="<unk>"))
    base.pre_tokenizer = splitters[backbone]
    base.decoder = decoders.ByteLevel() if backbone == "opt" else decoders.Metaspace()
    single = "</s> $A" if backbone == "opt" else "$A </s>"
    base.post_processor = processors.TemplateProcessing(single=single, special_tokens=[("</s>", 1)])
    return PreTrainedTokenizerFast(
        tokenizer_object=base,
        bos_token="</s>",
        eos_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        additional_special_tokens=["<image>"],
    )


def _merges(word: str) -> list[tuple[str, str]]:
    """Return the merges that build a word from its letters, left to right."""
    return [(word[:k], word[k]) for k in range(1, len(word))]


def _spread(torch: Any, model: Any) -> None:
    """Draw large weights, so that another image visibly changes the answer."""
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.ndim > 1 or name == "query_tokens":
                weight.normal_(0.0, 0.3)
