"""``physprobe table``: compare the results of several models."""

from __future__ import annotations

from pathlib import Path

import typer

app = typer.Typer(add_completion=False)


@app.command()
def table(
    results: list[Path] = typer.Argument(
        metavar="RESULTS", help="Output folders of lmms-eval (--output_path), or results files."
    ),
    by: str = typer.Option(
        "",
        metavar="FACTORS",
        help="Break scores of conservationbench down by domain, prompt_style, frame_count or extraction, "
        "or by several: domain,prompt_style. Needs the samples (--log_samples).",
    ),
) -> None:
    """Print one table of scores a task, a row a model, the headline first. Of reruns the newest counts.

    Example: physprobe table results/physprobe_oracle results/my_model --by domain,frame_count
    """
    from rich.console import Console

    from physprobe.comparison import comparison_tables
    from physprobe.results import find_runs

    factors = [name.strip() for name in by.split(",") if name.strip()]
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=240)  # into a file or a pipe nothing is cut
    for each in comparison_tables(find_runs(results), factors):
        console.print(each)
