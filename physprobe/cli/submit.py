"""``physprobe submit``: turn saved samples into files that a benchmark's own site or evaluator takes."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from physprobe.errors import UserError

app = typer.Typer(
    name="submit",
    help="Turn saved samples into a file that a benchmark's own site or evaluator takes.",
    no_args_is_help=True,
)


@app.callback()
def _main() -> None:
    """Keep the benchmark's name in the command."""


@app.command()
def quantiphy(
    samples: list[Path] = typer.Argument(
        metavar="SAMPLES", help="Samples files of lmms-eval (--log_samples), or folders that hold them."
    ),
    out: Path = typer.Option(metavar="OUT.csv", help="The file to write; must not exist."),
    template: Path | None = typer.Option(
        None,
        metavar="TEMPLATE.csv",
        help="The challenge's submission template: only its parsed_value is filled. Without, a prediction "
        "file with the official columns is written.",
    ),
) -> None:
    """Write QuantiPhy predictions, from any run of a quantiphy task.

    Answers that are missing or can't be read are left blank, and listed on standard error.

    Example: physprobe submit quantiphy results/ --template quantiphy_submission_template.csv --out sub.csv
    """
    from physprobe.files import write_whole
    from physprobe.quantiphy.submission import filled_template, prediction_csv, sample_files

    if out.exists():
        raise UserError(f"{out} exists: choose another --out, or remove it")
    if not out.parent.is_dir():
        raise UserError(f"{out.parent} is no folder: choose another --out")
    files = sample_files(samples)
    made = prediction_csv(files) if template is None else filled_template(files, template)
    try:
        write_whole(out, made.content)
    except OSError as error:
        raise UserError(f"cannot write {out}: {error.strerror or error}") from error
    for complaint in made.complaints():
        print(f"warning: {complaint}", file=sys.stderr)
    print(f"{out}: {made.filled} predictions")
