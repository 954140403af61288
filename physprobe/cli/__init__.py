"""The ``physprobe`` command, one file a subcommand."""

from __future__ import annotations

import sys

import typer

from physprobe import __version__
from physprobe.cli import (
    analyse,
    doctor,
    judge,
    push_results,
    report,
    rescore,
    score,
    simulate,
    submit,
    sweep,
    table,
)
from physprobe.cli.runner import run

app = typer.Typer(
    name="physprobe",
    help="Score, analyse and report what vision-language models know of physics.",
    epilog="With --debug anywhere, an error also shows its traceback.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.add_typer(score.app)
app.add_typer(doctor.app)
app.add_typer(table.app)
app.add_typer(judge.app)
app.add_typer(submit.app)
app.add_typer(sweep.app)
app.add_typer(rescore.app)
app.add_typer(report.app)
app.add_typer(push_results.app)
app.add_typer(analyse.app, name="analyse")
app.add_typer(simulate.app, name="simulate")


@app.callback()
def _main() -> None:
    """Keep subcommands named even while there is only one."""


@app.command()
def version() -> None:
    """Print the version.

    Example: physprobe version
    """
    print(__version__)


def main() -> None:
    """Entry point of the ``physprobe`` script."""
    sys.exit(run(app))
