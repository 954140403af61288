"""Analyses of answers to PICABench."""

from __future__ import annotations

from functools import partial

from physprobe.cli.analyse.commands import analysis

_add = partial(analysis, "picabench")

_add(
    "picabench-leaderboard",
    "picabench.leaderboard.leaderboard",
    "Rank models by accuracy, with box IoU.\n\nExample: physprobe analyse picabench-leaderboard results/",
)
_add(
    "picabench-factors",
    "picabench.leaderboard.by_factor",
    "Score physics categories, laws, difficulties and edits apart.\n\n"
    "Example: physprobe analyse picabench-factors results/",
)
