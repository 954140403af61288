"""Vision-language models of true architecture with tiny random weights, to prove the whole path on a CPU.

The folder written here is loaded by lmms-eval's own model classes like any downloaded checkpoint: it holds
configuration, weights, a tokenizer trained on the benchmark's own words, image processor and chat template.
Its answers are noise.

Example: python -m physprobe.harness.tiny_vlm --arch qwen2_5_vl --out out/tiny
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from physprobe.cli.runner import run
from physprobe.conservation.controls import CAPTION_REQUEST, DONT_KNOW, MODALITY_REQUEST
from physprobe.conservation.prompts import INSTRUCTIONS, interleave, option_text, positions, question_text
from physprobe.conservation.vocabulary import DOMAINS, RELATIONS
from physprobe.errors import UserError
from physprobe.quantiphy.prompts import Shown, frame_labels
from physprobe.quantiphy.prompts import question_text as question_text_in_units

VOCABULARY = 512
HIDDEN = 64

_CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] %}{% if part['type'] == 'image' %}IMAGE"
    "{% elif part['type'] == 'video' %}VIDEO"
    "{% elif part['type'] == 'text' %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


class Architecture(str, Enum):
    """The architectures that can be made; each is also the name of its lmms-eval adapter."""

    LLAVA = "llava"
    QWEN2_5_VL = "qwen2_5_vl"


def make(architecture: Architecture, folder: Path, seed: int = 0) -> None:
    """Write a tiny model to a new folder.

    Args:
        architecture: which one. folder: must not exist or be empty. seed: of the weights.

    Raises:
        UserError: the folder holds something, or torch and transformers are missing.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder} is not empty: choose another --out")
    try:
        import torch
        import transformers
    except ImportError as error:
        raise UserError("tiny models need torch and transformers: pip install 'physprobe[eval]'") from error
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    model, processor = _BUILDERS[architecture](torch, transformers, seed)
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        model.save_pretrained(temporary)
        processor.save_pretrained(temporary)
        temporary.chmod(0o755)
        temporary.replace(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _corpus() -> list[str]:
    """The texts a tokenizer is trained on: every question of the benchmark, and short answers."""
    texts = []
    for domain in DOMAINS:
        for position in positions(domain):
            options = [option_text(domain, relation, position) for relation in RELATIONS]
            texts += [question_text(domain, style, options) for style in INSTRUCTIONS]
    labels = "".join(str(part) for kind, part in interleave(16, "") if kind == "text")
    texts += [labels, DONT_KNOW, CAPTION_REQUEST, MODALITY_REQUEST]
    for shown in get_args(Shown):
        text = question_text_in_units(
            "What is its speed in m/s?", prior="width = 1 m", depth_info="", fps=24, shown=shown
        )
        texts += [text, "".join(frame_labels(range(16), 24))]
    return [*texts, "(A) (B) (C) A. B. C. The answer is A. Answer: (B)"]


def _tokenizer(transformers: Any, specials: list[str]) -> Any:
    """Train a byte-level BPE tokenizer; ``specials`` start with the end-of-turn and the padding token."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=specials, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(_corpus(), trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=specials[0],
        pad_token=specials[1],
        additional_special_tokens=specials[2:],
        padding_side="left",
    )


def _text_config(tokenizer: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": HIDDEN,
        "intermediate_size": 2 * HIDDEN,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 32768,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
        "bos_token_id": tokenizer.eos_token_id,
        "initializer_range": 0.2,  # so that a different image visibly changes the output
    }


def _qwen2_5_vl(torch: Any, transformers: Any, seed: int) -> tuple[Any, Any]:
    pads = {name: f"<|{name}|>" for name in ("vision_start", "vision_end", "image_pad", "video_pad")}
    tokenizer = _tokenizer(transformers, ["<|im_end|>", "<|endoftext|>", "<|im_start|>", *pads.values()])
    ids = {name: tokenizer.convert_tokens_to_ids(token) for name, token in pads.items()}
    text = _text_config(tokenizer)
    text["rope_parameters"] = {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 3, 3]}
    vision = {
        "depth": 2,
        "hidden_size": HIDDEN // 2,
        "intermediate_size": HIDDEN,
        "num_heads": 2,
        "out_hidden_size": HIDDEN,
        "fullatt_block_indexes": [1],
        "initializer_range": 0.2,
    }
    config = transformers.Qwen2_5_VLConfig(
        text_config=text,
        vision_config=vision,
        image_token_id=ids["image_pad"],
        video_token_id=ids["video_pad"],
        vision_start_token_id=ids["vision_start"],
        vision_end_token_id=ids["vision_end"],
    )
    torch.manual_seed(seed)
    model = transformers.Qwen2_5_VLForConditionalGeneration(config)
    template = _CHATML
    for word, pad in (("IMAGE", pads["image_pad"]), ("VIDEO", pads["video_pad"])):
        template = template.replace(word, f"{pads['vision_start']}{pad}{pads['vision_end']}")
    processor = transformers.Qwen2_5_VLProcessor(
        image_processor=transformers.Qwen2VLImageProcessor(),
        video_processor=transformers.Qwen2VLVideoProcessor(),
        tokenizer=tokenizer,
        chat_template=template,
    )
    return model, processor


def _llava(torch: Any, transformers: Any, seed: int) -> tuple[Any, Any]:
    image_size, patch_size = 56, 14
    tokenizer = _tokenizer(transformers, ["<|im_end|>", "<|endoftext|>", "<|im_start|>", "<image>"])
    vision = {
        "model_type": "clip_vision_model",
        "hidden_size": HIDDEN // 2,
        "intermediate_size": HIDDEN,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "image_size": image_size,
        "patch_size": patch_size,
    }
    config = transformers.LlavaConfig(
        text_config={"model_type": "llama", **_text_config(tokenizer)},
        vision_config=vision,
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        image_seq_length=(image_size // patch_size) ** 2,
    )
    torch.manual_seed(seed)
    model = transformers.LlavaForConditionalGeneration(config)
    size = {"height": image_size, "width": image_size}
    processor = transformers.LlavaProcessor(
        image_processor=transformers.CLIPImageProcessor(size={"shortest_edge": image_size}, crop_size=size),
        tokenizer=tokenizer,
        patch_size=patch_size,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,  # the class token
        chat_template=_CHATML.replace("IMAGE", "<image>").replace("VIDEO", "<video>"),
    )
    return model, processor


_BUILDERS: dict[Architecture, Callable[[Any, Any, int], tuple[Any, Any]]] = {
    Architecture.LLAVA: _llava,
    Architecture.QWEN2_5_VL: _qwen2_5_vl,
}

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    arch: Annotated[Architecture, typer.Option(help="Architecture.")],
    out: Annotated[Path, typer.Option(help="New folder for the model.")],
    seed: Annotated[int, typer.Option(min=0, help="Seed of the weights.")] = 0,
) -> None:
    """Make a tiny vision-language model with random weights that lmms-eval can load.

    Example: python -m physprobe.harness.tiny_vlm --arch qwen2_5_vl --out out/tiny
    """
    make(arch, out, seed)


if __name__ == "__main__":
    sys.exit(run(app))
