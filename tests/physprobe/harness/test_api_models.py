"""lmms-eval's own OpenAI-compatible adapter, over loopback, against a server that also behaves badly."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lmms_eval.models.chat.openai import OpenAICompatible
from PIL import Image
from starlette.responses import JSONResponse, Response

from physprobe.conservation.prompts import interleave
from physprobe.errors import UserError
from physprobe.harness import api_models, catalog, options
from physprobe.harness.answers.resuming import Tally, resuming
from physprobe.harness.answers.store import AnswerStore
from physprobe.harness.options import Options
from tests.support.judge_server import JudgeServer, completion, cuts, judge_server, raw, slow, status
from tests.support.stub_model import SETTINGS, SPLIT, TASK

IMAGES = 3


@pytest.fixture(scope="module")
def _fresh() -> Iterator[Callable[[], JudgeServer]]:
    with judge_server() as fresh:
        yield fresh


@pytest.fixture
def server(_fresh: Callable[[], JudgeServer], monkeypatch: pytest.MonkeyPatch) -> JudgeServer:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(api_models, "_FIRST_WAIT", 0.01)
    module = SimpleNamespace(identity=lambda row: [row["k"]])
    monkeypatch.setattr(catalog, "benchmark_module", lambda task: module)
    return _fresh()


def shades(k: int) -> list[int]:
    """The brightness of the images of question k, in order."""
    return [(7 * k + 50 * n) % 256 for n in range(IMAGES)]


def messages(row: dict[str, Any]) -> list[dict[str, Any]]:
    images = [Image.new("L", (8, 8), shade).convert("RGB") for shade in shades(row["k"])]
    content = [
        {"type": "text", "text": part} if isinstance(part, str) else {"type": "image", "url": images[part]}
        for _, part in interleave(IMAGES, f"Question {row['k']}?")
    ]
    return [{"role": "user", "content": content}]


def request(k: int) -> Any:
    from lmms_eval.api.instance import Instance

    metadata = {"task": TASK, "doc_id": k, "repeats": 1}
    return Instance("generate_until", ("", messages, {**SETTINGS}, k, TASK, SPLIT), 0, metadata)


async def sees(body: dict[str, Any]) -> Response:
    """Reply with what arrived: each text, and the brightness of each image, read from its bytes."""
    await asyncio.sleep(0.02)  # so that requests overlap
    told = []
    for part in body["messages"][-1]["content"]:
        if part["type"] == "text":
            told.append(part["text"].strip())
        else:
            data = base64.b64decode(part["image_url"]["url"].partition("base64,")[2])
            told.append(str(Image.open(io.BytesIO(data)).convert("L").getpixel((4, 4))))
    return JSONResponse(completion(" ".join(told)))


def expected(k: int) -> str:
    frames = " ".join(f"Frame {n}: {shade}" for n, shade in enumerate(shades(k), 1))
    return f"{frames} Question {k}?"


def model(server: JudgeServer, count: int, **arguments: Any) -> OpenAICompatible:
    lm = OpenAICompatible(
        model="m", base_url=server.url, api_key="key", **{"num_concurrent": 4, "batch_size": 1, **arguments}
    )
    lm.task_dict = {TASK: {SPLIT: [{"k": k, "question_id": str(k)} for k in range(count)]}}
    return lm


def ask(server: JudgeServer, folder: Path, count: int, **arguments: Any) -> tuple[list[str], Tally]:
    lm = model(server, count, **arguments)
    with resuming(lm, AnswerStore(folder, {}), {TASK: "1.0"}) as tally:
        outputs = lm.generate_until([request(k) for k in range(count)])
    return [output.text for output in outputs], tally


def test_images_and_texts_arrive_in_order_and_answers_go_to_their_questions(
    server: JudgeServer, tmp_path: Path
) -> None:
    server.play("m", sees)
    texts, tally = ask(server, tmp_path, 20)
    assert texts == [expected(k) for k in range(20)]
    assert (tally.asked, server.count("m")) == (20, 20)
    assert 1 < server.most_at_once["m"] <= 4
    assert {seen.authorization for seen in server.seen} == {"Bearer key"}


def test_a_server_that_fails_now_and_then_costs_no_answer(server: JudgeServer, tmp_path: Path) -> None:
    bad = [status(429, Retry_After="0.3"), status(500), cuts(), status(503), raw(b"{not json"), sees]
    server.play("m", *bad, slow(0.2, "late"), sees)
    texts, tally = ask(server, tmp_path, 8, num_concurrent=1)
    assert texts.count("late") == 1
    assert all(text in ("late", expected(k)) for k, text in enumerate(texts))
    assert (tally.asked, tally.failed) == (8, 0)
    times = [seen.at for seen in server.seen]
    assert times[1] - times[0] >= 0.3  # as the server asked


def test_questions_that_get_no_answer_are_asked_again_by_the_next_run(
    server: JudgeServer, tmp_path: Path
) -> None:
    server.play("m", sees, status(400), sees)
    texts, tally = ask(server, tmp_path, 3, num_concurrent=1)
    assert (tally.failed, server.count("m")) == (1, 3)  # no use in asking that again at once
    assert "[LMMS_EVAL_REQUEST_FAILED" in texts[1]
    texts, tally = ask(server, tmp_path, 3, num_concurrent=1)
    assert texts == [expected(k) for k in range(3)]
    assert (tally.reused, tally.asked, server.count("m")) == (2, 1, 4)


def test_a_reply_without_text_is_a_blank_answer(server: JudgeServer, tmp_path: Path) -> None:
    async def thinks(_: dict[str, Any]) -> Response:
        usage = {"prompt_tokens": 5, "completion_tokens": 8, "total_tokens": 13}
        return JSONResponse({**completion(None, "length"), "usage": usage})

    server.play("m", thinks)
    assert ask(server, tmp_path, 1) == ([""], Tally(questions=1, asked=1, blank=1))


def test_no_more_requests_a_minute_than_allowed(server: JudgeServer, tmp_path: Path) -> None:
    server.play("m", status(500), sees)
    with options.using(Options(requests_per_minute=600)):
        ask(server, tmp_path, 5)
    times = [seen.at for seen in server.seen]
    assert len(times) == 6  # the repeated one counts too
    assert times[-1] - times[0] >= 0.4  # nominally 0.5, as sent; the first may arrive late


def test_requests_are_spread_evenly() -> None:
    now = [0.0]
    limit = api_models.RateLimit(60, lambda: now[0])
    assert [limit.wait() for _ in range(3)] == [0, 1, 2]
    now[0] = 10
    assert [limit.wait() for _ in range(2)] == [0, 1]  # time that went by unused is not saved up
    assert api_models.RateLimit(None).wait() == 0


def test_many_requests_are_estimated_and_have_to_be_confirmed(
    server: JudgeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    lm = model(server, 1001)
    requests = [request(k) for k in range(1001)]
    with pytest.raises(UserError) as refused:
        api_models.confirm(lm, requests)
    told = str(refused.value)
    assert refused.value.exit_code == 2
    assert told.startswith("1,001 requests to an API model x 3.0 images x 0 tokens")
    assert told.endswith("and up to 8,008 received; add --yes to go on")
    assert "\n" not in told
    with options.using(Options(yes=True)):
        api_models.confirm(lm, requests)
    assert capsys.readouterr().out.startswith("estimate: 1,001 requests")
    api_models.confirm(lm, requests[:1000])
    api_models.confirm(SimpleNamespace(), requests)  # weights of one's own cost nothing
    assert capsys.readouterr().out == ""


def test_an_estimate_counts_what_is_sent() -> None:
    row = {"k": 0}
    show = lambda _: [Image.new("RGB", (640, 480))] * 7  # noqa: E731
    lm = SimpleNamespace(is_simple=True, task_dict={TASK: {SPLIT: [row]}})
    asked = SimpleNamespace(args=("x" * 400, {"max_new_tokens": 256}, show, 0, TASK, SPLIT))
    found = api_models.estimate(lm, [asked], 2000)
    assert found.told() == (
        "2,000 requests to an API model x 7.0 images x 392 tokens (1 for 28 x 28 pixels; servers differ) "
        "+ 100 of text: about 5.7 million tokens sent, and up to 0.5 million received"
    )
