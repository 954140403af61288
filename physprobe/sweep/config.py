"""What a sweep is: the models, the tasks, and how a job is run; read from a YAML file (docs/sweeps.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator

from physprobe.errors import UserError
from physprobe.settings import Settings, problems, read_yaml

Launcher = Literal["accelerate", "torchrun"]
Argument = bool | int | float | str | list[Any] | dict[str, Any]

_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)]
_Tasks = Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.-]*(,[A-Za-z0-9][\w.-]*)*$", max_length=200)]
_Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
_Billions = Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)]

# Options of lmms_eval that a sweep sets itself, or that would take a job out of its hands.
_OURS = frozenset(
    {
        *("--model", "--model_args", "--tasks", "--output_path", "--log_samples", "--use_cache", "--config"),
        *("--batch_size", "-b", "--limit", "--gen_kwargs"),
    }
)


class JobSettings(Settings):
    """How a job is run: in ``defaults`` for all models, in a model for its jobs.

    Attributes:
        gpus: for one job; default: by the model's size, for each process.
        processes: that share a job's questions. launcher: of several; default: accelerate on GPUs, torchrun
            on slots.
        python: of the environment to run in, with physprobe installed; default: this one.
        environment: variables. pass_environment: names of variables to take from where the sweep is started,
            on a cluster; on one machine all of them are.
        retries: after a failed attempt. timeout_hours: for one attempt, after which it counts as hung.
        batch_size, limit, gen_kwargs: as of ``lmms_eval``. options: any others, as on its command line.
    """

    gpus: Annotated[float, Field(ge=0, le=64)] | None = None
    processes: Annotated[int, Field(ge=1, le=64)] = 1
    launcher: Launcher | None = None
    python: str | None = None
    environment: dict[_Variable, str | int | float] = Field(default={})
    pass_environment: tuple[_Variable, ...] = ()
    retries: Annotated[int, Field(ge=0, le=20)] = 1
    timeout_hours: Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)] = 72
    batch_size: Annotated[int, Field(ge=1)] | Annotated[str, Field(pattern=r"^auto(:[1-9]\d*)?$")] = 1
    limit: Annotated[float, Field(gt=0)] | None = None
    gen_kwargs: str | None = None
    options: tuple[str, ...] = ()

    @field_validator("gpus")
    @classmethod
    def _check_gpus(cls, gpus: float | None) -> float | None:
        if gpus is not None and gpus > 1 and gpus != int(gpus):
            raise ValueError("must be a whole number, or a part of one GPU such as 0.5")
        return gpus

    @field_validator("options")
    @classmethod
    def _check_options(cls, options: tuple[str, ...]) -> tuple[str, ...]:
        for option in options:
            name = option.partition("=")[0]
            if name in _OURS:
                raise ValueError(f"{name} is set by the sweep: use its own keys instead")
        return options

    @model_validator(mode="after")
    def _check_processes(self) -> JobSettings:
        if self.processes > 1 and self.gpus and self.gpus < self.processes:
            raise ValueError(f"{self.processes} processes can't share {self.gpus:g} GPUs")
        return self


class Model(JobSettings):
    """One model: what lmms-eval calls its adapter, with which arguments, and how large it is.

    Attributes:
        name: of its folder; default: the checkpoint's name, else the adapter. adapter: ``--model``.
        arguments: ``--model_args``. parameters: in billions. tasks: in place of the sweep's.
    """

    name: _Name | None = None
    adapter: Annotated[str, Field(pattern=r"^[\w.-]+$")]
    arguments: dict[str, Argument] = Field(default={})
    parameters: _Billions | None = None
    tasks: Annotated[tuple[_Tasks, ...], Field(min_length=1)] | None = None

    @field_validator("arguments")
    @classmethod
    def _check_arguments(cls, arguments: dict[str, Argument]) -> dict[str, Argument]:
        for name, value in arguments.items():
            if not name or set(name) & set(",=\"'"):
                raise ValueError(f"{name!r} is no argument's name")
            if isinstance(value, str) and set(value) & set(",\"'[]{}"):
                raise ValueError(f"{name}: lmms-eval can't take a comma, quote or bracket in a text")
        return arguments


class Sweep(Settings):
    """The whole sweep.

    Attributes:
        out: folder of results, answers and logs. tasks: each entry is one job of each model; tasks separated
            by commas share a job, and so the loaded model.
        defaults: for all models. slots: CPU slots that stand for GPUs. cluster: address of a Ray cluster.
    """

    out: Path | None = None
    tasks: Annotated[tuple[_Tasks, ...], Field(min_length=1)]
    models: Annotated[tuple[Model, ...], Field(min_length=1)]
    defaults: JobSettings = JobSettings()
    slots: Annotated[int, Field(ge=1, le=1024)] | None = None
    cluster: Annotated[str, Field(min_length=1)] | None = None


def load_sweep(file: Path) -> Sweep:
    """Read a sweep from a YAML file.

    Raises:
        UserError: names each wrong key.
    """
    content = read_yaml(file, "sweep file")
    if not isinstance(content, dict):
        raise UserError(f"sweep file {file} is empty or no mapping: it needs tasks and models")
    try:
        return Sweep.model_validate(content)
    except ValidationError as error:
        raise UserError(f"sweep file {file}: {problems(error)}") from None


def settings_of(model: Model, defaults: JobSettings) -> JobSettings:
    """Return how a model's jobs are run: what the model says, else the defaults; variables of both.

    Raises:
        UserError: what both say together is impossible.
    """
    own = _given(model)
    environment = {**defaults.environment, **model.environment}
    try:
        return JobSettings.model_validate({**_given(defaults), **own, "environment": environment})
    except ValidationError as error:
        raise UserError(
            f"model {model.name or model.adapter}, with the defaults: {problems(error)}"
        ) from None


def _given(settings: BaseModel) -> dict[str, Any]:
    return settings.model_dump(include=set(JobSettings.model_fields), exclude_unset=True)
