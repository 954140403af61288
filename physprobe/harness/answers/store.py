"""Where a model's answers are kept: append-only files of JSON lines, one file a process.

A line is handed to the operating system whole, as soon as there is an answer, so SIGKILL costs at most the
answer that was being made. (A machine that loses power may lose its last seconds.) No two processes ever
write to one file, so no locks are needed, on a network file system neither.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from physprobe import files
from physprobe.errors import UserError

_SUFFIX = ".jsonl"
_ABOUT = "model.json"
EXPECTED = "expected-{rank}.json"  # how many questions a process has, for those who watch a run


@dataclass(frozen=True)
class Answer:
    """What a model replied.

    Attributes:
        text: its words. tokens: counts as lmms-eval names them ("output_tokens"); None when not known.
    """

    text: str
    tokens: Mapping[str, int] | None = None


class AnswerStore:
    """One model's answers, by key: those of earlier processes, and those put in here."""

    def __init__(self, folder: Path, about: Mapping[str, Any]) -> None:
        """Open, and read what is there.

        Args:
            folder: of one model with its settings; made if need be. about: which, for people to read.

        Raises:
            UserError: it can't be read or written.
        """
        self.folder = folder
        self._file: int | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / _ABOUT).exists():
                files.write_whole(folder / _ABOUT, json.dumps(about, indent=1, sort_keys=True) + "\n")
            self._answers = {key: answer for path in self._files() for key, answer in _read(path)}
        except OSError as error:
            raise UserError(_complaint(folder, error)) from error

    def __len__(self) -> int:
        """Return the number of answers."""
        return len(self._answers)

    def get(self, key: str) -> Answer | None:
        """Return the answer kept under a key, if there is one."""
        return self._answers.get(key)

    def put(self, key: str, answer: Answer, about: Mapping[str, Any]) -> None:
        """Keep an answer, from now on and for later processes.

        Args:
            key: of the question. about: which question, for people to read.

        Raises:
            UserError: it can't be written.
        """
        line = {
            **about,
            "key": key,
            "text": answer.text,
            **({"tokens": answer.tokens} if answer.tokens else {}),
        }
        data = (json.dumps(line) + "\n").encode()
        try:
            if self._file is None:
                self._file = _new_file(self.folder)
            while data:
                data = data[os.write(self._file, data) :]
        except OSError as error:
            raise UserError(_complaint(self.folder, error)) from error
        self._answers[key] = answer

    def announce(self, rank: int, questions: int, reused: int) -> None:
        """Say how many questions this process has, and how many of them are answered already.

        Raises:
            UserError: it can't be written.
        """
        counts = json.dumps({"questions": questions, "reused": reused})
        try:
            files.write_whole(self.folder / EXPECTED.format(rank=rank), counts + "\n")
        except OSError as error:
            raise UserError(_complaint(self.folder, error)) from error

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob(f"*{_SUFFIX}"))


class NoStore:
    """Keeps nothing: in the place of a store where a run saves nothing."""

    folder = None

    def get(self, key: str) -> None:
        """There is no answer."""

    def put(self, key: str, answer: Answer, about: Mapping[str, Any]) -> None:
        """Forget an answer."""

    def announce(self, rank: int, questions: int, reused: int) -> None:
        """Tell nobody."""

    def close(self) -> None:
        """There is nothing to close."""


Answers = AnswerStore | NoStore


def _read(path: Path) -> Iterator[tuple[str, Answer]]:
    for line in path.read_bytes().splitlines():
        try:
            kept = json.loads(line)
            yield kept["key"], Answer(kept["text"], kept.get("tokens"))
        except (ValueError, KeyError, TypeError):  # a killed process left half a line
            continue


def _new_file(folder: Path) -> int:
    """Open a file that nobody else writes to."""
    file, name = tempfile.mkstemp(dir=folder, prefix="answers-", suffix=_SUFFIX)
    Path(name).chmod(0o644)
    return file


def _complaint(folder: Path, error: OSError) -> str:
    return f"answers can't be kept in {folder}: {error.strerror}; name another folder with --use_cache"
