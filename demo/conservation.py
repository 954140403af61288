"""The conservationbench part of the demo: seed -> clips -> dataset."""

from __future__ import annotations

from demo.steps import Workspace, heading, run

DATASET = "conservationbench"


def make_dataset(workspace: Workspace, workers: int) -> None:
    """Render the mini preset of seed 0 and build the dataset from it."""
    raw = workspace.root / "raw" / DATASET
    heading("1. Render 24 clips (12 pairs, number and length) from seed 0")
    run(
        workspace,
        [
            "generation",
            DATASET,
            "--out",
            str(raw),
            "--preset",
            "mini",
            "--seed",
            "0",
            "--workers",
            str(workers),
        ],
    )
    heading("2. Build and verify the dataset")
    target = workspace.datasets / DATASET
    run(workspace, ["builders", "build", str(raw), "--out", str(target)])
    run(workspace, ["builders", "verify", str(target)])
