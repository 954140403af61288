"""``physprobe sweep``: evaluate many models on many tasks, on as many GPUs as there are."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

app = typer.Typer(add_completion=False)


@app.command()
def sweep(
    file: Path = typer.Argument(metavar="SWEEP.yaml", help="Models, tasks and settings: see docs/sweeps.md."),
    out: Path | None = typer.Option(
        None, metavar="DIR", help="Folder of the results, in place of the file's."
    ),
    slots: int | None = typer.Option(
        None, min=1, metavar="N", help="Run on the CPU, N slots standing for N GPUs."
    ),
    cluster: str | None = typer.Option(
        None, metavar="ADDRESS", help="Run on a Ray cluster: HOST:PORT of its head node, or auto."
    ),
    only: list[str] = typer.Option(
        [], metavar="PATTERN", help="Only these models or jobs (MODEL/TASK), * for any text; may be repeated."
    ),
    dry_run: bool = typer.Option(False, "--dry-run", help="Show each job with its command, and run nothing."),
) -> None:
    """Evaluate models on tasks: each a job of its own process, on one or more GPUs by the model's size.

    A job that fails or hangs is ended and tried again, and stops no other. The same command after an
    interruption runs only what is missing. Exit code 1 when a job failed.

    Example: physprobe sweep SWEEP.yaml --dry-run
    """
    from rich.console import Console

    from physprobe.sweep.preparing import Request, prepare
    from physprobe.sweep.run import run, show_plan

    request = Request(file, out, slots, cluster, tuple(only))
    prepared = prepare(request)
    if dry_run:
        print("\n".join(show_plan(prepared)))
    elif not run(prepared, request.command, Console(file=sys.stdout)):
        raise typer.Exit(1)
