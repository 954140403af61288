"""Errors a user can act on, told apart from bugs."""

from __future__ import annotations

from collections.abc import Iterable


class UserError(Exception):
    """Bad use or bad input: the message is one line that says what is wrong and what to do.

    Every command prints it without a traceback (with one under ``--debug``) and exits with ``exit_code``.
    """

    exit_code = 2


def unknown_name(kind: str, name: str, valid: Iterable[str]) -> UserError:
    """Build the error for a name that is not one of ``valid``, which it lists.

    Args:
        kind: what the name should name, in the singular ("preset", "domain", "task", "model").
        name: what the user wrote.
        valid: every accepted name; shown sorted.
    """
    return UserError(f"unknown {kind} {name!r}; valid: {', '.join(sorted(valid))}")
