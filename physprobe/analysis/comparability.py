"""Which answers may stand in one table: same dataset, same task version, same questions, one run a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

import pandas as pd
import pyarrow as pa

from physprobe.analysis.layout import Layout
from physprobe.analysis.sources import SetApart, Source

Found = tuple[Source, pa.Table]


@dataclass
class _Dataset:
    """Answers that were made with one dataset, as far as one can see.

    Attributes:
        content: question id -> hash of the question. version, sha256: recorded, "" while unknown.
        members: sources.
    """

    content: pd.Series
    version: str
    sha256: str
    members: list[Found] = field(default_factory=list)


def comparable(
    found: Sequence[Found],
    layout: Layout,
    *,
    reruns: bool = False,
    unreadable: bool = False,
    limited: bool = False,
) -> tuple[list[Found], list[SetApart]]:
    """Keep the answers that can be compared and set the others apart, each with the reason.

    Where sources disagree, the largest group stays (of equal ones that of the newest version): first of one
    dataset, then for each task of one N of its version N.X. Of several runs of a task by one model the newest
    stays. A source with fewer questions than others of its task is set apart.

    Two sources are of one dataset if their recorded versions and hashes of all rows agree (an unrecorded one
    agrees with all) and what makes the answers of the questions that both have is the same
    (``layout.question``'s "content").

    Args:
        layout: of the benchmark. reruns: keep all runs of a task by one model.
        unreadable: keep runs that are flagged because too few of their answers could be read.
        limited: keep runs that were asked only some of a task's questions, if all were asked equally many.

    Returns:
        What is kept, in the given order, and what is not.
    """
    apart: list[SetApart] = []
    kept = [*found] if unreadable else _sieve(found, apart, lambda source: source.unreadable)
    kept = kept if limited else _sieve(kept, apart, _limited)
    for dataset in dict.fromkeys(layout.dataset_of(source.task) for source, _ in kept):
        chosen = [each for each in kept if layout.dataset_of(each[0].task) == dataset]
        others = [each for each in kept if layout.dataset_of(each[0].task) != dataset]
        kept = [*others, *_of_one_dataset(chosen, apart)]
    kept = _of_one_version(kept, apart)
    kept = kept if reruns else _newest(kept, apart)
    kept = _complete(kept, apart)
    places = {id(table): k for k, (_, table) in enumerate(found)}
    return sorted(kept, key=lambda each: places[id(each[1])]), apart


def _limited(source: Source) -> str:
    if source.questions >= source.whole:
        return ""
    return (
        f"answers {source.questions} of {source.whole} questions (a run with --limit; --keep-limited keeps "
        "such runs)"
    )


def _of_one_dataset(found: Sequence[Found], apart: list[SetApart]) -> list[Found]:
    datasets = _datasets(found)
    main = max(datasets, key=lambda d: (len(d.members), _natural(d.version)))
    for other in datasets:
        for source, table in other.members if other is not main else ():
            apart.append(SetApart(source, _conflict(main, source, _content(table))))
    return main.members


def _datasets(found: Sequence[Found]) -> list[_Dataset]:
    datasets: list[_Dataset] = []
    homes: dict[Hashable, _Dataset] = {}
    for each in sorted(found, key=lambda each: -each[0].questions):
        version, sha256 = each[0].dataset_version, each[0].dataset_sha256
        seen = version, sha256, each[1]["content"].to_numpy().tobytes()
        if seen in homes:  # the same questions in the same order: most models
            homes[seen].members.append(each)
            continue
        content = _content(each[1])
        home = next((d for d in datasets if not _conflict(d, each[0], content)), None)
        if home is None:
            home = _Dataset(content, version, sha256)
            datasets.append(home)
        new = content.index.difference(home.content.index)
        home.content = pd.concat([home.content, content[new]]) if len(new) else home.content
        home.version, home.sha256 = home.version or version, home.sha256 or sha256
        home.members.append(each)
        homes[seen] = home
    return datasets


def _content(table: pa.Table) -> pd.Series:
    questions = table["question_id"].cast(pa.string()).to_pandas()
    return pd.Series(table["content"].to_numpy(), index=pd.Index(questions)).groupby(level=0).first()


def _conflict(dataset: _Dataset, source: Source, content: pd.Series) -> str:
    """Say why a source is not of a dataset; "" if it may be."""
    if source.dataset_version and dataset.version and source.dataset_version != dataset.version:
        return f"dataset version {source.dataset_version}: most of these results are of {dataset.version}"
    if source.dataset_sha256 and dataset.sha256 and source.dataset_sha256 != dataset.sha256:
        return (
            "another build of the dataset, whose rows differ: "
            f"sha256 {source.dataset_sha256[:12]}, of most of these results {dataset.sha256[:12]}"
        )
    shared = content.index.intersection(dataset.content.index)
    differ = content[shared] != dataset.content[shared]
    if not differ.any():
        return ""
    return (
        f"another dataset: question {differ.idxmax()!r} and {int(differ.sum()) - 1} more differ "
        "from those of most of these results in what makes their answers"
    )


def _of_one_version(found: Sequence[Found], apart: list[SetApart]) -> list[Found]:
    def number(source: Source) -> str:
        return source.task_version.partition(".")[0]

    votes = Counter((source.task, number(source)) for source, _ in found)
    chosen = {
        task: max(((n, _natural(v), v) for (t, v), n in votes.items() if t == task))[2] for task, _ in votes
    }

    def reason(source: Source) -> str:
        if number(source) == chosen[source.task]:
            return ""
        return (
            f"task version {source.task_version}: not comparable with {chosen[source.task]}.x of the others"
        )

    return _sieve(found, apart, reason)


def _newest(found: Sequence[Found], apart: list[SetApart]) -> list[Found]:
    def key(source: Source) -> Hashable:
        return source.model, source.task

    newest = {key(source): source for source, _ in sorted(found, key=lambda e: (e[0].date, str(e[0].path)))}

    def reason(source: Source) -> str:
        return (
            ""
            if newest[key(source)] is source
            else f"a newer run of this model is in {newest[key(source)].path}"
        )

    return _sieve(found, apart, reason, kept_apart=True)


def _complete(found: Sequence[Found], apart: list[SetApart]) -> list[Found]:
    most: Counter[str] = Counter()
    for source, _ in found:
        most[source.task] = max(most[source.task], source.questions)

    def reason(source: Source) -> str:
        if source.questions == most[source.task]:
            return ""
        return f"answers {source.questions} questions, others {most[source.task]}"

    return _sieve(found, apart, reason)


def _sieve(
    found: Sequence[Found],
    apart: list[SetApart],
    reason: Callable[[Source], str],
    *,
    kept_apart: bool = False,
) -> list[Found]:
    kept = []
    for source, table in found:
        if why := reason(source):
            apart.append(SetApart(source, why, table if kept_apart else None))
        else:
            kept.append((source, table))
    return kept


def _natural(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
