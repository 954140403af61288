from __future__ import annotations

import fcntl
import json
from pathlib import Path

import numpy as np
import pytest

from builders.conservation.source import read_clips
from builders.selections.clips import clip_facts
from builders.selections.localizer import Localizer, load
from builders.selections.model import scores_path, select, top_frames
from builders.selections.reading import read_selections
from generation.core.raw import RawFolder
from physprobe.conservation.frames import uniform_indices
from physprobe.conservation.vocabulary import FRAME_COUNTS
from physprobe.errors import UserError
from physprobe.video import decode_frames

CLIPS = 6


class Killed(BaseException):
    pass


def run(raw: RawFolder, localizer: Localizer, out: Path, kill_after: int | None = None, **changed):
    def progress(done: int, total: int) -> None:
        if done == kill_after:
            raise Killed

    settings = {"dtype": "float32", "candidates": 20, "partial": True, "progress": progress, **changed}
    return select(raw, localizer, out, **settings)


@pytest.fixture(scope="module")
def undisturbed(raw, localizer, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("selected") / "blip2.jsonl"
    assert run(raw, localizer, out) == (CLIPS * len(FRAME_COUNTS), True)
    return out


def test_the_best_between_first_and_last_are_taken_in_temporal_order():
    scores = [0.0, 0.3, 0.9, 0.3, 0.8, 0.3, 0.0]
    candidates = (0, 4, 8, 12, 16, 20, 23)
    assert top_frames(candidates, scores, 3) == (0, 8, 23)
    assert top_frames(candidates, scores, 4) == (0, 8, 16, 23)
    assert top_frames(candidates, scores, 5) == (0, 4, 8, 16, 23)  # of equals the earlier
    assert top_frames(candidates, scores, 7) == candidates
    with pytest.raises(UserError, match="8 of 7 candidate frames"):
        top_frames(candidates, scores, 8)


def test_every_clip_gets_frames_for_every_count(raw, localizer, undisturbed):
    facts = clip_facts(read_clips(raw, partial=True))
    selections = read_selections([undisturbed], facts)
    assert {(s.video_id, s.frame_count) for s in selections} == {
        (video_id, count) for video_id in facts.num_frames for count in FRAME_COUNTS
    }
    assert {(s.extraction, s.selector, s.seed) for s in selections} == {("model", localizer.selector, 0)}


def test_frames_are_those_that_the_model_prefers(raw, localizer, undisturbed):
    clip = read_clips(raw, partial=True)[5]
    candidates = uniform_indices(clip.record.num_frames, 20)
    scores = localizer.score(decode_frames(clip.path, candidates)).yes
    mine = [line for line in map(json.loads, undisturbed.open()) if line["video_id"] == clip.record.video_id]
    for line in mine:
        best = np.argsort(-scores[1:-1], kind="stable")[: line["frame_count"] - 2] + 1
        assert line["frame_indices"] == [0, *sorted(candidates[k] for k in best), clip.record.num_frames - 1]


def test_a_killed_run_continues_and_ends_with_the_same_bytes(raw, localizer, undisturbed, tmp_path):
    out = tmp_path / "blip2.jsonl"
    for kill_after in (2, 4):
        with pytest.raises(Killed):
            run(raw, localizer, out, kill_after)
        assert not out.exists()
    with scores_path(out).open("ab") as handle:  # the next line, cut short
        handle.write(b'{"video_id":"number')
    scored: list[int] = []
    counting = load_counting(localizer, scored)
    assert run(raw, counting, out)[1]
    assert len(scored) == CLIPS - 4
    for path in (out, scores_path(out)):
        assert path.read_bytes() == (undisturbed.parent / path.name).read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {out.name, scores_path(out).name}


def load_counting(localizer: Localizer, scored: list[int]) -> Localizer:
    """Return the same model, noting how many frames of each clip it scores."""
    twin = object.__new__(Localizer)
    twin.__dict__ |= localizer.__dict__
    twin.score = lambda frames: scored.append(len(frames)) or localizer.score(frames)  # type: ignore[method-assign]
    return twin


@pytest.mark.parametrize("keep", [0, 10, 300])
def test_a_header_cut_short_is_written_anew(raw, localizer, undisturbed, tmp_path, keep):
    out = tmp_path / undisturbed.name
    header = scores_path(undisturbed).read_bytes().split(b"\n")[0]
    scores_path(out).write_bytes(header[:keep])
    run(raw, localizer, out)
    assert out.read_bytes() == undisturbed.read_bytes()
    assert scores_path(out).read_bytes() == scores_path(undisturbed).read_bytes()


def test_a_second_run_finds_all_there(raw, localizer, undisturbed):
    before = undisturbed.stat().st_mtime_ns
    assert run(raw, localizer, undisturbed) == (CLIPS * len(FRAME_COUNTS), False)
    assert undisturbed.stat().st_mtime_ns == before


def test_the_batch_size_plays_no_part(raw, checkpoints, undisturbed, tmp_path):
    run(raw, load(str(checkpoints["t5"]), device="cpu", batch_size=3), tmp_path / "blip2.jsonl")
    assert (tmp_path / "blip2.jsonl").read_bytes() == undisturbed.read_bytes()


def test_an_opt_model_serves_as_well(raw, checkpoints, undisturbed, tmp_path):
    assert run(raw, load(str(checkpoints["opt"]), device="cpu"), tmp_path / "opt.jsonl")[1]
    assert (tmp_path / "opt.jsonl").read_bytes() != undisturbed.read_bytes()


def copied(undisturbed: Path, folder: Path) -> Path:
    out = folder / undisturbed.name
    scores_path(out).write_bytes(scores_path(undisturbed).read_bytes())
    return out


@pytest.mark.parametrize(
    ("changed", "told"),
    [({"candidates": 24}, "candidates 20"), ({"dtype": "bfloat16"}, "dtype float32")],
)
def test_scores_of_another_run_are_refused(raw, localizer, undisturbed, tmp_path, changed, told):
    out = copied(undisturbed, tmp_path)
    with pytest.raises(UserError, match=f"scores of another run \\({told}\\)"):
        run(raw, localizer, out, **changed)
    assert scores_path(out).read_bytes() == scores_path(undisturbed).read_bytes()
    assert not out.exists()


def test_scores_of_other_clips_are_refused(raw, localizer, undisturbed, tmp_path):
    out = copied(undisturbed, tmp_path)
    changed = scores_path(out).read_text().replace('"media_sha256":"', '"media_sha256":"0', 1)
    scores_path(out).write_text(changed)
    with pytest.raises(UserError, match=r"conserving.mp4 changed since it was scored"):
        run(raw, localizer, out)


@pytest.mark.parametrize("content", [b"notes", b"notes\n", b'{"model":"x"}\n', b"\n"])
def test_foreign_scores_files_are_refused(raw, localizer, tmp_path, content):
    out = tmp_path / "blip2.jsonl"
    scores_path(out).write_bytes(content)
    with pytest.raises(UserError, match="is no scores file of this tool"):
        run(raw, localizer, out)
    assert scores_path(out).read_bytes() == content


def test_foreign_output_is_refused(raw, localizer, undisturbed, tmp_path):
    out = tmp_path / undisturbed.name
    out.write_text("mine\n")
    with pytest.raises(UserError, match="is not of a run of this command"):
        run(raw, localizer, out)
    copied(undisturbed, tmp_path)
    with pytest.raises(UserError, match="holds something else"):
        run(raw, localizer, out)
    assert out.read_text() == "mine\n"
    with pytest.raises(UserError, match="is no folder"):
        run(raw, localizer, tmp_path / "none" / "out.jsonl")


def test_two_runs_do_not_share_a_file(raw, localizer, tmp_path):
    out = tmp_path / "blip2.jsonl"
    with scores_path(out).open("wb") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with pytest.raises(UserError, match="another run is writing"):
            run(raw, localizer, out)


def test_too_few_candidates_are_refused(raw, localizer, tmp_path):
    with pytest.raises(UserError, match="15 is less than the largest frame count, 16"):
        run(raw, localizer, tmp_path / "out.jsonl", candidates=15)


def test_an_unfinished_folder_needs_partial(raw, localizer, tmp_path):
    with pytest.raises(UserError, match="lacks 9 of 12 pairs"):
        run(raw, localizer, tmp_path / "out.jsonl", partial=False)
    assert not list(tmp_path.iterdir())
