"""Saved runs of models with known habits on physical consistency."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from physprobe.consistency.metrics import SCORES
from physprobe.consistency.vocabulary import CLEAN, LABELS, SUITES
from physprobe.harness.consistency.marking import mark
from physprobe.harness.consistency.references import diagnosis
from tests.support.saved_answers import save_run

BOX = [0.25, 0.25, 0.75, 0.75]
Answer = Callable[[Mapping[str, Any]], str]


def suite_rows(suite: str, families: int = 4) -> list[dict[str, Any]]:
    """Rows as a task hands them to ``mark``."""
    return [_row(suite, family, label) for family in range(families) for label in LABELS]


def _row(suite: str, family: int, label: str) -> dict[str, Any]:
    family_id = f"{suite}_{family}"
    return {
        "question_id": f"{family_id}__{label}",
        "family_id": family_id,
        "suite": suite,
        "category": label,
        "mechanism": "" if label == CLEAN else "B" if suite == "intervention" else "A",
        "box": None if label == CLEAN else BOX,
        "explanation": f"Something about {label}.",
        "question": "What is wrong?",
    }


def right(row: Mapping[str, Any]) -> str:
    """Answer rightly."""
    return diagnosis(row["category"], row["box"], "Because.")


def shortcut(row: Mapping[str, Any]) -> str:
    """Answer rightly unless the violation is made otherwise than in training; then call it clean."""
    return diagnosis(CLEAN, None, "Fine.") if row["mechanism"] == "B" else right(row)


def floating(row: Mapping[str, Any]) -> str:
    """Always see the same violation, over the whole image."""
    return diagnosis("floating_object", [0, 0, 1, 1], "It floats.")


def silent(row: Mapping[str, Any]) -> str:
    """Say nothing that can be read."""
    return "I can't tell."


def save_consistency(
    folder: Path,
    models: Mapping[str, Answer],
    families: int = 4,
    suites: Sequence[str] = SUITES,
    marked: Callable[..., Mapping[str, Any]] = mark,
    **options: Any,
) -> Path:
    """Save runs below ``folder``, one a model, and return it."""
    for model, answer in models.items():
        tasks = {f"physical_consistency_{suite}": suite_rows(suite, families) for suite in suites}
        save_run(
            folder / model.replace("/", "_"), model, tasks, answer, benchmark="consistency", scores=SCORES,
            matching="unrated", marked=marked, **options,
        )  # fmt: skip
    return folder


def rated(rating: str) -> Callable[..., Mapping[str, Any]]:
    """Mark answers as :func:`mark` does, with explanations of violated images rated."""

    def marked(row: Mapping[str, Any], answer: str) -> Mapping[str, Any]:
        found = mark(row, answer)
        if row["category"] != CLEAN:
            found[SCORES[0]] = {**found[SCORES[0]], "explanation_rating": rating}
        return found

    return marked
