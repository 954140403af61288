"""Which clips there are: video types, and how many questions of each sort, as in the official test set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from generation.core.records import StrictModel
from physprobe.errors import unknown_name
from physprobe.quantiphy.codes import CATEGORIES

Prior = Literal["S", "V", "A"]
Background = Literal["X", "S", "C"]

# Of the official test set (PaulineLi/QuantiPhy, test_dataset.parquet, 3,289 questions of 568 videos), for
# each video type: videos, questions with a static target, questions with a dynamic one.
OFFICIAL: dict[str, tuple[int, int, int]] = {
    "A2MC": (22, 91, 40),
    "A2MS": (18, 76, 41),
    "A2MX": (18, 67, 22),
    "A2SC": (7, 12, 11),
    "A2SS": (21, 71, 51),
    "A2SX": (2, 3, 4),
    "A3MC": (24, 192, 53),
    "A3MS": (7, 52, 19),
    "A3MX": (7, 60, 19),
    "A3SC": (10, 45, 14),
    "A3SS": (11, 49, 14),
    "A3SX": (9, 44, 11),
    "S2MC": (43, 134, 91),
    "S2MS": (18, 66, 43),
    "S2MX": (15, 38, 36),
    "S2SC": (19, 35, 36),
    "S2SS": (18, 18, 73),
    "S2SX": (5, 1, 30),
    "S3MC": (32, 118, 73),
    "S3MS": (12, 60, 30),
    "S3MX": (22, 83, 44),
    "S3SC": (10, 19, 30),
    "S3SS": (10, 14, 39),
    "S3SX": (11, 16, 40),
    "V2MC": (55, 305, 33),
    "V2MS": (17, 80, 16),
    "V2MX": (30, 121, 26),
    "V2SC": (11, 29, 1),
    "V2SS": (11, 33, 0),
    "V2SX": (3, 7, 0),
    "V3MC": (25, 142, 31),
    "V3MS": (10, 60, 14),
    "V3MX": (21, 103, 23),
    "V3SC": (5, 13, 0),
    "V3SS": (4, 11, 0),
    "V3SX": (5, 13, 0),
}
# Questions of each category there: the prior's letter of inference_type, and the dimension.
OFFICIAL_CATEGORIES = {"S2": 581, "D2": 1160, "S3": 576, "D3": 972}

_LEAST_VIDEOS = 4  # of a type, as in the paper's appendix B
_QUESTIONS = 3400


@dataclass(frozen=True)
class Clip:
    """One clip of the design.

    Attributes:
        video_id: unique and stable, for example "S2MC_007".
        video_type: prior, dimension, objects, background.
        static_questions, dynamic_questions: how many are asked about sizes and ways, and about speeds and
            accelerations.
    """

    video_id: str
    video_type: str
    static_questions: int
    dynamic_questions: int

    @property
    def prior(self) -> Prior:
        """What is given: S a size, V a velocity, A an acceleration."""
        return cast(Prior, self.video_type[0])

    @property
    def is_3d(self) -> bool:
        """Whether depth changes."""
        return self.video_type[1] == "3"

    @property
    def is_multiple(self) -> bool:
        """Whether several things are in play."""
        return self.video_type[2] == "M"

    @property
    def background(self) -> Background:
        """X plain, S simple, C complex."""
        return cast(Background, self.video_type[3])

    @property
    def category(self) -> str:
        """S2, D2, S3 or D3."""
        return category(self.video_type)


class Preset(StrictModel):
    """Which clips are rendered, and at which size.

    Attributes:
        width, height: pixels, even. video_ids: of the full design; None is all of them.
    """

    name: str
    width: int
    height: int
    video_ids: tuple[str, ...] | None


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            name="mini",
            width=426,
            height=240,
            video_ids=("S2SX_000", "S2MC_000", "V2MS_000", "A2MC_000", "S3MX_000", "V3MC_000", "A3SS_000"),
        ),
        Preset(name="full", width=854, height=480, video_ids=None),
    )
}


def category(video_type: str) -> str:
    """Return the scoring category of a video type: static or dynamic prior, and the dimension."""
    return ("S" if video_type[0] == "S" else "D") + video_type[1]


def design() -> tuple[Clip, ...]:
    """Enumerate all clips, type by type."""
    static, dynamic = _quotas(1), _quotas(2)
    return tuple(
        clip
        for video_type, (videos, _, _) in OFFICIAL.items()
        for clip in _clips(video_type, max(videos, _LEAST_VIDEOS), static[video_type], dynamic[video_type])
    )


def clips(preset: str) -> tuple[Clip, ...]:
    """Return the clips of a preset in design order.

    Raises:
        UserError: there is no such preset.
    """
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    chosen = PRESETS[preset].video_ids
    return tuple(clip for clip in design() if chosen is None or clip.video_id in chosen)


def _quotas(column: int) -> dict[str, int]:
    """Return the questions of each type: official shares of each category, and within it of each type."""
    quotas: dict[str, int] = {}
    for name in CATEGORIES:
        counts = {t: row for t, row in OFFICIAL.items() if category(t) == name}
        wanted = _QUESTIONS * OFFICIAL_CATEGORIES[name] / sum(OFFICIAL_CATEGORIES.values())
        scale = wanted / sum(row[1] + row[2] for row in counts.values())
        quotas |= _rounded({t: row[column] * scale for t, row in counts.items()})
    return quotas


def _rounded(values: dict[str, float]) -> dict[str, int]:
    """Round by largest remainders, upwards in total."""
    whole = {name: int(value) for name, value in values.items()}
    missing = -(-int(sum(values.values()) * 1e9) // 10**9) - sum(whole.values())
    by_rest = sorted(values, key=lambda name: (whole[name] - values[name], name))
    return {name: count + (name in by_rest[:missing]) for name, count in whole.items()}


def _clips(video_type: str, videos: int, static: int, dynamic: int) -> list[Clip]:
    return [
        Clip(f"{video_type}_{k:03d}", video_type, _share(static, k, videos), _share(dynamic, k, videos))
        for k in range(videos)
    ]


def _share(total: int, index: int, parts: int) -> int:
    """Return one part of an even distribution; the parts add up to the total."""
    return (index + 1) * total // parts - index * total // parts
