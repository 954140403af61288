"""``physprobe rescore``: compute all metrics of finished runs again, from their samples files."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from physprobe.statistics.estimates import metric_names

if TYPE_CHECKING:
    from rich.console import Console

    from physprobe.harness.rescoring import Rescored

app = typer.Typer(add_completion=False)

_BOUNDS = ("ci95_low_", "ci95_high_")
_SHOWN = 10  # answers that are read otherwise


@app.command()
def rescore(
    samples: list[Path] = typer.Argument(
        metavar="SAMPLES",
        help="Samples files, results files, or output folders of lmms-eval (--output_path).",
    ),
    write: bool = typer.Option(
        False, "--write", help="Write a new results file, with samples, beside the old, which stays."
    ),
) -> None:
    """Read saved answers anew, compute all metrics and intervals from them, and compare with what was saved.

    No model is asked. Exit code 1 if any number differs (with --write: 0, for that is what is written).

    Example: physprobe rescore results/my_model
    """
    from rich.console import Console

    from physprobe.harness import rescoring
    from physprobe.harness.failures import EvaluationFailed

    screen = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 200)
    differing = []
    for path in rescoring.find_results(samples):
        rescored = rescoring.rescore(path)
        _show(screen, rescored)
        differing += [_difference(rescored, number) for number in rescored.differences()]
        if write:
            screen.print(f"written to {rescoring.write(rescored)}", markup=False)
    if differing and not write:
        more = f" (and {len(differing) - 1} more)" if differing[1:] else ""
        raise EvaluationFailed(f"{differing[0]}{more}")


def _show(screen: Console, rescored: Rescored) -> None:
    from rich.table import Table

    table = Table(title=f"{rescored.run.model}, {rescored.run.path}", title_justify="left")
    for heading in ("task", "metric", "saved", "recomputed"):
        table.add_column(heading, no_wrap=True)
    for path in rescored.found:
        if path[0] == "results" and not path[2].startswith(_BOUNDS):
            saved, found = (_text(numbers, path) for numbers in (rescored.saved, rescored.found))
            table.add_row(
                path[1], path[2].partition(",")[0], saved, "same" if _same(rescored, path) else found
            )
    screen.print(table)
    for each in rescored.reread[:_SHOWN]:
        now = ", ".join(f"{name} {each.before[name]!r} -> {each.after[name]!r}" for name in each.after)
        screen.print(f"read otherwise: {each.task}, {each.question_id}: {now}", markup=False)
    if len(rescored.reread) > _SHOWN:
        screen.print(f"... and {len(rescored.reread) - _SHOWN} more answers are read otherwise")
    differ = len(rescored.differences())
    verdict = f"{differ} differ" if differ else "all are the same"
    screen.print(f"{len(rescored.found):,} numbers computed anew: {verdict}")


def _same(rescored: Rescored, path: tuple[str, ...]) -> bool:
    return _with_bounds(rescored.saved, path) == _with_bounds(rescored.found, path)


def _with_bounds(numbers: Mapping[tuple[str, ...], Any], path: tuple[str, ...]) -> tuple[Any, ...]:
    """Return a metric and, where it has them, its bounds."""
    section, task, metric = path
    name, _, ending = metric.partition(",")
    bounds = [(section, task, f"{bound},{ending}") for bound in metric_names(name)[1:]]
    return (numbers[path], *(numbers[each] for each in bounds if each in numbers))


def _text(numbers: Mapping[tuple[str, ...], Any], path: tuple[str, ...]) -> str:
    values = _with_bounds(numbers, path)
    value, *bounds = ("-" if v is None else f"{v:.4f}" if isinstance(v, float) else str(v) for v in values)
    return f"{value} ({', '.join(bounds)})" if bounds else value


def _difference(rescored: Rescored, path: tuple[str, ...]) -> str:
    name = " ".join(path[1:]).partition(",")[0] if path[0] == "results" else " ".join(path[1:])
    return (
        f"{name}: saved {rescored.saved[path]!r}, recomputed {rescored.found[path]!r} ({rescored.run.path})"
    )
