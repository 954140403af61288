"""The quantiphy part of the demo: seed -> clips -> dataset."""

from __future__ import annotations

from demo.steps import Workspace, heading, run

DATASET = "quantiphy"


def make_dataset(workspace: Workspace, workers: int) -> None:
    """Render the mini preset of seed 0, and build and verify the dataset."""
    raw = workspace.root / "raw" / DATASET
    heading("3. The same for quantiphy: 7 clips of things that move, with exact answers")
    count = str(workers)
    run(workspace, ["generation", DATASET, "--out", str(raw), "--preset", "mini", "--workers", count])
    target = workspace.datasets / DATASET
    run(workspace, ["builders", "build", str(raw), "--out", str(target)])
    run(workspace, ["builders", "verify", str(target)])
