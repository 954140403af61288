"""Has a run's explanations rated by the panel of judges, and puts the ratings into its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from physprobe.consistency.rubric import RATINGS, VERSION, Explanation, Rated, rate_explanations
from physprobe.consistency.vocabulary import CLEAN
from physprobe.errors import UserError
from physprobe.harness.consistency.marking import DETAILS, Reading
from physprobe.harness.judges import judging_progress
from physprobe.judging.config import Panel, cache_folder, panel_from_environment
from physprobe.judging.votes import FAULTS
from physprobe.statistics.bootstrap import cluster_bootstrap, cluster_sums
from physprobe.statistics.estimates import Estimate

Readings = Mapping[str, tuple[Reading, ...]]


def explained(results: Mapping[str, Any], readings: Readings) -> dict[str, Any]:
    """Rate what a run's answers explain about violated images, if the environment configures judges.

    Args:
        results: as lmms-eval returns them; ratings go into the records of its samples.
        readings: by task, no groups.

    Returns:
        For the results file: "matching" ("rubric" or "unrated"; "incomplete" says what went wrong when judges
        could not be asked) and, where explanations were rated, "explanations": rubric (its version), judges,
        and "correct" (task -> share with a majority of "correct", low, high, n) with "ratings" (task ->
        rating -> how many).
    """
    try:
        panel = panel_from_environment()
        if panel is None:
            return {"matching": {"matching": "unrated"}}
        rated = _rate(readings, panel)
    except UserError as error:  # the evaluation may have taken days: keep the rest of it
        return {"matching": {"matching": "unrated", "incomplete": f"explanations are not rated: {error}"}}
    _note(results.get("samples") or {}, rated)
    of_task = {task: _paired(task, found, rated) for task, found in readings.items()}
    pending = sum(rating.rating == "pending" for rating in rated.values())
    return {
        "matching": {"matching": "rubric", **_complaint(pending, rated)},
        "explanations": {
            "rubric": VERSION,
            "judges": [judge.name for judge in panel.judges],
            "correct": {task: share_correct(pairs).as_json() for task, pairs in of_task.items()},
            "ratings": {task: _counted(rating for _, rating in pairs) for task, pairs in of_task.items()},
        },
    }


def share_correct(rated: Sequence[tuple[str, str]], *, resamples: int = 1000, seed: int = 0) -> Estimate:
    """Estimate the share of explanations that a majority calls correct, by a bootstrap over families.

    Args:
        rated: family and rating of each; pending ones are left out.
    """
    known = sorted(pair for pair in rated if pair[1] != "pending")
    if not known:
        nan = float("nan")
        return Estimate(nan, nan, nan, 0)
    rows = [[float(rating == "correct"), 1.0] for _, rating in known]
    _, sums = cluster_sums([family for family, _ in known], rows)
    value, low, high = (float(part[0]) for part in cluster_bootstrap(sums, resamples=resamples, seed=seed))
    return Estimate(value, low, high, len(known))


def _rate(readings: Readings, panel: Panel) -> dict[str, Rated]:
    asked = [
        Explanation(f"{task}/{reading.question_id}", reading.item.category, reading.reference, reading.said)  # type: ignore[arg-type]
        for task, found in readings.items()
        for reading in found
        if reading.item.category != CLEAN
    ]
    with judging_progress() as progress:
        return {each.item_id: each for each in rate_explanations(asked, panel, cache_folder(), progress)}


def _paired(task: str, found: Sequence[Reading], rated: Mapping[str, Rated]) -> list[tuple[str, str]]:
    names = [(reading.item.family_id, f"{task}/{reading.question_id}") for reading in found]
    return [(family, rated[name].rating) for family, name in names if name in rated]


def _counted(ratings: Any) -> dict[str, int]:
    counts = Counter(ratings)
    return {name: counts[name] for name in (*RATINGS, "split", "pending") if counts[name]}


def _complaint(pending: int, rated: Mapping[str, Rated]) -> dict[str, str]:
    if not pending:
        return {}
    missing = {
        vote.judge: f"{vote.reason} {vote.detail}".strip()
        for each in rated.values()
        for vote in (each.panel.verdicts if each.panel else ())
        if vote.reason in FAULTS
    }
    names = ", ".join(f"{name} ({fault})" for name, fault in missing.items())
    return {
        "incomplete": f"{pending} of {len(rated)} explanations are not rated because judges gave no reply: "
        f"{names}; what was rated stands, run again to ask for the rest"
    }


def _note(samples: Mapping[str, Sequence[dict[str, Any]]], rated: Mapping[str, Rated]) -> None:
    """Bring the ratings into the records that the samples files hold."""
    for task, answered in samples.items():
        for sample in answered:
            details = sample.get(DETAILS)
            if isinstance(details, dict) and f"{task}/{details['question_id']}" in rated:
                found = rated[f"{task}/{details['question_id']}"]
                votes = found.panel.verdicts if found.panel else ()
                said = {vote.judge: vote.verdict or vote.reason for vote in votes}
                sample[DETAILS] = {**details, "explanation_rating": found.rating, "judges": said}
