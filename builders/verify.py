"""Checks a dataset folder as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from builders.benchmarks import BENCHMARKS, Benchmark, Checker
from builders.checks import ConfigCheck, card_problems, file_problems, manifest_problems
from builders.comparison import Comparison
from builders.folder import Manifest, read_manifest
from generation.core.raw import RawFolder
from physprobe.errors import UserError

Progress = Callable[[str, int], None]


@dataclass(frozen=True)
class Verdict:
    """What ``verify`` found.

    Attributes:
        configs: the pass over each config. summary: what was looked at beyond that, a few lines.
        problems: everything that is wrong, one line each; empty for a sound dataset.
        incomplete: how much of the preset is there, for a dataset that was built without some of its items;
            else "".
    """

    configs: tuple[ConfigCheck, ...]
    summary: tuple[str, ...]
    problems: tuple[str, ...]
    incomplete: str = ""


def verify(
    folder: Path,
    progress: Progress = lambda config, rows: None,
    *,
    raw: Path | None = None,
    selections: Sequence[Path] = (),
) -> Verdict:
    """Check card, manifest, files, schema, rows, references, media and balance of a dataset folder.

    Args:
        folder: the dataset. progress: called with a config's name and the rows read so far.
        raw: also make every row again from this raw folder, and compare. selections: with these files.

    Raises:
        UserError: there is no such folder, or ``raw`` holds something else, or can't be read. Whatever is
            wrong inside the dataset is a problem in the verdict instead.
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
    specs = chosen.held(_names(folder, chosen, manifest))
    problems += card_problems(folder, specs, manifest)
    checker = chosen.checker(manifest)
    compared = _comparisons(chosen, manifest, raw, selections)
    passes = tuple(
        _check_config(folder, ConfigCheck(spec), checker, compared.get(spec.name), progress) for spec in specs
    )
    for check in passes:
        problems += check.problems
        entry = manifest.configs.get(check.spec.name) if manifest else None
        if entry is not None:
            problems += manifest_problems(folder, entry, check)
    problems += file_problems(folder, manifest.extras if manifest else {})
    problems += checker.finish()
    incomplete = "" if manifest is None or manifest.complete else checker.coverage()
    return Verdict(passes, tuple(checker.summary()), tuple(problems), incomplete)


def _comparisons(
    chosen: Benchmark, manifest: Manifest | None, raw: Path | None, selections: Sequence[Path]
) -> dict[str, Comparison]:
    if raw is None:
        if selections:
            raise UserError("selections files are compared together with their clips: give --raw RAW as well")
        return {}
    folder = RawFolder.open(raw)
    if manifest is not None and folder.manifest != manifest.source:
        raise UserError(f"{raw} holds {folder.manifest}; the dataset was built from {manifest.source}")
    source = chosen.read(folder, manifest is not None and not manifest.complete, selections)
    return {
        spec.name: Comparison(spec, {split: source.rows(spec.name, split) for split in spec.splits})
        for spec in chosen.configs
        if not spec.optional
    }


def _check_config(
    folder: Path, check: ConfigCheck, checker: Checker, compared: Comparison | None, progress: Progress
) -> ConfigCheck:
    for count, (split, row) in enumerate(check.read(folder), start=1):
        check.problems += checker.visit(check.spec.name, split, row)
        check.problems += compared.problems(split, row) if compared else ()
        progress(check.spec.name, count)
    check.problems += compared.rest() if compared else ()
    return check


def _manifest(folder: Path, problems: list[str]) -> Manifest | None:
    try:
        manifest = read_manifest(folder)
    except UserError as error:
        problems.append(str(error))
        return None
    known = BENCHMARKS.get(manifest.benchmark)
    names = {spec.name for spec in known.held(_names(folder, known, manifest))} if known else set()
    if known and manifest.configs.keys() != names:
        problems.append(f"manifest.json lists configs {sorted(manifest.configs)}, not {sorted(names)}")
    return manifest


def _names(folder: Path, known: Benchmark, manifest: Manifest | None) -> set[str]:
    """Name the configs that a folder holds, or says it holds."""
    there = {spec.name for spec in known.configs if (folder / spec.name).is_dir()}
    return there | (manifest.configs.keys() if manifest else set())


def _benchmark(folder: Path, manifest: Manifest | None) -> Benchmark | None:
    if manifest is not None and manifest.benchmark in BENCHMARKS:
        return BENCHMARKS[manifest.benchmark]
    fitting = (b for b in BENCHMARKS.values() if all((folder / spec.name).is_dir() for spec in b.held(())))
    return next(fitting, None)
