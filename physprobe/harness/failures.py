"""What went wrong in a run of lmms-eval, told in one line."""

from __future__ import annotations

from collections.abc import Iterator

from physprobe.errors import UserError

_MAX_LENGTH = 600


class EvaluationFailed(UserError):
    """A run that was asked for properly but did not deliver: told like a UserError, with exit code 1."""

    exit_code = 1


def root_error(error: BaseException) -> BaseException:
    """Return the error worth showing: a UserError anywhere in the chain, else what lmms-eval's wrappers hide.

    lmms-eval wraps errors of a dataset or of scoring in tenacity's RetryError (after five tries), and errors
    of a task file in an ImportError.
    """
    for link in _chain(error):
        if isinstance(link, UserError):
            return link
    while error.__cause__ is not None and _is_wrapper(error):
        error = error.__cause__
    return error


def one_line(error: BaseException) -> str:
    """Describe an error in one line of at most 600 characters, with its type unless it speaks to the user."""
    text = " ".join(str(error).split())
    if not isinstance(error, UserError):
        text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 3] + "..."


def exit_code(error: BaseException) -> int:
    """Return 2 for bad use, 1 for a failed evaluation."""
    return error.exit_code if isinstance(error, UserError) else 1


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__


def _is_wrapper(error: BaseException) -> bool:
    return type(error).__name__ == "RetryError" or str(error).startswith("Failed to import function")
