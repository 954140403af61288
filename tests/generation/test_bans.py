"""Randomness has one door, generation.core.seeds, and clocks have none: checked in generation's source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "generation").rglob("*.py"))
SEEDS = "generation/core/seeds.py"

MODULES = {"random", "uuid", "time", "datetime", "secrets", "timeit"}
CALLS = {"os.urandom", "os.getrandom", "hash"}  # hash() of a string is salted anew in every process
TYPES = {"numpy.random.Generator"}
SEEDS_ONLY = {"numpy.random.PCG64", "numpy.random.SeedSequence"}
MAKERS = {"item_rng", "default_rng", "Generator", "RandomState", "SeedSequence"}


def _imports(tree: ast.AST) -> Iterator[tuple[int, str, str]]:
    """Yield (line, name in this file, what it stands for)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                local = alias.asname or alias.name.split(".")[0]
                yield node.lineno, local, alias.name if alias.asname else local
                yield node.lineno, "", alias.name
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield node.lineno, alias.asname or alias.name, f"{node.module}.{alias.name}"


def _dotted(node: ast.AST, names: dict[str, str]) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value, names)}.{node.attr}"
    return names.get(node.id, node.id) if isinstance(node, ast.Name) else ""


def _banned(full: str, allowed: set[str]) -> bool:
    if full in CALLS or full.split(".")[0] in MODULES:
        return True
    return full.startswith("numpy.random.") and not any(
        full == name or full.startswith(f"{name}.") for name in allowed
    )


def _defaults(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from node.args.defaults
            yield from (default for default in node.args.kw_defaults if default is not None)


def violations(source: str, allowed: set[str] = TYPES) -> list[str]:
    """Return "line N: what" for each way to randomness or a clock."""
    tree = ast.parse(source)
    imports = list(_imports(tree))
    names = {local: full for _, local, full in imports if local}
    whole = "numpy.random"  # under a name of its own it could be used unseen
    found = [f"line {line}: {full}" for line, _, full in imports if full == whole or _banned(full, allowed)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            full = _dotted(node, names)
            if full.split(".")[0] not in MODULES and _banned(full, allowed):
                found.append(f"line {node.lineno}: {full}")
    for default in _defaults(tree):
        for node in ast.walk(default):
            if isinstance(node, ast.Call) and _dotted(node.func, names).split(".")[-1] in MAKERS:
                found.append(f"line {node.lineno}: a default argument makes a generator")
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_other_randomness_and_no_clock(path: Path) -> None:
    allowed = TYPES | SEEDS_ONLY if path == ROOT / SEEDS else TYPES
    assert violations(path.read_text(encoding="utf-8"), allowed) == []


def test_every_source_file_is_read() -> None:
    assert ROOT / SEEDS in SOURCES
    assert len(SOURCES) > 20


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "import random as r",
        "from random import choice",
        "import uuid",
        "import time",
        "from time import perf_counter",
        "import datetime",
        "from datetime import datetime",
        "import secrets",
        "import os\nx = os.urandom(3)",
        "from os import urandom",
        "import numpy as np\nnp.random.seed(0)",
        "import numpy as np\nx = np.random.default_rng()",
        "import numpy\nx = numpy.random.rand(3)",
        "import numpy.random\n",
        "import numpy.random as nr\nx = nr.rand(3)",
        "from numpy.random import default_rng",
        "from numpy import random",
        "import numpy as np\ns = np.random.SeedSequence(0)",
        "def f():\n    import random",
        "x = hash('a')",
        "def f(rng=item_rng(0, 'a')): ...",
        "def f(*, rng=seeds.item_rng(0, 'a')): ...",
        "f = lambda rng=wrap(item_rng(0, 'a')): rng",
    ],
)
def test_each_ban_bites(source: str) -> None:
    assert violations(source)


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\ndef f(rng: np.random.Generator) -> float:\n    return rng.random()",
        "from generation.core.seeds import item_rng\nrng = item_rng(0, 'a')\nx = rng.uniform()",
        "class A:\n    time: float\n\ndef f(a):\n    return a.time + a.random.uuid",
        "from numpy.random import Generator",
    ],
)
def test_honest_code_passes(source: str) -> None:
    assert violations(source) == []
