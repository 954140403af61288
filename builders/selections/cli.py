"""The command line: ``python -m builders select``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RawArgument = Annotated[Path, typer.Argument(metavar="RAW", help="Folder made by `python -m generation`.")]

app = typer.Typer(
    name="select",
    help="Choose the frames that questions show, and check choices made by people or models.",
    no_args_is_help=True,
)


@app.command()
def model(
    raw: RawArgument,
    model: Annotated[str, typer.Option(metavar="CHECKPOINT", help="BLIP-2: a Hub id or a folder.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Selections file to write; scores go beside it.")],
    candidates: Annotated[int, typer.Option(min=2, help="Evenly spaced frames scored a clip.")] = 32,
    device: Annotated[
        str, typer.Option(help="cpu, cuda, cuda:1, ...; auto: a GPU if there is one.")
    ] = "auto",
    dtype: Annotated[str, typer.Option(help="float32, bfloat16 or float16.")] = "float32",
    batch_size: Annotated[int, typer.Option(min=1, help="Frames scored at a time.")] = 16,
    partial: Annotated[bool, typer.Option("--partial", help="Accept a RAW that lacks items.")] = False,
    name: Annotated[str, typer.Option(help="The model's name in FILE. Default: CHECKPOINT.")] = "",
) -> None:
    """Let a BLIP-2 model choose frames, as SeViLA's Localizer does; a killed run continues.

    Example: python -m builders select model out/raw/conservationbench --model Salesforce/blip2-flan-t5-xl
    --out out/selections/blip2.jsonl
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from builders.selections.localizer import load
    from builders.selections.model import check_use, select
    from generation.core.raw import RawFolder

    check_use(out, candidates)
    folder = RawFolder.open(raw)
    localizer = load(model, name=name, device=device, dtype=dtype, batch_size=batch_size)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("scoring clips", total=None)
        lines, is_new = select(
            folder,
            localizer,
            out,
            dtype=dtype,
            candidates=candidates,
            partial=partial,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    print(f"{'wrote' if is_new else 'already there'}: {out} ({lines:,} selections by {localizer.selector})")


@app.command()
def check(
    raw: RawArgument,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Selections files.")],
) -> None:
    """Check selections files against the clips and say what they hold; nothing is written.

    Exit code 2 when anything is wrong; every problem is listed with its line.

    Example: python -m builders select check out/raw/conservationbench people.jsonl blip2.jsonl
    """
    from builders.conservation.source import read_clips
    from builders.selections.clips import clip_facts
    from builders.selections.reading import read_selections
    from builders.selections.report import report
    from generation.core.raw import RawFolder

    clips = read_clips(RawFolder.open(raw), partial=True)
    facts = clip_facts(clips)
    for line in report(read_selections(files, facts), tuple(facts.num_frames)):
        print(line)


@app.command()
def schema() -> None:
    """Print the JSON Schema of a line of a selections file.

    Example: python -m builders select schema > selections.schema.json
    """
    from builders.selections.records import schema_text

    print(schema_text(), end="")
