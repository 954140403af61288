"""``physprobe push-results``: publish what an evaluation found."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

app = typer.Typer(add_completion=False)


@app.command("push-results")
def push_results(
    out: Path = typer.Argument(
        metavar="OUT", help="Output folder of lmms-eval (--output_path), or a results file."
    ),
    name: str = typer.Argument(metavar="ORG/NAME", help="Dataset repository; made if it isn't there."),
    private: bool = typer.Option(False, "--private", help="The repository has to be private."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what would be added, change nothing."),
) -> None:
    """Add results, answers and the record of each run to a repository on the Hub. Secrets are masked.

    What is there stays; all new files appear at once. Of reruns in a folder the newest counts. The token is
    found where the Hub's own tools look for it (hf auth login, HF_TOKEN); HF_ENDPOINT names another Hub.

    Example: physprobe push-results results/ my-lab/results --private
    """
    from rich.console import Console

    from physprobe.hub.pushing_results import plan, push
    from physprobe.hub.quiet import quiet_client
    from physprobe.hub.repository import Repository

    quiet_client()
    repository = Repository(name)
    with Console(stderr=True).status("reading the results") as status:
        planned = plan(out, repository, rehearsed=dry_run)
        commit = "" if dry_run else push(planned, repository, private, status.update)
    for task in planned.unanswered:
        print(f"warning: no answers of {task} (evaluate with --log_samples)", file=sys.stderr)
    if dry_run:
        print("\n".join(f"add {path} ({planned.uploads[path].size:,} bytes)" for path in planned.missing))
        return
    said = "published" if planned.missing else "already published"
    print(f"{said}: {name} ({', '.join(planned.models)}; commit {commit})")
