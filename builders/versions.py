"""Versions of a published dataset: tags vX.Y.Z, and what may change from one to the next."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from physprobe.errors import UserError

_TAG = re.compile(r"v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")

# What a number's increase promises about the rows, least first.
STEPS = ("patch", "minor", "major")


class Version(NamedTuple):
    """A semantic version; orders as versions do."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        """Write it without the v, as in manifest.json."""
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def tag(self) -> str:
        """The tag on the Hub."""
        return f"v{self}"

    def step_from(self, older: Version) -> str:
        """Return which number was raised: "major", "minor" or "patch"."""
        if self.major != older.major:
            return "major"
        return "minor" if self.minor != older.minor else "patch"

    def raised(self, step: str) -> Version:
        """Return the next version after a step."""
        if step == "major":
            return Version(self.major + 1, 0, 0)
        if step == "minor":
            return Version(self.major, self.minor + 1, 0)
        return Version(self.major, self.minor, self.patch + 1)


def parse_tag(tag: str) -> Version:
    """Read a tag.

    Raises:
        UserError: it is not vX.Y.Z.
    """
    found = _TAG.fullmatch(tag)
    if found is None:
        raise UserError(f"{tag!r} is no version: write --tag vX.Y.Z, for example v1.0.0")
    return Version(*map(int, found.groups()))


def newest(tags: Iterable[str]) -> Version | None:
    """Return the newest version among tags; others are passed over."""
    return max((parse_tag(tag) for tag in tags if _TAG.fullmatch(tag)), default=None)


def check_step(version: Version, older: Version, needed: str, reason: str) -> None:
    """Check that a new version promises no more than what changed.

    Args:
        version, older: new and published. needed: the least step. reason: what changed, for people.

    Raises:
        UserError: older is newer, or the step is too small.
    """
    if version < older:
        raise UserError(f"{version.tag} is older than the published {older.tag}: choose a tag after it")
    if STEPS.index(version.step_from(older)) < STEPS.index(needed):
        raise UserError(
            f"{version.tag} promises too much: since {older.tag}, {reason}; that is a {needed} change, "
            f"tag it {older.raised(needed).tag}"
        )
