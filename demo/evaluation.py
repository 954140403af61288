"""The evaluation of the demo: every model on all its benchmarks in one command of lmms-eval."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from demo.datasets import PARTS
from demo.steps import Workspace, console, heading, is_current, mark_current, run
from physprobe import __version__

_DATASETS = {part.task: part.dataset for part in PARTS}
_ALL = tuple(_DATASETS)


@dataclass(frozen=True)
class Contender:
    """A model of the demo.

    Attributes:
        name: of its results folder.
        adapter: lmms-eval's name for the kind of model.
        tasks: that it can answer.
        options: further command-line arguments.
    """

    name: str
    adapter: str
    tasks: tuple[str, ...] = _ALL
    options: tuple[str, ...] = ()


_SMALL = "device_map=cpu,min_pixels=3136,max_pixels=100352,max_num_frames=4"

REFERENCES = (
    Contender("physprobe_oracle", "physprobe_oracle"),
    Contender("physprobe_chance", "physprobe_chance"),
    Contender("physprobe_invariance", "physprobe_invariance", ("conservation",)),
    Contender("physprobe_change", "physprobe_change", ("conservation",)),
    Contender("quantiphy_geometry", "quantiphy_geometry", ("quantiphy",)),
    Contender("physprobe_majority", "physprobe_majority", ("physical_consistency",)),
)


def tiny_vlm(workspace: Workspace) -> Contender:
    """Make a VLM of true architecture with random weights: it sees every frame and answers nonsense."""
    folder = workspace.root / "models" / "tiny_qwen2_5_vl"
    heading("4. A real VLM architecture with tiny random weights (Qwen2.5-VL)")
    if (folder / "config.json").is_file():
        console.print("[dim]  already there[/dim]")
    else:
        run(workspace, ["physprobe.harness.tiny_vlm", "--arch", "qwen2_5_vl", "--out", str(folder)])
    return Contender(
        "tiny_qwen2_5_vl",
        "qwen2_5_vl",
        # Small images, few frames of videos, short answers: nonsense needs no more, and the demo is quick.
        options=(
            *("--model_args", f"pretrained={folder},{_SMALL}", "--device", "cpu"),
            *("--gen_kwargs", "max_new_tokens=16", "--batch_size", "4"),
        ),
    )


def evaluate(workspace: Workspace, contenders: tuple[Contender, ...]) -> list[Path]:
    """Run lmms-eval once per model, reusing finished runs on the same data; return the results folders."""
    heading("5. Evaluate with lmms-eval")
    return [_evaluate_one(workspace, contender) for contender in contenders]


def _evaluate_one(workspace: Workspace, contender: Contender) -> Path:
    output = workspace.root / "results" / contender.name
    cards = [workspace.datasets / _DATASETS[task] / "README.md" for task in contender.tasks]
    content = b"".join(card.read_bytes() for card in cards)  # the cards hold the content hashes
    key = {
        "dataset": hashlib.sha256(content).hexdigest(),
        "model": " ".join((contender.adapter, *contender.options)),
        "physprobe": __version__,
    }
    stamp = output / "finished.json"
    if is_current(stamp, key):
        console.print(f"[dim]  {contender.name}: reused[/dim]")
        return output
    arguments = ["physprobe.lmms_eval", "--model", contender.adapter, "--tasks", ",".join(contender.tasks)]
    arguments += [*contender.options, "--log_samples", "--output_path", str(output)]
    run(workspace, arguments, log=workspace.root / "logs" / f"{contender.name}.log")
    mark_current(stamp, key)
    return output
