"""Settings that people write in YAML files: read strictly, complained about in one line."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from physprobe.errors import UserError


class Settings(BaseModel):
    """Base of what is read from a file: no key that we don't know, and no value quoted in a complaint."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


def read_yaml(file: Path, kind: str) -> object:
    """Return what a YAML file says.

    Args:
        file: its path. kind: what it is, for complaints: "judges file".

    Raises:
        UserError: it can't be read, or is no YAML.
    """
    import yaml

    try:
        return yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{kind} {file} can't be read: {type(error).__name__}") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" at line {mark.line + 1}" if mark else ""
        # Without the cause, whose text quotes the file, where somebody may have written a key.
        raise UserError(f"{kind} {file} is no YAML{place}") from None


_WORDS = {"extra_forbidden": "unknown key", "tuple_type": "must be a list"}


def problems(error: ValidationError) -> str:
    """Describe in one line what is wrong with which keys, without quoting their values."""
    found = []
    every = error.errors(include_input=False, include_url=False)
    for problem in every:
        # A list is also called too short if its entries are wrong: that helps nobody.
        if problem["type"] == "too_short" and any(_is_below(other["loc"], problem["loc"]) for other in every):
            continue
        place = ".".join(str(part) for part in problem["loc"])
        message = _WORDS.get(problem["type"], problem["msg"])
        message = message.removeprefix("Value error, ")
        found.append(f"{place}: {message}" if place else message)
    return "; ".join(found)


def _is_below(place: tuple[int | str, ...], other: tuple[int | str, ...]) -> bool:
    return len(place) > len(other) and place[: len(other)] == other
