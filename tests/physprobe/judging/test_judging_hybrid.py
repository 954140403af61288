from __future__ import annotations

from pathlib import Path

import pytest

from physprobe.conservation.matching import match_option
from physprobe.conservation.prompts import RELATIONS, option_text
from physprobe.judging.config import Judge, Panel
from physprobe.judging.hybrid import Answer, HybridMatcher, JudgesUnreachable
from tests.physprobe.judging.conftest import QUICK
from tests.support.judge_server import closed_port, replies, says, status

FOUR = ("qwen", "mixtral", "deepseek", "llama")
OPTIONS = tuple(option_text("number", relation, "upper") for relation in RELATIONS)
CLEAR, CLEAR_LETTER = "The answer is (B).", "B"
VAGUE = "Spreading coins out does not create any, so I would go for equality."
OTHER = "Hard to tell, all of them look alike to me."


def answers(*texts: str) -> list[Answer]:
    return [Answer(f"q{k}", text, OPTIONS) for k, text in enumerate(texts)]


def test_these_answers_are_what_the_tests_take_them_for() -> None:
    assert match_option(CLEAR, OPTIONS).letter == CLEAR_LETTER
    assert match_option(VAGUE, OPTIONS).letter is match_option(OTHER, OPTIONS).letter is None
    assert match_option("", OPTIONS).rule == "empty"


def test_without_judges_stage_1_runs_alone_and_says_so(tmp_path: Path) -> None:
    result = HybridMatcher.from_environment({"PHYSPROBE_JUDGE_CACHE": str(tmp_path / "cache")}).match(
        answers(CLEAR, VAGUE)
    )
    assert result.mode == "stage1-only"
    assert [match.letter for match in result.matches] == ["B", None]
    assert [match.panel for match in result.matches] == [None, None]
    assert result.matches[1].rule == match_option(VAGUE, OPTIONS).rule
    assert result.summary() == {
        "matching": "stage1-only",
        "answers": 2,
        "read_by_templates": 1,
        "read_by_judges": 0,
        "unread": 1,
    }
    result.require_complete()
    assert not (tmp_path / "cache").exists()


def test_judges_read_only_what_templates_leave(server, panel_of, tmp_path: Path) -> None:
    for name in FOUR:
        server.play(name, replies(lambda prompt: "A" if "Spreading" in prompt else "fail"))
    server.play("llama", says("C"))
    result = HybridMatcher(panel_of(*FOUR), tmp_path).match(answers(CLEAR, VAGUE, "", OTHER))
    assert result.mode == "hybrid"
    assert [(match.letter, match.rule) for match in result.matches] == [
        ("B", "marker"),
        ("A", "judges"),
        (None, "empty"),
        (None, "judges_fail"),
    ]
    assert len(server.seen) == 8
    assert not any(CLEAR in request.prompt for request in server.seen)
    assert all(option in request.prompt for request in server.seen for option in OPTIONS)
    result.require_complete()
    summary = result.summary()
    assert (summary["read_by_templates"], summary["read_by_judges"], summary["unread"]) == (1, 1, 2)
    assert (summary["unread_fail"], summary["unread_disagree"], summary["unread_pending"]) == (1, 0, 0)
    assert summary["judges"] == {
        "qwen": {"agree": 2},
        "mixtral": {"agree": 2},
        "deepseek": {"agree": 2},
        "llama": {"disagree": 2},
    }
    assert server.url not in str(summary)


def test_split_judges_leave_an_answer_unread(server, panel_of, tmp_path: Path) -> None:
    for name, said in zip(FOUR, "AABB", strict=True):
        server.play(name, says(said))
    result = HybridMatcher(panel_of(*FOUR), tmp_path).match(answers(VAGUE))
    assert (result.matches[0].letter, result.matches[0].rule) == (None, "judges_disagree")
    assert result.mode == "hybrid"
    result.require_complete()


def test_unreachable_judges_leave_the_readings_of_stage_1(tmp_path: Path) -> None:
    url = closed_port()
    panel = Panel(judges=tuple(Judge(name=name, base_url=url) for name in FOUR), limits=QUICK)
    texts = (CLEAR, VAGUE, OTHER, "")
    result = HybridMatcher(panel, tmp_path).match(answers(*texts))
    alone = HybridMatcher(None).match(answers(*texts))
    assert [match.letter for match in result.matches] == [match.letter for match in alone.matches]
    assert (result.mode, result.pending) == ("hybrid-incomplete", 2)
    assert result.summary()["unread_pending"] == 2
    with pytest.raises(JudgesUnreachable, match="2 of 4 answers remain unread") as caught:
        result.require_complete()
    assert caught.value.exit_code == 3
    assert "qwen (connection ConnectError)" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_later_run_goes_on(server, panel_of, tmp_path: Path) -> None:
    for name in FOUR[:2]:
        server.play(name, says("A"))
    for name in FOUR[2:]:
        server.play(name, *[status(500)] * 3, says("A"))
    matcher = HybridMatcher(panel_of(*FOUR), tmp_path)
    assert matcher.match(answers(VAGUE)).pending == 1
    assert matcher.match(answers(VAGUE)).matches[0].letter == "A"
    assert [server.count(name) for name in FOUR] == [1, 1, 4, 4]


def test_judges_may_see_a_fourth_option(server, panel_of, tmp_path: Path) -> None:
    server.play("qwen", says("D"))
    options = (*OPTIONS, "I don't know.")
    asked = [Answer("q", OTHER, options), Answer("q", OTHER, OPTIONS)]
    four, three = HybridMatcher(panel_of("qwen"), tmp_path).match(asked).matches
    assert (four.letter, four.rule) == ("D", "judges")
    assert (three.letter, three.rule) == (None, "judges_disagree")
