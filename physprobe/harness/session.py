"""Which model this process evaluates: lmms-eval tells neither a task's functions nor its aggregations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from physprobe.errors import UserError

_models: list[str] = []


def describe(model: object, arguments: object) -> str:
    """Name a model by what was asked of lmms-eval: ``qwen2_5_vl device_map=cpu,pretrained=DIR``.

    Args:
        model: its registered name, or the object. arguments: ``model_args``, as a string or a mapping.
    """
    name = model if isinstance(model, str) else type(model).__name__
    pairs = arguments.items() if isinstance(arguments, dict) else None
    parts = (
        [f"{key}={value}" for key, value in pairs] if pairs is not None else str(arguments or "").split(",")
    )
    return " ".join(part for part in (name, ",".join(sorted(parts))) if part)


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
