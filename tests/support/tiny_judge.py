"""Tiny Llama checkpoints that serve as local judges: of random weights, or rigged to say one thing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_TEMPLATE = (
    "{% for message in messages %}<|user|>{{ message['content'] }}{% endfor %}"
    "{% if add_generation_prompt %}<|judge|>{% endif %}"
)
_HIDDEN = 32


def save_tiny_judge(
    folder: Path, said: str | None = None, *, seed: int = 0, stops: bool = True, template: bool = True
) -> Path:
    """Save a real Llama.

    Args:
        folder: to be made. said: what it always replies; None: random weights, so noise.
        seed: of random weights. stops: ends its reply; otherwise it repeats itself for ever.
        template: give the tokenizer a chat template.
    """
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM, logging

    logging.disable_progress_bar()
    tokenizer = _tokenizer(said)
    if template:
        tokenizer.chat_template = _TEMPLATE
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=_HIDDEN,
        intermediate_size=_HIDDEN,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=32768,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        initializer_range=0.2,
        tie_word_embeddings=False,
    )
    model = LlamaForCausalLM(config)
    if said is not None:
        _rig(model, tokenizer.convert_tokens_to_ids(said), tokenizer.eos_token_id, stops)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _tokenizer(said: str | None) -> Any:
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    base = Tokenizer(models.BPE({letter: k for k, letter in enumerate(alphabet)}, []))
    base.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    base.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=base, eos_token="<|end|>")
    tokenizer.add_special_tokens({"additional_special_tokens": ["<|user|>", "<|judge|>"]})
    if said is not None and said not in alphabet:
        tokenizer.add_tokens([AddedToken(said, normalized=False)])
    return tokenizer


def _rig(model: Any, said: int, end: int, stops: bool) -> None:
    """Turn it into a bigram model: anything is followed by ``said``, and ``said`` by the end."""
    import torch

    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        embeddings, head = model.model.embed_tokens.weight, model.lm_head.weight
        for weights in (embeddings, head):
            weights.zero_()
        embeddings[:, 0] = 1.0
        head[said, 0] = 1.0
        if stops:
            embeddings[said] = torch.eye(_HIDDEN)[1]
            head[end, 1] = 1.0
