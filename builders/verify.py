"""Checks a dataset folder as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from builders.benchmarks import BENCHMARKS, Benchmark, Checker
from builders.checks import ConfigCheck, card_problems, manifest_problems
from builders.folder import Manifest, read_manifest
from physprobe.errors import UserError

Progress = Callable[[str, int], None]


@dataclass(frozen=True)
class Verdict:
    """What ``verify`` found.

    Attributes:
        configs: the pass over each config. summary: what was looked at beyond that, a few lines.
        problems: everything that is wrong, one line each; empty for a sound dataset.
    """

    configs: tuple[ConfigCheck, ...]
    summary: tuple[str, ...]
    problems: tuple[str, ...]


def verify(folder: Path, progress: Progress = lambda config, rows: None) -> Verdict:
    """Check card, manifest, files, schema, rows, references, media and balance of a dataset folder.

    Args:
        folder: the dataset. progress: called with a config's name and the rows read so far.

    Raises:
        UserError: there is no such folder. Whatever is wrong inside it is a problem in the verdict instead.
    """
    if not folder.is_dir():
        raise UserError(
            f"{folder} is not a folder; give a dataset built by  python -m builders build RAW --out DIR"
        )
    problems: list[str] = []
    manifest = _manifest(folder, problems)
    chosen = _benchmark(folder, manifest)
    if chosen is None:
        problems.append(f"{folder} holds the configs of no known benchmark ({', '.join(sorted(BENCHMARKS))})")
        return Verdict((), (), tuple(problems))
    problems += card_problems(folder, chosen.configs, manifest)
    checker = chosen.checker(manifest is None or manifest.complete)
    passes = tuple(_check_config(folder, ConfigCheck(spec), checker, progress) for spec in chosen.configs)
    for check in passes:
        problems += check.problems
        entry = manifest.configs.get(check.spec.name) if manifest else None
        if entry is not None:
            problems += manifest_problems(folder, entry, check)
    problems += checker.finish()
    return Verdict(passes, tuple(checker.summary()), tuple(problems))


def _check_config(folder: Path, check: ConfigCheck, checker: Checker, progress: Progress) -> ConfigCheck:
    for count, row in enumerate(check.read(folder), start=1):
        check.problems += checker.visit(check.spec.name, row)
        progress(check.spec.name, count)
    return check


def _manifest(folder: Path, problems: list[str]) -> Manifest | None:
    try:
        manifest = read_manifest(folder)
    except UserError as error:
        problems.append(str(error))
        return None
    known = BENCHMARKS.get(manifest.benchmark)
    names = {spec.name for spec in known.configs} if known else set()
    if known and manifest.configs.keys() != names:
        problems.append(f"manifest.json lists configs {sorted(manifest.configs)}, not {sorted(names)}")
    return manifest


def _benchmark(folder: Path, manifest: Manifest | None) -> Benchmark | None:
    if manifest is not None and manifest.benchmark in BENCHMARKS:
        return BENCHMARKS[manifest.benchmark]
    fitting = (b for b in BENCHMARKS.values() if all((folder / spec.name).is_dir() for spec in b.configs))
    return next(fitting, None)
