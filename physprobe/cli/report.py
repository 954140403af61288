"""``physprobe report``: every analysis of saved answers as one page."""

from __future__ import annotations

from pathlib import Path

import typer

from physprobe.cli.reading import read_csv

app = typer.Typer(add_completion=False)


@app.command()
def report(
    results: list[Path] = typer.Argument(
        metavar="RESULTS",
        help="Output folders of lmms-eval (evaluated with --log_samples), results files, or folders made by "
        "physprobe simulate.",
    ),
    out: Path = typer.Option(..., metavar="DIR", help="A new or empty folder, or an older report."),
    sizes: Path | None = typer.Option(
        None, metavar="CSV", help="Columns model, parameters (in billions); else sizes are read from names."
    ),
    others: Path | None = typer.Option(
        None, metavar="CSV", help="Other benchmarks: a column 'model' and a column of scores for each."
    ),
    people: Path | None = typer.Option(
        None, metavar="CSV", help="Answers of people to score beside: see docs/human_data.md."
    ),
    top: int = typer.Option(15, min=2, help="How many of the best models are also analysed alone."),
    example_model: list[str] = typer.Option(
        [], metavar="MODEL", help="Whose answers can be browsed; may be given repeatedly."
    ),
    resamples: int = typer.Option(10_000, min=100, help="Of the bootstrap."),
    seed: int = typer.Option(0, min=0, help="Of the bootstrap."),
    keep_unreadable: bool = typer.Option(
        False, "--keep-unreadable", help="Keep models most of whose answers can't be read in the tables."
    ),
    keep_limited: bool = typer.Option(
        False, "--keep-limited", help="Keep runs with --limit, if all were asked the same."
    ),
) -> None:
    """Write a page with leaderboards, analyses and examples, and its tables and figures as files.

    DIR/index.html opens from disk, without a network. Tables are there as CSV and JSON, figures as PNG and
    PDF. Pictures of examples come from the datasets in PHYSPROBE_DATA.

    Example: physprobe report results/* --out report
    """
    from physprobe.analysis.people.table import read_people
    from physprobe.analysis.scaling import read_sizes
    from physprobe.report.build import write_report
    from physprobe.report.model import ReportOptions

    options = ReportOptions(
        resamples=resamples,
        seed=seed,
        top=top,
        sizes=read_sizes(read_csv(sizes)) if sizes else None,
        others=read_csv(others) if others else None,
        people=read_people(people) if people else None,
        example_models=tuple(example_model),
    )
    write_report(results, out, options, unreadable=keep_unreadable, limited=keep_limited)
    print(f"{out / 'index.html'}: open it in a browser")
