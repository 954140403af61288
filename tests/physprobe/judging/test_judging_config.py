from __future__ import annotations

from pathlib import Path

import pytest

from physprobe.errors import UserError
from physprobe.judging.config import Judge, Panel, api_key, cache_folder, load_panel, panel_from_environment

URL = "https://example.org/v1"
NAMES = [
    "Qwen2.5-72B-Instruct",
    "Mixtral-8x7B-Instruct-v0.1",
    "DeepSeek-R1-Distill-Llama-70B",
    "Llama-3.1-70B",
]


def write(folder: Path, text: str) -> Path:
    path = folder / "panel.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def judges(count: int) -> tuple[Judge, ...]:
    return tuple(Judge(name=f"j{k}", base_url=URL) for k in range(count))


def test_nothing_is_configured_by_default() -> None:
    assert panel_from_environment({}) is None
    assert panel_from_environment({"PHYSPROBE_JUDGES": "", "PHYSPROBE_JUDGE_URL": ""}) is None


def test_an_endpoint_alone_brings_the_judges_of_the_paper() -> None:
    panel = panel_from_environment({"PHYSPROBE_JUDGE_URL": f"{URL}/"})
    assert panel is not None
    assert [judge.name for judge in panel.judges] == NAMES
    assert {judge.base_url for judge in panel.judges} == {URL}
    assert {judge.api_key_env for judge in panel.judges} == {None}
    assert panel.needed == 3
    assert panel.judges[2].max_tokens > 1000  # it thinks before it replies


def test_the_common_key_is_used_where_it_is_set() -> None:
    panel = panel_from_environment({"PHYSPROBE_JUDGE_URL": URL, "PHYSPROBE_JUDGE_API_KEY": "k-1"})
    assert panel is not None
    assert {judge.api_key_env for judge in panel.judges} == {"PHYSPROBE_JUDGE_API_KEY"}
    assert "k-1" not in repr(panel) + panel.model_dump_json()


def test_reads_a_file(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
quorum: 2
judges:
  - {name: one, model: org/one, base_url: "http://localhost:8000/v1/chat/completions", api_key_env: ONE_KEY}
  - {name: two, path: /models/two, max_tokens: 4096}
  - {name: three}
limits: {concurrency: 2}
""",
    )
    panel = panel_from_environment({"PHYSPROBE_JUDGES": str(path), "PHYSPROBE_JUDGE_URL": URL})
    assert panel == load_panel(path, {"PHYSPROBE_JUDGE_URL": URL})
    one, two, three = panel.judges
    assert (one.base_url, one.served_name, one.api_key_env) == (
        "http://localhost:8000/v1",
        "org/one",
        "ONE_KEY",
    )
    assert (two.path, two.served_name) == (Path("/models/two"), "")
    assert (three.base_url, three.served_name) == (URL, "three")
    assert (panel.needed, panel.limits.concurrency) == (2, 2)


@pytest.mark.parametrize(("count", "needed"), [(1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (8, 6)])
def test_the_default_quorum_is_three_of_four(count: int, needed: int) -> None:
    assert Panel(judges=judges(count)).needed == needed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("judges: [", "is no YAML at line 1"),
        ("", "valid dictionary"),
        ("judges: []", "judges: Tuple should have at least 1 item"),
        ("judges: [{name: a}]", "needs base_url (or $PHYSPROBE_JUDGE_URL) or path"),
        ("judges: [{name: a, base_url: http://x/v1, path: /y}]", "not both"),
        ("judges: [{base_url: http://x/v1}]", "judges.0.name: Field required"),
        ("judges: [{name: a, base_url: ftp://x}]", "must be an http(s) URL"),
        ("judges: [{name: a, base_url: 'http://x:99999/v1'}]", "must be an http(s) URL"),
        ("judges: [{name: a, base_url: 'http://u:secret-1@x/v1'}]", "must hold no user, password or query"),
        ("judges: [{name: a, base_url: 'http://x/v1?key=secret-1'}]", "must hold no user, password or query"),
        ("judges: [{name: a, base_url: http://x/v1, api_key: secret-1}]", "judges.0.api_key: unknown key"),
        ("judges: [{name: a, base_url: http://x/v1, api_key_env: secret-1}]", "judges.0.api_key_env: String"),
        ("judges: [{name: a, path: /x, api_key_env: KEY}]", "a local checkpoint has no api_key_env"),
        ("judges: [{name: a, path: /x}, {name: a, path: /y}]", "two judges are named 'a'"),
        ("judges: [{name: a, path: /x}]\nquorum: 2", "quorum must be more than half of 1 judge,"),
        ("judges: [{name: a, path: /x}, {name: b, path: /x}]\nquorum: 1", "quorum must be more than half"),
        ("judges: [{name: a, path: /x}]\nlimits: {attempts: 0}", "limits.attempts: Input should be greater"),
        ("judges: [{name: a, path: /x}]\nlimits: {timeout_s: .inf}", "limits.timeout_s"),
        ("judges: secret-1", "judges: must be a list"),
        ('judges: [{name: "secret-1\n', "is no YAML"),
    ],
)
def test_says_what_is_wrong_with_a_file_without_quoting_it(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(UserError) as caught:
        load_panel(path, {})
    message = str(caught.value)
    assert said in message
    assert str(path) in message
    assert "\n" not in message
    assert "secret-1" not in message
    assert caught.value.__cause__ is None


def test_says_when_the_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't be read: FileNotFoundError"):
        panel_from_environment({"PHYSPROBE_JUDGES": str(tmp_path / "none.yaml")})


def test_says_when_the_endpoint_is_wrong() -> None:
    with pytest.raises(UserError, match=r"PHYSPROBE_JUDGE_URL: judges.0.base_url: .*http"):
        panel_from_environment({"PHYSPROBE_JUDGE_URL": "example.org"})


def test_keys_come_from_the_environment() -> None:
    judge = Judge(name="a", base_url=URL, api_key_env="A_KEY")
    assert api_key(judge, {"A_KEY": " k-1\n"}) == "k-1"
    assert api_key(Judge(name="a", base_url=URL), {"A_KEY": "k-1"}) is None


@pytest.mark.parametrize("value", ["", "  ", "secret\nX: y", "secret-ü", "secret\0"])
def test_says_which_key_is_missing_or_unusable_without_showing_it(value: str) -> None:
    judge = Judge(name="a", base_url=URL, api_key_env="A_KEY")
    with pytest.raises(UserError, match=r"\$A_KEY") as caught:
        api_key(judge, {"A_KEY": value})
    assert "secret" not in str(caught.value)


def test_the_cache_has_a_place(tmp_path: Path) -> None:
    assert cache_folder({"PHYSPROBE_JUDGE_CACHE": "here"}) == Path("here")
    assert cache_folder({"XDG_CACHE_HOME": str(tmp_path)}) == tmp_path / "physprobe" / "judges"
    assert cache_folder({"XDG_CACHE_HOME": "relative"}) == Path.home() / ".cache" / "physprobe" / "judges"
