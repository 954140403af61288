"""What the card of conservationbench says about this very build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from builders.conservation.balance import balance_lines
from builders.conservation.source import Clip
from builders.conservation.static import static_questions
from builders.selections.chosen import ChosenFrames
from physprobe.conservation.vocabulary import DOMAINS, EXTRACTIONS, FRAME_COUNTS, PROMPT_STYLES, Extraction

Rows = Sequence[Mapping[str, Any]]


def card_facts(clips: Sequence[Clip], questions: Rows, frames: ChosenFrames) -> dict[str, Any]:
    """Return the template's variables: counts, design, balance, media, and how the pixels were made."""
    records = [clip.record for clip in clips]
    static = [row for _, row in static_questions(clips)]
    domains = _unique(r.domain for r in records)
    present = frames.available_extractions
    return {
        "domains": [_domain(domain, clips, questions, static) for domain in domains],
        "absent_domains": [domain for domain in DOMAINS if domain not in domains],
        "extractions": [_extraction(extraction, questions, frames) for extraction in present],
        "absent_extractions": [extraction for extraction in EXTRACTIONS if extraction not in present],
        "balance": balance_lines(questions, static),
        "prompt_styles": PROMPT_STYLES,
        "frame_counts": FRAME_COUNTS,
        "resolutions": _unique(f"{r.width}x{r.height}" for r in records),
        "rates": _unique(r.fps for r in records),
        "lengths": _unique(r.num_frames for r in records),
        "renderers": _renderers(clips),
    }


def _domain(domain: str, clips: Sequence[Clip], questions: Rows, static: Rows) -> dict[str, Any]:
    cells = [c.cell for c in clips if c.record.domain == domain and c.record.condition == "conserving"]
    factors = {
        name: Counter(cell.factors[name] for cell in cells) for name in (cells[0].factors if cells else {})
    }
    return {
        "name": domain,
        "unit": next(clip.record.quantities.unit for clip in clips if clip.record.domain == domain),
        "pairs": len(cells),
        "clips": sum(clip.record.domain == domain for clip in clips),
        "questions": sum(row["domain"] == domain for row in questions),
        "static": sum(row["domain"] == domain for row in static),
        "directions": Counter(cell.direction for cell in cells),
        "factors": factors,
        "parameters": _unique(
            name for clip in clips if clip.record.domain == domain for name in sorted(clip.record.parameters)
        ),
    }


def _extraction(extraction: Extraction, questions: Rows, frames: ChosenFrames) -> dict[str, Any]:
    total = len(frames.video_ids) * len(FRAME_COUNTS)
    return {
        "name": extraction,
        "choices": total - len(frames.missing(extraction)),
        "total": total,
        "rows": sum(row["extraction"] == extraction for row in questions),
        "selectors": frames.selectors.get(extraction, ()),
    }


def _renderers(clips: Sequence[Clip]) -> list[dict[str, Any]]:
    """List each way in which clips were rendered, with the number of clips."""
    counts = Counter(clip.record.renderer.model_dump_json() for clip in clips)
    first = {clip.record.renderer.model_dump_json(): clip.record.renderer for clip in clips}
    return [{"clips": count, **first[key].model_dump()} for key, count in sorted(counts.items())]


def _unique(values: Any) -> list[Any]:
    return list(dict.fromkeys(values))
