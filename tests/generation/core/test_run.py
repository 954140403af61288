from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from generation.core.raw import writing
from generation.core.run import Item, RunFailed, Summary, run_items
from tests.support import fake_items
from tests.support.fake_items import KEYS, MANIFEST, check, items, tree

ROOT = Path(__file__).parents[3]


def _start(out: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.fake_items", str(out), *options]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True)


def _run(out: Path, *options: str) -> int:
    process = _start(out, *options)
    process.communicate(timeout=60)
    return process.returncode


def _in_process(out: Path, work: list[Item], workers: int = 2) -> Summary:
    with writing(out, MANIFEST) as raw:
        return run_items(raw, work, workers)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes | None]:
    out = tmp_path_factory.mktemp("undisturbed")
    assert _run(out, "--workers", "1") == 0
    files = tree(out)
    assert len(files) == 2 + len(KEYS) * 5
    return files


def test_worker_count_does_not_change_a_byte(tmp_path: Path, undisturbed: dict[str, bytes | None]) -> None:
    assert _in_process(tmp_path, items(), workers=2).made == len(KEYS)
    assert tree(tmp_path) == undisturbed


def test_killed_before_every_change_of_the_file_system(
    tmp_path: Path, undisturbed: dict[str, bytes | None]
) -> None:
    kills = 0
    while _run(tmp_path, "--kill-at", str(kills + 1)) == -signal.SIGKILL:
        kills += 1
        _assert_no_false_marker(tmp_path, undisturbed)
    assert kills >= 10
    assert tree(tmp_path) == undisturbed


@pytest.mark.parametrize("workers", ["1", "2"])
def test_killed_at_random_moments(tmp_path: Path, undisturbed: dict[str, bytes | None], workers: str) -> None:
    rng = np.random.default_rng(int(workers))
    code = None
    for _ in range(6):
        process = _start(tmp_path, "--workers", workers, "--pause", "0.03")
        try:
            code = process.wait(timeout=rng.uniform(0.3, 0.9))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        _assert_no_false_marker(tmp_path, undisturbed)
    assert code is None or code == 0
    assert _run(tmp_path, "--workers", workers) == 0
    assert tree(tmp_path) == undisturbed


def _assert_no_false_marker(out: Path, undisturbed: dict[str, bytes | None]) -> None:
    for marker in out.glob("items/*/.complete"):
        for file in marker.parent.iterdir():
            assert file.read_bytes() == undisturbed[str(file.relative_to(out))]


def _worker_pids(out: Path, count: int) -> list[int]:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        texts = [file.read_text() for file in out.glob(".tmp/*/pid")]
        if len(texts) == count and all(texts):
            return [int(text) for text in texts]
        time.sleep(0.02)
    raise TimeoutError


def _all_gone(pids: list[int]) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if not any(_alive(pid) for pid in pids):
            return True
        time.sleep(0.02)
    return False


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")  # an orphan nobody waits for stays as a zombie
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize(
    ("number", "code", "says"),
    [
        (signal.SIGKILL, -signal.SIGKILL, ""),
        (signal.SIGTERM, 128 + signal.SIGTERM, "error: terminated; the same command continues\n"),
        (signal.SIGINT, -signal.SIGINT, None),  # a bare script ends with Python's own traceback
    ],
)
def test_workers_end_with_their_run(tmp_path: Path, number: int, code: int, says: str | None) -> None:
    process = _start(tmp_path, "--hang")
    pids = _worker_pids(tmp_path, 2)
    for _ in range(2 if number == signal.SIGTERM else 1):  # timeout(1) sends it to the process and its group
        process.send_signal(number)
    _, text = process.communicate(timeout=20)
    assert process.returncode == code
    assert _all_gone(pids)
    assert says is None or text == says
    assert (tmp_path / ".tmp").exists() == (number == signal.SIGKILL)


def test_ctrl_c_reaches_the_whole_group_and_only_the_parent_speaks(tmp_path: Path) -> None:
    process = _start(tmp_path, "--hang")
    pids = _worker_pids(tmp_path, 2)
    os.killpg(process.pid, signal.SIGINT)
    _, text = process.communicate(timeout=20)
    assert _all_gone(pids)
    assert text.count("Traceback") == 1
    assert set(tree(tmp_path)) == {"raw.json"}


def test_a_failing_item_does_not_stop_the_others(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    bad = [
        Item("broken", partial(fake_items.fail, "two\nlines"), check),
        Item("refused", fake_items.refuse, check),
        Item("wrong", fake_items.note_nothing, check),
    ]
    with pytest.raises(RunFailed) as caught:
        _in_process(tmp_path, [*bad, *items()])
    error = caught.value
    assert error.exit_code == 1
    for part in ("3 of 7 items failed", "broken (ValueError: two lines)", "wrong (ValueError: sizes [])"):
        assert part in str(error)
    assert "refused (no renderer works; install one)" in str(error)
    assert "\n" not in str(error)
    assert "in fail" in str(error.__cause__)
    assert sorted(path.name for path in (tmp_path / "items").iterdir()) == list(KEYS)
    assert not (tmp_path / ".tmp").exists()
    assert "broken FAILED: ValueError: two lines" in capfd.readouterr().err


def test_a_crashing_worker_costs_its_item_only(tmp_path: Path) -> None:
    crashing = [Item("killed", fake_items.die, check), Item("left", fake_items.leave, check)]
    for workers in (1, 2):
        out = tmp_path / str(workers)
        with pytest.raises(RunFailed, match="2 of 6 items failed") as caught:
            _in_process(out, [*crashing, *items()], workers)
        assert "killed (its worker was killed by SIGKILL" in str(caught.value)
        assert "left (its worker died with exit code 7)" in str(caught.value)
        assert sorted(path.name for path in (out / "items").iterdir()) == list(KEYS)


def test_a_failed_item_is_tried_again(tmp_path: Path, undisturbed: dict[str, bytes | None]) -> None:
    first = Item(KEYS[0], partial(fake_items.fail, "disk full"), check)
    with pytest.raises(RunFailed):
        _in_process(tmp_path, [first, *items()[1:]])
    assert _in_process(tmp_path, items()) == Summary(made=1, reused=3, seconds=pytest.approx(0, abs=60))
    assert tree(tmp_path) == undisturbed


def test_setup_runs_in_the_worker_and_its_failure_is_told(tmp_path: Path) -> None:
    with writing(tmp_path, MANIFEST) as raw, pytest.raises(RunFailed, match="RuntimeError: no threads"):
        run_items(raw, items(), 2, fake_items.break_setup)


def test_a_long_list_of_failures_is_cut(tmp_path: Path) -> None:
    many = [Item(f"bad_{n}", partial(fake_items.fail, "no"), check) for n in range(6)]
    with pytest.raises(RunFailed, match=r"bad_3 .*; and 2 more, listed above"):
        _in_process(tmp_path, many, workers=1)
