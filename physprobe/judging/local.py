"""Asks a transformers checkpoint on this machine: loaded when needed, in batches, greedy decoding."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from physprobe.errors import UserError
from physprobe.judging.cache import Reply
from physprobe.judging.config import Judge
from physprobe.judging.transport import Request

_SMALL_FILE = 1_000_000
_SAMPLES = 64
_SAMPLE_BYTES = 4096


def fingerprint(folder: Path) -> str:
    """Identify a checkpoint by its files: names, sizes, small files whole, 64 samples of each large one.

    Returns:
        16 hexadecimal digits.

    Raises:
        UserError: the folder holds no checkpoint (config.json).
    """
    if not (folder / "config.json").is_file():
        raise UserError(f"{folder} holds no transformers checkpoint (config.json): correct the judge's path")
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file() and not path.name.startswith("."):
            digest.update(f"{path.name}:{path.stat().st_size}\n".encode())
            _digest_file(path, digest.update)
    return digest.hexdigest()[:16]


def _digest_file(path: Path, update: Callable[[bytes], None]) -> None:
    size = path.stat().st_size
    with path.open("rb") as file:
        if size <= _SMALL_FILE:
            update(file.read())
            return
        for k in range(_SAMPLES):
            file.seek((size - _SAMPLE_BYTES) * k // (_SAMPLES - 1))
            update(file.read(_SAMPLE_BYTES))


def ask_local(judge: Judge, requests: Sequence[Request], on_result: Callable[[Request, Reply], None]) -> None:
    """Load a judge, ask it everything, unload it.

    Args:
        judge: with a path. requests: to be asked; the shortest first. on_result: called once for each.

    Raises:
        UserError: torch or transformers are missing, the checkpoint can't be loaded, or has no chat template.
    """
    model, tokenizer = _load(judge)
    try:
        ordered = sorted(requests, key=lambda request: (len(request.prompt), request.key))
        for start in range(0, len(ordered), judge.batch_size):
            batch = ordered[start : start + judge.batch_size]
            prompts = [request.prompt for request in batch]
            for request, reply in zip(batch, _generate(judge, model, tokenizer, prompts), strict=True):
                on_result(request, reply)
    finally:
        del model
        _free()


def _load(judge: Judge) -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise UserError("local judges need torch and transformers: pip install 'physprobe[eval]'") from error
    library: Any = transformers
    spread = judge.device == "auto" and torch.cuda.is_available()
    place = {"device_map": "auto"} if spread else {}
    try:
        tokenizer = library.AutoTokenizer.from_pretrained(
            judge.path, local_files_only=True, padding_side="left"
        )
        model = library.AutoModelForCausalLM.from_pretrained(
            judge.path, local_files_only=True, dtype="auto", **place
        )
        if not spread:
            model = model.to("cpu" if judge.device == "auto" else judge.device)
    except (OSError, ValueError, RuntimeError, KeyError, ImportError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UserError(f"judge {judge.name!r}: {judge.path} can't be loaded: {reason}") from error
    if not tokenizer.chat_template:
        raise UserError(f"judge {judge.name!r}: {judge.path} has no chat template: choose an instruct model")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return model.eval(), tokenizer


def _generate(judge: Judge, model: Any, tokenizer: Any, prompts: Sequence[str]) -> list[Reply]:
    import torch

    texts = [
        tokenizer.apply_chat_template(
            [{"role": "user", "content": prompt}], tokenize=False, add_generation_prompt=True
        )
        for prompt in prompts
    ]
    # The template has written the special tokens already.
    inputs = tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False).to(model.device)
    with torch.inference_mode():
        output = model.generate(
            input_ids=inputs["input_ids"],
            attention_mask=inputs["attention_mask"],
            max_new_tokens=judge.max_tokens,
            do_sample=False,
            temperature=None,
            top_p=None,
            top_k=None,
            pad_token_id=tokenizer.pad_token_id,
        )
    ends = model.generation_config.eos_token_id
    ends = set(ends) if isinstance(ends, list) else {ends, tokenizer.eos_token_id}
    return [_reply(tokenizer, row.tolist(), ends) for row in output[:, inputs["input_ids"].shape[1] :]]


def _reply(tokenizer: Any, tokens: list[int], ends: set[int]) -> Reply:
    finished = not ends.isdisjoint(tokens)
    return Reply(tokenizer.decode(tokens, skip_special_tokens=True), "stop" if finished else "length")


def _free() -> None:
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
