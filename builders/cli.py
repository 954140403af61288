"""The command line: ``python -m builders``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import filesize
from rich.console import Console
from rich.table import Table

from builders.selections.cli import RawArgument
from builders.selections.cli import app as select
from physprobe.text import quantity

if TYPE_CHECKING:
    from builders.verify import Verdict

SelectionsOption = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Frames chosen by a model or people (JSON Lines); may be repeated."),
]

PlaceArgument = Annotated[
    str, typer.Argument(metavar="DIR|ORG/NAME[@TAG]", help="Dataset folder, or a dataset on the Hub.")
]

app = typer.Typer(
    name="python -m builders",
    help="Turn raw data into a Hugging Face dataset, check it, and publish it.",
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
    presentation: Annotated[
        bool,
        typer.Option(
            "--presentation", help="physical-consistency: add denoised images to look at, never to score on."
        ),
    ] = False,
    audit: Annotated[
        bool,
        typer.Option(help="physical-consistency: look for shortcuts, and say in the card what was found."),
    ] = True,
) -> None:
    """Build the dataset; DIR is then loadable with load_dataset(DIR).

    Selections files are described in docs/selections.md; one with anything wrong stops the build.

    Example: python -m builders build out/raw/conservationbench --out out/datasets/conservationbench
    """
    from builders.build import Extent
    from builders.build import build as run_build

    with Console(stderr=True).status(f"building {out}") as status:
        extent = Extent(
            optional=("presentation",) if presentation else (),
            audit=audit,
            progress=lambda done, total: status.update(f"auditing {out}: {done:,} of {total:,} images"),
        )
        result = run_build(raw, out, selections=selections or (), partial=partial, extent=extent)
    rows = ", ".join(f"{config.rows:,} {name}" for name, config in result.manifest.configs.items())
    print(f"{'built' if result.is_new else 'already built'}: {out} ({rows})")


@app.command()
def verify(
    place: PlaceArgument,
    raw: Annotated[
        Path | None,
        typer.Option(metavar="RAW", help="Make every row again from this raw folder as well, and compare."),
    ] = None,
    selections: SelectionsOption = None,
    against: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Compare with this build, row by row, as well."),
    ] = None,
) -> None:
    """Check schema, checksums, designs, references, twins, balance, and decode all media.

    A dataset on the Hub is downloaded first. Exit code 1 on any problem. A dataset that was built with
    --partial is called INCOMPLETE at the end.

    Example: python -m builders verify lab/conservationbench@v1.0.0 --against out/datasets/conservationbench
    """
    from builders.diff import compare
    from builders.remote import fetch, parse_place
    from builders.verify import verify as run_verify
    from physprobe.hub.patience import Patience
    from physprobe.hub.quiet import quiet_client

    quiet_client()
    with Console(stderr=True).status("verifying") as status:
        folder = fetch(parse_place(place), Patience())
        verdict = run_verify(
            folder,
            lambda config, rows: status.update(f"verifying {config}: {rows:,} rows"),
            raw=raw,
            selections=selections or (),
        )
        changes = compare(against, folder) if against else []
    differing = [f"{line} (against {against})" for change in changes for line in change.lines()]
    verdict = replace(verdict, problems=(*verdict.problems, *differing))
    _print_verdict(place, verdict)
    if verdict.problems:
        raise typer.Exit(1)


@app.command()
def audit(
    place: PlaceArgument,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object, as in the dataset's audit.json.")
    ] = False,
) -> None:
    """Tell how well noise, colours, seams or file sizes alone give violations away (physical-consistency).

    Simple classifiers are fitted on train, chosen on validation, tried on the three suites (docs/audit.md).
    The build does the same and says in the card what was found. The whole set takes about five minutes.

    Example: python -m builders audit out/datasets/physical-consistency
    """
    from builders.consistency.audit.dataset import audit_place
    from builders.consistency.audit.report import sentences, tables
    from builders.remote import fetch, parse_place
    from generation.core.canonical import canonical_json
    from physprobe.hub.patience import Patience
    from physprobe.hub.quiet import quiet_client

    quiet_client()
    with Console(stderr=True).status("auditing") as status:
        folder = fetch(parse_place(place), Patience())
        found = audit_place(
            folder, lambda done, total: status.update(f"auditing: {done:,} of {total:,} images")
        )
    if as_json:
        print(canonical_json(found.model_dump(mode="json")), end="")
        return
    for table in tables(found):
        Console().print(table)
    print("\n".join(sentences(found)))


@app.command()
def push(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Dataset folder, as built.")],
    name: Annotated[str, typer.Argument(metavar="ORG/NAME", help="Repository; made if it isn't there.")],
    tag: Annotated[str, typer.Option(metavar="vX.Y.Z", help="Version to publish; a tag is never moved.")],
    private: Annotated[bool, typer.Option("--private", help="The repository has to be private.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, change nothing.")
    ] = False,
) -> None:
    """Publish on the Hub: main shows all of the new version or all of the old one, at any moment.

    Interrupted, it leaves main and tags as they were; run it again to continue. Rows removed or changed since
    the version published before ask for a new X, rows added for a new Y. The token is found where the Hub's
    own tools look for it (hf auth login, HF_TOKEN); HF_ENDPOINT names another Hub. --dry-run needs no token
    where nothing private is looked at.

    Example: python -m builders push out/datasets/conservationbench lab/conservationbench --tag v1.0.0
    """
    from builders import push as pushing
    from physprobe.hub.patience import Patience
    from physprobe.hub.quiet import quiet_client
    from physprobe.hub.repository import Repository

    quiet_client()
    with Console(stderr=True).status("checking") as status:
        if dry_run:
            asked = Repository(name, patience=Patience(attempts=3))  # a look is not worth minutes
            print("\n".join(pushing.rehearse(folder, asked, tag, private, status.update)))
            return
        repository = Repository(name)
        plan = pushing.plan(folder, repository, tag, status.update)
        commit = pushing.push(plan, repository, private, status.update)
    if not plan.manifest.complete:
        print(
            f"warning: {folder} was built with --partial: the published dataset is INCOMPLETE",
            file=sys.stderr,
        )
    print(f"{'already published' if plan.is_published else 'published'}: {name}@{tag} (commit {commit})")


@app.command()
def diff(before: PlaceArgument, after: PlaceArgument) -> None:
    """List the rows that were added, removed or changed from one dataset to another, by id.

    Exit code 1 if there are any.

    Example: python -m builders diff lab/conservationbench@v1.0.0 out/datasets/conservationbench
    """
    from builders.diff import compare, overall_step
    from builders.intact import check_intact
    from builders.remote import fetch, parse_place
    from physprobe.hub.patience import Patience
    from physprobe.hub.quiet import quiet_client

    quiet_client()
    with Console(stderr=True).status("comparing"):
        folders = [fetch(parse_place(place), Patience()) for place in (before, after)]
        for folder in folders:
            check_intact(folder)
        changes = compare(*folders)
    for change in changes:
        for line in change.lines():
            print(line)
    told = "; ".join(map(str, changes)) or "no row changed"
    print(f"{told}: a {overall_step(changes)} version")
    if changes:
        raise typer.Exit(1)


def _print_verdict(place: str, verdict: Verdict) -> None:
    table = Table("config", "rows", "shards", "size", "problems")
    for check in verdict.configs:
        cells = (
            f"{check.rows:,}",
            str(check.shards),
            filesize.decimal(check.bytes),
            str(len(check.problems)),
        )
        table.add_row(check.spec.name, *cells)
    if verdict.configs:
        Console().print(table)
    for line in (*verdict.summary, *(f"problem: {problem}" for problem in verdict.problems)):
        print(line)
    print(f"{place}: {_conclusion(verdict)}")


def _conclusion(verdict: Verdict) -> str:
    found = quantity(len(verdict.problems), "problem") if verdict.problems else "no problems found"
    if not verdict.incomplete:
        return found
    return f"{found}, but the dataset is INCOMPLETE: it holds {verdict.incomplete}"
