"""One way for every command to run and to fail."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click
import typer

from physprobe.errors import UserError


def run(app: typer.Typer, argv: Sequence[str] | None = None) -> int:
    """Run a typer application and return its exit code.

    A :class:`~physprobe.errors.UserError` or bad usage becomes one line on standard error and exit code 2.
    ``--debug`` anywhere in ``argv`` shows the traceback instead.

    Args:
        app: the application.
        argv: arguments without the program name; ``sys.argv[1:]`` when None.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    arguments = [a for a in arguments if a != "--debug"]
    try:
        code = app(args=arguments, standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.Abort:
        print("error: interrupted", file=sys.stderr)
        return 130
    except click.ClickException as error:
        if debug:
            raise
        print(f"error: {' '.join(error.format_message().split())} (see --help)", file=sys.stderr)
        return 2
    except UserError as error:
        if debug:
            raise
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130
    return code if isinstance(code, int) else 0
