from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.harness.secrets import (
    MASK,
    MaskingStream,
    mask,
    mask_output,
    masked_command,
    secret_values,
)


def test_secrets_are_told_by_the_variables_name() -> None:
    environment = {
        "HF_TOKEN": "abcdefgh",
        "OPENAI_API_KEY": "longer-than-that",
        "MY_PASSWORD": "short",  # would mask ordinary words
        "TOKENIZERS_PARALLELISM": "absolutely",
        "PATH": "/usr/bin:/bin",
    }
    assert secret_values(environment) == ("longer-than-that", "abcdefgh")


def test_longer_secrets_are_masked_first() -> None:
    assert mask("x abcdefgh12345 y", ("abcdefgh12345", "abcdefgh")) == f"x {MASK} y"


def test_hub_tokens_are_masked_by_their_shape() -> None:
    assert mask("{'token': 'hf_" + "a1B2" * 8 + "'}", ()) == f"{{'token': '{MASK}'}}"
    assert mask("the function hf_hub_download", ()) == "the function hf_hub_download"


def test_a_command_is_shown_without_its_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", "from-the-environment")
    argv = ["lmms_eval", "--model_args", "model=m,api_key=sk-1,max_tokens=5", "--hf-token", "t0p", "a b"]
    shown = masked_command([*argv, "--header=from-the-environment"])
    assert shown == (
        f"lmms_eval --model_args 'model=m,api_key={MASK},max_tokens=5' --hf-token '{MASK}' 'a b' "
        f"--header={MASK}"
    )


@given(
    before=st.text(max_size=30),
    after=st.text(max_size=30),
    secret=st.text("abcXYZ0189", min_size=8, max_size=40),
)
def test_no_secret_survives(before: str, after: str, secret: str) -> None:
    assert secret not in mask(before + secret + after, (secret,)).replace(MASK, "\n")


def test_stream_masks_what_is_written_and_keeps_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = io.StringIO()
    stream = MaskingStream(inner)
    monkeypatch.setenv("LATE_TOKEN", "set-while-running")  # as a configuration file may do
    assert stream.write("a set-while-running b\n") == len("a set-while-running b\n")
    stream.writelines(["set-while-running", "\n"])
    print("plain", file=stream, flush=True)
    assert inner.getvalue() == f"a {MASK} b\n{MASK}\nplain\n"
    assert not stream.isatty()


def test_output_is_masked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    mask_output()
    first = sys.stdout
    mask_output()
    assert sys.stdout is first
    assert isinstance(sys.stderr, MaskingStream)
