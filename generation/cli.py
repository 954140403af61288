"""The command ``python -m generation BENCHMARK``: raw data from nothing but code and a seed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperGroup

from physprobe.errors import UserError, unknown_name
from physprobe.text import duration, quantity

if TYPE_CHECKING:
    from generation.core.raw import RawManifest
    from generation.core.run import Item

_Planned = TypeVar("_Planned")

_MAX_SEED = 2**63 - 1  # what a Parquet integer holds


class _Benchmarks(TyperGroup):
    """Names the benchmarks when asked for one that doesn't exist."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a benchmark's command.

        Raises:
            UserError: there is no such benchmark.
        """
        command = super().get_command(ctx, cmd_name)
        if command is None:
            raise unknown_name("benchmark", cmd_name, self.commands)
        return command


@dataclass(frozen=True)
class _Kind:
    """What a command makes, item by item.

    Attributes:
        benchmark: its name in raw data. noun: what an item is called. key: the attribute that names one.
        module: has make_item and check_item. It imports a renderer, so import it late.
    """

    benchmark: str
    noun: str
    key: str
    module: str


_PAIRS = _Kind("conservationbench", "pair", "pair_id", "generation.conservation.clip")
_CLIPS = _Kind("quantiphy", "clip", "video_id", "generation.quantiphy.clip")
_FAMILIES = _Kind("physical-consistency", "family", "family_id", "generation.consistency.family")

app = typer.Typer(
    name="generation",
    cls=_Benchmarks,
    help="Make a benchmark's raw data: media and records of what happened, from code and a seed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


Out = Annotated[
    Path | None,
    typer.Option(help="Folder to write: new, empty, or of the same run, which is then continued."),
]
PresetName = Annotated[
    str, typer.Option(help="mini: 12 pairs, 320x240. full: every pair of the design, 640x480.")
]
Seed = Annotated[int, typer.Option(min=0, max=_MAX_SEED, help="Another seed makes a fresh benchmark.")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, help="Processes; the data doesn't depend on it. Default: 2, or 1 on one core."),
]
Only = Annotated[str, typer.Option(metavar="GLOB", help="Only pairs whose pair_id matches, e.g. 'number_*'.")]
ListOnly = Annotated[bool, typer.Option("--list", help="Print every clip as a JSON line and render nothing.")]


@app.command(epilog="Example: python -m generation conservationbench --out raw/mini --preset mini --seed 0")
def conservationbench(
    out: Out = None,
    preset: PresetName = "mini",
    seed: Seed = 0,
    workers: Workers = None,
    only: Only = "*",
    list_only: ListOnly = False,
) -> None:
    """Film conserving clips and their non-conserving twins.

    A run that was interrupted or killed continues with the same command.
    """
    from generation.conservation.design import cells
    from generation.conservation.listing import clip_rows

    chosen = _matching(_PAIRS, cells(preset), only, preset)
    if list_only:
        _print_rows(row for cell in chosen for row in clip_rows(cell))
    else:
        _generate(_PAIRS, chosen, preset, seed, _given(out, "raw/mini"), workers)


ClipPreset = Annotated[
    str, typer.Option(help="mini: 7 clips, 426x240. full: 571 clips of all 36 video types, 854x480.")
]
OnlyClips = Annotated[
    str, typer.Option(metavar="GLOB", help="Only clips whose video_id matches, e.g. 'S3M*'.")
]


@app.command(epilog="Example: python -m generation quantiphy --out raw/quantiphy --preset mini --seed 0")
def quantiphy(
    out: Out = None,
    preset: ClipPreset = "mini",
    seed: Seed = 0,
    workers: Workers = None,
    only: OnlyClips = "*",
    list_only: ListOnly = False,
) -> None:
    """Film things that move, with exact kinematics at every frame.

    A run that was interrupted or killed continues with the same command.
    """
    from generation.quantiphy.design import clips
    from generation.quantiphy.listing import clip_row

    chosen = _matching(_CLIPS, clips(preset), only, preset)
    if list_only:
        _print_rows(map(clip_row, chosen))
    else:
        _generate(_CLIPS, chosen, preset, seed, _given(out, "raw/quantiphy"), workers)


FamilyPreset = Annotated[
    str,
    typer.Option(help="mini: a family of each split, 250x250, 64 spp. full: 500 families, 500x500, 150 spp."),
]
OnlyFamilies = Annotated[
    str, typer.Option(metavar="GLOB", help="Only families whose family_id matches, e.g. 'train_*'.")
]
ListFamilies = Annotated[
    bool, typer.Option("--list", help="Print every family as a JSON line and render nothing.")
]


@app.command(epilog="Example: python -m generation physical-consistency --out raw/consistency --preset mini")
def physical_consistency(
    out: Out = None,
    preset: FamilyPreset = "mini",
    seed: Seed = 0,
    workers: Workers = None,
    only: OnlyFamilies = "*",
    list_only: ListFamilies = False,
) -> None:
    """Render scenes, each once as physics wants it and ten times with one law broken.

    A run that was interrupted or killed continues with the same command.
    """
    from generation.consistency.design import families
    from generation.consistency.listing import family_row

    chosen = _matching(_FAMILIES, families(preset), only, preset)
    if list_only:
        _print_rows(map(family_row, chosen))
    else:
        _generate(_FAMILIES, chosen, preset, seed, _given(out, "raw/consistency"), workers)


def _matching(kind: _Kind, items: Iterable[_Planned], only: str, preset: str) -> tuple[_Planned, ...]:
    """Return the items of a preset whose key matches a glob."""
    chosen = tuple(item for item in items if fnmatchcase(getattr(item, kind.key), only))
    if not chosen:
        raise UserError(f"--only {only!r} matches no {kind.noun} of preset {preset}; --list shows them all")
    return chosen


def _given(out: Path | None, example: str) -> Path:
    if out is None:
        raise UserError(f"--out is missing: name a folder to write, e.g. --out {example}")
    return out


def _print_rows(rows: Iterable[dict[str, object]]) -> None:
    from generation.core.canonical import canonical_json

    for row in rows:
        sys.stdout.write(canonical_json(row))


def _generate(
    kind: _Kind, chosen: Sequence[Any], preset: str, seed: int, out: Path, workers: int | None
) -> None:
    from physprobe import renderer

    renderer.choose()  # probes once for all workers; stops here, with advice, when nothing can render
    from generation.core.raw import RawManifest
    from generation.core.run import Item

    made_by = import_module(kind.module)
    items = [
        Item(getattr(each, kind.key), partial(made_by.make_item, each, preset, seed), made_by.check_item)
        for each in chosen
    ]
    _run(items, kind.noun, RawManifest(benchmark=kind.benchmark, preset=preset, seed=seed), out, workers)


def _run(items: Sequence[Item], noun: str, manifest: RawManifest, out: Path, workers: int | None) -> None:
    from generation.core.raw import writing
    from generation.core.run import available_cores, run_items
    from generation.rendering.variant import set_threads

    processes = workers or min(available_cores(), 2)
    threads = partial(set_threads, max(1, available_cores() // processes))
    with writing(out, manifest) as raw:
        todo = sum(not raw.is_complete(item.key) for item in items)
        print(
            f"{todo} of {quantity(len(items), noun)} to render, {processes} at a time",
            file=sys.stderr,
            flush=True,
        )
        summary = run_items(raw, items, processes, threads)
        megabytes = raw.size_bytes() / 1e6
    made = quantity(summary.made, noun)
    reused = f" and found {summary.reused}" if summary.reused else ""
    print(f"made {made}{reused} in {duration(summary.seconds)}; {megabytes:.1f} MB in {out}")
