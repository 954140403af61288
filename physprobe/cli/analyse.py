"""``physprobe analyse``: one analysis of saved answers in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from physprobe.cli.reading import read_csv

if TYPE_CHECKING:
    import pandas as pd

    from physprobe.analysis.finding import Finding

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Analyse answers to conservationbench, of many models at once. "
    "Results of another dataset or task version are set apart, with the reason.",
)

RESULTS = typer.Argument(
    metavar="RESULTS",
    help="Output folders of lmms-eval (evaluated with --log_samples), results files, or folders made by "
    "physprobe simulate.",
)
RESAMPLES = typer.Option(10_000, min=100, help="Of the bootstrap.")
SEED = typer.Option(0, min=0, help="Of the bootstrap.")
ROWS = typer.Option(40, min=1, help="Longest table shown.")
JSON = typer.Option(False, "--json", help="Print everything as JSON.")


class Over(str, Enum):
    """Which questions: those of the standard condition, or all of conservation_full."""

    standard = "standard"
    full = "full"


OVER = typer.Option(Over.standard, help="The standard condition, or all questions of conservation_full.")


def _of_over(name: str, function: str, text: str) -> None:
    """Add an analysis that can be made over the standard or over all questions."""

    @app.command(name, help=text)
    def command(
        results: list[Path] = RESULTS,
        over: Over = OVER,
        resamples: int = RESAMPLES,
        seed: int = SEED,
        rows: int = ROWS,
        json: bool = JSON,
    ) -> None:
        made = partial(_analysis(function), over=over.value, resamples=resamples, seed=seed)
        _show(results, rows, json, made)


def _of_one_condition(name: str, function: str, text: str) -> None:
    """Add an analysis whose questions are fixed."""

    @app.command(name, help=text)
    def command(
        results: list[Path] = RESULTS,
        resamples: int = RESAMPLES,
        seed: int = SEED,
        rows: int = ROWS,
        json: bool = JSON,
    ) -> None:
        _show(results, rows, json, partial(_analysis(function), resamples=resamples, seed=seed))


_of_over(
    "leaderboard",
    "leaderboard.leaderboard",
    "Rank models, with intervals and tests of neighbours.\n\n"
    "Example: physprobe analyse leaderboard results/ --over full",
)
_of_over(
    "by-domain",
    "leaderboard.by_domain",
    "Score number, length, volume and size apart.\n\nExample: physprobe analyse by-domain results/",
)
_of_over(
    "scatter",
    "scatter.scatter",
    "Correlate accuracy on conserving with that on non-conserving clips, over models.\n\n"
    "Example: physprobe analyse scatter results/ --over full",
)
_of_one_condition(
    "transitions",
    "controls.transitions",
    "Show how answers change with empty images, captions, and text only.\n\n"
    "Example: physprobe analyse transitions results/",
)
_of_one_condition(
    "idk",
    "controls.idk",
    'Report how often models say "I don\'t know", by what they are shown.\n\n'
    "Example: physprobe analyse idk results/",
)
_of_one_condition(
    "static-vs-temporal",
    "static.static_against_temporal",
    "Compare answers to last frames with those to whole clips.\n\n"
    "Example: physprobe analyse static-vs-temporal results/",
)


@app.command()
def correlation(
    results: list[Path] = RESULTS,
    others: Path = typer.Option(
        ..., metavar="CSV", help="A column 'model' and a column of numbers for each benchmark."
    ),
    over: Over = OVER,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    rows: int = ROWS,
    json: bool = JSON,
) -> None:
    """Correlate scores with those on other benchmarks.

    Example: physprobe analyse correlation results/ --others benchmarks.csv
    """
    from physprobe.analysis.scatter import correlation

    table = read_csv(others)
    _show(results, rows, json, lambda f: correlation(f, table, over.value, resamples=resamples, seed=seed))


@app.command()
def anova(
    results: list[Path] = RESULTS,
    top: int | None = typer.Option(None, min=2, help="Only the K models with the highest accuracy."),
    rows: int = ROWS,
    json: bool = JSON,
) -> None:
    """Test prompt, frame count and extraction by repeated-measures ANOVA (needs conservation_full).

    Example: physprobe analyse anova results/ --top 15
    """
    from physprobe.analysis.factors import anova

    _show(results, rows, json, lambda f: anova(f, top=top))


@app.command()
def scaling(
    results: list[Path] = RESULTS,
    sizes: Path | None = typer.Option(
        None, metavar="CSV", help="Columns model, parameters (in billions); else sizes are read from names."
    ),
    over: Over = OVER,
    rows: int = ROWS,
    json: bool = JSON,
) -> None:
    """Regress scores on the logarithm of the number of parameters.

    Example: physprobe analyse scaling results/ --sizes sizes.csv
    """
    from physprobe.analysis.scaling import read_sizes, scaling

    known = read_sizes(read_csv(sizes)) if sizes else None
    _show(results, rows, json, lambda f: scaling(f, known, over.value))


@app.command()
def power(
    results: list[Path] = RESULTS,
    difference: list[float] = typer.Option([], metavar="POINTS", help="To be seen; may be given repeatedly."),
    model: list[str] = typer.Option([], help="Plan for these two models (give twice); else for all pairs."),
    level: float = typer.Option(0.8, "--power", min=0.01, max=0.999, help="Chance to see the difference."),
    alpha: float = typer.Option(0.05, min=0.0001, max=0.5, help="Two-sided level of the test."),
    over: Over = OVER,
    rows: int = ROWS,
    json: bool = JSON,
) -> None:
    """Say how many pairs are needed to see a difference between two models.

    Example: physprobe analyse power results/ --difference 5 --power 0.9
    """
    from physprobe.analysis.planning import DIFFERENCES, power

    points = difference or DIFFERENCES
    _show(
        results,
        rows,
        json,
        lambda f: power(f, over.value, differences=points, models=model, level=level, alpha=alpha),
    )


def _analysis(function: str) -> Callable[..., Sequence[Finding]]:
    """Import an analysis only when it is asked for."""
    module, _, name = function.partition(".")
    return getattr(import_module(f"physprobe.analysis.{module}"), name)


def _show(
    results: Sequence[Path], rows: int, json: bool, analysis: Callable[[pd.DataFrame], Sequence[Finding]]
) -> None:
    from physprobe.analysis.answers import load_answers
    from physprobe.analysis.printing import as_json, remarks, rich_table

    answers = load_answers(results)
    findings = analysis(answers.frame)
    if json:
        print(as_json(answers, findings))
        return
    screen = _console()
    for finding in findings:
        screen.print(rich_table(finding, rows))
    for remark in remarks(answers):
        screen.print(remark)


def _console() -> Any:
    from rich.console import Console

    screen = Console(highlight=False, markup=False)
    return (
        screen if screen.is_terminal else Console(highlight=False, markup=False, width=400)
    )  # nothing is cut
