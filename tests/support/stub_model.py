"""A model without weights for tests of what surrounds a model: it counts what it is asked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lmms_eval.api.instance import GenerationResult, Instance, TokenCounts

TASK, SPLIT = "stub_task", "test"
SETTINGS = {"max_new_tokens": 8, "temperature": 0}


class StubModel:
    """Answers question k with a text of its own; logs each question to a file before it answers."""

    is_simple = False

    def __init__(self, log: Path, rows: Iterable[Mapping[str, Any]]) -> None:
        self.log, self.task_dict = log, {TASK: {SPLIT: list(rows)}}
        self.replies: dict[int, str] = {}
        self.calls: list[int] = []

    def generate_until(self, requests: list[Instance]) -> list[GenerationResult]:
        self.calls.append(len(requests))
        return [self._answer(request.doc_id) for request in requests]

    def _answer(self, doc_id: int) -> GenerationResult:
        file = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(file, f"{doc_id}\n".encode())
        os.close(file)
        return GenerationResult(
            self.replies.get(doc_id, f"answer {doc_id} ♁"), TokenCounts(output_tokens=doc_id)
        )

    def asked(self) -> list[int]:
        """The questions that reached any process's model, in order."""
        return [int(line) for line in self.log.read_text().split()] if self.log.exists() else []


def request(doc_id: int, *, padding: bool = False, context: str = "Which?", **settings: Any) -> Instance:
    """A request as lmms-eval makes it for a chat model."""
    metadata: dict[str, Any] = {"task": TASK, "doc_id": doc_id, "repeats": 1}
    if padding:
        metadata["__padding_only__"] = True
    arguments = (context, lambda row: [], {**SETTINGS, **settings}, doc_id, TASK, SPLIT)
    return Instance("generate_until", arguments, 0, metadata)
