"""``physprobe doctor``: what works on this machine, and the one command for more speed."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape

from physprobe import renderer
from physprobe.data import VARIABLE, dataset_path
from physprobe.errors import UserError

app = typer.Typer()

_PACKAGES = {
    "datasets": ("datasets", "pyarrow", "pandas", "av", "huggingface_hub"),
    "generation": ("mitsuba", "drjit", "pyoidn", renderer.LLVM_WHEEL),
    "eval": ("lmms_eval", "torch", "transformers", "accelerate"),
}
_DATASETS = ("conservationbench",)
_OK, _BAD, _OTHER = "[green]ok [/]", "[red]bad[/]", "[yellow]-- [/]"


@app.command()
def doctor() -> None:
    """Show what works here, and the one command that would make rendering faster.

    Example: physprobe doctor
    """
    # Soft wrapping keeps paths and commands in one piece when they are copied.
    console = Console(soft_wrap=True, highlight=False)
    last = ""
    for part, state, text in (*_python(), *_packages(), *_renderer(), *_data()):
        console.print(f"[bold]{'' if part == last else part:<11}[/]{state} {escape(text)}")
        last = part
    console.print(_closing())


def _python() -> Iterator[tuple[str, str, str]]:
    where = f"Python {platform.python_version()} at {sys.executable}"
    yield "python", _OK, f"{where}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def _packages() -> Iterator[tuple[str, str, str]]:
    for extra, names in _PACKAGES.items():
        wanted = "physprobe" if extra == "datasets" else f"'physprobe[{extra}]'"
        for name in names:
            try:
                yield extra, _OK, f"{name} {metadata.version(name)}"
            except metadata.PackageNotFoundError:
                yield extra, _BAD, f"{name} missing: pip install {wanted}"


def _renderer() -> Iterator[tuple[str, str, str]]:
    try:
        choice = renderer.choose()
    except UserError as error:
        yield "renderer", _BAD, str(error)
        return
    yield "renderer", _OK, f"{choice.variant} {_llvm(choice)}".strip()
    for verdict in choice.reasons:
        library = f" with {verdict.library}" if verdict.library else ""
        found = "taken" if verdict.works else "refused"
        yield (
            "renderer",
            _OK if verdict.works else _OTHER,
            f"{verdict.variant}{library} {found}: {verdict.reason}",
        )
    yield "processor", _OK, renderer.processor()


def _llvm(choice: renderer.Choice) -> str:
    return f"(LLVM {choice.llvm_version})" if choice.llvm_version else ""


def _data() -> Iterator[tuple[str, str, str]]:
    said = os.environ.get(VARIABLE, "").strip()
    setting = f"{VARIABLE}={said}" if said else f"{VARIABLE} is not set"
    for name in _DATASETS:
        try:
            place = dataset_path(name)
        except UserError as error:
            yield "data", _BAD, str(error)
        else:
            yield "data", *_found(setting, name, place)


def _found(setting: str, name: str, place: str) -> tuple[str, str]:
    if Path(place).is_absolute():
        return _OK, f"{setting}: {name} is the folder {place}"
    organisation = place.partition("/")[0]
    return _OTHER, (
        f"{setting}: {name} will come from the Hub, from the organisation {organisation}; whether it is "
        f"there and can be reached is not checked. Set {VARIABLE} to a folder of built datasets to do without"
    )


def _closing() -> str:
    try:
        advice = renderer.choose().advice
    except UserError:
        return "\nTo render: [bold]pip install 'physprobe\\[generation]'[/]"
    return (
        f"\nFor faster rendering: [bold]{escape(advice)}[/]" if advice else "\nRendering is set up for speed."
    )
