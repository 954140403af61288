"""Can models that compare quantities in a still image follow them through a change (section 3.1)?"""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pandas as pd

from physprobe.analysis.finding import Finding, made_by, pair_bootstrap
from physprobe.analysis.scatter import FISHER
from physprobe.analysis.selection import control, standard
from physprobe.analysis.tallies import Tally, tally
from physprobe.errors import UserError
from physprobe.statistics.bootstrap import Float
from physprobe.statistics.correlation import pearson
from physprobe.statistics.differences import Difference, paired_differences
from physprobe.statistics.pairwise import correct

STATIC_TASK = "conservation_static"
_SCORES = {
    "accuracy_overall": "accuracy",
    "accuracy_conserving": "conserving",
    "accuracy_nonconserving": "nonconserving",
    "accuracy_strict_pair": "strict_pair",
}


def static_against_temporal(
    frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0
) -> tuple[Finding, ...]:
    """Compare answers to last frames with those to whole clips of the same pairs (number and length).

    Returns:
        Three findings: the mean over models for each score; each model's accuracy; the correlation of both
        over models. Differences are static minus temporal.

    Raises:
        UserError: no model answered both.
    """
    still, moving = control(frame, STATIC_TASK), standard(frame)
    both = set(still["model"].unique()) & set(moving["model"].unique())
    if not both:
        raise UserError(f"no model answered both {STATIC_TASK} and the standard questions")
    pairs = set(still["pair_id"].unique())
    moving = moving[moving["model"].isin(both) & moving["pair_id"].isin(pairs)]
    one, other = tally(still[still["model"].isin(both)]), tally(moving)
    if one.pairs != other.pairs or one.models != other.models:
        raise UserError(
            f"{STATIC_TASK} and the standard questions are not on the same clips: evaluate both anew"
        )
    where = ("questions", pair_bootstrap(resamples), made_by(static_against_temporal))
    means = [_rows(one.pooled(), other.pooled(), s, resamples, seed) for s in _SCORES]
    x, y = one.values("accuracy_overall"), other.values("accuracy_overall")
    correlations = pd.DataFrame([asdict(pearson(x, y, resamples=resamples, seed=seed))])
    each = _rows(one, other, "accuracy_overall", resamples, seed)
    each["p_holm"] = correct(each["p"], "holm")
    return (
        Finding("Static and temporal, mean over models", pd.concat(means, ignore_index=True), *where),
        Finding("Static and temporal accuracy by model", each, *where),
        Finding("Static against temporal accuracy", correlations, "models", FISHER, where[2]),
    )


def _rows(one: Tally, other: Tally, score: str, resamples: int, seed: int) -> pd.DataFrame:
    sums = np.concatenate([one.of(score), other.of(score)], axis=1)
    count = len(one.models)
    found: list[Difference] = paired_differences(
        sums, [(k, k + count) for k in range(count)], resamples=resamples, seed=seed
    )
    return pd.DataFrame(
        {
            "score": _SCORES[score],
            "model": one.models,
            "static": one.values(score),
            "temporal": other.values(score),
            "difference": [gap.value for gap in found],
            "low": [gap.low for gap in found],
            "high": [gap.high for gap in found],
            "p": [gap.p for gap in found],
            "n": _asked(one.of(score)),
        }
    )


def _asked(sums: Float) -> list[int]:
    return [int(n) for n in sums[:, :, 1].sum(axis=0)]
