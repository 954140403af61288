"""The command line of a job, and how many GPUs it needs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from physprobe.sweep.config import Argument, JobSettings, Model

# ConservationBench, Appendix E: up to this many billions of parameters, GPUs.
_GPUS = ((13.0, 1), (32.0, 2), (70.0, 4))
_MOST_GPUS = 8
_MODULE = "physprobe.lmms_eval"


def gpus_for(parameters: float) -> int:
    """Return how many GPUs a model of so many billions of parameters is run on."""
    return next((gpus for limit, gpus in _GPUS if parameters <= limit), _MOST_GPUS)


def python_of(settings: JobSettings) -> str:
    """Return the interpreter of a job; a link stays a link, for that is what makes an environment."""
    return str(Path(settings.python).expanduser().absolute()) if settings.python else sys.executable


def command(model: Model, tasks: str, settings: JobSettings, output: Path, on_slots: bool) -> tuple[str, ...]:
    """Return the command line of a job.

    Args:
        model: what to evaluate. tasks: on what, separated by commas. settings: how.
        output: the job's folder. on_slots: whether there are no GPUs.
    """
    words = ["--model", model.adapter]
    if model.arguments:
        words += ["--model_args", model_arguments(model.arguments)]
    words += ["--tasks", tasks, "--batch_size", str(settings.batch_size)]
    words += ["--limit", f"{settings.limit:g}"] if settings.limit is not None else []
    words += ["--gen_kwargs", settings.gen_kwargs] if settings.gen_kwargs else []
    words += ["--log_samples", "--output_path", str(output), *settings.options]
    return (python_of(settings), *_launched(settings, on_slots), "-m", _MODULE, *words)


def model_arguments(arguments: Mapping[str, Argument]) -> str:
    """Write arguments as ``--model_args`` takes them: "a=1,b=true"; lists and mappings as JSON."""
    return ",".join(f"{name}={_written(value)}" for name, value in arguments.items())


def _written(value: Argument) -> str:
    if isinstance(value, (list, dict)):
        return json.dumps(value, separators=(",", ":"))
    return str(value)


def _launched(settings: JobSettings, on_slots: bool) -> list[str]:
    """Start several processes; each job finds itself a free port, for others may run beside it."""
    if settings.processes == 1:
        return []
    number = str(settings.processes)
    without_gpus = on_slots or settings.gpus == 0  # where accelerate starts one process, silently
    if (settings.launcher or ("torchrun" if without_gpus else "accelerate")) == "torchrun":
        return ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", number]
    return [
        *("-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", number),
        *("--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no"),
        *("--main_process_port", "0"),
    ]
