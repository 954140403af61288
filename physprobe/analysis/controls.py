"""What models answer when they see nothing, or may say that they don't know (paper section 4.3)."""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd

from physprobe.analysis.finding import Finding, made_by, pair_bootstrap
from physprobe.analysis.scatter import FISHER
from physprobe.analysis.selection import control, standard
from physprobe.analysis.tallies import Tally, score_table, tally
from physprobe.conservation.metrics import CLAIMS
from physprobe.errors import UserError
from physprobe.statistics.correlation import pearson
from physprobe.statistics.transitions import transition_table
from physprobe.text import quantity

CONTROLS = {
    "conservation_empty_image": "empty images",
    "conservation_text_only": "text only",
    "conservation_caption": "captions",
}
IDK_TASKS = {
    "conservation_idk": "frames",
    "conservation_idk_empty_image": "empty images",
    "conservation_idk_text_only": "text only",
}

_IDK_SCORES = {"share_idk": "share_idk", "share_same": "share_same", "accuracy_overall": "accuracy"}


def transitions(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Compare each model's standard answers with those under the controls: no content, no image, captions.

    Returns:
        For each control that was asked a transition table (columns as in
        :func:`physprobe.statistics.transitions.transition_table`); then the correlation over models of the
        accuracy on conserving clips with that under each control (Appendix J).

    Raises:
        UserError: no model answered a control and the standard questions.
    """
    asked = standard(frame)
    findings, rows = [], []
    for task, title in CONTROLS.items():
        pairs = _both(asked, frame[frame["task"] == task])
        if pairs.empty:
            continue
        table = transition_table(
            *(pairs[name].tolist() for name in ("truth", "response_standard", "response_control", "pair_id")),
            order=CLAIMS,
            resamples=resamples,
            seed=seed,
        )
        models = pairs["model"].nunique()
        findings.append(
            Finding(
                f"Standard answers and those with {title}, {quantity(models, 'model')}",
                table,
                "answers",
                pair_bootstrap(resamples),
                made_by(transitions),
                ('standard "any" is what is answered under the control, by truth: the paper\'s percentages',),
            )
        )
        rows.append({"control": title, **_over_models(pairs, resamples, seed)})
    if not findings:
        raise UserError(
            f"no model answered both the standard questions and a control: evaluate {', '.join(CONTROLS)}"
        )
    title = "Accuracy on conserving clips, standard against control"
    correlations = Finding(title, pd.DataFrame(rows), "models", FISHER, made_by(transitions))
    return (*findings, correlations)


def _both(asked: pd.DataFrame, answered: pd.DataFrame) -> pd.DataFrame:
    names = ["model", "question_id", "response", "correct"]
    texts = {"model": str, "question_id": str}
    one = asked[[*names, "pair_id", "truth", "condition"]].astype(texts)
    both = one.merge(answered[names].astype(texts), on=names[:2], suffixes=("_standard", "_control"))
    for name in ("response_standard", "response_control"):
        both[name] = both[name].astype(object).where(both[name].notna(), "unread")
    return both


def _over_models(pairs: pd.DataFrame, resamples: int, seed: int) -> dict[str, object]:
    conserving = pairs[pairs["condition"] == "conserving"]
    means = conserving.groupby("model")[["correct_standard", "correct_control"]].mean()
    found = pearson(means["correct_standard"], means["correct_control"], resamples=resamples, seed=seed)
    return {
        "mean_standard": float(means["correct_standard"].mean()),
        "mean_control": float(means["correct_control"].mean()),
        **asdict(found),
    }


def idk(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Report how often models say "I don't know", by what they are shown: all together, then each.

    Returns:
        Two findings: shown, model, n, share_idk, share_same, accuracy with their low and high.

    Raises:
        UserError: no model was offered the option.
    """
    there = [task for task in IDK_TASKS if (frame["task"] == task).any()] or list(IDK_TASKS)[:1]
    counted = {IDK_TASKS[task]: tally(control(frame, task)) for task in there}
    means = [_idk_rows(shown, found.pooled(), resamples, seed) for shown, found in counted.items()]
    each = [_idk_rows(shown, found, resamples, seed) for shown, found in counted.items()]
    where = ("questions", pair_bootstrap(resamples), made_by(idk))
    note = '"I don\'t know" is neither correct nor unread'
    return (
        Finding('"I don\'t know", mean over models', pd.concat(means, ignore_index=True), *where, (note,)),
        Finding('"I don\'t know" by model', pd.concat(each, ignore_index=True), *where),
    )


def _idk_rows(shown: str, counted: Tally, resamples: int, seed: int) -> pd.DataFrame:
    table = score_table(counted, _IDK_SCORES, resamples=resamples, seed=seed)
    table.insert(0, "shown", shown)
    return table
