"""Models that need no weights: what a benchmark must give to someone who knows, guesses, or never varies.

They go through the whole pipeline as any chat model does: they are handed the messages, frames included, and
reply in the shown letter format. Only where another model would look at the frames do they ask the benchmark.
"""

from __future__ import annotations

import hashlib
from typing import Any, ClassVar

import numpy as np
from lmms_eval.api.instance import GenerationResult, Instance
from lmms_eval.api.model import lmms
from tqdm import tqdm  # type: ignore[import-untyped]

from physprobe.errors import UserError
from physprobe.harness import catalog


def question_rng(seed: int, question_id: str) -> np.random.Generator:
    """Return the generator of one question: the same in any order, on any number of processes."""
    digest = hashlib.sha256(question_id.encode()).digest()
    words = tuple(int.from_bytes(digest[i : i + 4], "big") for i in range(0, len(digest), 4))
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=words)))


class ReferenceModel(lmms):
    """Base of the reference models. Use with ``--model physprobe_...``, and ``--model_args seed=1``."""

    is_simple = False
    kind: ClassVar[str]

    def __init__(
        self,
        seed: int = 0,
        batch_size: int | str | None = None,
        max_batch_size: int | None = None,
        device: str | None = None,
        **unknown: object,
    ) -> None:
        """Take the arguments lmms-eval gives to every model; only ``seed`` (an integer >= 0) matters."""
        super().__init__()
        if unknown:
            raise UserError(f"physprobe_{self.kind}: unknown model argument {min(unknown)!r}; valid: seed")
        if not isinstance(seed, int) or seed < 0:
            raise UserError(f"physprobe_{self.kind}: seed must be an integer >= 0, got {seed!r}")
        self.seed = seed

    @property
    def device(self) -> Any:
        """Where processes exchange their counts: this process's GPU, or the CPU without one."""
        from accelerate import Accelerator

        return Accelerator().device

    def told(self, row: Any) -> dict[str, Any]:
        """Return what these models know besides the prompt: the row. Kept answers depend on it."""
        return {name: value for name, value in row.items() if isinstance(value, (str, int, float, list))}

    def generate_until(self, requests: list[Instance]) -> list[GenerationResult]:
        """Answer each request from the question's own row."""
        progress = tqdm(requests, desc="Model Responding", disable=self.rank != 0)
        return [GenerationResult(text=self._answer(*request.args)) for request in progress]

    def _answer(
        self, context: str, doc_to_messages: Any, gen_kwargs: dict, doc_id: int, task: str, split: str
    ) -> str:
        if task not in catalog.task_files():
            known = ", ".join(sorted(catalog.task_files()))
            raise UserError(
                f"physprobe_{self.kind} can't answer task {task!r}, only those of physprobe: {known}"
            )
        row = self.task_dict[task][split][doc_id]
        doc_to_messages(row)  # a missing or broken clip stops this model as it would stop any other
        rng = question_rng(self.seed, row["question_id"])
        return catalog.benchmark_module(task).reference_answer(self.kind, row, rng)

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        """Not offered: these models reply in text."""
        raise UserError(
            "the reference models of physprobe only generate text: ask them with output_type generate_until"
        )

    def generate_until_multi_round(self, requests: list[Instance]) -> list[str]:
        """Not offered: no task of physprobe has several rounds."""
        raise UserError(
            "the reference models of physprobe answer in one round: ask them with output_type generate_until"
        )


class Oracle(ReferenceModel):
    """Knows the ground truth: must score exactly 1.0, or the benchmark is not solvable."""

    kind = "oracle"


class Chance(ReferenceModel):
    """Picks a shown option, uniformly, seeded for each question."""

    kind = "chance"


class Invariance(ReferenceModel):
    """Always says that nothing changed."""

    kind = "invariance"


class Change(ReferenceModel):
    """Always says that something changed; which way is drawn uniformly, seeded for each question."""

    kind = "change"


class Majority(ReferenceModel):
    """Always gives the most frequent answer: the floor under metrics of unequally frequent classes."""

    kind = "majority"
