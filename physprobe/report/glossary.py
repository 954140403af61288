"""What the columns of tables mean, in words."""

from __future__ import annotations

from collections.abc import Mapping

# Column -> heading, where underscores turned to spaces do not do.
HEADINGS: Mapping[str, str] = {
    "nonconserving": "non-conserving",
    "p_holm": "p (Holm)",
    "mcnemar_p": "McNemar p",
    "mcnemar_p_holm": "McNemar p (Holm)",
    "p_gg": "p (Greenhouse-Geisser)",
    "p_hf": "p (Huynh-Feldt)",
    "p_corrected": "p (corrected)",
    "r_squared": "R²",
    "partial_eta_squared": "partial η²",
    "gg_epsilon": "ε (Greenhouse-Geisser)",
    "hf_epsilon": "ε (Huynh-Feldt)",
    "mauchly_w": "Mauchly W",
    "mauchly_p": "Mauchly p",
    "dz": "d_z",
    "f": "F",
    "df1": "df₁",
    "df2": "df₂",
    "share_idk": "“I don’t know”",
    "share_same": "“same”",
    "bootstrap": "bootstrap interval",
    "parameters": "parameters (billions)",
    "pairs_needed": "pairs needed",
    "power_now": "power now",
    "mra": "MRA",
    "mra_questions": "MRA of questions",
    "iou": "IoU",
    "iou_0.5": "IoU ≥ 0.5",
    "iou_0.75": "IoU ≥ 0.75",
    "log_ratio": "log₁₀ ratio",
}

MEANINGS: Mapping[str, str] = {
    "strict_pair": "share of clip pairs with both twins answered correctly, each asked in the same setting",
    "accuracy": "share of questions answered correctly; unread answers count as wrong",
    "conserving": "accuracy on clips in which the quantity stays the same",
    "nonconserving": "accuracy on clips in which the quantity changes",
    "unread": "share of answers that could not be read as an answer to the question",
    "pairs": "clip pairs with both twins answered",
    "n": "what the row's numbers are made of; the line below the table says what is counted",
    "missing": "what others were asked and this model was not, or not wholly",
    "rank": "by the headline metric; equal scores share a rank",
    "difference": "first minus second, or changed minus standard",
    "p": "two-sided, not corrected for multiple tests",
    "p_holm": "corrected for the tests of this table by Holm's method",
    "mcnemar_p": "McNemar's exact test on strictly correct pairs",
    "mcnemar_p_holm": "McNemar's exact test, corrected for the tests of this table by Holm's method",
    "p_gg": "corrected for lack of sphericity by Greenhouse and Geisser",
    "p_hf": "corrected for lack of sphericity by Huynh and Feldt",
    "p_corrected": "corrected for the comparisons of this factor",
    "partial_eta_squared": "share of the variance within models that the factor explains",
    "r": "Pearson's correlation over models",
    "r_squared": "share of the variance between models that the line explains",
    "slope": "change of the score per factor of ten in parameters",
    "intercept": "the line's score at one billion parameters",
    "share": "share of the answers in this row's group",
    "share_idk": "share of answers that say “I don’t know”, where it is offered as an option",
    "share_same": "share of answers that say “the same”",
    "static": "accuracy on last frames alone",
    "temporal": "accuracy on whole clips",
    "mean_standard": "mean accuracy of the models on conserving clips, standard condition",
    "mean_control": "mean accuracy of the models on conserving clips, under the control",
    "pairs_needed": "clip pairs for the asked-for power",
    "power_now": "chance to see the difference with the pairs at hand",
    "mra": "mean relative accuracy, the mean of the four category means: 1 is within 5%, 0 is 90% off",
    "mra_questions": "mean relative accuracy, the mean over questions",
    "invalid": "share of answers that are unread or zero",
    "videos": "videos with an answered question",
    "standard": "the score as asked normally, on the questions that were asked both ways",
    "changed": "the score on the same questions, asked in this way",
    "kept": "changed / standard",
    "multiplied": "mean MRA under multiplied priors",
    "lost": "1 − multiplied / standard",
    "followed": "how far answers follow a multiplied prior, on a logarithmic scale: 1 wholly, 0 not at all",
    "ratio": "answer / true answer, geometric mean",
    "log_ratio": "mean of log₁₀(answer / true answer): 0 is unbiased, 0.3 twice too large",
    "over": "share of answers above the truth",
    "excluded": "answers that are unread or zero",
    "kappa": "Fleiss’ kappa: 1 is full agreement, 0 what chance gives",
    "agreement": "share of pairs of answers to a question that agree",
    "raters": "people who answered each question",
    "zero": "share of questions with MRA 0",
    "higher": "models for which the first is higher",
}


def heading(column: str) -> str:
    """Return a column's heading."""
    return HEADINGS.get(column, column.replace("_", " "))


def meaning(column: str) -> str:
    """Return what a column holds; "" if its heading says it all."""
    return MEANINGS.get(column, "")
