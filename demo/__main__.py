"""Run the demo: ``python -m demo [--out DIR] [--workers N]``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from demo.datasets import make_datasets
from demo.evaluation import REFERENCES, evaluate, tiny_vlm
from demo.report import make_report
from demo.steps import Workspace, console, heading, run
from physprobe.cli.runner import run as run_app

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    out: Annotated[Path, typer.Option(help="Output folder; a second run reuses what is there.")] = Path(
        "out/demo"
    ),
    workers: Annotated[int, typer.Option(min=1, help="Rendering processes.")] = min(2, os.cpu_count() or 1),
) -> None:
    """Render three mini benchmarks, build datasets, evaluate seven models, print tables, write a report.

    Example: python -m demo --out out/demo
    """
    workspace = Workspace(out.resolve())
    make_datasets(workspace, workers)
    folders = evaluate(workspace, (*REFERENCES, tiny_vlm(workspace)))
    heading("6. Scores")
    run(workspace, ["physprobe", "table", *map(str, folders)])
    make_report(workspace, folders)
    console.print(
        "\nThe oracle reads the ground truth, quantiphy_geometry measures in pixels, the other references\n"
        "read nothing. The tiny VLM has random weights: it shows that frames, prompts and answers go\n"
        "through; most of its nonsense is unread.\n"
        f"Everything is under {out}. To run your own model: 'Evaluate your model' in README.md."
    )


if __name__ == "__main__":
    sys.exit(run_app(app))
