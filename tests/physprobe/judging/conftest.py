from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from physprobe.judging.config import Judge, Limits, Panel
from tests.support.judge_server import JudgeServer, judge_server

QUICK = Limits(
    timeout_s=10,
    attempts=3,
    backoff_s=0.01,
    backoff_cap_s=0.02,
    deadline_s=30,
    run_deadline_s=60,
    concurrency=4,
)
IMPATIENT = {"timeout_s": 0.2}


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "PHYSPROBE_JUDGES",
        "PHYSPROBE_JUDGE_URL",
        "PHYSPROBE_JUDGE_API_KEY",
        "PHYSPROBE_JUDGE_CACHE",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture(scope="session")
def _fresh_server() -> Iterator[Callable[[], JudgeServer]]:
    with judge_server() as fresh:
        yield fresh


@pytest.fixture
def server(_fresh_server: Callable[[], JudgeServer]) -> JudgeServer:
    return _fresh_server()


@pytest.fixture
def panel_of(server: JudgeServer) -> Callable[..., Panel]:
    """Make a panel of judges on the test server, with quick limits; ``limits`` changes some."""

    def make(*names: str, limits: dict[str, float] | None = None, **fields: object) -> Panel:
        judges = tuple(Judge(name=name, base_url=server.url) for name in names)
        return Panel(judges=judges, limits=QUICK.model_copy(update=limits or {}), **fields)

    return make
