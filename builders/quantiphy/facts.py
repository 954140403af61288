"""What the card of quantiphy says about this very build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from builders.quantiphy.solving import Solved, solve_clip
from builders.quantiphy.source import Filmed
from generation.quantiphy.design import OFFICIAL, OFFICIAL_CATEGORIES, category
from generation.quantiphy.questions import write_questions
from physprobe.quantiphy.codes import CATEGORIES

_GOOD_MISS = 0.2  # a question that the solver misses by more is listed


@dataclass
class _Tally:
    """Counts over clips and questions."""

    videos: Counter[str] = field(default_factory=Counter)
    questions: Counter[str] = field(default_factory=Counter)
    seen: dict[str, Counter[str]] = field(default_factory=dict)
    solved: list[Solved] = field(default_factory=list)

    def count(self, what: str, names: Iterable[Any]) -> None:
        """Count names under a heading."""
        self.seen.setdefault(what, Counter()).update(map(str, names))

    def add(self, filmed: Filmed) -> None:
        """Take in a clip."""
        record = filmed.record
        questions = write_questions(record)
        self.videos[record.video_type] += 1
        self.questions[record.video_type] += len(questions)
        self.count("quantities", (question.quantity for question in questions))
        self.count("units", (question.unit for question in questions))
        self.count("things", (entity.kind for entity in record.entities))
        self.count("motions", (entity.motion for entity in record.entities))
        self.count("places", [record.parameters["place"]["place"]])
        self.count("rates", [record.fps])
        self.count("resolutions", [f"{record.width}x{record.height}"])
        self.count("lengths", [record.num_frames])
        self.count("segmented", [bool(record.segmented_media)])
        self.count("renderers", [record.renderer.model_dump_json()])
        self.solved += solve_clip(record, questions)


def card_facts(clips: Iterable[Filmed]) -> dict[str, Any]:
    """Return the template's variables: counts beside the official ones, what is shown, how it is solved."""
    tally = _Tally()
    renderers: dict[str, Any] = {}
    for filmed in clips:
        tally.add(filmed)
        renderers[filmed.record.renderer.model_dump_json()] = filmed.record.renderer
    return {
        "types": _types(tally),
        "categories": _categories(tally),
        "total_videos": sum(tally.videos.values()),
        "total_questions": sum(tally.questions.values()),
        "official_videos": sum(row[0] for row in OFFICIAL.values()),
        "official_questions": sum(row[1] + row[2] for row in OFFICIAL.values()),
        "seen": {what: dict(counts.most_common()) for what, counts in tally.seen.items()},
        "frames": _range([int(length) for length in tally.seen["lengths"]]),
        "renderers": [
            {"clips": count, **renderers[key].model_dump()}
            for key, count in sorted(tally.seen["renderers"].items())
        ],
        "solver": solver_scores(tally.solved),
    }


def solver_scores(solved: Sequence[Solved]) -> dict[str, Any]:
    """Return the solver's MRA by category and dimension, and the questions it misses by more than 20%."""

    def mean(rows: list[Solved]) -> float | None:
        return sum(row.mra for row in rows) / len(rows) if rows else None

    by_category = {name: mean([row for row in solved if row.category == name]) for name in CATEGORIES}
    pairs = {f"{number}D": [by_category[name] for name in CATEGORIES if name[1] == number] for number in "23"}
    macro = {
        name: None if None in values else sum(value for value in values if value is not None) / 2
        for name, values in pairs.items()
    }
    missed = [row for row in solved if not abs(row.error) <= _GOOD_MISS]
    return {"categories": by_category, "macro": macro, "missed": missed, "asked": len(solved)}


def _types(tally: _Tally) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "videos": tally.videos[name],
            "questions": tally.questions[name],
            "official_videos": official[0],
            "official_questions": official[1] + official[2],
        }
        for name, official in OFFICIAL.items()
    ]


def _categories(tally: _Tally) -> list[dict[str, Any]]:
    ours: Counter[str] = Counter()
    for name, count in tally.questions.items():
        ours[category(name)] += count
    return [
        {
            "name": name,
            "questions": ours[name],
            "share": _share(ours, name),
            "official_questions": OFFICIAL_CATEGORIES[name],
            "official_share": _share(OFFICIAL_CATEGORIES, name),
        }
        for name in CATEGORIES
    ]


def _share(counts: Mapping[str, int], name: str) -> str:
    return f"{100 * counts[name] / sum(counts.values()):.1f}%"


def _range(values: list[int]) -> str:
    return str(values[0]) if min(values) == max(values) else f"{min(values)} to {max(values)}"
