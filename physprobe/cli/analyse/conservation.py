"""Analyses of answers to conservationbench."""

from __future__ import annotations

from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

import typer

from physprobe.cli.analyse.commands import BOOTSTRAP, Options, analysis
from physprobe.cli.reading import read_csv


class Over(str, Enum):
    """Which questions: those of the standard condition, or all of conservation_full."""

    standard = "standard"
    full = "full"


_OVER: Options = {
    "over": (
        Over,
        typer.Option(Over.standard, help="The standard condition, or all questions of conservation_full."),
    )
}
SIZES: Options = {
    "sizes": (
        Path | None,
        typer.Option(
            None,
            metavar="CSV",
            help="Columns model, parameters (in billions); else sizes are read from names.",
        ),
    )
}
POWER: Options = {
    "difference": (
        list[float],
        typer.Option([], metavar="POINTS", help="To be seen; may be given repeatedly."),
    ),
    "model": (
        list[str],
        typer.Option([], help="Plan for these two models (give twice); else for all pairs."),
    ),
    "level": (
        float,
        typer.Option(0.8, "--power", min=0.01, max=0.999, help="Chance to see the difference."),
    ),
    "alpha": (float, typer.Option(0.05, min=0.0001, max=0.5, help="Two-sided level of the test.")),
}
_OTHERS: Options = {
    "others": (
        Path,
        typer.Option(..., metavar="CSV", help="A column 'model' and a column of numbers for each benchmark."),
    )
}
_TOP: Options = {
    "top": (int | None, typer.Option(None, min=2, help="Only the K models with the highest accuracy."))
}


def with_sizes(given: dict[str, Any]) -> dict[str, Any]:
    """Read the table of sizes, where one is given."""
    from physprobe.analysis.scaling import read_sizes

    return {**given, "sizes": read_sizes(read_csv(given["sizes"])) if given["sizes"] else None}


def _with_others(given: dict[str, Any]) -> dict[str, Any]:
    return {**given, "others": read_csv(given["others"])}


def planned(given: dict[str, Any]) -> dict[str, Any]:
    """Name the arguments of a plan as its function does."""
    from physprobe.analysis.planning import DIFFERENCES

    points, models = given.pop("difference"), given.pop("model")
    return {**given, "differences": points or DIFFERENCES, "models": models}


_add = partial(analysis, "conservation")

_add(
    "leaderboard",
    "leaderboard.leaderboard",
    "Rank models, with intervals and tests of neighbours.\n\n"
    "Example: physprobe analyse leaderboard results/ --over full",
    {**_OVER, **BOOTSTRAP},
    people=True,
)
_add(
    "by-domain",
    "leaderboard.by_domain",
    "Score number, length, volume and size apart.\n\nExample: physprobe analyse by-domain results/",
    {**_OVER, **BOOTSTRAP},
    people=True,
)
_add(
    "scatter",
    "scatter.scatter",
    "Correlate accuracy on conserving with that on non-conserving clips, over models.\n\n"
    "Example: physprobe analyse scatter results/ --over full",
    {**_OVER, **BOOTSTRAP},
)
_add(
    "transitions",
    "controls.transitions",
    "Show how answers change with empty images, captions, and text only.\n\n"
    "Example: physprobe analyse transitions results/",
)
_add(
    "idk",
    "controls.idk",
    'Report how often models say "I don\'t know", by what they are shown.\n\n'
    "Example: physprobe analyse idk results/",
)
_add(
    "static-vs-temporal",
    "static.static_against_temporal",
    "Compare answers to last frames with those to whole clips.\n\n"
    "Example: physprobe analyse static-vs-temporal results/",
)
_add(
    "correlation",
    "scatter.correlation",
    "Correlate scores with those on other benchmarks.\n\n"
    "Example: physprobe analyse correlation results/ --others benchmarks.csv",
    {**_OTHERS, **_OVER, **BOOTSTRAP},
    prepare=_with_others,
)
_add(
    "anova",
    "factors.anova",
    "Test prompt, frame count and extraction by repeated-measures ANOVA (needs conservation_full).\n\n"
    "Example: physprobe analyse anova results/ --top 15",
    _TOP,
)
_add(
    "scaling",
    "scaling.scaling",
    "Regress scores on the logarithm of the number of parameters.\n\n"
    "Example: physprobe analyse scaling results/ --sizes sizes.csv",
    {**SIZES, **_OVER},
    prepare=with_sizes,
)
_add(
    "power",
    "planning.power",
    "Say how many pairs are needed to see a difference between two models.\n\n"
    "Example: physprobe analyse power results/ --difference 5 --power 0.9",
    {**POWER, **_OVER},
    prepare=planned,
)
