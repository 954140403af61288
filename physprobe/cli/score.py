"""``physprobe score``: score prediction files the way a benchmark's own evaluator does."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from physprobe.quantiphy.official import Group, OfficialScores

app = typer.Typer(
    name="score",
    help="Score a file of predictions the way a benchmark's own evaluator does.",
    no_args_is_help=True,
)


@app.callback()
def _main() -> None:
    """Keep the benchmark's name in the command."""


@app.command()
def quantiphy(
    predictions: Path = typer.Argument(
        metavar="PREDICTIONS.csv",
        help="Official format: predictions in parsed_value, ids in the first column.",
    ),
    ground_truth: Path | None = typer.Option(
        None,
        metavar="GT.csv",
        help="Take ground_truth_posterior from this file, by id, and not from PREDICTIONS.csv.",
    ),
    as_json: bool = typer.Option(
        False, "--json", help="Print one JSON object with the names of the published results file."
    ),
) -> None:
    """Print QuantiPhy's MRA by category, background and object number, and the rate of invalid answers.

    MRA is a fraction from 0 to 1; invalid_percentage is in percent. Warnings go to standard error.

    Example: physprobe score quantiphy predictions.csv --ground-truth validation.csv
    """
    from physprobe.quantiphy.answers import read_answers
    from physprobe.quantiphy.official import score

    answers = read_answers(predictions, ground_truth)
    for warning in answers.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    scores = score(answers)
    if as_json:
        print(json.dumps(scores.published(), indent=2, allow_nan=False))
    else:
        _print_scores(scores, predictions.name)


def _print_scores(scores: OfficialScores, name: str) -> None:
    from rich.console import Console

    # Names of files are data, not markup; a pipe gets the whole table too.
    console = Console(markup=False, highlight=False)
    if not console.is_terminal:
        console.width = 100
    console.print(f"QuantiPhy scores of {name}: MRA (number of questions)")
    console.print(_table(scores))
    console.print(
        f"invalid answers: {scores.invalid} of {scores.rows} rows, {scores.invalid_percentage:.2f}% "
        f"({scores.blank} blank, {scores.non_numeric} not a number, {scores.zero} zero)"
    )


def _table(scores: OfficialScores) -> Table:
    from rich import box
    from rich.table import Table

    from physprobe.quantiphy.codes import CATEGORIES

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("questions")
    for column in (*CATEGORIES, "mean of the four"):
        table.add_column(column, justify="right")
    table.add_row("all", *_cells(scores.overall), end_section=True)
    for background, group in scores.backgrounds.items():
        table.add_row(f"background {background}", *_cells(group), end_section=background == "X")
    for number, group in scores.objects.items():
        table.add_row(f"{number} object{'s' if number == 'multiple' else ''}", *_cells(group))
    return table


def _cells(group: Group) -> list[str]:
    by_category = [f"{_shown(mean)} ({group.counts[category]})" for category, mean in group.means.items()]
    return [*by_category, _shown(group.macro)]


def _shown(mean: float | None) -> str:
    return "-" if mean is None else f"{mean:.4f}"
