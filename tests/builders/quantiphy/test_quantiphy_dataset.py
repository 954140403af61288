"""quantiphy from raw folder to dataset: built, verified, loaded, solved; tampering is found."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from builders.build import build
from builders.quantiphy.schema import ANNOTATIONS, CONFIGS, QUESTIONS, VIDEOS
from builders.verify import verify
from generation.quantiphy.clip import RECORD
from physprobe.errors import UserError
from tests.support.damage import Change, edit, problems, put
from tests.support.raw_quantiphy import make_raw


@pytest.fixture(scope="session")
def raw_clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first three clips of the preset "mini": A2MC_000, S2MC_000 and one in 3D, A3SS_000."""
    return make_raw(tmp_path_factory.mktemp("raw") / "quantiphy", limit=3)


@pytest.fixture(scope="session")
def built_clips(raw_clips: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(raw_clips, tmp_path_factory.mktemp("built") / "quantiphy", partial=True).out


@pytest.fixture
def clips(built_clips: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built_clips, tmp_path / "quantiphy"))


def test_a_sound_dataset(built_clips: Path, raw_clips: Path) -> None:
    verdict = verify(built_clips, raw=raw_clips)
    assert verdict.problems == ()
    assert verdict.incomplete == "3 of 7 clips"
    assert "3 clips, 3 without background" in verdict.summary[0]


def test_an_unfinished_raw_folder_needs_to_be_asked_for(raw_clips: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="lacks 4 of 7 clips; add --partial, or finish it with"):
        build(raw_clips, tmp_path / "out")


def test_a_record_of_another_clip_is_refused(raw_clips: Path, tmp_path: Path) -> None:
    raw = Path(shutil.copytree(raw_clips, tmp_path / "raw"))
    one, other = (raw / "items" / name / RECORD for name in ("A2MC_000", "A3SS_000"))
    one.write_bytes(other.read_bytes())
    with pytest.raises(UserError, match="video_id is 'A3SS_000', not 'A2MC_000'; remove"):
        build(raw, tmp_path / "out", partial=True)


DAMAGE = [
    (QUESTIONS, put(0, ground_truth_posterior=1.234), "the answer is not"),
    (QUESTIONS, put(0, ground_truth_posterior=1.23456), "has more than 4 significant digits"),
    (QUESTIONS, put(0, ground_truth_posterior=-1.0), "the answer is -1.0"),
    (QUESTIONS, put(0, prior="it is large"), "is not readable"),
    (
        QUESTIONS,
        put(0, prior="acceleration of the red ball = 1.0 m/s^2"),
        "the prior is not|there is no red ball|it is told without a time, but changes",
    ),
    (QUESTIONS, put(0, question="How large is it in meters?"), "can't read the question"),
    (QUESTIONS, put(0, unit="kg"), "no unit of size"),
    (QUESTIONS, put(0, category="S3"), "category is 'S3', its codes say D2"),
    (QUESTIONS, put(0, depth_info="distance_red_ball_camera = 3 m"), "depth info"),
    (QUESTIONS, put(0, inference_type="SS"), "inference_type is 'SS' on a video of type A2MC"),
    (QUESTIONS, put(0, video_source="internet"), "video_source is 'internet'"),
    (QUESTIONS, lambda rows: rows[1:], "its design has others"),
    (VIDEOS, put(0, num_frames=3), "the row says 3"),
    (VIDEOS, put(0, focal_length=10.0), "its middle is not in its box"),
    (VIDEOS, put(1, variant="original"), "variant is 'original', not 'segmented'"),
    (ANNOTATIONS, put(3, depth=1.0), "depth is not what camera and position give"),
    (ANNOTATIONS, put(3, time=0.5), "frame k is not at k / fps"),
    (ANNOTATIONS, lambda rows: rows[1:], "frames, not each of"),
]


@pytest.mark.parametrize(("spec", "change", "message"), DAMAGE)
def test_tampering_is_found(clips: Path, spec: object, change: Change, message: str) -> None:
    edit(clips, spec, change)  # type: ignore[arg-type]
    assert [problem for problem in problems(clips) if re.search(message, problem)]


def test_the_card_is_pinned(built_clips: Path, snapshot: SnapshotAssertion) -> None:
    card = (built_clips / "README.md").read_text(encoding="utf-8")
    fixed = re.sub(r"[0-9a-f]{64}", "HASH", card)
    assert re.sub(r"(num_bytes|download_size|dataset_size): \d+", r"\1: N", fixed) == snapshot
    for spec in CONFIGS:
        section = re.split(r"\n#+ ", card.split(f"### `{spec.name}`")[1])[0]
        assert re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE) == spec.schema.names


def test_the_solver_answers_what_is_built(built_clips: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from physprobe.data import load_config
    from physprobe.harness.quantiphy.measured import known, measured_answer
    from physprobe.harness.quantiphy.questions import our_questions
    from physprobe.quantiphy.reading import read_answer

    monkeypatch.setenv("PHYSPROBE_DATA", str(built_clips.parent))
    rows = our_questions(load_config("quantiphy", "questions"), counterfactual=True).to_list()
    errors = [abs(read_answer(measured_answer(row), row["unit"]).value / row["truth"] - 1) for row in rows]
    assert len(errors) >= 15
    assert max(errors) < 0.2
    assert sorted(errors)[len(errors) // 2] < 0.03
    assert measured_answer({**rows[0], "seen": False}) == "unknown"
    assert known(rows[0]) == known(rows[1]) != known(rows[-1])
    with pytest.raises(UserError, match="the public one has none"):
        measured_answer({**rows[0], "source": "test"})
