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
}

MEANINGS: Mapping[str, str] = {
    "strict_pair": "share of clip pairs with both twins answered correctly, each asked in the same setting",
    "accuracy": "share of questions answered correctly; unread answers count as wrong",
    "conserving": "accuracy on clips in which the quantity stays the same",
    "nonconserving": "accuracy on clips in which the quantity changes",
    "unread": "share of answers in which no single option could be found",
    "pairs": "clip pairs with both twins answered",
    "n": "what the row's numbers are made of; the line below the table says what is counted",
    "rank": "by the headline metric; equal scores share a rank",
    "difference": "first minus second, of the same clip pairs",
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
}


def heading(column: str) -> str:
    """Return a column's heading."""
    return HEADINGS.get(column, column.replace("_", " "))


def meaning(column: str) -> str:
    """Return what a column holds; "" if its heading says it all."""
    return MEANINGS.get(column, "")
