"""Which model this process evaluates: lmms-eval tells neither a task's functions nor its aggregations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from physprobe.errors import UserError
from physprobe.harness.secrets import is_secret

_models: list[str] = []


def describe(model: object, arguments: object) -> str:
    """Name a model by what was asked of lmms-eval: ``qwen2_5_vl device_map=cpu,pretrained=DIR``.

    Args:
        model: its registered name, or the object. arguments: ``model_args``, as a string or a mapping; keys
            and tokens are left out.
    """
    name = model if isinstance(model, str) else type(model).__name__
    if isinstance(arguments, dict):
        arguments = ",".join(f"{key}={value}" for key, value in arguments.items())
    parts = [part for part in str(arguments or "").split(",") if not is_secret(part.partition("=")[0])]
    return f"{name} {','.join(sorted(parts))}".strip()


@contextmanager
def evaluating(model: object, arguments: object) -> Iterator[None]:
    """Say which model is evaluated in this block."""
    _models.append(describe(model, arguments))
    try:
        yield
    finally:
        _models.pop()


def model() -> str:
    """Return the description of the evaluated model.

    Raises:
        UserError: no evaluation that physprobe knows of is running.
    """
    if not _models:
        raise UserError(
            "can't tell which model is evaluated: start lmms-eval by its command or simple_evaluate"
        )
    return _models[-1]
