"""Tries each fault in ``PATCHES`` on stock lmms-eval and on ours; a program of its own, for it changes both.

Usage: python -m tests.support.patch_probes FOLDER, with PHYSPROBE_DATA set. Prints for each patch whether
stock lmms-eval does what is right, and whether ours does: ``{"exit code": [false, true], ...}``.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import lmms_eval.__main__ as stock
from lmms_eval import utils
from lmms_eval.api.instance import Instance
from lmms_eval.caching.response_cache import ResponseCache
from lmms_eval.cli import dispatch
from lmms_eval.loggers.evaluation_tracker import EvaluationTracker

from physprobe import lmms_eval as ours
from physprobe.harness import catalog, patches, processes, registration
from physprobe.harness.answers.resuming import resuming
from physprobe.harness.answers.store import AnswerStore
from physprobe.harness.grouping import dealing_by_frames
from physprobe.harness.replacing import replaced
from physprobe.harness.tiny_vlm import Architecture, make
from tests.support.stub_model import TASK, StubModel, request

TOKEN = "hf_" + "s3cretT0ken" * 3
ASKED = ["--model", "physprobe_oracle", "--tasks", "conservation"]
SAVED: dict[str, Any] = {
    **{name: {} for name in ("results", "configs", "versions", "n-shot", "higher_is_better")},
    **{name: {} for name in ("group_subtasks", "samples")},
    "config": {"batch_sizes": []},
}

Probe = Callable[[bool, Path], bool]


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str
    evaluations: Sequence[dict[str, Any]]  # what simple_evaluate was called with
    results: Sequence[Any]


def command(arguments: list[str], mended: bool, evaluate: Callable[..., Any] | None = None) -> Outcome:
    """Run a command line in this process; ``evaluate`` stands in for ``simple_evaluate``."""
    calls, results = [], []
    real, out, err = stock.evaluator.simple_evaluate, io.StringIO(), io.StringIO()

    def simple_evaluate(**kwargs: Any) -> Any:
        calls.append(kwargs)
        results.append((evaluate or real)(**kwargs))
        return results[-1]

    with (
        replaced(stock.evaluator, "simple_evaluate", simple_evaluate),
        replaced(sys, "argv", ["lmms_eval", *arguments]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            code = ours.run(arguments) if mended else dispatch.main() or 0
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 0
    return Outcome(code, out.getvalue(), err.getvalue(), calls, results)


def nothing(**kwargs: Any) -> dict[str, Any]:
    """Evaluate nothing, successfully."""
    return {**SAVED, "samples": {}, "date": kwargs["datetime_str"]}


def broken(**kwargs: Any) -> dict[str, Any]:
    raise KeyError("column")


def exit_code(mended: bool, folder: Path) -> bool:
    return command(ASKED, mended, broken).code == 1


def unsaved_results(mended: bool, folder: Path) -> bool:
    (folder / "file").write_text("")
    place = str(folder / "file" / "out")
    return command([*ASKED, "--output_path", place], mended, nothing).code == 1


def unknown_names(mended: bool, folder: Path) -> bool:
    return command([*ASKED[:3], "conservatoin"], mended, nothing).code == 2


def bad_options(mended: bool, folder: Path) -> bool:
    outcome = command([*ASKED, "--no_such_option"], mended, nothing)
    return outcome.code == 2 and len(outcome.err.strip().splitlines()) == 1


def batch_size(mended: bool, folder: Path) -> bool:
    return not command([*ASKED, "--batch_size", "abc"], mended, nothing).evaluations


def mixed_batches(mended: bool, folder: Path) -> bool:
    """Stock: which questions a batch of two tasks fetches. Ours: the batch is refused."""
    if mended:
        asked = ["--model", "llava_onevision", "--tasks", "conservation", "--batch_size", "8"]
        return command(asked, mended, nothing).code == 2
    from lmms_eval.models.simple.qwen2_5_vl import Qwen2_5_VL

    class Enough(Exception):
        pass

    seen: list[str] = []

    def doc_to_visual(row: str) -> list[Any]:
        seen.append(row)
        if len(seen) == 2:
            raise Enough
        return []

    def of(task: str) -> Instance:
        metadata = {"task": task, "doc_id": 0, "repeats": 1}
        return Instance(
            "generate_until", ("Which?", {"until": []}, doc_to_visual, 0, task, "test"), 0, metadata
        )

    model = SimpleNamespace(
        tokenizer=SimpleNamespace(encode=list, decode=str),
        task_dict={task: {"test": [task]} for task in "ab"},
        rank=1,
        batch_size=2,
        eot_token_id=0,
    )
    with suppress(Enough):
        Qwen2_5_VL.generate_until(model, [of("a"), of("b")])
    return sorted(seen) == ["a", "b"]


def shared_limit(mended: bool, folder: Path) -> bool:
    asked = [
        "--model",
        "physprobe_oracle",
        "--tasks",
        "conservation_number,conservation_static",
        "--limit",
        "0.1",
    ]
    outcome = command(asked, mended)
    if mended:
        return outcome.code == 2
    counts = outcome.results[0]["n-samples"].values()
    return all(count["effective"] == -(-count["original"] // 10) for count in counts)


def no_image(mended: bool, folder: Path) -> bool:
    """Stock: what the adapter answers without an image. Ours: the task is refused."""
    if mended:
        asked = ["--model", "llava_hf", "--tasks", "conservation_text_only"]
        return command(asked, mended, nothing).code == 2
    from lmms_eval.models import get_model

    make(Architecture.LLAVA, folder / "llava")
    model = get_model("llava_hf")(pretrained=str(folder / "llava"), device="cpu", device_map="cpu")
    model.task_dict = {TASK: {"test": [{}]}}
    message = [{"role": "user", "content": [{"type": "text", "text": "Which?"}]}]
    arguments = ("Which?", lambda row: message, {"max_new_tokens": 4}, 0, TASK, "test")
    metadata = {"task": TASK, "doc_id": 0, "repeats": 1}
    try:
        return bool(model.generate_until([Instance("generate_until", arguments, 0, metadata)]))
    except IndexError:
        return False


def printed_token(mended: bool, folder: Path) -> bool:
    outcome = command(ASKED, mended, nothing)
    return TOKEN not in outcome.out + outcome.err


def nan_in_json(mended: bool, folder: Path) -> bool:
    if not mended:
        return _saves_json(folder)
    with patches.applied(stock, []):
        return _saves_json(folder)


def _saves_json(folder: Path) -> bool:
    tracker = EvaluationTracker(output_path=str(folder))
    tracker.general_config_tracker.model_name_sanitized = "m"
    tracker.save_results_aggregated({"results": {"ci95_low,none": float("nan")}}, {}, "today")
    try:
        saved = json.loads((folder / "m" / "today_results.json").read_text(), parse_constant=_no_json)
    except ValueError:
        return False
    return saved["results"] == {"ci95_low,none": None}


def _no_json(name: str) -> None:
    raise ValueError(name)


def lost_answers(mended: bool, folder: Path) -> bool:
    """A run that ends at the fourth of six questions, then the same run again."""
    rows = [{"media": k} for k in range(6)]
    first, second = Mortal(folder / "log", rows), StubModel(folder / "log", rows)
    for model in (first, second):
        try:
            _answer_mended(model, folder) if mended else _answer_stock(model, folder)
        except KeyboardInterrupt:
            continue
    return second.asked() == [0, 1, 2, 3, 3, 4, 5]


class Mortal(StubModel):
    def _answer(self, doc_id: int) -> Any:
        answer = super()._answer(doc_id)
        if doc_id == 3:
            raise KeyboardInterrupt
        return answer


def _answer_stock(model: StubModel, folder: Path) -> None:
    os.environ["LMMS_CACHE_RUN_ID"] = "the same"
    cache = ResponseCache.create(str(folder / "cache"), model="m", model_args="", task_dict={})
    cache.execute(model, "generate_until", [request(k) for k in range(6)])


def _answer_mended(model: StubModel, folder: Path) -> None:
    identity = SimpleNamespace(identity=lambda row: row["media"])
    with (
        replaced(catalog, "benchmark_module", lambda task: identity),
        resuming(model, AnswerStore(folder / "answers", {}), {TASK: "1.0"}),
    ):
        model.generate_until([request(k) for k in range(6)])


def lone_process(mended: bool, folder: Path) -> bool:
    script = folder / "here.py"
    script.write_text("print('here')")
    program = ["-m", "physprobe.lmms_eval", *ASKED] if mended else [str(script)]
    launch = [str(Path(sys.executable).with_name("accelerate")), "launch", "--cpu", "--num_processes", "2"]
    done = subprocess.run([*launch, *program], capture_output=True, text=True, check=False)
    return done.returncode != 0 or done.stdout.split() == ["here"] * 2


def awaited_process(mended: bool, folder: Path) -> bool:
    class Left(BaseException):
        pass

    def leave(code: int) -> None:
        raise Left

    os.environ.update(WORLD_SIZE="2", RANK="1")
    try:
        with replaced(os, "_exit", leave), replaced(processes, "check_number", lambda: None):
            command(ASKED, mended, broken)
    except Left:
        return True
    finally:
        del os.environ["WORLD_SIZE"], os.environ["RANK"]
    return False


def slow_index(mended: bool, folder: Path) -> bool:
    if mended:
        (call,) = command(ASKED, mended, nothing).evaluations
        return len(call["task_manager"].all_tasks) < 100
    registration.skip_default_tasks(False)
    return len(stock.TaskManager().all_tasks) < 100


def slow_import(mended: bool, folder: Path) -> bool:
    """lmms-eval's registry comes without transformers' pipelines."""
    code = "import sys, lmms_eval.api.registry; sys.exit('transformers.pipelines' in sys.modules)"
    before = "from physprobe.harness import deferring; deferring.defer(*deferring.SLOW); " if mended else ""
    return subprocess.run([sys.executable, "-c", before + code], check=False).returncode == 0


def parted_frames(mended: bool, folder: Path) -> bool:
    """Two questions on the same frames go to the same of two processes."""
    rows = [(k, {"video_id": "clip", "frame_indices": [0, 5]}) for k in range(2)]
    with dealing_by_frames(utils) if mended else nullcontext():
        shares = [[k for k, _ in utils.create_iterator(rows, rank, 2)] for rank in range(2)]
    return sorted(shares) == [[], [0, 1]]


PROBES: dict[str, Probe] = {
    "exit code": exit_code,
    "unsaved results": unsaved_results,
    "unknown names": unknown_names,
    "bad options": bad_options,
    "batch size": batch_size,
    "mixed batches": mixed_batches,
    "shared limit": shared_limit,
    "no image": no_image,
    "printed token": printed_token,
    "NaN in JSON": nan_in_json,
    "lost answers": lost_answers,
    "lone process": lone_process,
    "parted frames": parted_frames,
    "awaited process": awaited_process,
    "slow import": slow_import,
    "slow index": slow_index,
}


def all_stock(folder: Path) -> dict[str, bool]:
    """Try the stock version, whose index of tasks is made small: it takes 3.5 s each time."""
    registration.install()
    registration.skip_default_tasks(True)
    small = stock.TaskManager()
    found = {}
    for name, probe in PROBES.items():
        with replaced(
            stock, "TaskManager", stock.TaskManager if probe is slow_index else lambda *_, **__: small
        ):
            found[name] = probe(False, _folder(folder / "stock" / name))
    return found


def _folder(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


def main() -> None:
    folder = Path(sys.argv[1])
    os.environ["HF_TOKEN"] = TOKEN
    found = all_stock(folder)
    mended = {name: probe(True, _folder(folder / "ours" / name)) for name, probe in PROBES.items()}
    print(json.dumps({name: [found[name], mended[name]] for name in PROBES}))


if __name__ == "__main__":
    main()
