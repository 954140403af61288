"""What evaluating costs besides the model: ours against stock lmms-eval, with a model that costs nothing.

Each run is a process of its own, started as a user would start it; times are CPU times, which other programs
disturb less than the clock. The model decodes each question's frames as any model must, and answers at once.

    python -m benchmarks.harness compare --data out/demo/datasets
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from physprobe.cli.runner import run
from physprobe.data import VARIABLE
from physprobe.errors import UserError
from physprobe.harness.answers.store import Answer, AnswerStore

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
console = Console(width=120, highlight=False)

TASK, MODEL = "conservation_full", "physprobe_chance"
FULL = 23_040  # questions of the full preset
# At most: seconds to the first sample, minutes for the whole task, MB, milliseconds for keeping an answer.
TARGETS = {"start": 6.0, "whole": 10.0, "memory": 3000.0, "store": 0.2}
_MARK = "BENCHMARK "


@dataclass(frozen=True)
class Outcome:
    """What one run took.

    Attributes:
        first, last: seconds of CPU time from the process's start to the first question, and to its end.
        clock: seconds by the clock, to its end. questions: how many were asked. peak_mb: of memory.
    """

    first: float
    last: float
    clock: float
    questions: int
    peak_mb: float

    @property
    def each(self) -> float:
        """Seconds a question, all that follows the last one included."""
        return (self.last - self.first) / self.questions

    @property
    def whole(self) -> float:
        """Minutes for all questions of the full preset, at this rate."""
        return (self.first + FULL * self.each) / 60


def measured(stock: bool, data: Path, limit: int | None) -> Outcome:
    """Run one evaluation in a process of its own.

    Raises:
        UserError: it failed; its last line.
    """
    with tempfile.TemporaryDirectory() as folder:
        asked = ["--model", MODEL, "--tasks", TASK, "--log_samples", "--output_path", folder]
        asked += ["--limit", str(limit)] if limit else []
        command = [sys.executable, "-m", "benchmarks.harness", "child", "stock" if stock else "ours", *asked]
        variables = {**os.environ, VARIABLE: str(data.resolve()), "HF_HUB_OFFLINE": "1"}
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    marks = [line[len(_MARK) :] for line in done.stdout.splitlines() if line.startswith(_MARK)]
    if done.returncode or not marks:
        raise UserError((done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1])
    return Outcome(**json.loads(marks[-1]))


@app.command(context_settings={"ignore_unknown_options": True}, hidden=True)
def child(which: str, arguments: list[str]) -> None:
    """Evaluate in this process and print what it took; called by the benchmark itself."""
    began, command = time.monotonic(), _ours(arguments) if which == "ours" else _stock(arguments)
    counted = _counting()
    code = command()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    clock = time.monotonic() - began
    found = {"first": counted["first"], "last": time.process_time(), "clock": clock}
    found |= {"questions": counted["questions"], "peak_mb": usage.ru_maxrss / 1024}
    print(f"{_MARK}{json.dumps(found)}")
    raise typer.Exit(code)


def _ours(arguments: list[str]) -> Callable[[], int]:
    from physprobe.harness import deferring
    from physprobe.lmms_eval import run as evaluate

    deferring.defer(*deferring.SLOW)  # before the model is imported for counting
    return lambda: evaluate(arguments)


def _stock(arguments: list[str]) -> Callable[[], int]:
    def evaluate() -> int:
        from lmms_eval.__main__ import cli_evaluate

        sys.argv = ["lmms-eval", *arguments]
        return int(cli_evaluate() or 0)

    return evaluate


def _counting() -> dict[str, Any]:
    """Let the model tell when it is first asked, and how often."""
    from physprobe.harness.reference_models import ReferenceModel

    counted: dict[str, Any] = {"first": 0.0, "questions": 0}
    answer = ReferenceModel._answer

    def counting(self: ReferenceModel, *request: Any) -> str:
        counted["first"] = counted["first"] or time.process_time()
        counted["questions"] += 1
        return answer(self, *request)

    ReferenceModel._answer = counting  # type: ignore[method-assign]
    return counted


def milliseconds_to_keep(answers: int = 5000) -> float:
    """Return what the store of answers adds to a question."""
    with tempfile.TemporaryDirectory() as folder:
        store = AnswerStore(Path(folder), {})
        began = time.process_time()
        for k in range(answers):
            store.get(f"{k:064x}-0")
            store.put(f"{k:064x}-0", Answer("(A)", {"output_tokens": 3}), {"task": TASK, "doc_id": k})
        took = time.process_time() - began
        store.close()
    return 1000 * took / answers


def rows(ours: Outcome, stock: Outcome, store: float) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield what was measured: name, ours, stock, their ratio, the target."""
    compared = (
        ("start", "start to first sample, CPU s", ours.first, stock.first),
        ("whole", f"{TASK} of {FULL:,}, CPU min", ours.whole, stock.whole),
        ("memory", "peak memory, MB", ours.peak_mb, stock.peak_mb),
    )
    for key, name, mine, theirs in compared:
        met = "met" if mine <= TARGETS[key] else "MISSED"
        yield name, f"{mine:.2f}", f"{theirs:.2f}", f"{theirs / mine:.2f}", f"{TARGETS[key]:g} ({met})"
    met = "met" if store <= TARGETS["store"] else "MISSED"
    yield "keeping an answer, ms", f"{store:.3f}", "-", "-", f"{TARGETS['store']:g} ({met})"


@app.command()
def compare(
    data: Path = typer.Option(..., help="Folder of built datasets, with conservationbench in it."),
    limit: int | None = typer.Option(None, min=1, help="Ask only so many questions."),
) -> None:
    """Measure ours and stock one after the other.

    Example: python -m benchmarks.harness compare --data out/demo/datasets
    """
    ours, stock = (measured(which, data, limit) for which in (False, True))
    table = Table(
        title=f"{ours.questions:,} questions of {TASK}; by the clock {ours.clock:.0f} s", title_justify="left"
    )
    for heading in ("", "ours", "stock", "stock / ours", "target"):
        table.add_column(heading, justify="right" if heading else "left")
    for row in rows(ours, stock, milliseconds_to_keep()):
        table.add_row(*row)
    console.print(table)


if __name__ == "__main__":
    sys.exit(run(app))
