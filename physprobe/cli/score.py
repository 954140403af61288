"""``physprobe score``: score prediction files the way a benchmark's own evaluator does."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from physprobe.quantiphy.official import Group, OfficialScores
    from physprobe.quantiphy.trials import Trials
    from physprobe.statistics.estimates import Estimate

_WORKERS = 2

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
    predictions: list[Path] = typer.Argument(
        metavar="PREDICTIONS.csv",
        help="Official format: predictions in parsed_value, ids in the first column. Several files are "
        "trials of one model on the same questions.",
    ),
    ground_truth: Path | None = typer.Option(
        None,
        metavar="GT.csv",
        help="Take ground_truth_posterior from this file, by id, and not from PREDICTIONS.csv.",
    ),
    intervals: bool = typer.Option(
        False, "--intervals", help="Add 95% intervals (bootstrap over videos) and how item scores spread."
    ),
    resamples: int = typer.Option(1000, min=1, help="Bootstrap resamples for --intervals."),
    as_json: bool = typer.Option(
        False, "--json", help="Print one JSON object with the names of the published results file."
    ),
) -> None:
    """Print QuantiPhy's MRA by category, background and object number, and the rate of invalid answers.

    MRA is a fraction from 0 to 1; invalid_percentage is in percent. Warnings go to standard error.

    Example: physprobe score quantiphy predictions.csv --ground-truth validation.csv --intervals
    """
    from physprobe.quantiphy.answers import items_of, read_answers
    from physprobe.quantiphy.metrics import quantiphy_scores
    from physprobe.quantiphy.official import score
    from physprobe.quantiphy.trials import summarise_trials

    found = [read_answers(path, ground_truth) for path in predictions]
    for warning in dict.fromkeys(warning for answers in found for warning in answers.warnings):
        print(f"warning: {warning}", file=sys.stderr)
    printed: list[dict[str, Any]] = []
    for answers, path in zip(found, predictions, strict=True):
        scores, estimates = score(answers), None
        if intervals:
            estimates = quantiphy_scores(items_of(answers, path), resamples=resamples, workers=_WORKERS)
        if as_json:
            printed.append(_published(scores, estimates))
        else:
            _print_scores(scores, path.name, estimates)
    trials = summarise_trials([items_of(a) for a in found], [a.ids for a in found]) if found[1:] else None
    if as_json:
        print(json.dumps(_with_trials(printed, trials), indent=2, allow_nan=False))
    elif trials is not None:
        _print_trials(trials)


def _published(scores: OfficialScores, estimates: Mapping[str, Estimate] | None) -> dict[str, Any]:
    from physprobe.statistics.estimates import as_json

    published: dict[str, Any] = dict(scores.published())
    if estimates is not None:
        published["intervals"] = as_json(estimates)
    return published


def _with_trials(printed: list[dict[str, Any]], trials: Trials | None) -> dict[str, Any]:
    return printed[0] if trials is None else {"trials": printed, "over_trials": trials.as_json()}


def _print_trials(trials: Trials) -> None:
    summary = {name: _shown(value) for name, value in trials.as_json().items() if name != "macro"}
    print(f"{len(trials.macro)} trials, mean of the four: {summary['mean']}, spread {summary['spread']}")
    print(
        f"spread of an item's MRA: {summary['item_spread']}; failed: {summary['failure_rate']} of answers, "
        f"{summary['ever_failed']} of questions at least once, {summary['always_failed']} always"
    )


def _interval_table(estimates: Mapping[str, Estimate]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("score")
    for column in ("value", "95% interval", "questions"):
        table.add_column(column, justify="right")
    for name, estimate in estimates.items():
        value, low, high, n = estimate.as_json().values()
        table.add_row(name, _shown(value), f"{_shown(low)} to {_shown(high)}", str(n))
    return table


def _print_scores(scores: OfficialScores, name: str, estimates: Mapping[str, Estimate] | None) -> None:
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
    if estimates is not None:
        console.print(_interval_table(estimates))


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
