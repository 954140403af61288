"""Answers of many models to a benchmark as one data frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from physprobe.analysis.comparability import Found, comparable
from physprobe.analysis.layout import LAYOUTS, Layout, layout_of, models_only, to_frame
from physprobe.analysis.people.table import People
from physprobe.analysis.sources import SetApart, Source, find_answers
from physprobe.errors import UserError


@dataclass(frozen=True)
class Answers:
    """Comparable answers, and what was set apart.

    Attributes:
        frame: one row a question and model, columns as in the benchmark's schema
            (:data:`~physprobe.analysis.layout.LAYOUTS`), with "source" (an index into ``sources``) and "run"
            (the same number for all tasks of one run, or of one person).
        sources: where they come from. apart: what is left out.
        trials: as ``frame``, of models of which several runs are here, with all their runs over the same
            number of questions; None without any.
    """

    frame: pd.DataFrame
    sources: tuple[Source, ...]
    apart: tuple[SetApart, ...]
    trials: pd.DataFrame | None = None

    def of_models(self) -> Answers:
        """Leave out people's answers, whose sources are the last."""
        kept = tuple(source for source in self.sources if not source.participant)
        return replace(self, frame=models_only(self.frame), sources=kept)


def load_answers(
    places: Iterable[Path],
    benchmark: str = "conservation",
    cache: Path | None = None,
    *,
    reruns: bool = False,
    unreadable: bool = False,
    limited: bool = False,
    people: People | None = None,
) -> Answers:
    """Read answers to a benchmark and keep those that can be compared.

    Args:
        places, cache: see :func:`physprobe.analysis.sources.find_answers`.
        benchmark: one of :data:`physprobe.analysis.layout.LAYOUTS`.
        reruns, unreadable, limited: see :func:`physprobe.analysis.comparability.comparable`.
        people: their answers enter as those of a model "people"; a column "participant" says whose they are.

    Raises:
        UserError: a place does not exist or holds no answers; none can be read; people answered none of the
            questions, or others.
    """
    layout = layout_of(benchmark)
    found, failed = find_answers(places, layout, cache)
    if people is not None and not people.to(benchmark):
        raise UserError(f"{people.path} holds no answers of people to {benchmark}")
    return _joined(layout, found, failed, people, reruns=reruns, unreadable=unreadable, limited=limited)


def load_every(
    places: Iterable[Path],
    cache: Path | None = None,
    *,
    reruns: bool = False,
    unreadable: bool = False,
    limited: bool = False,
    people: People | None = None,
) -> dict[str, Answers]:
    """Read answers to all benchmarks that these places hold some of.

    Args:
        places, cache, reruns, unreadable, limited, people: as for :func:`load_answers`.

    Raises:
        UserError: a place does not exist or holds no answers to any benchmark; none can be read.
    """
    given = list(places)
    made = {}
    for benchmark in LAYOUTS:
        layout = layout_of(benchmark)
        found, failed = find_answers(given, layout, cache, needed=False)
        if found:
            made[benchmark] = _joined(
                layout, found, failed, people, reruns=reruns, unreadable=unreadable, limited=limited
            )
    if not made:
        raise UserError(
            f"{', '.join(map(str, given))}: no answers to any benchmark; give an --output_path of lmms-eval "
            "(evaluated with --log_samples) or a folder made by physprobe simulate"
        )
    return made


def _joined(
    layout: Layout,
    found: Sequence[Found],
    failed: Sequence[SetApart],
    people: People | None,
    **keep: bool,
) -> Answers:
    kept, apart = comparable(found, layout, **keep)
    if not kept:
        raise UserError(
            f"all answers to {layout.title} are set apart: {apart[0].source.model}, {apart[0].reason}"
        )
    if people is not None and people.to(layout.name):
        from physprobe.analysis.people.marking import people_answers

        kept = [*kept, *people_answers(layout, people, [source for source, _ in kept])]
    sources = tuple(source for source, _ in kept)
    frame = _frame(layout, kept)
    if any(source.participant for source in sources):
        named = np.array([source.participant for source in sources])
        frame["participant"] = pd.Categorical(named[frame["source"]])
    return Answers(frame, sources, (*failed, *apart), _trials(layout, kept, apart))


def _frame(layout: Layout, found: Sequence[Found]) -> pd.DataFrame:
    runs: dict[str, int] = {}
    tables = []
    for number, (source, table) in enumerate(found):
        run = runs.setdefault(source.run, len(runs))
        for name, value in (("source", number), ("run", run)):
            table = table.append_column(name, pa.array(np.full(len(table), value, np.int32)))
        tables.append(table)
    return to_frame(layout, tables)


def _trials(layout: Layout, kept: Sequence[Found], apart: Sequence[SetApart]) -> pd.DataFrame | None:
    """Join older runs with the newest of the same model and task, where they have as many questions."""
    newest = {(source.model, source.task): source for source, _ in kept}
    older = [
        (each.source, each.table)
        for each in apart
        if each.table is not None
        and (found := newest.get((each.source.model, each.source.task))) is not None
        and found.questions == each.source.questions
    ]
    again = {(source.model, source.task) for source, _ in older}
    repeated = [each for each in kept if (each[0].model, each[0].task) in again]
    return _frame(layout, [*repeated, *older]) if older else None
