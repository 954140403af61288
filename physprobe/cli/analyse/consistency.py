"""Analyses of answers to physical consistency."""

from __future__ import annotations

from functools import partial

from physprobe.cli.analyse.commands import BOOTSTRAP, Options, analysis

_add = partial(analysis, "consistency")
_NONE: Options = {}

# Command -> function, help, options, and whether all runs of a model are read; people can be scored beside.
_COMMANDS: dict[str, tuple[str, str, Options, bool]] = {
    "leaderboard": (
        "suites.leaderboard",
        "Rank models by category macro-F1 under intervention shift, with tests of neighbours.",
        BOOTSTRAP,
        False,
    ),
    "suites": ("suites.suites", "Score each suite, and say what shifts cost in points.", BOOTSTRAP, False),
    "categories": ("categories.categories", "Score each violation on each suite.", BOOTSTRAP, False),
    "mechanisms": (
        "categories.mechanisms",
        "Compare the two constructions of each violation.",
        BOOTSTRAP,
        False,
    ),
    "confusion": ("categories.confusions", "Count what was said of each label.", _NONE, False),
    "boxes": ("boxes.boxes", "Show how the IoU of boxes is spread.", BOOTSTRAP, False),
    "explanations": (
        "explanations.explanations",
        "Say how often judges call an explanation correct.",
        BOOTSTRAP,
        False,
    ),
    "seeds": (
        "seeds.seeds",
        "Average adapted models over seeds (names that end in seed1, seed2, ...).",
        _NONE,
        True,
    ),
}

for _name, (_function, _told, _options, _reruns) in _COMMANDS.items():
    _add(
        f"consistency-{_name}",
        f"consistency.{_function}",
        f"{_told}\n\nExample: physprobe analyse consistency-{_name} results/",
        _options,
        reruns=_reruns,
        people=not _reruns,
    )
