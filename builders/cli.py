"""The command line: ``python -m builders``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import filesize
from rich.console import Console
from rich.table import Table

from builders.selections.cli import RawArgument
from builders.selections.cli import app as select

if TYPE_CHECKING:
    from builders.verify import Verdict

SelectionsOption = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Frames chosen by a model or people (JSON Lines); may be repeated."),
]

app = typer.Typer(
    name="python -m builders",
    help="Turn raw data into a Hugging Face dataset, and check it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(select, name="select")


@app.command()
def build(
    raw: RawArgument,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Dataset folder to make.")],
    selections: SelectionsOption = None,
    partial: Annotated[bool, typer.Option("--partial", help="Accept a RAW that lacks items.")] = False,
) -> None:
    """Build the dataset; DIR is then loadable with load_dataset(DIR).

    Selections files are described in docs/selections.md; one with anything wrong stops the build.

    Example: python -m builders build out/raw/conservationbench --out out/datasets/conservationbench
    """
    from builders.build import build as run_build

    console = Console(stderr=True)
    with console.status(f"building {out}"):
        result = run_build(raw, out, selections=selections or (), partial=partial)
    rows = ", ".join(f"{config.rows:,} {name}" for name, config in result.manifest.configs.items())
    print(f"{'built' if result.is_new else 'already built'}: {out} ({rows})")


@app.command()
def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Dataset folder.")],
    raw: Annotated[
        Path | None,
        typer.Option(metavar="RAW", help="Make every row again from this raw folder as well, and compare."),
    ] = None,
    selections: SelectionsOption = None,
) -> None:
    """Check schema, checksums, designs, references, twins, balance, and decode all media.

    Exit code 1 on any problem. A dataset that was built with --partial is called INCOMPLETE at the end.

    Example: python -m builders verify out/datasets/conservationbench --raw out/raw/conservationbench
    """
    from builders.verify import verify as run_verify

    with Console(stderr=True).status("verifying") as status:
        verdict = run_verify(
            folder,
            lambda config, rows: status.update(f"verifying {config}: {rows:,} rows"),
            raw=raw,
            selections=selections or (),
        )
    table = Table("config", "rows", "shards", "size", "problems")
    for check in verdict.configs:
        cells = (
            f"{check.rows:,}",
            str(check.shards),
            filesize.decimal(check.bytes),
            str(len(check.problems)),
        )
        table.add_row(check.spec.name, *cells)
    console = Console()
    if verdict.configs:
        console.print(table)
    for line in (*verdict.summary, *(f"problem: {problem}" for problem in verdict.problems)):
        print(line)
    print(f"{folder}: {_conclusion(verdict)}")
    if verdict.problems:
        raise typer.Exit(1)


def _conclusion(verdict: Verdict) -> str:
    found = f"{len(verdict.problems)} problems" if verdict.problems else "no problems found"
    if not verdict.incomplete:
        return found
    return f"{found}, but the dataset is INCOMPLETE: it holds {verdict.incomplete}"
