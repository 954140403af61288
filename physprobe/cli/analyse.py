"""``physprobe analyse``: one analysis of saved answers in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from physprobe.errors import UserError

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
    metavar="RESULTS...",
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


@app.command()
def leaderboard(
    results: list[Path] = RESULTS,
    over: Over = OVER,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    rows: int = ROWS,
    json: bool = JSON,
) -> None:
    """Rank models, with intervals and tests of neighbours.

    Example: physprobe analyse leaderboard results/ --over full
    """
    from physprobe.analysis.leaderboard import leaderboard

    _show(results, rows, json, lambda f: leaderboard(f, over.value, resamples=resamples, seed=seed))


@app.command("by-domain")
def by_domain(
    results: list[Path] = RESULTS,
    over: Over = OVER,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    rows: int = ROWS,
    json: bool = JSON,
) -> None:
    """Score number, length, volume and size apart.

    Example: physprobe analyse by-domain results/
    """
    from physprobe.analysis.leaderboard import by_domain

    _show(results, rows, json, lambda f: by_domain(f, over.value, resamples=resamples, seed=seed))


@app.command()
def scatter(
    results: list[Path] = RESULTS,
    over: Over = OVER,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    rows: int = ROWS,
    json: bool = JSON,
) -> None:
    """Correlate accuracy on conserving with that on non-conserving clips, over models.

    Example: physprobe analyse scatter results/ --over full
    """
    from physprobe.analysis.scatter import scatter

    _show(results, rows, json, lambda f: scatter(f, over.value, resamples=resamples, seed=seed))


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

    table = _csv(others)
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
def transitions(
    results: list[Path] = RESULTS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    rows: int = ROWS,
    json: bool = JSON,
) -> None:
    """Show how answers change with empty images and with text only.

    Example: physprobe analyse transitions results/
    """
    from physprobe.analysis.controls import transitions

    _show(results, rows, json, lambda f: transitions(f, resamples=resamples, seed=seed))


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

    known = read_sizes(_csv(sizes)) if sizes else None
    _show(results, rows, json, lambda f: scaling(f, known, over.value))


@app.command("static-vs-temporal")
def static_vs_temporal(
    results: list[Path] = RESULTS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    rows: int = ROWS,
    json: bool = JSON,
) -> None:
    """Compare answers to last frames with those to whole clips.

    Example: physprobe analyse static-vs-temporal results/
    """
    from physprobe.analysis.static import static_against_temporal

    _show(results, rows, json, lambda f: static_against_temporal(f, resamples=resamples, seed=seed))


@app.command()
def idk(
    results: list[Path] = RESULTS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    rows: int = ROWS,
    json: bool = JSON,
) -> None:
    """Report how often models say "I don't know", by what they are shown.

    Example: physprobe analyse idk results/
    """
    from physprobe.analysis.controls import idk

    _show(results, rows, json, lambda f: idk(f, resamples=resamples, seed=seed))


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


def _show(
    results: Sequence[Path], rows: int, json: bool, analysis: Callable[[pd.DataFrame], Sequence[Finding]]
) -> None:
    from physprobe.analysis.answers import load_answers
    from physprobe.analysis.printing import as_json, rich_table

    answers = load_answers(results)
    findings = analysis(answers.frame)
    if json:
        print(as_json(answers, findings))
        return
    screen = _console()
    for finding in findings:
        screen.print(rich_table(finding, rows))
    for each in answers.apart:
        screen.print(
            f"set apart: {each.source.path} ({each.source.model}, {each.source.task}): {each.reason}"
        )


def _console() -> Any:
    from rich.console import Console

    screen = Console(highlight=False, markup=False)
    return (
        screen if screen.is_terminal else Console(highlight=False, markup=False, width=400)
    )  # nothing is cut


def _csv(path: Path) -> Any:
    import pandas as pd

    try:
        return pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise UserError(f"{path} can't be read as CSV ({str(error).splitlines()[0]})") from error
