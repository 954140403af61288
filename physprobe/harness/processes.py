"""Several processes that share one run: are there as many as were asked for, and do they stay together?

``accelerate launch`` and ``torch.distributed.run`` say in the environment which process this is. lmms-eval
divides the questions by that; accelerate, which connects the processes, may come to another number.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from physprobe.errors import UserError
from physprobe.harness.failures import EvaluationFailed

_Item = TypeVar("_Item")

_USE_CPU = "ACCELERATE_USE_CPU"
_BY_ACCELERATE = "ACCELERATE_MIXED_PRECISION"  # its launcher always sets it
_MPI_SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE", "WORLD_SIZE")


def asked() -> int:
    """Return how many processes the launcher was asked for, as far as it says so."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def rank() -> int:
    """Return which of them this is."""
    return int(os.environ.get("RANK", "0"))


def refuse_lone_process() -> None:
    """Refuse to be one process where several were asked for.

    Without a GPU, or with ``--cpu``, ``accelerate launch --num_processes 2`` starts one process, silently.

    Raises:
        UserError: says what to do instead.
    """
    if asked() > 1 and "RANK" not in os.environ:
        raise UserError(
            f"WORLD_SIZE={asked()} asks for several processes, but none was started by accelerate launch or "
            "python -m torch.distributed.run: use one of them, or unset WORLD_SIZE"
        )
    counted = any(name in os.environ for name in _MPI_SIZES)
    if (
        _BY_ACCELERATE in os.environ
        and "MASTER_ADDR" in os.environ
        and not counted
        and not _inherited("MASTER_ADDR")
    ):
        raise UserError(
            "accelerate launch was asked for several processes and started one, as it does on CPUs: use "
            "python -m torch.distributed.run --nproc_per_node N -m physprobe.lmms_eval ..."
        )


def connect_over_cpu() -> None:
    """Let several processes on a machine without a GPU exchange what they must on the CPU, over gloo."""
    if asked() > 1 and _USE_CPU not in os.environ and not _has_accelerator():
        os.environ[_USE_CPU] = "true"


def check_number() -> None:
    """Check that as many processes are connected as were asked for.

    Raises:
        EvaluationFailed: there are fewer or more; questions would be lost or asked twice.
    """
    from accelerate import PartialState

    found = PartialState().num_processes
    if found != asked():
        raise EvaluationFailed(
            f"{asked()} processes were asked for (WORLD_SIZE) and {found} are connected: start them with "
            "accelerate launch or python -m torch.distributed.run, or unset WORLD_SIZE for a single one"
        )


def gather(item: _Item) -> list[_Item]:
    """Return what each process of the run has, in every process."""
    from torch import distributed

    if not (distributed.is_available() and distributed.is_initialized()):
        return [item]
    items: list[Any] = [None] * distributed.get_world_size()
    distributed.all_gather_object(items, item)
    return items


def leave(code: int) -> NoReturn:
    """End this process; one of several at once, for clearing up may wait for others that are gone."""
    if asked() == 1:
        sys.exit(code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


@contextmanager
def one_bar(title: str, total: int, done: int) -> Iterator[Any]:
    """Show one progress bar, of the first process, and none of those that are made inside the block."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    original = tqdm.__init__

    def silent(self: Any, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **{**kwargs, "disable": True})

    with tqdm(total=total, initial=done, desc=title, disable=rank() != 0) as bar:
        tqdm.__init__ = silent
        try:
            yield bar
        finally:
            tqdm.__init__ = original


def _inherited(variable: str) -> bool:
    """Whether the process that started this one had the variable already (known on Linux only)."""
    try:
        environment = Path(f"/proc/{os.getppid()}/environ").read_bytes()
    except OSError:
        return False
    return any(entry.startswith(f"{variable}=".encode()) for entry in environment.split(b"\0"))


def _has_accelerator() -> bool:
    import torch

    generic = getattr(torch, "accelerator", None)
    return torch.cuda.is_available() or (generic is not None and generic.is_available())
