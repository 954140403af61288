"""Probing candidates in a subprocess, and remembering the verdicts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from physprobe import renderer
from physprobe.errors import UserError

# Importing Mitsuba here would pick a libLLVM before the tests of rendering can.
pytestmark = pytest.mark.skipif(find_spec("mitsuba") is None, reason="rendering is an extra")

# What a libLLVM that Dr.Jit can't use does: it aborts the whole process.
_ABORTING = (
    "import os; print('LLVM ERROR: Cannot select', file=__import__('sys').stderr, flush=True); os.abort()"
)
_WORKING = """print('physprobe:{"llvm_version": "99.1.0"}')"""


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for variable in (renderer.VARIANT_VARIABLE, renderer.LLVM_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    renderer.choose.cache_clear()
    yield
    renderer.choose.cache_clear()


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only libLLVM on this machine, without a GPU."""
    path = tmp_path / "libLLVM.so.99"
    path.write_bytes(b"not a library")
    monkeypatch.setattr(renderer, "_nvidia_driver", lambda: "")
    monkeypatch.setattr(renderer, "llvm_candidates", lambda: (str(path),))
    return path


def test_a_library_that_aborts_the_process_is_refused_and_survived(library, monkeypatch):
    monkeypatch.setattr(renderer, "_PROBE", _ABORTING)
    choice = renderer.choose()
    assert choice.variant == "scalar_rgb"
    assert choice.llvm_path == ""
    refused = next(v for v in choice.reasons if v.library == str(library))
    assert not refused.works
    assert "signal 6" in refused.reason
    assert "Cannot select" in refused.reason


def test_a_file_that_is_no_library_is_refused_by_the_real_probe(library):
    verdict = renderer.probe("llvm_ad_rgb", str(library))
    assert not verdict.works
    assert verdict.reason.startswith(("failed", "aborted"))


def test_a_probe_that_hangs_is_stopped(monkeypatch):
    monkeypatch.setattr(renderer, "_PROBE", "import time; time.sleep(60)")
    verdict = renderer.probe("scalar_rgb", seconds=0.5)
    assert not verdict.works
    assert "hung" in verdict.reason


def test_the_next_candidate_is_taken_when_one_aborts(tmp_path, monkeypatch):
    bad, good = tmp_path / "libLLVM.so.15", tmp_path / "libLLVM.so.19"
    for path in (bad, good):
        path.write_bytes(b"")
    monkeypatch.setattr(renderer, "_nvidia_driver", lambda: "")
    monkeypatch.setattr(renderer, "llvm_candidates", lambda: (str(bad), str(good)))
    answer = f"import os\nif os.environ['{renderer.LLVM_VARIABLE}'].endswith('15'): os.abort()\n{_WORKING}"
    monkeypatch.setattr(renderer, "_PROBE", answer)
    choice = renderer.choose()
    assert (choice.variant, choice.llvm_path, choice.llvm_version) == ("llvm_ad_rgb", str(good), "99.1.0")
    assert [v.works for v in choice.reasons] == [False, False, True]
    assert choice.advice == ""


def _count_probes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    probed: list[str] = []
    real = renderer.probe

    def counting(variant: str, library: str = "") -> renderer.Verdict:
        probed.append(library)
        return real(variant, library)

    monkeypatch.setattr(renderer, "probe", counting)
    return probed


def test_a_verdict_is_remembered_until_the_library_changes(library, monkeypatch):
    monkeypatch.setattr(renderer, "_PROBE", _WORKING)
    probed = _count_probes(monkeypatch)
    first = renderer.choose()
    renderer.choose.cache_clear()
    assert renderer.choose() == first
    assert len(probed) == 1

    os.utime(library, ns=(1, 1))
    renderer.choose.cache_clear()
    renderer.choose()
    assert len(probed) == 2

    library.write_bytes(b"longer than before")
    os.utime(library, ns=(1, 1))
    renderer.choose.cache_clear()
    renderer.choose()
    assert len(probed) == 3


def test_a_damaged_cache_is_made_anew(library, monkeypatch):
    monkeypatch.setattr(renderer, "_PROBE", _WORKING)
    path = renderer.cache_file()
    for damage in ("", "{", "[]", '{"key": {"variant": 1}}'):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(damage)
        renderer.choose.cache_clear()
        assert renderer.choose().variant == "llvm_ad_rgb"
    assert all(entry["works"] for entry in json.loads(path.read_text()).values())


def test_a_cache_folder_that_can_not_be_written_costs_only_time(library, monkeypatch, tmp_path):
    monkeypatch.setattr(renderer, "_PROBE", _WORKING)
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert renderer.choose().variant == "llvm_ad_rgb"


def test_the_cache_lies_in_the_home_when_the_variable_is_relative(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert renderer.cache_file() == tmp_path / ".cache" / "physprobe" / "renderer.json"


def test_scalar_is_left_when_there_is_no_library(monkeypatch):
    monkeypatch.setattr(renderer, "_nvidia_driver", lambda: "")
    monkeypatch.setattr(renderer, "llvm_candidates", lambda: ())
    choice = renderer.choose()
    assert choice.variant == "scalar_rgb"
    assert choice.advice


def test_the_variable_forces_a_variant(library, monkeypatch):
    monkeypatch.setenv(renderer.VARIANT_VARIABLE, "scalar_rgb")
    choice = renderer.choose()
    assert choice.variant == "scalar_rgb"
    assert choice.advice == f"unset {renderer.VARIANT_VARIABLE}"


def test_a_forced_variant_must_exist(monkeypatch):
    monkeypatch.setenv(renderer.VARIANT_VARIABLE, "vulkan")
    with pytest.raises(UserError, match=r"vulkan.*llvm_ad_rgb.*scalar_rgb"):
        renderer.choose()


def test_a_forced_variant_must_work(library, monkeypatch):
    monkeypatch.setattr(renderer, "_PROBE", _ABORTING)
    monkeypatch.setenv(renderer.VARIANT_VARIABLE, "llvm_ad_rgb")
    with pytest.raises(UserError, match="doctor"):
        renderer.choose()


def test_candidates_are_listed_once_the_named_one_first(tmp_path, monkeypatch):
    real = tmp_path / "libLLVM.so.19"
    real.write_bytes(b"")
    link = tmp_path / "libLLVM.so"
    link.symlink_to(real)
    newer = tmp_path / "libLLVM.so.21.1"
    newer.write_bytes(b"")
    monkeypatch.setattr(renderer, "_wheel_libraries", list)
    monkeypatch.setattr(renderer, "_LIBRARY_PATTERNS", (f"{tmp_path}/libLLVM*.so*",))
    assert renderer.llvm_candidates() == (str(newer), str(real))
    monkeypatch.setenv(renderer.LLVM_VARIABLE, str(link))
    assert renderer.llvm_candidates() == (str(link), str(newer))


@pytest.mark.parametrize(
    ("path", "version"),
    [
        ("/usr/lib/llvm-19/lib/libLLVM.so", (19,)),
        ("/usr/lib/x86_64-linux-gnu/libLLVM-15.so.1", (15,)),
        ("/usr/lib/x86_64-linux-gnu/libLLVM.so.19.1", (19, 1)),
        ("/opt/homebrew/opt/llvm/lib/libLLVM.dylib", ()),
    ],
)
def test_versions_are_read_from_paths(path, version):
    assert renderer._version_key(path) == version


def test_mitsuba_stays_out_of_this_process():
    code = "import sys; from physprobe import renderer; renderer.choose(); print('mitsuba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
