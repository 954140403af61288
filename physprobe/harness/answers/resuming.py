"""Makes a model answer only what it has not answered before, and keeps each answer as soon as it is there.

lmms-eval hands a model all questions at once and keeps nothing before the last is answered. Here the model
gets them a batch at a time, those that show the same frames one after the other. Under several processes
lmms-eval fills up one that has fewer questions than others with requests whose answers it drops; here they
are not asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from typing import Any

from loguru import logger

from physprobe.harness import api_models, catalog, processes
from physprobe.harness.answers.identity import digest
from physprobe.harness.answers.store import Answer, Answers
from physprobe.harness.failures import EvaluationFailed
from physprobe.harness.grouping import Shown, grouped, shown_by
from physprobe.harness.replacing import replaced

_FILLER = "__padding_only__"
_FAILED = "[LMMS_EVAL_"  # what lmms-eval's API adapters return in place of an answer
_IN_FLIGHT = 4  # batches of concurrent requests to a server
_GIVE_UP = 50  # failures in a row, after which a server is not asked any more


@dataclass
class Tally:
    """How the questions of a run were answered.

    Attributes:
        questions: of this run. reused: answered from earlier runs.
        asked: now. failed: asked, and the adapter reported a failure instead. blank: asked, and the answer
            was empty; neither of these is kept.
    """

    questions: int = 0
    reused: int = 0
    asked: int = 0
    failed: int = 0
    blank: int = 0

    def __add__(self, other: Tally) -> Tally:
        """Add up two processes of a run."""
        mine, theirs = asdict(self), asdict(other)
        return Tally(**{name: mine[name] + theirs[name] for name in mine})


@contextmanager
def resuming(lm: Any, store: Answers, versions: Mapping[str, object]) -> Iterator[Tally]:
    """Put the store before a model's ``generate_until`` in this block.

    Args:
        lm: the model. store: of this model. versions: task -> version.
    """
    keeper = _Keeper(lm, lm.generate_until, store, versions)
    lm.generate_until = keeper.generate_until
    # Some adapters of API models would order each batch by a hash of its texts.
    queue = replaced(lm, "prefix_aware_queue", False) if hasattr(lm, "prefix_aware_queue") else nullcontext()
    try:
        with queue, api_models.considerate(lm):
            yield keeper.tally
    finally:
        del lm.generate_until
        store.close()


class _Keeper:
    """Stands in for a model's ``generate_until``."""

    def __init__(
        self,
        lm: Any,
        ask: Callable[[list[Any]], list[Any]],
        store: Answers,
        versions: Mapping[str, object],
    ) -> None:
        self.tally = Tally()
        self._failed_in_a_row = 0
        self._lm, self._ask, self._store, self._versions = lm, ask, store, versions

    def generate_until(self, requests: Sequence[Any]) -> list[Any]:
        """Answer as the model would, in the order of the requests.

        Raises:
            EvaluationFailed: its server fails all the time; what was answered is kept.
        """
        keys, shown = self._keys(requests)
        outputs = {key: _output(kept) for key in keys.values() if (kept := self._store.get(key))}
        self.tally.questions += len(keys)
        self.tally.reused += len(outputs)
        self._store.announce(processes.rank(), len(keys), len(outputs))
        if outputs:
            logger.info(
                f"{len(outputs)} of {len(keys)} answers were kept by earlier runs: {self._store.folder}"
            )
        missing = grouped({k: shown[k] for k, key in keys.items() if key not in outputs})
        api_models.confirm(self._lm, [requests[k] for k in missing])
        size = batch_size(self._lm)
        with processes.one_bar("Model Responding", len(keys), len(outputs)) as bar:
            for start in range(0, len(missing), size):
                chunk = missing[start : start + size]
                for k, output in zip(chunk, self._ask([requests[k] for k in chunk]), strict=True):
                    outputs[keys[k]] = _with_text(output)
                    self._keep(keys[k], requests[k], outputs[keys[k]])
                self._give_up_on_a_dead_server([outputs[keys[k]] for k in chunk])
                bar.update(len(chunk))
        return [outputs[keys[k]] if k in keys else "" for k in range(len(requests))]

    def _keys(self, requests: Sequence[Any]) -> tuple[dict[int, str], dict[int, Shown]]:
        """Name each request, by its position, by all that its answer depends on; and name what it shows.

        Fillers have no name. The same request once more is another draw.
        """
        draws: Counter[str] = Counter()
        keys, shown = {}, {}
        for k, request in enumerate(requests):
            if not request.metadata.get(_FILLER):
                *_, doc_id, task, split = request.args
                row = self._lm.task_dict[task][split][doc_id]
                key = digest(self._identity(request, row))
                keys[k], shown[k] = f"{key}-{draws[key]}", shown_by(row)
                draws[key] += 1
        return keys, shown

    def _identity(self, request: Any, row: Mapping[str, Any]) -> list[Any]:
        context, task = request.args[0], request.args[-2]
        (settings,) = (part for part in request.args if isinstance(part, dict))
        shown = catalog.benchmark_module(task).identity(row)
        told = self._lm.told(row) if hasattr(self._lm, "told") else None
        return [task, str(self._versions[task]), context, settings, shown, told]

    def _keep(self, key: str, request: Any, output: Any) -> None:
        from lmms_eval.api.instance import unwrap_generation_output

        self.tally.asked += 1
        text, tokens = unwrap_generation_output(output)
        if not isinstance(text, str):  # of several rounds: no task of ours asks for it
            return
        if text.startswith(_FAILED):
            self.tally.failed += 1
        elif not text.strip():  # some adapters turn their own errors into empty answers
            self.tally.blank += 1
        else:
            answer = Answer(text, tokens.to_dict() if tokens else None)
            self._store.put(key, answer, {"task": request.task_name, "doc_id": request.doc_id})

    def _give_up_on_a_dead_server(self, outputs: Sequence[Any]) -> None:
        failures = [text for text in map(_text, outputs) if text.startswith(_FAILED)]
        all_failed = len(failures) == len(outputs)
        self._failed_in_a_row = self._failed_in_a_row + len(failures) if all_failed else 0
        if self._failed_in_a_row >= _GIVE_UP:
            raise EvaluationFailed(
                f"the last {self._failed_in_a_row} questions got no answer ({failures[-1]}); "
                "the same command goes on from here"
            )


def batch_size(lm: Any) -> int:
    """Return how many questions to hand to a model at once: those it works on at the same time."""
    size, concurrent = getattr(lm, "batch_size", 1), getattr(lm, "num_concurrent", 1)
    size = size if isinstance(size, int) else 1
    return max(1, size, concurrent * _IN_FLIGHT if concurrent > 1 else 1)


def _text(output: Any) -> str:
    from lmms_eval.api.instance import unwrap_generation_output

    text, _ = unwrap_generation_output(output)
    return text if isinstance(text, str) else ""


def _with_text(output: Any) -> Any:
    """Take for an empty answer that a server sent none, as when thoughts have used up all tokens."""
    from lmms_eval.api.instance import GenerationResult

    if isinstance(output, GenerationResult) and output.text is None:
        return GenerationResult("", output.token_counts)
    return output


def _output(kept: Answer) -> Any:
    from lmms_eval.api.instance import GenerationResult, TokenCounts

    return GenerationResult(kept.text, TokenCounts(**kept.tokens) if kept.tokens else None)
