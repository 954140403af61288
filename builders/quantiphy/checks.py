"""What must hold in quantiphy beyond the schema."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from builders.folder import Manifest
from builders.quantiphy.clip_checks import annotation_problems, flatness_problems, video_problems
from builders.quantiphy.question_checks import answer_problems, question_problems
from builders.quantiphy.schema import ANNOTATIONS, QUESTIONS, SEGMENTED, VIDEOS
from builders.quantiphy.truth import Track
from generation.quantiphy.design import PRESETS, Clip, clips
from physprobe.quantiphy.codes import CATEGORIES

Row = Mapping[str, Any]

_KEPT = (
    *("object", "frame", "time", "position", "velocity", "acceleration", "box", "depth", "distance"),
    *("measures", "measure_values"),
)


class QuantiphyChecker:
    """Checks rows one by one, then truths against annotations, references, and the design."""

    def __init__(self, manifest: Manifest | None) -> None:
        """Start checking a dataset with this manifest; None if it can't be read."""
        self._manifest = manifest
        self._videos: dict[str, Row] = {}
        self._questions: list[Row] = []
        self._objects: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))

    def visit(self, config: str, split: str, row: Row) -> Iterator[str]:
        """Take in a row that fits the schema and holds no nulls; yield what is wrong with it."""
        visitors: dict[str, Callable[[Row], Iterator[str]]] = {
            QUESTIONS.name: self._visit_question,
            VIDEOS.name: self._visit_video,
            ANNOTATIONS.name: self._visit_annotation,
        }
        return visitors[config](row)

    def finish(self) -> Iterator[str]:
        """Yield what is wrong across rows and configs."""
        for video_id, video in self._videos.items():
            if video["variant"] == "original":
                found = annotation_problems(video, self._objects.get(video_id, {}))
                yield from (f"video {video_id}: {problem}" for problem in found)
            elif video["original_id"] not in self._videos:
                yield f"video {video_id}: its original is not in {VIDEOS.name}"
        tracks = {
            video_id: {rows[0]["object"]: Track.of(rows) for rows in objects.values()}
            for video_id, objects in self._objects.items()
        }
        yield from self._truth_problems(tracks)
        yield from self._design_problems()

    def summary(self) -> list[str]:
        """Say in a few lines what was looked at."""
        variants = Counter(video["variant"] for video in self._videos.values())
        frames = sum(video["num_frames"] for video in self._videos.values())
        originals = [row for row in self._questions if not row["video_id"].endswith(SEGMENTED)]
        types = {row["video_type"] for row in originals}
        categories = Counter(row["category"] for row in originals)
        rows = sum(len(rows) for objects in self._objects.values() for rows in objects.values())
        return [
            f"{variants['original']} clips, {variants['segmented']} without background; "
            f"{frames} frames decoded",
            f"{len(originals)} questions on {len(types)} video types: "
            + ", ".join(f"{name} {categories[name]}" for name in CATEGORIES),
            f"answers, priors and depth info of {len(self._questions)} rows follow from {rows} annotations",
        ]

    def coverage(self) -> str:
        """Say how many of the preset's clips are there."""
        wanted = self._wanted()
        there = {name for name, video in self._videos.items() if video["variant"] == "original"}
        return f"{len(there)} of {len(wanted)} clips" if wanted else f"{len(there)} clips"

    def _wanted(self) -> dict[str, Clip]:
        preset = self._manifest.source.preset if self._manifest else ""
        return {clip.video_id: clip for clip in clips(preset)} if preset in PRESETS else {}

    def _visit_question(self, row: Row) -> Iterator[str]:
        self._questions.append(row)
        return (f"question {row['question_id']}: {problem}" for problem in question_problems(row))

    def _visit_video(self, row: Row) -> Iterator[str]:
        self._videos[row["video_id"]] = {name: value for name, value in row.items() if name != "video"}
        return (f"video {row['video_id']}: {problem}" for problem in video_problems(row))

    def _visit_annotation(self, row: Row) -> Iterator[str]:
        kept = {name: row[name] for name in _KEPT}
        self._objects[row["video_id"]][row["object_id"]].append(kept)
        return iter(())

    def _truth_problems(self, tracks: Mapping[str, Mapping[str, Track]]) -> Iterator[str]:
        for row in self._questions:
            where = f"question {row['question_id']}"
            original = row["video_id"].removesuffix(SEGMENTED)
            if row["video_id"] not in self._videos:
                yield f"{where}: its video {row['video_id']} is not in {VIDEOS.name}"
            elif original not in tracks:
                yield f"{where}: its video has no annotations"
            else:
                if self._videos[row["video_id"]]["fps"] != row["fps"]:
                    yield f"{where}: fps is not its video's"
                found = answer_problems(row, tracks[original])
                yield from (f"{where}: {problem}" for problem in found)
        flat = {row["video_id"] for row in self._questions if row["video_type"][1:2] == "2"}
        for video_id in sorted(flat & tracks.keys()):
            yield from (f"video {video_id}: {problem}" for problem in flatness_problems(tracks[video_id]))

    def _design_problems(self) -> Iterator[str]:
        wanted = self._wanted()
        if self._manifest is None or not wanted:
            return
        there = {name for name, video in self._videos.items() if video["variant"] == "original"}
        yield from (
            f"video {name}: not in preset {self._manifest.source.preset}" for name in there - wanted.keys()
        )
        if self._manifest.complete:
            yield from (f"video {name}: missing" for name in wanted.keys() - there)
        elif there >= wanted.keys():
            yield "manifest.json calls the dataset incomplete, but no clip of the preset is missing"
        counts = Counter((row["video_id"], row["inference_type"][1:]) for row in self._questions)
        for name, clip in wanted.items():
            for video_id in {name, name + SEGMENTED} & self._videos.keys():
                found = counts[video_id, "S"], counts[video_id, "D"]
                if found != (clip.static_questions, clip.dynamic_questions):
                    yield f"video {video_id}: {found} static and dynamic questions, its design has others"
        yield from self._seed_problems()

    def _seed_problems(self) -> Iterator[str]:
        seeds = {video["seed"] for video in self._videos.values()}
        if len(seeds) > 1:
            yield f"{VIDEOS.name}: clips of different seeds: {sorted(seeds)}"
