"""How far a running job is, by the answers it has kept."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from physprobe.harness.answers.store import EXPECTED

_ANSWERS = "answers"  # where lmms_eval keeps them, below --output_path
_TOLERANCE_S = 1.0  # clocks of file systems


@dataclass(frozen=True)
class Progress:
    """Questions that have an answer, and questions in all."""

    done: int
    total: int


@dataclass
class AnswerCounter:
    """Counts the answers of one attempt; files are read on from where the last look ended.

    Attributes:
        folder: of the job. since: when the attempt started, in seconds since 1970.
    """

    folder: Path
    since: float
    _read: dict[Path, tuple[int, int]] = field(default_factory=dict)

    def look(self) -> Progress | None:
        """Return the progress; None when the job keeps no answers, or has not got so far."""
        announced = self._recent(EXPECTED.format(rank="*"))
        if not announced:
            return None
        counts = [_read_counts(path) for path in announced]
        answered = sum(self._lines(path) for path in self._recent("answers-*.jsonl"))
        return Progress(sum(reused for _, reused in counts) + answered, sum(asked for asked, _ in counts))

    def _recent(self, pattern: str) -> list[Path]:
        found = sorted((self.folder / _ANSWERS).glob(f"*/{pattern}"))
        return [path for path in found if path.stat().st_mtime >= self.since - _TOLERANCE_S]

    def _lines(self, path: Path) -> int:
        offset, lines = self._read.get(path, (0, 0))
        with path.open("rb") as file:
            file.seek(offset)
            while data := file.read(2**20):
                offset, lines = offset + len(data), lines + data.count(b"\n")
        self._read[path] = offset, lines
        return lines


def _read_counts(path: Path) -> tuple[int, int]:
    try:
        counts = json.loads(path.read_text(encoding="utf-8"))
        return int(counts["questions"]), int(counts["reused"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0, 0
