"""Whether a dataset folder is what was built: every file as it was written, and nothing else to load."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from builders.benchmarks import Benchmark, benchmark
from builders.checks import card_problems, file_problems
from builders.folder import Manifest, read_manifest
from physprobe.errors import UserError


def check_intact(folder: Path) -> Manifest:
    """Check files, hashes, schemas and card; quicker than ``verify``, which also looks at every row.

    Raises:
        UserError: the folder was not built by this tool, or was changed after.
    """
    if not folder.is_dir():
        raise UserError(f"{folder} is not a folder: give one made by  python -m builders build RAW --out DIR")
    manifest = read_manifest(folder)
    problems = list(_problems(folder, manifest, benchmark(manifest.benchmark)))
    if problems:
        more = f" ({len(problems) - 1} more: python -m builders verify {folder})" if problems[1:] else ""
        raise UserError(f"{folder} is not as it was built: {problems[0]}{more}; build it again")
    return manifest


def _problems(folder: Path, manifest: Manifest, known: Benchmark) -> Iterator[str]:
    specs = known.held(manifest.configs)
    names = {spec.name for spec in specs}
    if manifest.configs.keys() != names:
        yield f"manifest.json lists configs {sorted(manifest.configs)}, not {sorted(names)}"
        return
    yield from file_problems(folder, manifest.files())
    for spec in specs:
        for path in manifest.configs[spec.name].files:
            yield from _schema_problems(folder, path, spec.schema)
    listed = manifest.files().keys()
    there = (file.relative_to(folder).as_posix() for file in folder.rglob("*.parquet"))
    for extra in sorted(set(there) - listed):
        yield f"{extra}: not part of the build, but load_dataset would read it"
    yield from card_problems(folder, specs, manifest)


def _schema_problems(folder: Path, path: str, schema: pa.Schema) -> Iterator[str]:
    try:
        found = pq.read_schema(folder / path)
    except (pa.ArrowException, OSError):
        yield f"{path}: unreadable"
        return
    if not found.equals(schema):
        yield f"{path}: its columns are not those of this version of the builders"
