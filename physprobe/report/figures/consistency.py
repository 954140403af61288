"""Figures of physical consistency."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from physprobe.analysis.consistency.boxes import BINS
from physprobe.consistency.classification import UNREAD
from physprobe.consistency.vocabulary import LABELS, SUITES, label_name
from physprobe.report.colours import BLUE, INK, MUTED, PAPER, RULE, SERIES, Colour
from physprobe.report.drawing import tip
from physprobe.report.figures.common import dot, estimate_text, legend, named_rows, shares, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS: dict[str, Colour] = dict(zip(SUITES, SERIES, strict=False))
_BINS = dict(zip(BINS, ("0", "0 to .25", ".25 to .5", ".5 to .75", ".75 to 1"), strict=True))
_ALPHAS = (0.12, 0.3, 0.5, 0.75, 1.0)


def by_suite(figure: Figure, table: pd.DataFrame, scores: list[tuple[str, str]]) -> None:
    """Draw models with a dot for each suite, a panel a score.

    Args:
        table: of :func:`physprobe.analysis.consistency.suites.suites`. scores: column, title.
    """
    models = list(dict.fromkeys(str(name) for name in table["model"]))
    suites: list[str] = [suite for suite in SUITES if suite in set(table["suite"].astype(str))]
    figure.set_size_inches(6.4, 0.3 * len(models) + 1.0)
    panels = figure.subplots(1, len(scores), sharey=True, squeeze=False)[0]
    for axes, (name, title) in zip(panels, scores, strict=True):
        for row in table.to_dict("records"):
            suite = str(row["suite"])
            bounds = row[f"{name}_low"], row[f"{name}_high"]
            place = models.index(str(row["model"])) + 0.2 * (suites.index(suite) - (len(suites) - 1) / 2)
            text = estimate_text(f"{row['model']}, {suite}", row[name], *bounds)
            dot(axes, (row[name], place), text, colour=_COLOURS[suite], x=bounds)
        shares(axes.xaxis)
        axes.set_title(title)
    named_rows(panels[0], [shortened(name) for name in models])
    legend(figure, [(suite, _COLOURS[suite], False) for suite in suites], loc="outside upper left", ncols=3)


def by_category(figure: Figure, means: pd.DataFrame) -> None:
    """Draw the mean recall of each label over models, a dot for each suite.

    Args:
        means: suite, category, recall, iou.
    """
    labels: list[str] = [label for label in LABELS if label in set(means["category"].astype(str))]
    suites: list[str] = [suite for suite in SUITES if suite in set(means["suite"].astype(str))]
    figure.set_size_inches(6.4, 0.3 * len(labels) + 1.0)
    panels = figure.subplots(1, 2, sharey=True)
    for axes, (name, title) in zip(panels, (("recall", "named rightly"), ("iou", "box IoU")), strict=True):
        for row in means.to_dict("records"):
            suite, label = str(row["suite"]), str(row["category"])
            place = labels.index(label) + 0.2 * (suites.index(suite) - (len(suites) - 1) / 2)
            text = estimate_text(f"{label_name(label)}, {suite}", row[name])
            dot(axes, (row[name], place), text, colour=_COLOURS[suite])
        shares(axes.xaxis, "mean over models")
        axes.set_title(title)
    named_rows(panels[0], [label_name(label) for label in labels])
    legend(figure, [(suite, _COLOURS[suite], False) for suite in suites], loc="outside upper left", ncols=3)


def confusion(figure: Figure, table: pd.DataFrame) -> None:
    """Draw what was said of each label, as shares of each row.

    Args:
        table: of :func:`physprobe.analysis.consistency.categories.confusion_table`.
    """
    columns = [*LABELS, UNREAD]
    counts = table[columns].to_numpy(dtype=np.float64)
    shown = counts / counts.sum(axis=1, keepdims=True)
    figure.set_size_inches(6.0, 0.3 * len(table) + 2.1)
    axes = figure.subplots()
    for (y, x), share in np.ndenumerate(shown):
        _cell(axes, x, y, float(share), f"{label_name(str(table['truth'].iloc[y]))} called {columns[x]}")
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(table) - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xticks(range(len(columns)), [label_name(name) for name in columns], rotation=90, fontsize=7.5)
    axes.set_yticks(range(len(table)), [label_name(str(name)) for name in table["truth"]], color=INK.hex)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)


def _cell(axes: Axes, x: int, y: int, share: float, what: str) -> None:
    from matplotlib.patches import Rectangle

    alpha = 0.06 + 0.9 * share if share else 0.0
    square = Rectangle((x - 0.47, y - 0.47), 0.94, 0.94, color=BLUE.hex if share else RULE.hex)
    square.set_alpha(alpha or 0.35)
    axes.add_patch(square)
    tip(square, f"{what}: {share:.1%}")
    if share >= 0.005:
        colour = PAPER.hex if share > 0.55 else INK.hex
        axes.text(x, y, f"{100 * share:.0f}", ha="center", va="center", fontsize=7, color=colour)


def box_spread(figure: Figure, table: pd.DataFrame) -> None:
    """Draw which shares of boxes lie in which range of IoU, a bar a model and suite."""
    rows = table.to_dict("records")
    figure.set_size_inches(6.4, 0.24 * len(rows) + 0.95)
    axes = figure.subplots()
    for place, row in enumerate(rows):
        left = 0.0
        for name, alpha in zip(BINS, _ALPHAS, strict=True):
            (bar,) = axes.barh(
                place, row[name], left=left, height=0.72, color=BLUE.hex if name != BINS[0] else MUTED.hex,
                alpha=alpha if name != BINS[0] else 0.35, linewidth=0,
            )  # fmt: skip
            tip(bar, f"{row['model']}, {row['suite']}, IoU {_BINS[name]}: {row[name]:.1%}")
            left += row[name]
    named_rows(axes, [f"{shortened(str(row['model']), 24)}, {row['suite']}" for row in rows])
    shares(axes.xaxis, "share of violated images")
