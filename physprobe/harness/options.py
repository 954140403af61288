"""What our command takes beside lmms-eval's own options."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from physprobe.errors import UserError


@dataclass(frozen=True)
class Options:
    """Our own options.

    Attributes:
        debug: show tracebacks. yes: go on where a run would cost much.
        requests_per_minute: to the server of an API model, by all processes together; None: no limit.
        given: the whole command line, for the record.
    """

    debug: bool = False
    yes: bool = False
    requests_per_minute: float | None = None
    given: tuple[str, ...] = ()


_current = Options()


def read(argv: Sequence[str]) -> tuple[Options, list[str]]:
    """Take our options out of a command line, and return what is left for lmms-eval.

    Raises:
        UserError: a value is wrong.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("--yes", action="store_true")
    parser.add_argument("--requests_per_minute", "--requests-per-minute", type=_rate)
    try:
        found, others = parser.parse_known_args([*argv])
    except argparse.ArgumentError as error:
        raise UserError(str(error)) from error
    return Options(**vars(found), given=tuple(argv)), others


def current() -> Options:
    """Return the options of the run."""
    return _current


@contextmanager
def using(options: Options) -> Iterator[None]:
    """Have these options in this block."""
    global _current
    before, _current = _current, options
    try:
        yield
    finally:
        _current = before


def _rate(value: str) -> float:
    try:
        rate = float(value)
    except ValueError:
        rate = math.nan
    if not 0 < rate < math.inf:
        raise UserError(f"--requests_per_minute {value}: must be a number above 0, such as 500")
    return rate
