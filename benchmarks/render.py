"""Speed and quality of rendering, ours against the naive way at equal quality.

Ours is ``generation.rendering.render``: one scene a clip, only what changes in a frame, few stratified
samples and a denoiser. The naive way loads the scene for each frame and path-traces the whole image with
independent samples, as many as it needs to be as close to a reference as ours. Each way runs in a process of
its own.

    python -m benchmarks.render --quick
"""

from __future__ import annotations

import gc
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from physprobe.cli.runner import run
from physprobe.errors import unknown_name

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
console = Console(width=120, highlight=False)

Image = NDArray[Any]

_SEED = 0
# Naive sample counts whose errors tell how the error falls.
_PILOT_SPP = (16, 64)
_REFERENCE_SEED = 1000
_GLASS_DEPTH = 12


@dataclass(frozen=True)
class Clip:
    """Which clip to render, and the frames on which quality is measured."""

    domain: str
    preset: str
    frames: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """What one way took.

    Attributes:
        seconds: per frame. cpu_seconds: likewise, over all cores; other programs disturb it less.
        samples: million camera paths per second of the whole run.
        peak_mb: largest memory of the process.
        images: the frames on which quality is measured, sRGB in [0, 1].
    """

    seconds: float
    cpu_seconds: float
    samples: float
    peak_mb: float
    images: Image


@app.command()
def main(
    quick: bool = typer.Option(False, "--quick", help="Small images, two frames, a coarser reference."),
    preset: str = typer.Option("full", help="Resolution of this preset; mini with --quick."),
    domain: list[str] = typer.Option([], help="Only this domain; may be repeated."),
) -> None:
    """Print time, samples per second, memory and PSNR of both ways, and how many times faster ours is.

    Example: python -m benchmarks.render --quick
    """
    from generation.conservation.design import PRESETS
    from generation.conservation.generators import GENERATORS
    from physprobe import renderer

    _refuse_unknown("preset", [preset], PRESETS)
    _refuse_unknown("domain", domain, GENERATORS)
    choice = renderer.choose()
    console.print(f"{choice.variant} {choice.llvm_version}, {renderer.processor()}")
    table = Table(
        "clip",
        "way",
        "spp",
        "s / frame",
        "CPU s / frame",
        "M samples / s",
        "peak MB",
        "PSNR dB",
        "faster",
        "in CPU time",
    )
    for name in domain or GENERATORS:
        clip = Clip(name, "mini", (20, 40)) if quick else Clip(name, preset, (16, 40, 64))
        for row in _compare(clip, reference_spp=400 if quick else 1024):
            table.add_row(*row)
    console.print(table)


def _refuse_unknown(kind: str, names: Iterable[str], valid: Collection[str]) -> None:
    for name in names:
        if name not in valid:
            raise unknown_name(kind, name, valid)


def _compare(clip: Clip, reference_spp: int) -> list[tuple[str, ...]]:
    from generation.rendering.render import RenderSettings

    settings = RenderSettings()
    console.print(f"{clip.domain}: ours")
    ours = _alone(_ours, clip)
    console.print(f"{clip.domain}: reference, {reference_spp} spp on {len(clip.frames)} frames")
    reference = _alone(_reference, clip, reference_spp)
    quality = psnr(ours.images, reference.images)
    errors = []
    for spp in _PILOT_SPP:
        console.print(f"{clip.domain}: naive, {spp} spp")
        errors.append(mse(_alone(_naive, clip, spp).images, reference.images))
    spp = spp_for(quality, errors)
    console.print(f"{clip.domain}: naive, {spp} spp, as good as ours")
    naive = _alone(_naive, clip, spp)
    ratios = f"{naive.seconds / ours.seconds:.0f} x", f"{naive.cpu_seconds / ours.cpu_seconds:.0f} x"
    label = f"{settings.spp} to {settings.background_spp * settings.detail}"
    return [
        (clip.domain, "ours", label, *_numbers(ours, reference.images), *ratios),
        ("", "naive", str(spp), *_numbers(naive, reference.images), "", ""),
    ]


def _numbers(outcome: Outcome, reference: Image) -> tuple[str, ...]:
    quality = psnr(outcome.images, reference)
    times = f"{outcome.seconds:.3f}", f"{outcome.cpu_seconds:.3f}"
    return *times, f"{outcome.samples:.2f}", f"{outcome.peak_mb:.0f}", f"{quality:.1f}"


def mse(images: Image, reference: Image) -> float:
    """Return the mean squared difference."""
    return float(np.mean(np.square(images.astype(np.float64) - reference)))


def psnr(images: Image, reference: Image) -> float:
    """Return the peak signal-to-noise ratio in dB of images in [0, 1]."""
    return -10 * float(np.log10(mse(images, reference)))


def spp_for(quality: float, errors: Sequence[float]) -> int:
    """Return the naive sample count that reaches a PSNR, from the errors at the pilot counts.

    The error falls as a power of the count, nearly -1.
    """
    slope, offset = np.polyfit(np.log(_PILOT_SPP), np.log(errors), 1)
    wanted = np.log(10 ** (-quality / 10))
    return max(1, round(float(np.exp((wanted - offset) / slope))))


def _alone(work: Callable[..., Outcome], *arguments: object) -> Outcome:
    """Run in a fresh process, so that its memory and compiled kernels are its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


def _scene(clip: Clip) -> Any:
    """Build the non-conserving clip of the middle of the domain's design: the twin in which more moves."""
    from generation.conservation.design import PRESETS, design
    from generation.conservation.generators import GENERATORS
    from generation.core.seeds import item_rng

    generator, preset = GENERATORS[clip.domain], PRESETS[clip.preset]
    cells = design(clip.domain)
    cell = cells[len(cells) // 2]
    params = generator.sample(item_rng(_SEED, "conservationbench", cell.pair_id), cell, preset)
    return generator.build(params.model_copy(update={"condition": "nonconserving"}))


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024**2 if sys.platform == "darwin" else 1024)


class _Clock:
    """Runs from its making to its stop."""

    def __init__(self) -> None:
        self._start = time.perf_counter(), time.process_time()

    def stop(self, frames: int, samples: int, images: Image) -> Outcome:
        seconds = time.perf_counter() - self._start[0]
        cpu_seconds = time.process_time() - self._start[1]
        return Outcome(seconds / frames, cpu_seconds / frames, samples / seconds / 1e6, _peak_mb(), images)


def _ours(clip: Clip) -> Outcome:
    from generation.rendering.mitsuba_scene import MitsubaScene
    from generation.rendering.render import RenderSettings, film

    scene = _scene(clip)
    clock = _Clock()
    stage = MitsubaScene(scene)
    frames = list(film(stage, RenderSettings()))
    return clock.stop(len(frames), stage.samples, np.stack([frames[k] for k in clip.frames]) / 255)


def _naive(clip: Clip, spp: int) -> Outcome:
    from generation.rendering.mitsuba_scene import MitsubaScene
    from generation.rendering.tone import to_srgb8

    scene = _scene(clip)
    images = []
    clock = _Clock()
    for frame in clip.frames:
        stage = MitsubaScene(_frozen(scene, frame))
        images.append(to_srgb8(_film(stage, "independent", spp, seed=frame)) / 255)
        del stage
        gc.collect()
    return clock.stop(len(images), _samples(images, spp), np.stack(images))


def _reference(clip: Clip, spp: int) -> Outcome:
    from generation.rendering.mitsuba_scene import MitsubaScene
    from generation.rendering.tone import to_srgb

    stage = MitsubaScene(_scene(clip))
    images = []
    clock = _Clock()
    for frame in clip.frames:
        stage.show(frame)
        # Other seeds: no error in common with either way.
        images.append(to_srgb(_film(stage, "multijitter", spp, seed=_REFERENCE_SEED + frame)))
    return clock.stop(len(images), _samples(images, spp), np.stack(images))


def _samples(images: Sequence[Image], spp: int) -> int:
    return sum(image.shape[0] * image.shape[1] for image in images) * spp


def _film(stage: Any, sampler: str, spp: int, seed: int) -> Image:
    """Path-trace the whole image, as Mitsuba's manual does it."""
    import mitsuba as mi

    from generation.rendering.render import RenderSettings
    from generation.rendering.sensor import make_sensor

    has_glass = any(body.material.kind == "glass" for body in stage.scene.objects)
    kind, depth = ("volpath", _GLASS_DEPTH) if has_glass else ("path", RenderSettings().max_depth)
    integrator = mi.load_dict({"type": kind, "max_depth": depth})
    sensor = make_sensor(stage.scene.camera, sampler=sampler)
    return np.array(mi.render(stage.handle, sensor=sensor, integrator=integrator, spp=spp, seed=seed))


@dataclass(frozen=True)
class _Frozen:
    """A body as it is at one frame."""

    body: Any
    frame: int

    @property
    def object_id(self) -> str:
        return self.body.object_id

    @property
    def role(self) -> Any:
        return self.body.role

    @property
    def material(self) -> Any:
        return self.body.material

    @property
    def is_static(self) -> bool:
        return True

    def mesh_at(self, frame: int) -> Any:
        return self.body.mesh_at(self.frame)

    def pose_at(self, frame: int) -> Any:
        return self.body.pose_at(self.frame)


def _frozen(scene: Any, frame: int) -> Any:
    return replace(
        scene,
        objects=tuple(_Frozen(o, frame) for o in scene.objects),
        backdrop=tuple(_Frozen(o, frame) for o in scene.backdrop),
        num_frames=1,
    )


if __name__ == "__main__":
    sys.exit(run(app))
