"""Tables that compare models: one a task, a row a model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from physprobe.caveats import Caveats, caveats
from physprobe.conservation.breakdown import break_down
from physprobe.conservation.metrics import conservation_scores
from physprobe.errors import UserError
from physprobe.results import READERS, Run
from physprobe.statistics.estimates import Estimate

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

# Score, its heading, and whether its interval is shown.
_Columns = tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True)
class _Benchmark:
    """How a benchmark's scores are shown.

    Attributes:
        name: in a results file. columns: the headline first; the metric of the first tells whose task it is.
        clusters: what the bootstrap draws.
    """

    name: str
    columns: _Columns
    clusters: str


_CONSERVATION = _Benchmark(
    "conservation",
    (
        ("accuracy_strict_pair", "strict pair", True),
        ("accuracy_overall", "accuracy", True),
        ("accuracy_conserving", "conserving", False),
        ("accuracy_nonconserving", "non-conserving", False),
        ("rate_unread", "unread", False),
    ),
    "pairs",
)
_QUANTIPHY = _Benchmark(
    "quantiphy",
    (
        ("mra_macro", "MRA", True),
        *((f"mra_{category}", category, False) for category in ("S2", "D2", "S3", "D3")),
        ("mra_questions", "MRA of questions", False),
        ("rate_unread", "unread", False),
    ),
    "videos",
)
_CONSISTENCY = _Benchmark(
    "consistency",
    (
        ("macro_f1_category", "macro-F1", True),
        ("accuracy_category", "accuracy", False),
        ("accuracy_balanced", "balanced (clean or not)", True),
        ("iou_mean", "box IoU", False),
        ("rate_invalid", "invalid", False),
    ),
    "scene families",
)
_PICABENCH = _Benchmark(
    "picabench",
    (
        ("accuracy_qa", "accuracy", True),
        ("iou_mean", "box IoU", False),
        ("iou_above_50", "IoU above 0.5", False),
        ("iou_above_75", "IoU above 0.75", False),
        ("rate_invalid", "invalid", False),
    ),
    "edited images",
)
_BENCHMARKS = (_CONSERVATION, _QUANTIPHY, _CONSISTENCY, _PICABENCH)

# What the answers claimed: with "I don't know" and the unread ones they add up to 1.
_SHARES: _Columns = (
    ("share_same", "same", False),
    ("share_moved_more", "more", False),
    ("share_moved_less", "less", False),
)
_IDK = ("share_idk", "don't know", False)


def comparison_tables(runs: Sequence[Run], by: Sequence[str] = ()) -> list[RenderableType]:
    """Compare models: one table a task, and below it what must be known of some of its rows.

    Args:
        runs: of the models. by: factors ("domain", "prompt_style", "frame_count", "extraction"); with some,
            only tasks of conservationbench are shown, and each run has one row for each combination of their
            levels, scored from its samples files.

    Raises:
        UserError: no run has scores to show; an unknown factor; samples are missing.
    """
    shown = (_CONSERVATION,) if by else _BENCHMARKS
    tasks = dict.fromkeys(task for run in runs for task in run.metrics)
    found = [(task, each, _with_scores(runs, task, each)) for each in shown for task in tasks]
    found = [(task, benchmark, scored) for task, benchmark, scored in found if scored]
    if not found:
        where = "conservationbench" if by else "physprobe's benchmarks"
        raise UserError(f"these results hold no scores of {where}: evaluate with --tasks conservation")
    return [
        _breakdown(task, scored, by) if by else _table(task, scored, benchmark)
        for task, benchmark, scored in found
    ]


def _with_scores(runs: Sequence[Run], task: str, benchmark: _Benchmark) -> list[Run]:
    """Return the runs of a task; of a model evaluated again into the same folder, the last."""
    newest: dict[tuple[Path, str], Run] = {}
    for run in runs:
        key = run.path.parent, run.model
        if benchmark.columns[0][0] in run.metrics.get(task, {}):
            newest[key] = max(newest.get(key, run), run, key=lambda each: each.date)
    return list(newest.values())


def _table(task: str, runs: Sequence[Run], benchmark: _Benchmark) -> RenderableType:
    shown = caveats(runs, task, benchmark.name)
    table = _empty(task, shown, (), benchmark.columns, benchmark)
    for run, mark in shown.rows(table):
        cells = [_cell(run.estimate(task, score), interval) for score, _, interval in benchmark.columns]
        table.add_row(f"{run.model}{mark}", *cells, str(run.count(task).asked))
    return _explained(table, shown)


def _breakdown(task: str, runs: Sequence[Run], by: Sequence[str]) -> RenderableType:
    shown = caveats(runs, task, _CONSERVATION.name)
    answers = {run.path: run.records(task) for run in runs}
    offered = any(record.relation == "idk" for records in answers.values() for record in records)
    columns = (*_CONSERVATION.columns, *_SHARES, *((_IDK,) if offered else ()))
    table = _empty(task, shown, by, columns, _CONSERVATION)
    for run, mark in shown.rows(table):
        for levels, part in break_down(answers[run.path], by).items():
            scores = conservation_scores(part)
            cells = [_cell(scores[score], interval) for score, _, interval in columns]
            table.add_row(f"{run.model}{mark}", *levels, *cells, str(len(part)))
        table.add_section()
    return _explained(table, shown)


def _explained(table: Table, shown: Caveats) -> RenderableType:
    """Put the marks' meaning below, each in one line, so that paths can be copied."""
    from rich.console import Group
    from rich.text import Text

    return Group(table, *(Text(line, no_wrap=True, overflow="ignore") for line in shown.lines()))


def _empty(task: str, shown: Caveats, by: Sequence[str], columns: _Columns, benchmark: _Benchmark) -> Table:
    from rich.table import Table

    versions = ", ".join(dict.fromkeys(run.versions[task] for run in shown.runs))
    table = Table(
        title=f"{task} (task version {versions}), 95% intervals from a bootstrap over {benchmark.clusters}",
        caption=_readers(shown.runs) if benchmark is _CONSERVATION else None,
    )
    for heading in ("model", *by):
        table.add_column(heading, no_wrap=True)
    for heading in (*(heading for _, heading, _ in columns), "n"):
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _readers(runs: Sequence[Run]) -> str | None:
    readers = dict.fromkeys(READERS.get(run.matching, run.matching) for run in runs if run.matching)
    return f"answers read by {'; '.join(readers)}" if readers else None


def _cell(estimate: Estimate, interval: bool) -> str:
    if math.isnan(estimate.value):
        return "-"
    known = interval and not math.isnan(estimate.low)
    bounds = f" [{estimate.low:.2f}, {estimate.high:.2f}]" if known else ""
    return f"{estimate.value:.3f}{bounds}"
