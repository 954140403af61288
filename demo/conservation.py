"""The conservationbench part of the demo: seed -> clips -> dataset -> lmms-eval -> results."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from demo.steps import Workspace, console, heading, is_current, mark_current, run
from physprobe import __version__

TASK = "conservation"
DATASET = "conservationbench"


@dataclass(frozen=True)
class Contender:
    """A model of the demo.

    Attributes:
        name: of its results folder.
        adapter: lmms-eval's name for the kind of model.
        options: further command-line arguments.
    """

    name: str
    adapter: str
    options: tuple[str, ...] = ()


REFERENCES = tuple(
    Contender(name, name)
    for name in ("physprobe_oracle", "physprobe_invariance", "physprobe_change", "physprobe_chance")
)


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


def tiny_vlm(workspace: Workspace) -> Contender:
    """Make a VLM of true architecture with random weights: it sees every frame and answers nonsense."""
    folder = workspace.root / "models" / "tiny_qwen2_5_vl"
    heading("3. A real VLM architecture with tiny random weights (Qwen2.5-VL)")
    if (folder / "config.json").is_file():
        console.print("[dim]  already there[/dim]")
    else:
        run(workspace, ["physprobe.harness.tiny_vlm", "--arch", "qwen2_5_vl", "--out", str(folder)])
    return Contender(
        "tiny_qwen2_5_vl",
        "qwen2_5_vl",
        # Small images and short answers: nonsense needs no more, and the demo should be quick.
        (
            *("--model_args", f"pretrained={folder},device_map=cpu,min_pixels=3136", "--device", "cpu"),
            *("--gen_kwargs", "max_new_tokens=16", "--batch_size", "4"),
        ),
    )


def evaluate(workspace: Workspace, contenders: tuple[Contender, ...]) -> list[Path]:
    """Run lmms-eval once per model, reusing finished runs on the same data; return the results folders."""
    heading("4. Evaluate with lmms-eval")
    return [_evaluate_one(workspace, contender) for contender in contenders]


def _evaluate_one(workspace: Workspace, contender: Contender) -> Path:
    output = workspace.root / "results" / contender.name
    card = workspace.datasets / DATASET / "README.md"
    key = {
        "dataset": hashlib.sha256(card.read_bytes()).hexdigest(),  # the card holds the content hashes
        "model": " ".join((contender.adapter, *contender.options)),
        "physprobe": __version__,
    }
    stamp = output / "finished.json"
    if is_current(stamp, key):
        console.print(f"[dim]  {contender.name}: reused[/dim]")
        return output
    arguments = ["physprobe.lmms_eval", "--model", contender.adapter, "--tasks", TASK]
    arguments += [*contender.options, "--log_samples", "--output_path", str(output)]
    run(workspace, arguments, log=workspace.root / "logs" / f"{contender.name}.log")
    mark_current(stamp, key)
    return output
