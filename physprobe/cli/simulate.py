"""``physprobe simulate``: answers of models whose biases and abilities are known."""

from __future__ import annotations

from pathlib import Path

import typer

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Make answers of simulated models.")


@app.callback()
def _main() -> None:
    """Keep the benchmark a subcommand: others follow."""


@app.command()
def conservation(
    models: int = typer.Option(..., metavar="N", help="How many models."),
    out: Path = typer.Option(..., metavar="DIR", help="A new or empty folder."),
    seed: int = typer.Option(0, min=0, help="Of everything that is drawn."),
    bias: float = typer.Option(
        0.65, min=0.05, max=0.95, help='Mean probability to say "same" when guessing; 0.33 is no bias.'
    ),
) -> None:
    """Simulate models on all 23,040 questions of conservationbench and its controls.

    To plan a study, or to see what an analysis can tell. DIR/simulation.json says what is true of each model
    and which scores to expect; physprobe analyse reads DIR.

    Example: physprobe simulate conservation --models 112 --out out/simulated --seed 0
    """
    from physprobe.analysis.simulation.study import Study
    from physprobe.analysis.simulation.writing import simulate

    simulate(Study(seed=seed, bias=bias), models, out)
    print(f"{out}: answers of {models} simulated models")
