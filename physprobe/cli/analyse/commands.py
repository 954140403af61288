"""How a command of ``physprobe analyse`` is declared, and what all of them have in common."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    import pandas as pd

    from physprobe.analysis.answers import Answers
    from physprobe.analysis.finding import Finding

# Parameter -> its type, and how typer shows it.
Options = Mapping[str, tuple[Any, Any]]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Analyse saved answers, of many models at once. "
    "Results of another dataset or task version are set apart, with the reason.",
)

RESULTS: Options = {
    "results": (
        list[Path],
        typer.Argument(
            ...,
            metavar="RESULTS",
            help="Output folders of lmms-eval (evaluated with --log_samples), results files, or folders made "
            "by physprobe simulate.",
        ),
    )
}
BOOTSTRAP: Options = {
    "resamples": (int, typer.Option(10_000, min=100, help="Of the bootstrap.")),
    "seed": (int, typer.Option(0, min=0, help="Of the bootstrap.")),
}
PEOPLE: Options = {
    "people": (
        Path | None,
        typer.Option(None, metavar="CSV", help="Answers of people to score beside: see docs/human_data.md."),
    )
}
SHOWN: Options = {
    "keep_unreadable": (
        bool,
        typer.Option(False, "--keep-unreadable", help="Keep models most of whose answers can't be read."),
    ),
    "keep_limited": (
        bool,
        typer.Option(False, "--keep-limited", help="Keep runs with --limit, if all were asked the same."),
    ),
    "rows": (int, typer.Option(40, min=1, help="Longest table shown.")),
    "json": (bool, typer.Option(False, "--json", help="Print everything as JSON.")),
}


def analysis(
    benchmark: str,
    name: str,
    function: str,
    text: str,
    options: Options = BOOTSTRAP,
    *,
    prepare: Callable[[dict[str, Any]], dict[str, Any]] = dict,
    reruns: bool = False,
    people: bool = False,
) -> None:
    """Add a command that reads answers, makes one analysis, and shows its findings.

    Args:
        benchmark: whose answers. name: of the command. function: of the analysis, "module.name" below
            physprobe.analysis, imported only when the command runs. text: help, with an example.
        options: the command's own. prepare: makes the function's arguments from their values.
        reruns: read all runs of a model, not only the newest. people: offer to score people beside models.
    """
    beside = PEOPLE if people else {}

    def command(**given: Any) -> None:
        own = {option: _value(given[option]) for option in options}
        made = partial(_imported(function), **prepare(own))
        keep = {"reruns": reruns, "unreadable": given["keep_unreadable"], "limited": given["keep_limited"]}
        people = _people(given.get("people"))
        _analysed(given, made, {"benchmark": benchmark, "people": people, **keep})

    declare(command, {**RESULTS, **options, **beside, **SHOWN})
    app.command(name, help=text, rich_help_panel=benchmark)(command)


def declare(command: Callable[..., None], options: Options) -> None:
    """Give a function that takes any keywords the parameters that typer is to offer."""
    parameters = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=shown, annotation=kind)
        for name, (kind, shown) in options.items()
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {name: kind for name, (kind, _) in options.items()}


def _analysed(
    given: Mapping[str, Any],
    analyse: Callable[[pd.DataFrame], Sequence[Finding]],
    loaded: Mapping[str, Any],
) -> None:
    from physprobe.analysis.answers import load_answers

    answers = load_answers(given["results"], **loaded)
    show(answers, analyse(answers.frame), given["rows"], given["json"])


def show(answers: Answers, findings: Sequence[Finding], rows: int, json: bool) -> None:
    """Print findings, and what was set apart of the answers."""
    from physprobe.analysis.printing import as_json, remarks, rich_table

    if json:
        print(as_json(answers, findings))
        return
    screen = _console()
    for finding in findings:
        screen.print(rich_table(finding, rows))
    for remark in remarks(answers):
        screen.print(remark)


def _people(path: Path | None) -> Any:
    from physprobe.analysis.people.table import read_people

    return read_people(path) if path else None


def _value(given: Any) -> Any:
    return given.value if isinstance(given, Enum) else given


def _imported(function: str) -> Callable[..., Sequence[Finding]]:
    module, _, name = function.rpartition(".")
    found: Callable[..., Sequence[Finding]] = getattr(import_module(f"physprobe.analysis.{module}"), name)
    return found


def _console() -> Any:
    from rich.console import Console

    screen = Console(highlight=False, markup=False)
    return (
        screen if screen.is_terminal else Console(highlight=False, markup=False, width=400)
    )  # nothing is cut
