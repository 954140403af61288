"""The wheel carries the tasks, and finds them there."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content, unpacked."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = out.glob("physprobe-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(out / "installed")
    return out / "installed"


def test_wheel_holds_library_and_tasks_only(installed: Path) -> None:
    top = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert top == {"physprobe"}
    shipped = {str(path.relative_to(installed / "physprobe")) for path in installed.rglob("tasks/*/*")}
    sources = {str(path.relative_to(ROOT)) for path in ROOT.glob("tasks/*/*") if path.is_file()}
    assert shipped == sources
    assert (installed / "physprobe/report/templates/index.html.j2").is_file()
    assert "tasks/conservation/_template_yaml" in shipped


def test_wheel_has_the_scripts_and_the_entry_point(installed: Path) -> None:
    (text,) = (path.read_text() for path in installed.glob("*.dist-info/entry_points.txt"))
    for line in (
        "physprobe = physprobe.cli:main",
        "lmms_eval = physprobe.lmms_eval:main",
        "physprobe = physprobe.harness.registration:manifests",
    ):
        assert line in text


def test_installed_package_finds_its_own_tasks(installed: Path) -> None:
    code = "from physprobe.harness import catalog as c; print(c.tasks_folder()); print(*c.task_files())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(installed)},
        cwd=installed,
        check=True,
        capture_output=True,
        text=True,
    )
    folder, names = done.stdout.splitlines()
    assert Path(folder) == installed / "physprobe" / "tasks"
    sources = {path.stem for path in ROOT.glob("tasks/*/*.yaml")}
    assert set(names.split()) == sources >= {"conservation", "conservation_length", "conservation_caption"}
