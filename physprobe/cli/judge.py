"""``physprobe judge``: read free-form answers by templates and a panel of judges."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from physprobe.errors import UserError
from physprobe.files import write_whole

if TYPE_CHECKING:
    from physprobe.judging.ensemble import Progress
    from physprobe.judging.hybrid import Answer, HybridMatch, HybridMatcher

_MAX_PROBLEMS = 20

app = typer.Typer()


@app.command()
def judge(
    answers: Path = typer.Argument(
        metavar="ANSWERS.jsonl",
        help='One object a line: {"id": "...", "answer": "...", "options": ["...", ...]}.',
    ),
    out: Path = typer.Option(
        help="New file: one line per answer, with its letter and every judge's verdict."
    ),
    judges: Path | None = typer.Option(
        None, metavar="PANEL.yaml", help="The panel. Default: $PHYSPROBE_JUDGES or $PHYSPROBE_JUDGE_URL."
    ),
    cache: Path | None = typer.Option(
        None, metavar="DIR", help="Where judges' replies are kept. Default: $PHYSPROBE_JUDGE_CACHE."
    ),
    offline: bool = typer.Option(False, "--offline", help="Use kept replies alone, ask nobody."),
    force: bool = typer.Option(False, "--force", help="Replace the output file."),
) -> None:
    """Read which option each free-form answer chooses, and print how many could be read.

    Templates come first; a panel of judges reads the rest, where one is configured. Exit code 3: answers
    remain unread because judges gave no reply; the file is written all the same, and a rerun asks again.

    Example: physprobe judge answers.jsonl --out matched.jsonl --judges panel.yaml
    """
    if out.exists() and not (force and out.is_file()):
        raise UserError(f"{out} exists: choose another --out" + ("" if out.is_dir() else ", or add --force"))
    if not out.parent.is_dir():
        raise UserError(f"{out.parent} is no folder: make it first")
    rows = read_answers(answers)
    matcher = _matcher(judges, cache, offline)
    with _progress() as progress:
        result = matcher.match(rows, progress)
    write_whole(out, "".join(f"{_line(match)}\n" for match in result.matches))
    print(json.dumps(result.summary(), indent=2))
    result.require_complete()


def read_answers(file: Path) -> list[Answer]:
    """Read answers from a JSONL file.

    Raises:
        UserError: it can't be read, or lines are wrong; lists them with their numbers.
    """
    from physprobe.judging.hybrid import Answer

    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file} can't be read: {type(error).__name__}") from error
    found: dict[str, Answer] = {}
    problems = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        problem, row = _parse(line)
        if not problem and row["id"] in found:
            problem = f"id {row['id']!r} occurs twice"
        if problem:
            problems.append(f"line {number}: {problem}")
        else:
            found[row["id"]] = Answer(row["id"], row["answer"], tuple(row["options"]))
    if problems:
        more = f"; and {len(problems) - _MAX_PROBLEMS} more" if len(problems) > _MAX_PROBLEMS else ""
        raise UserError(f"{file}: {'; '.join(problems[:_MAX_PROBLEMS])}{more}")
    return list(found.values())


def _parse(line: str) -> tuple[str, dict[str, Any]]:
    """Return what is wrong with a line ("" when nothing is), and the object it holds."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return "no JSON", {}
    if not isinstance(row, dict):
        return "no JSON object", {}
    for key in ("id", "answer"):
        if not isinstance(row.get(key), str):
            return f"{key!r} must be a string", {}
    options = row.get("options")
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        return "'options' must be a list of strings", {}
    if not 2 <= len(options) <= 26:
        return "'options' must hold 2 to 26 texts", {}
    return "", row


def _matcher(judges: Path | None, cache: Path | None, offline: bool) -> HybridMatcher:
    from physprobe.judging.config import cache_folder, load_panel, panel_from_environment
    from physprobe.judging.hybrid import HybridMatcher

    panel = load_panel(judges) if judges else panel_from_environment()
    if panel is None:
        print("note: no judges are configured, so templates alone read the answers", file=sys.stderr)
    elif offline:
        panel = panel.model_copy(update={"offline": True})
    return HybridMatcher(panel, cache or cache_folder())


@contextmanager
def _progress() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("asking judges"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=True)


def _line(match: HybridMatch) -> str:
    row = {
        "id": match.answer_id,
        "letter": match.letter,
        "rule": match.rule,
        "stage1_rule": match.stage1_rule,
        "judges": [asdict(verdict) for verdict in match.panel.verdicts] if match.panel else None,
    }
    return json.dumps(row, ensure_ascii=False)
