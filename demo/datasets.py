"""The datasets of the demo: for each benchmark, seed -> raw folder -> dataset."""

from __future__ import annotations

from dataclasses import dataclass

from demo.steps import Workspace, heading, run


@dataclass(frozen=True)
class Part:
    """A benchmark in the demo.

    Attributes:
        dataset, task: its names as a dataset and in lmms-eval. shown: what its mini preset holds.
    """

    dataset: str
    task: str
    shown: str


PARTS = (
    Part("conservationbench", "conservation", "24 clips (12 pairs, number and length)"),
    Part("quantiphy", "quantiphy", "7 clips of things that move, with exact answers"),
    Part("physical-consistency", "physical_consistency", "5 scenes, each whole and broken in ten ways"),
)


def make_datasets(workspace: Workspace, workers: int) -> None:
    """Render the mini preset of seed 0 of every benchmark; build and verify the datasets."""
    for number, part in enumerate(PARTS, start=1):
        heading(f"{number}. {part.dataset}: {part.shown}")
        raw, target = workspace.root / "raw" / part.dataset, workspace.datasets / part.dataset
        where = ["--out", str(raw), "--preset", "mini", "--seed", "0", "--workers", str(workers)]
        run(workspace, ["generation", part.dataset, *where])
        run(workspace, ["builders", "build", str(raw), "--out", str(target)])
        run(workspace, ["builders", "verify", str(target)])
