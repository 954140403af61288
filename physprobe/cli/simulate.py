"""``physprobe simulate``: answers of models whose biases and abilities are known."""

from __future__ import annotations

from pathlib import Path

import typer

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Make answers of simulated models.")

MODELS = typer.Option(..., metavar="N", help="How many models.")
OUT = typer.Option(..., metavar="DIR", help="A new or empty folder.")
SEED = typer.Option(0, min=0, help="Of everything that is drawn.")


@app.command()
def conservation(
    models: int = MODELS,
    out: Path = OUT,
    seed: int = SEED,
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


@app.command()
def quantiphy(
    models: int = MODELS,
    out: Path = OUT,
    seed: int = SEED,
    reliance: float = typer.Option(
        0.5, min=0.0, max=1.0, help="Mean share of answers that rely on knowledge of the world alone."
    ),
    videos: int = typer.Option(4, min=1, help="Of each of the 36 video types, with six questions each."),
) -> None:
    """Simulate models on questions like those of quantiphy and its controls.

    To plan a study, or to see what an analysis can tell. DIR/simulation.json says what is true of each model
    and which scores to expect; physprobe analyse reads DIR.

    Example: physprobe simulate quantiphy --models 21 --out out/simulated --seed 0
    """
    from physprobe.analysis.simulation.quantities import QuantityStudy, simulate_quantities

    simulate_quantities(QuantityStudy(seed=seed, reliance=reliance, videos=videos), models, out)
    print(f"{out}: answers of {models} simulated models")
