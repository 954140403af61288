"""One way for every command to run and to fail."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from physprobe.errors import UserError

# typer carries its own copy of click in newer releases: take the base class it raises.
_UsageError: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


def _one_line(error: Exception) -> str:
    message = getattr(error, "message", "") or str(error) or "missing command"
    formatted = getattr(error, "format_message", lambda: message)()
    return " ".join(str(formatted).split())


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
    except typer.Exit as stop:
        return stop.exit_code
    except _UsageError as error:
        if debug:
            raise
        print(f"error: {_one_line(error)} (see --help)", file=sys.stderr)
        return 2
    except UserError as error:
        if debug:
            raise
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        print("error: interrupted", file=sys.stderr)
        return 130
    return code if isinstance(code, int) else 0
