"""Speed of a scene family of physical-consistency, ours against the naive way at equal samples per pixel.

Ours is ``generation.consistency.render``: one pass over the clean scene gives all images that differ in their
shadows alone, and for the others only the pixels that a violation touches are traced again. The naive way
path-traces 21 whole images: the clean one, and for each category a clean reference and the violated image,
loading the scene for each. Each way runs in a process of its own and does a first family before, so that
compiling is not counted.

    python -m benchmarks.consistency --quick
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from physprobe.cli.runner import run

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
console = Console(width=120, highlight=False)

_FIRST, _MEASURED = "train_003", "train_005"
_IMAGES = 21


@dataclass(frozen=True)
class Outcome:
    """What one way took.

    Attributes:
        seconds, cpu_seconds: for a family. paths: camera paths in whole frames. peak_mb: largest memory.
        new_kernels: compiled for the second family.
    """

    seconds: float
    cpu_seconds: float
    paths: float
    peak_mb: float
    new_kernels: int


@app.command()
def main(
    quick: bool = typer.Option(False, "--quick", help="100x100 pixels, 16 spp, instead of preset full."),
) -> None:
    """Print time, traced frames, memory and new kernels of both ways, and how many times faster ours is.

    Example: python -m benchmarks.consistency --quick
    """
    from physprobe import renderer

    choice = renderer.choose()
    console.print(f"{choice.variant} {choice.llvm_version}, {renderer.processor()}")
    ours, naive = _alone(_measure, _ours, quick), _alone(_measure, _naive, quick)
    table = Table(
        "way", "s / family", "CPU s / family", "frames", "peak MB", "new kernels", "faster", "in CPU time"
    )
    ratios = f"{naive.seconds / ours.seconds:.1f} x", f"{naive.cpu_seconds / ours.cpu_seconds:.1f} x"
    table.add_row("ours", *_numbers(ours), *ratios)
    table.add_row("naive", *_numbers(naive), "", "")
    console.print(table)


def _numbers(outcome: Outcome) -> tuple[str, ...]:
    times = f"{outcome.seconds:.1f}", f"{outcome.cpu_seconds:.1f}"
    return *times, f"{outcome.paths:.2f}", f"{outcome.peak_mb:.0f}", str(outcome.new_kernels)


def _alone(work: Callable[..., Outcome], *arguments: object) -> Outcome:
    """Run in a fresh process, so that its memory and compiled kernels are its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


def _measure(way: Callable[[Any], int], quick: bool) -> Outcome:
    from generation.rendering.variant import activate

    activate()
    import drjit as dr  # not before: it would choose its own LLVM

    way(_params(_FIRST, quick))
    params = _params(_MEASURED, quick)
    start, cpu_start = time.perf_counter(), time.process_time()
    with dr.scoped_set_flag(dr.JitFlag.KernelHistory, True):
        dr.kernel_history_clear()
        paths = way(params)
        compiled = [k for k in dr.kernel_history() if k["type"] == dr.KernelType.JIT and not k["cache_hit"]]
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
    frames = paths / (params.width * params.height * params.spp)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak_mb = peak / (1024**2 if sys.platform == "darwin" else 1024)
    return Outcome(seconds, cpu_seconds, frames, peak_mb, len(compiled))


def _params(family_id: str, quick: bool) -> Any:
    from generation.consistency.design import PRESETS, design
    from generation.consistency.sampling import Rejections, sample
    from generation.core.seeds import item_rng

    family = next(each for each in design() if each.family_id == family_id)
    params = sample(item_rng(0, "benchmark", family_id), family, PRESETS["full"], Rejections())
    return params.model_copy(update={"width": 100, "height": 100, "spp": 16}) if quick else params


def _ours(params: Any) -> int:
    from generation.consistency.case import Case, View
    from generation.consistency.render import paint
    from generation.consistency.world import build

    view = View(build(params))
    return paint(view, [Case(view, intervention) for intervention in params.interventions]).paths


def _naive(params: Any) -> int:
    import gc

    import numpy as np

    from generation.consistency.render import MAX_DEPTH
    from generation.consistency.render_paths import PathTracer
    from generation.consistency.render_rules import physics
    from generation.consistency.render_stage import Stage
    from generation.consistency.world import build

    world, paths = build(params), 0
    for _ in range(_IMAGES):
        stage = Stage(world)
        tracer = PathTracer(stage, params.spp, MAX_DEPTH, params.noise)
        tracer.render(physics(world), np.arange(params.width * params.height))
        paths += tracer.samples
        del stage, tracer
        gc.collect()
    return paths


if __name__ == "__main__":
    sys.exit(run(app))
