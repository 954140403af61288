"""What a report is about: models, runs, datasets, task versions, and what was left out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os.path import commonpath
from pathlib import Path
from typing import Any

from physprobe.analysis.answers import Answers
from physprobe.analysis.printing import remarks
from physprobe.analysis.sources import Source
from physprobe.results import READERS


@dataclass(frozen=True)
class RunRow:
    """One model's run of some tasks, as one results file has them.

    Attributes:
        model, date, file: of the run. tasks: with versions, in words. dataset: its version. questions: how
            many answers. readers: how they were read. made_with: hardware and packages, where recorded.
    """

    model: str
    tasks: str
    dataset: str
    questions: int
    date: str
    readers: str
    file: str
    made_with: str


@dataclass(frozen=True)
class Left:
    """Answers that are in no table, and why."""

    model: str
    task: str
    reason: str
    file: str


@dataclass(frozen=True)
class Head:
    """What is said of a benchmark's answers before all tables.

    Attributes:
        facts: (name, value) in words. runs, left: tables. warnings: of what hampers comparison.
        files: model -> its files of answers, relative to ``root``.
    """

    facts: tuple[tuple[str, str], ...]
    runs: tuple[RunRow, ...]
    left: tuple[Left, ...]
    warnings: tuple[str, ...]
    files: Mapping[str, tuple[str, ...]]


def common_root(every: Sequence[Answers]) -> Path:
    """Return the folder that all files of answers are in."""
    files = [source.path.absolute().parent for answers in every for source in answers.sources]
    files += [each.source.path.absolute().parent for answers in every for each in answers.apart]
    return Path(commonpath(files))


def head(answers: Answers, root: Path) -> Head:
    """Describe a benchmark's answers.

    Args:
        root: file names are given relative to it.
    """

    def name(source: Source) -> str:
        return str(source.path.absolute().relative_to(root))

    files: dict[str, tuple[str, ...]] = {}
    for source in answers.sources:
        files[source.model] = tuple(dict.fromkeys((*files.get(source.model, ()), name(source))))
    left = tuple(
        Left(each.source.model, each.source.task, each.reason, name(each.source)) for each in answers.apart
    )
    flagged = tuple(each for each in remarks(answers) if not each.startswith("set apart"))
    return Head(_facts(answers), tuple(_runs(answers.sources, root)), left, flagged, files)


def _facts(answers: Answers) -> tuple[tuple[str, str], ...]:
    sources = answers.sources
    models = {source.model for source in sources}
    versions = sorted({_dataset(source) for source in sources} - {""})
    number = {version for source in sources for version in [source.task_version] if version}
    readers = Counter(source.matching for source in sources if source.matching)
    return (
        ("Models", f"{len(models):,}"),
        ("Answers", f"{len(answers.frame):,}"),
        ("Dataset", ", ".join(versions) or "version not recorded"),
        ("Tasks", f"{len({source.task for source in sources})}, version {', '.join(sorted(number)) or '?'}"),
        *((("Answers read by", "; ".join(READERS.get(way, way) for way in readers)),) if readers else ()),
    )


def _runs(sources: Sequence[Source], root: Path) -> list[RunRow]:
    groups: dict[tuple[str, str, Path], list[Source]] = {}
    for source in sources:
        groups.setdefault((source.model, source.date, source.path.parent), []).append(source)
    rows = []
    for (model, date, folder), members in groups.items():
        files = {member.path.absolute() for member in members}
        shown = files.pop() if len(files) == 1 else folder.absolute()
        rows.append(
            RunRow(
                model=model,
                tasks=", ".join(f"{member.task} {member.task_version}".strip() for member in members),
                dataset=", ".join(dict.fromkeys(filter(None, map(_dataset, members)))),
                questions=sum(member.questions for member in members),
                date=date,
                readers=", ".join(dict.fromkeys(READERS.get(m.matching, m.matching) for m in members)),
                file=str(shown.relative_to(root)),
                made_with=_made_with(members[0]),
            )
        )
    return rows


def _dataset(source: Source) -> str:
    hashed = f"sha256 {source.dataset_sha256[:12]}" if source.dataset_sha256 else ""
    return source.dataset_version or hashed or ("unknown" if source.unidentified else "")


def _made_with(source: Source) -> str:
    """Say in words what the results file records of hardware and software; "" without a record."""
    name = source.path.name.partition("_samples_")[0] + "_results.json"
    try:
        saved = json.loads(source.path.with_name(name).read_text(encoding="utf-8"))
        record: Mapping[str, Any] = saved["physprobe"]["run"]
        hardware, packages, git = record["hardware"], record["packages"], record.get("git") or {}
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    parts = [
        f"revision {record['revision'][:12]}" if record.get("revision") else "",
        ", ".join(map(str, hardware.get("gpus") or ())) or str(hardware.get("cpu", "")),
        f"{record['wall_s']:,.0f} s" if record.get("wall_s") else "",
        ", ".join(
            f"{package} {packages[package]}"
            for package in ("physprobe", "lmms-eval", "torch", "transformers")
            if packages.get(package)
        ),
        f"commit {git['commit'][:12]}{' with changes' if git.get('dirty') else ''}"
        if git.get("commit")
        else "",
    ]
    return "; ".join(filter(None, parts))
