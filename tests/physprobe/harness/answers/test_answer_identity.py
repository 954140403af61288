from __future__ import annotations

from pathlib import Path
from typing import Any

import huggingface_hub.constants
import pytest

from physprobe.harness.answers import identity
from physprobe.harness.reference_models import Chance, Oracle


class Adapter:
    is_simple = False

    def __init__(self, pretrained: str = "org/default", revision: str = "main", **other: Any) -> None: ...


def of(arguments: str, lm: Any = None, seeds: tuple[int, ...] = (0, 1, 2, 3)) -> dict[str, Any]:
    return identity.model_identity("name", arguments, lm or Adapter(), list(seeds))


def test_each_part_tells_models_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    simple = Adapter()
    simple.is_simple = True
    described = [
        of("a=1"),
        of("a=2"),
        of("a=1", Oracle()),
        of("a=1", Chance()),
        of("a=1", simple),
        of("a=1", seeds=(0, 1, 5, 3)),
    ]
    monkeypatch.setenv("OPENAI_API_BASE", "http://localhost:1")
    described.append(of("a=1"))
    assert len({identity.folder_name(each) for each in described}) == len(described)


def test_speed_and_secrets_are_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert of("a=1,batch_size=8,api_key=sk-123456789,num_concurrent=4") == of("a=1")
    monkeypatch.setenv("SOME_TOKEN", "abcdefgh12")
    assert of("a=1,header=abcdefgh12")["arguments"]["header"] == "[REDACTED]"


def test_order_of_arguments_does_not_matter() -> None:
    assert of("a=1,b=x") == of("b=x,a=1")


def test_changed_weights_are_another_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    before = of(f"pretrained={tmp_path}")
    assert before == of(f"pretrained={tmp_path}")
    (tmp_path / "config.json").write_text("{ }")
    assert of(f"pretrained={tmp_path}") != before


def test_what_a_model_writes_does_not_matter(tmp_path: Path) -> None:
    before = of(f"cache_dir={tmp_path}")
    (tmp_path / "written").write_text("")
    assert of(f"cache_dir={tmp_path}") == before


@pytest.mark.parametrize(("arguments", "reference"), [("", "main"), ("revision=v2", "v2")])
def test_a_hub_model_is_known_by_the_commit_it_was_loaded_from(
    arguments: str, reference: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    assert of(arguments)["weights"] == {}
    refs = tmp_path / "models--org--default" / "refs"
    refs.mkdir(parents=True)
    (refs / reference).write_text("c0ffee")
    assert of(arguments)["weights"] == {"pretrained": "c0ffee"}
