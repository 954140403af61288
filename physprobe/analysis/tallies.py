"""Counts per pair and model: all that scores and their intervals need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physprobe.analysis.coding import Codes, codes
from physprobe.analysis.layout import PEOPLE
from physprobe.conservation.metrics import CLAIMS, SCORES
from physprobe.errors import UserError
from physprobe.statistics.bootstrap import Float, Intervals, Method, cluster_bootstrap

# What tells repeated questions about one pair apart; the run does where several people were asked the same.
_SETTING = ("run", "task", "prompt_style", "frame_count", "extraction")


@dataclass(frozen=True)
class Tally:
    """Counts of C pairs and M models.

    Attributes:
        models, pairs: names, sorted. sums: (C, M, S, 2), for each of the S scores of
            :data:`physprobe.conservation.metrics.SCORES` what counts for it, and out of how many.
    """

    models: tuple[str, ...]
    pairs: tuple[str, ...]
    sums: Float

    def of(self, score: str) -> Float:
        """Return the counts of one score, (C, M, 2)."""
        return self.sums[:, :, SCORES.index(score)]

    def values(self, score: str) -> Float:
        """Return one score of each model, (M,), NaN where nothing counts."""
        right, asked = np.moveaxis(self.of(score).sum(axis=0), -1, 0)
        return np.divide(right, asked, out=np.full(len(right), np.nan), where=asked > 0)

    def pooled(self) -> Tally:
        """Pool all models (no people) into one: scores are means over models with the same questions."""
        models = [k for k, name in enumerate(self.models) if name != PEOPLE]
        return Tally(("all models",), self.pairs, self.sums[:, models].sum(axis=1, keepdims=True))


def tally(frame: pd.DataFrame) -> Tally:
    """Count answers by pair and model; the scores are those of ``conservation_scores``.

    Raises:
        UserError: a model has two answers to one question.
    """
    models, model = codes(frame, ("model",))
    pairs, pair = codes(frame, ("domain", "pair_id"))
    shape = (len(pairs), len(models))
    cell = pair * shape[1] + model
    everything = np.ones(len(frame), dtype=bool)
    correct = frame["correct"].to_numpy(dtype=bool)
    counts = {
        "accuracy_overall": (correct, everything),
        "rate_unread": (frame["unread"].to_numpy(dtype=bool), everything),
        **{f"share_{c}": ((frame["response"] == c).to_numpy(dtype=bool), everything) for c in CLAIMS},
    }
    for condition in ("conserving", "nonconserving"):
        counts[f"accuracy_{condition}"] = (correct, (frame["condition"] == condition).to_numpy(dtype=bool))
    sums = np.zeros((*shape, len(SCORES), 2))
    for name, (right, asked) in counts.items():
        sums[:, :, SCORES.index(name), 0] = np.bincount(
            cell[right & asked], minlength=shape[0] * shape[1]
        ).reshape(shape)
        sums[:, :, SCORES.index(name), 1] = np.bincount(cell[asked], minlength=shape[0] * shape[1]).reshape(
            shape
        )
    sums[:, :, SCORES.index("accuracy_strict_pair")] = _strict(frame, cell, shape)
    return Tally(models, pairs, sums)


def estimate(
    counted: Tally, scores: Sequence[str], *, resamples: int, seed: int = 0, method: Method = "percentile"
) -> dict[str, Intervals]:
    """Compute scores of all models with intervals from one bootstrap over pairs.

    Returns:
        score -> value, low and high, each (M,).
    """
    chosen = counted.sums[:, :, [SCORES.index(score) for score in scores]]
    count, width = len(counted.models), len(scores)
    flat = np.concatenate([chosen[..., k].reshape(len(chosen), count * width) for k in (0, 1)], axis=1)
    found = cluster_bootstrap(flat, resamples=resamples, seed=seed, method=method)
    parts = [part.reshape(count, width) for part in found]
    return {score: Intervals(*(part[:, k] for part in parts)) for k, score in enumerate(scores)}


def score_table(
    counted: Tally,
    columns: Mapping[str, str],
    *,
    resamples: int,
    seed: int = 0,
    method: Method = "percentile",
) -> pd.DataFrame:
    """Tabulate scores of all models.

    Args:
        columns: score -> name of its column.

    Returns:
        One row a model: model, n (questions), pairs (with both twins answered), then each score with its
        bounds, as ``NAME``, ``NAME_low``, ``NAME_high``.
    """
    found = estimate(counted, list(columns), resamples=resamples, seed=seed, method=method)
    table = pd.DataFrame({"model": counted.models})
    table["n"] = counted.of("accuracy_overall")[:, :, 1].sum(axis=0).astype(int)
    table["pairs"] = (counted.of("accuracy_strict_pair")[:, :, 1] > 0).sum(axis=0)
    for score, name in columns.items():
        for suffix, bound in zip(("", "_low", "_high"), found[score], strict=True):
            table[f"{name}{suffix}"] = bound
    return table


def _strict(frame: pd.DataFrame, cell: Codes, shape: tuple[int, int]) -> Float:
    """Count pairs with both twins answered in one setting, and those with both correct: (C, M, 2)."""
    _, setting = codes(frame, _SETTING)
    _, first, group = np.unique(
        cell * (setting.max(initial=0) + 1) + setting, return_index=True, return_inverse=True
    )
    conserving = (frame["condition"] == "conserving").to_numpy()
    twins = np.stack([np.bincount(group[part], minlength=len(first)) for part in (conserving, ~conserving)])
    if twins.max(initial=0) > 1:
        double = frame.iloc[first[int(np.argmax(twins.max(axis=0)))]]
        raise UserError(
            f"{double['model']} has two answers to one question on pair {double['pair_id']!r} of "
            f"{double['task']}: give each run once"
        )
    right = np.bincount(group, weights=frame["correct"].to_numpy(dtype=np.float64), minlength=len(first))
    complete = twins.min(axis=0, initial=1) == 1
    size = shape[0] * shape[1]
    both = np.bincount(cell[first[complete & (right == 2)]], minlength=size)
    asked = np.bincount(cell[first[complete]], minlength=size)
    return np.stack([both, asked], axis=1).reshape(*shape, 2).astype(np.float64)
