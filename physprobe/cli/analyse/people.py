"""Answers of people: how well they do, and how far they agree."""

from __future__ import annotations

from pathlib import Path

import typer

from physprobe.cli.analyse.commands import BOOTSTRAP, RESULTS, SHOWN, app, show


@app.command(rich_help_panel="people")
def people(
    results: list[Path] = RESULTS["results"][1],
    answers: Path = typer.Option(
        ..., "--people", metavar="CSV", help="Answers of people: see docs/human_data.md."
    ),
    resamples: int = BOOTSTRAP["resamples"][1],
    seed: int = BOOTSTRAP["seed"][1],
    rows: int = SHOWN["rows"][1],
    json: bool = SHOWN["json"][1],
) -> None:
    """Score people by the questions that models were asked, and measure how far they agree.

    Example: physprobe analyse people results/ --people answers.csv
    """
    from physprobe.analysis.people.study import people_findings
    from physprobe.analysis.people.table import read_people

    for loaded, findings in people_findings(results, read_people(answers), resamples=resamples, seed=seed):
        show(loaded, findings, rows, json)
