from __future__ import annotations

from pathlib import Path

import pytest

from physprobe.errors import UserError
from physprobe.judging.config import Judge, Panel
from physprobe.judging.ensemble import judge_answers
from physprobe.judging.local import fingerprint
from physprobe.judging.questions import JudgeItem
from tests.support.judge_server import says
from tests.support.tiny_judge import save_tiny_judge

pytestmark = pytest.mark.slow

ITEMS = [JudgeItem(f"x{k}", f"prompt {'long ' * k}", ("A", "B", "fail"), "test-1") for k in range(5)]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    save_tiny_judge(folder / "says_a", "A")
    save_tiny_judge(folder / "says_fail", "fail")
    save_tiny_judge(folder / "thinks", "<think>B?</think>\n\nA")
    save_tiny_judge(folder / "endless", "A", stops=False)
    save_tiny_judge(folder / "noise")
    save_tiny_judge(folder / "base", "A", template=False)
    return folder


def panel(models: Path, *names: str, **fields: object) -> Panel:
    return Panel(judges=tuple(Judge(name=n, path=models / n, batch_size=2, **fields) for n in names))


def test_a_panel_of_local_judges(models: Path, tmp_path: Path) -> None:
    judges = panel(models, "says_a", "says_fail", "thinks", "noise", max_tokens=12)
    verdicts = judge_answers(ITEMS, judges, tmp_path)
    assert [verdict.item_id for verdict in verdicts] == [item.item_id for item in ITEMS]
    for verdict in verdicts:
        assert [judge.verdict for judge in verdict.verdicts] == ["A", "fail", "A", None]
        assert (verdict.outcome, verdict.verdicts[3].reason) == ("fail", "garbage")
    two = panel(models, "says_a", "thinks", max_tokens=12)
    assert {verdict.decision for verdict in judge_answers(ITEMS, two, tmp_path)} == {"A"}


def test_replies_that_do_not_end_are_garbage(models: Path, tmp_path: Path) -> None:
    for tokens in (1, 5):
        (verdict,) = judge_answers(ITEMS[:1], panel(models, "endless", max_tokens=tokens), tmp_path)
        assert (verdict.verdicts[0].reason, verdict.verdicts[0].detail) == ("garbage", "reply cut off")


def test_batches_change_nothing(models: Path, tmp_path: Path) -> None:
    kept = []
    for size in (1, 5):
        judge = Judge(name="noise", path=models / "noise", batch_size=size, max_tokens=6)
        judge_answers(ITEMS, Panel(judges=(judge,)), tmp_path / str(size))
        files = sorted((tmp_path / str(size)).rglob("*.json"))
        assert len(files) == 5
        kept.append([path.read_text() for path in files])
    assert kept[0] == kept[1]


def test_the_second_run_loads_no_model(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judges = panel(models, "says_a")
    first = judge_answers(ITEMS, judges, tmp_path)
    monkeypatch.setattr("physprobe.judging.ensemble.ask_local", None)
    again = judge_answers(ITEMS, judges, tmp_path)
    assert [verdict.decision for verdict in again] == [verdict.decision for verdict in first] == ["A"] * 5


def test_endpoints_and_local_judges_sit_on_one_panel(server, models: Path, tmp_path: Path) -> None:
    server.play("far", says("A"))
    judges = (Judge(name="far", base_url=server.url), *panel(models, "says_a", "says_fail").judges)
    (verdict,) = judge_answers(ITEMS[:1], Panel(judges=judges, quorum=2), tmp_path)
    assert (verdict.decision, [judge.verdict for judge in verdict.verdicts]) == ("A", ["A", "A", "fail"])


def test_a_changed_checkpoint_is_another_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    weights = bytearray(3_000_000)
    seen = set()
    for place in (None, 0, 2_999_999):
        if place is not None:
            weights[place] ^= 1
        (tmp_path / "model.safetensors").write_bytes(weights)
        seen.add(fingerprint(tmp_path))
    (tmp_path / ".cache").write_text("not part of it")
    assert fingerprint(tmp_path) in seen
    (tmp_path / "config.json").write_text("{ }")
    seen.add(fingerprint(tmp_path))
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("name", "said"), [("none", "no transformers checkpoint"), ("base", "no chat template")]
)
def test_says_what_is_wrong_with_a_checkpoint(models: Path, tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as caught:
        judge_answers(ITEMS, panel(models, name), tmp_path)
    assert str(models / name) in str(caught.value)


def test_says_when_a_checkpoint_cannot_be_loaded(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text('{"model_type": "llama"}')
    with pytest.raises(UserError, match=r"judge 'broken': .*can't be loaded"):
        judge_answers(ITEMS, panel(tmp_path, "broken"), tmp_path / "cache")
