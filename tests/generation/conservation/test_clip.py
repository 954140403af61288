from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.conservation import clip
from generation.conservation.clip import answer_relation, check_item, make_item
from generation.conservation.design import Cell, cells
from generation.core.records import ClipRecord, FrameRecord, ObjectState, RendererInfo, StrictModel
from generation.media.video import encode_mp4
from generation.rendering.render import RenderSettings
from generation.scene import Quantities, Scene
from physprobe.errors import UserError
from tests.support import scenes
from tests.support.fake_items import tree

ROOT = Path(__file__).parents[3]
CELL = cells("mini")[0]
FILES = ["conserving.json", "conserving.mp4", "nonconserving.json", "nonconserving.mp4"]


def _quantities(moved: list[float], reference: list[float]) -> Quantities:
    return Quantities("m", np.array(moved), np.array(reference))


@given(st.floats(0.01, 100), st.floats(1.01, 3), st.integers(2, 10))
def test_relation_is_read_from_the_quantities(start: float, ratio: float, frames: int) -> None:
    still = [start] * frames
    assert answer_relation(_quantities(still, still), "conserving", "gain") == "same"
    more, less = [start] * (frames - 1) + [start * ratio], [start] * (frames - 1) + [start / ratio]
    assert answer_relation(_quantities(more, still), "nonconserving", "gain") == "moved_more"
    assert answer_relation(_quantities(less, still), "nonconserving", "loss") == "moved_less"


def test_relation_forgives_rounding_only() -> None:
    assert answer_relation(_quantities([0.1, 0.1 + 2e-17], [0.1, 0.1]), "conserving", "loss") == "same"
    with pytest.raises(ValueError, match="conserving clip with direction loss ends with moved_more"):
        answer_relation(_quantities([0.1, 0.1000001], [0.1, 0.1]), "conserving", "loss")


@pytest.mark.parametrize(
    ("moved", "reference", "condition", "message"),
    [
        ([3, 3], [3, 3], "nonconserving", "ends with same"),
        ([3, 2], [3, 3], "nonconserving", "direction gain ends with moved_less"),
        ([3, 4], [3, 3], "conserving", "ends with moved_more"),
        ([4, 4], [3, 3], "nonconserving", "start alike"),
        ([3, 4], [3, 2], "nonconserving", "reference must stay"),
        ([3, 4, 3], [3, 3, 3], "conserving", "conserve at every frame"),
    ],
)
def test_quantities_that_break_the_promise(
    moved: list[float], reference: list[float], condition: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        answer_relation(_quantities(moved, reference), condition, "gain")


class _Params(StrictModel):
    draw: float
    condition: str
    change: str


class _Generator:
    """A generator with one draw, whose scene needs no renderer."""

    @staticmethod
    def sample(rng: np.random.Generator, cell: Cell, preset: Any) -> _Params:
        return _Params(draw=rng.random(), condition="conserving", change=cell.direction)

    @staticmethod
    def build(params: _Params) -> Scene:
        scene = scenes.coins()
        moved = scene.quantities.moved.copy()
        if params.condition == "nonconserving":
            moved[-1] += 1 if params.change == "gain" else -1
        return replace(scene, quantities=replace(scene.quantities, moved=moved), notes={"draw": params.draw})


def _frames(scene: Scene, settings: RenderSettings) -> Any:
    shape = (scene.camera.height, scene.camera.width, 3)
    for moved in scene.quantities.moved:
        yield np.full(shape, int(60 * scene.notes["draw"] * moved) % 256, np.uint8)


def _annotate(scene: Scene) -> tuple[FrameRecord, ...]:
    state = ObjectState(
        object_id="moved_0", position=(0, 0, 0), quaternion=(1, 0, 0, 0), box=(0, 0, 1, 1), visibility=1
    )
    return tuple(FrameRecord(index=k, time=k / scene.fps, objects=(state,)) for k in range(scene.num_frames))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything but rendering and annotation is real."""
    info = RendererInfo(
        variant="none", spp=1, background_spp=1, denoiser="none", llvm="", versions={}, processor="any"
    )
    monkeypatch.setattr(clip, "GENERATORS", {"number": _Generator})
    monkeypatch.setattr(clip, "render_clip", _frames)
    monkeypatch.setattr(clip, "annotate", _annotate)
    monkeypatch.setattr(clip, "renderer_info", lambda settings: info)


def _records(folder: Path) -> tuple[ClipRecord, ClipRecord]:
    one, other = (ClipRecord.model_validate_json((folder / name).read_text()) for name in FILES[::2])
    return one, other


@pytest.mark.usefixtures("quick")
def test_an_item_holds_both_clips_and_passes_its_check(tmp_path: Path) -> None:
    make_item(CELL, "mini", 0, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == FILES
    check_item(tmp_path)
    conserving, twin = _records(tmp_path)
    assert conserving.answer_relation == "same"
    assert twin.answer_relation == {"gain": "moved_more", "loss": "moved_less"}[CELL.direction]
    assert (conserving.video_id, twin.video_id) == (
        f"{CELL.pair_id}_conserving",
        f"{CELL.pair_id}_nonconserving",
    )
    for record in (conserving, twin):
        assert (record.pair_id, record.domain, record.seed, record.preset) == (
            CELL.pair_id,
            "number",
            0,
            "mini",
        )
        assert (record.width, record.height, record.fps, record.num_frames) == (96, 72, 24, 6)
        assert record.moved_position == CELL.factors["moved_position"]
        assert len(record.objects) == 6


@pytest.mark.usefixtures("quick")
def test_twins_share_every_draw(tmp_path: Path) -> None:
    make_item(CELL, "mini", 5, tmp_path)
    conserving, twin = (record.parameters for record in _records(tmp_path))
    assert conserving.pop("condition") == "conserving"
    assert twin.pop("condition") == "nonconserving"
    assert conserving == twin


@pytest.mark.usefixtures("quick")
def test_bytes_depend_on_cell_and_seed_alone(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b", "c", "d")]
    arguments = [(CELL, 0), (CELL, 0), (CELL, 1), (replace(CELL, pair_id="another"), 0)]
    for folder, (cell, seed) in zip(folders, arguments, strict=True):
        folder.mkdir()
        make_item(cell, "mini", seed, folder)
    assert tree(folders[0]) == tree(folders[1])
    for other in folders[2:]:
        assert tree(folders[0])["conserving.mp4"] != tree(other)["conserving.mp4"]


@pytest.mark.usefixtures("quick")
def test_records_are_canonical(tmp_path: Path) -> None:
    make_item(CELL, "mini", 0, tmp_path)
    text = (tmp_path / "conserving.json").read_text()
    data = json.loads(text)
    assert text == json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def _cut(media: Path) -> None:
    media.write_bytes(media.read_bytes()[:-200])


def _swap(media: Path) -> None:
    media.write_bytes((media.parent / "nonconserving.mp4").read_bytes())


def _reencode(media: Path, frames: int = 6, width: int = 96, fps: int = 24) -> None:
    encode_mp4([np.zeros((72, width, 3), np.uint8)] * frames, media, fps)
    record = media.with_suffix(".json")
    forged = {"media_sha256": hashlib.sha256(media.read_bytes()).hexdigest()}
    record.write_text(json.dumps(json.loads(record.read_text()) | forged))


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_cut, "conserving.mp4: "),
        (_swap, "sha256"),
        (partial(_reencode, frames=3), "frames is 3, its record says 6"),
        (partial(_reencode, width=98), "width is 98, its record says 96"),
        (partial(_reencode, fps=12), "frames per second is 12, its record says 24"),
    ],
)
def test_the_check_finds_damage(tmp_path: Path, damage: Callable[[Path], None], message: str) -> None:
    make_item(CELL, "mini", 0, tmp_path)
    damage(tmp_path / "conserving.mp4")
    with pytest.raises((ValueError, UserError), match=message):
        check_item(tmp_path)


def _start(out: Path, workers: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.tiny_clips", str(out), "--workers", str(workers)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)


def _kill_while_rendering(out: Path) -> None:
    process = _start(out, 2)
    while process.poll() is None and not list(out.glob(".tmp/*/conserving.json")):
        time.sleep(0.02)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert list(out.glob(".tmp/*/*"))


@pytest.mark.slow
def test_real_clips_are_the_same_bytes_with_one_worker_two_workers_and_after_a_kill(tmp_path: Path) -> None:
    _kill_while_rendering(tmp_path / "killed")
    for name, workers in (("killed", 2), ("undisturbed", 1)):
        process = _start(tmp_path / name, workers)
        _, text = process.communicate(timeout=300)
        assert process.returncode == 0, text
    assert tree(tmp_path / "killed") == tree(tmp_path / "undisturbed")
    for item in (tmp_path / "killed" / "items").iterdir():
        assert [path.name for path in sorted(item.iterdir())] == [".complete", *FILES]
        conserving, twin = _records(item)
        assert conserving.answer_relation == "same" != twin.answer_relation
        assert _reference(conserving) == _reference(twin) != []


def _reference(record: ClipRecord) -> list[ObjectState]:
    return [state for state in record.frames[0].objects if state.object_id.startswith("reference")]
