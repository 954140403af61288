from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from physprobe.harness import options, run_record
from physprobe.harness.options import Options
from physprobe.harness.run_record import Beginning


def record(arguments: object = "") -> dict[str, object]:
    versions = {"versions": {"conservation": "1.0", "conservation_number": "1.0"}}
    return run_record.run_record(versions, "m", arguments, Beginning())  # type: ignore[arg-type]


def test_a_run_is_described_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "secret-in-the-environment")
    monkeypatch.setattr(sys, "argv", ["lmms_eval", "--model_args", "base_url=u,api_key=sk-123"])
    found = record("base_url=u,api_key=sk-123,header=secret-in-the-environment")
    assert found["model_args"] == {"base_url": "u", "header": "[REDACTED]"}
    assert found["command"] == "lmms_eval --model_args 'base_url=u,api_key=[REDACTED]'"
    assert "sk-123" not in json.dumps(found)
    with options.using(Options(given=("--yes", "--model", "m"))):  # ours are not in sys.argv
        assert record()["command"] == "lmms_eval --yes --model m"
    assert found["tasks"] == {"conservation": "1.0", "conservation_number": "1.0"}
    assert {"python", "physprobe", "lmms-eval", "datasets"} <= set(found["packages"])  # type: ignore[call-overload]
    assert found["processes"] == 1
    assert 0 <= found["wall_s"] < 60  # type: ignore[operator]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", str(found["started"]))


def test_the_revision_is_the_commit_if_it_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert record("pretrained=org/m")["revision"] == ""
    assert record("pretrained=org/m,revision=v2")["revision"] == "v2"
    (tmp_path / "models--org--m" / "refs").mkdir(parents=True)
    (tmp_path / "models--org--m" / "refs" / "main").write_text("a1" * 20)
    assert record({"pretrained": "org/m"})["revision"] == "a1" * 20


def test_a_checkout_says_its_commit_and_whether_it_was_changed(tmp_path: Path) -> None:
    assert run_record._git(tmp_path) is None
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], [*who, "commit", "-q", "--allow-empty", "-m", "one"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    clean = run_record._git(tmp_path)
    (tmp_path / "new").touch()
    changed = run_record._git(tmp_path)
    assert clean is not None
    assert changed is not None
    assert (clean["dirty"], changed["dirty"]) == (False, True)
    assert re.fullmatch("[0-9a-f]{40}", clean["commit"])
