"""One way for every command to run and to fail."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from typing import Any

import typer

from physprobe.errors import UserError

# typer carries its own copy of click in newer releases: take the base class it raises.
_UsageError: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")

_INTERRUPTED = 130  # 128 + SIGINT, as shells report it


def _usage_line(error: Any) -> str:
    """Word a usage error in one line; where a command is missing or unknown, name the valid ones."""
    context = getattr(error, "ctx", None)
    list_commands = getattr(getattr(context, "command", None), "list_commands", None)
    commands = list_commands(context) if list_commands else []
    message = " ".join(str(error.format_message()).split()).rstrip(".")
    if type(error).__name__ == "NoArgsIsHelpError":  # its message is the help, already printed
        message = "missing command" if commands else "missing arguments"
    elif not message.startswith("No such command"):
        commands = []
    valid = f"; valid: {', '.join(commands)}" if commands else ""
    return f"{message}{valid} (see --help)"


def _fail(message: str, exit_code: int, debug: bool) -> int:
    if debug:
        traceback.print_exc()
    print(f"error: {message}", file=sys.stderr)
    return exit_code


def run(app: typer.Typer, argv: Sequence[str] | None = None) -> int:
    """Run a typer application and return its exit code.

    A :class:`~physprobe.errors.UserError` or bad usage becomes one line on standard error and exit code 2;
    ``--debug`` anywhere in ``argv`` shows the traceback above it. Any other exception is a bug and passes.

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
        code = stop.exit_code
    except _UsageError as error:
        return _fail(_usage_line(error), 2, debug)
    except UserError as error:
        return _fail(str(error), error.exit_code, debug)
    except (KeyboardInterrupt, typer.Abort):
        code = _INTERRUPTED
    if code == _INTERRUPTED:  # newer typer turns Ctrl-C into this code by itself, without a word
        return _fail("interrupted", _INTERRUPTED, debug=False)
    return code if isinstance(code, int) else 0
