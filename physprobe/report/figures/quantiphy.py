"""Figures of quantiphy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from physprobe.report.colours import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, PURPLE, SERIES, Colour
from physprobe.report.drawing import tip
from physprobe.report.figures.common import (
    dot,
    estimate_text,
    legend,
    log_scale,
    named_rows,
    shares,
    shortened,
    size_ticks,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW = 0.165  # inches
_ABOVE: Mapping[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1.02)}
_OBJECTS = {"single": ("one object", BLUE), "multiple": ("several objects", ORANGE)}
_MEAN, _ONE = ("mean over models", BLUE, False), ("one model", MUTED, True)


def by_level(
    figure: Figure, means: pd.DataFrame, each: pd.DataFrame, level: str, score: str, label: str
) -> None:
    """Draw the mean over models of a score at each level, with its interval, and each model's score.

    Args:
        means, each: tables with the columns ``level``, ``score`` and its bounds; ``each`` also with "model".
    """
    order = [str(name) for name in means[level]]
    figure.set_size_inches(4.7, 0.4 * len(order) + 0.85)
    axes = figure.subplots()
    for row in each.to_dict("records"):
        place = row[score], order.index(str(row[level])) + 0.18
        text = estimate_text(f"{row['model']}, {row[level]}", row[score])
        dot(axes, place, text, colour=MUTED, hollow=True, size=3)
    for k, row in enumerate(means.to_dict("records")):
        bounds = row[f"{score}_low"], row[f"{score}_high"]
        dot(axes, (row[score], k - 0.12), estimate_text(f"mean, {order[k]}", row[score], *bounds), x=bounds)
    named_rows(axes, order)
    shares(axes.xaxis, label)
    legend(axes, [_MEAN, _ONE], ncols=2, **_ABOVE)


def scenes(figure: Figure, means: pd.DataFrame, score: str) -> None:
    """Draw the mean over models by background and number of objects."""
    backgrounds = list(dict.fromkeys(means["background"]))
    figure.set_size_inches(4.7, 0.42 * len(backgrounds) + 0.85)
    axes = figure.subplots()
    for row in means.to_dict("records"):
        if row["objects"] not in _OBJECTS:
            continue
        label, colour = _OBJECTS[row["objects"]]
        shift = 0.12 if row["objects"] == "multiple" else -0.12
        bounds = row[f"{score}_low"], row[f"{score}_high"]
        text = estimate_text(f"{row['background']} background, {label}", row[score], *bounds)
        place = row[score], backgrounds.index(row["background"]) + shift
        dot(axes, place, text, colour=colour, x=bounds)
    named_rows(axes, [f"{name} background" for name in backgrounds])
    shares(axes.xaxis, "MRA, mean over models")
    legend(axes, [(*told, False) for told in _OBJECTS.values()], ncols=2, **_ABOVE)


def changes(figure: Figure, each: pd.DataFrame, standard: str) -> None:
    """Draw each model's score as asked normally, and as asked otherwise: a panel a way of asking.

    Args:
        each: rows of asked, model, standard, changed. standard: what the normal way is called.
    """
    ways = list(dict.fromkeys(each["asked"]))
    models = list(dict.fromkeys(each.sort_values("standard", ascending=False, kind="stable")["model"]))
    figure.set_size_inches(3.1 * len(ways) + 1.6, max(1.6, _ROW * len(models) + 0.95))
    panels = figure.subplots(1, len(ways), sharey=True, squeeze=False)[0]
    for axes, way, colour in zip(panels, ways, (ORANGE, GREEN, PURPLE), strict=False):
        for row in each[each["asked"] == way].to_dict("records"):
            place = models.index(row["model"])
            axes.hlines(place, *sorted((row["standard"], row["changed"])), color=MUTED.hex, linewidth=0.8)
            for name, title, hue in (("standard", standard, BLUE), ("changed", way, colour)):
                text = estimate_text(f"{row['model']}, {title}", row[name])
                dot(axes, (row[name], place), text, colour=hue, size=3.8)
        shares(axes.xaxis, "MRA")
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        legend(axes, [(standard, BLUE, False), (way, colour, False)], ncols=2, **_ABOVE)
    panels[0].set_yticks(range(len(models)), [shortened(name) for name in models], color=INK.hex)
    panels[0].set_ylim(len(models) - 0.4, -0.6)


def multiplied(figure: Figure, means: pd.DataFrame, each: pd.DataFrame) -> None:
    """Draw MRA, and prediction / truth, over the factor by which priors are multiplied."""
    figure.set_size_inches(6.4, 3.0)
    scores, ratios = figure.subplots(1, 2)
    for _, part in each.groupby("model", sort=True):
        for axes, name in ((scores, "mra_questions"), (ratios, "ratio")):
            axes.plot(part["factor"], part[name], color=MUTED.hex, linewidth=0.6, alpha=0.5)
    for row in means.to_dict("records"):
        for axes, name in ((scores, "mra_questions"), (ratios, "ratio")):
            bounds = row[f"{name}_low"], row[f"{name}_high"]
            text = estimate_text(f"prior times {row['factor']:g}, mean", row[name], *bounds)
            dot(axes, (row["factor"], row[name]), text, y=bounds)
    ends = np.array([means["factor"].min(), means["factor"].max()])
    for line, words in ((1 / ends, "ignores the prior"), (np.ones(2), "follows it")):
        ratios.plot(ends, line, color=MUTED.hex, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0)
        ratios.annotate(
            words,
            (ends[1], line[1]),
            xytext=(-3, 3),
            textcoords="offset points",
            ha="right",
            color=MUTED.hex,
            fontsize=7.5,
        )
    for axes in (scores, ratios):
        log_scale(axes.xaxis, ends[0], ends[1], "prior multiplied by")
        axes.tick_params(axis="x", labelrotation=45)
    shares(scores.yaxis, "MRA, mean over questions")
    drawn = [*each["ratio"].dropna(), *(1 / ends), 1.0]
    log_scale(ratios.yaxis, min(drawn), max(drawn), "answer / true answer")
    ratios.grid(True, axis="y")
    legend(scores, [_MEAN], **_ABOVE)


def families(figure: Figure, points: pd.DataFrame) -> None:
    """Draw MRA over the number of parameters, with a line through each family."""
    figure.set_size_inches(5.4, 3.6)
    axes = figure.subplots()
    counts = points["family"].value_counts()
    several = [name for name in dict.fromkeys(points["family"]) if counts[name] > 1]
    colours = {name: SERIES[k % len(SERIES)] for k, name in enumerate(several)}
    for name, part in points.groupby("family", sort=False):
        colour = colours.get(str(name), MUTED)
        ordered = part.sort_values("parameters")
        axes.plot(ordered["parameters"], ordered["mra"], color=colour.hex, linewidth=1.0, alpha=0.7)
        for row in ordered.to_dict("records"):
            bounds = row["mra_low"], row["mra_high"]
            text = estimate_text(f"{row['model']}, {row['parameters']:g}B", row["mra"], *bounds)
            place = row["parameters"], row["mra"]
            dot(axes, place, text, colour=colour, y=bounds, hollow=colour is MUTED, size=3.8)
    axes.set_xscale("log")
    axes.minorticks_off()
    axes.set_xticks(*size_ticks(points["parameters"].min(), points["parameters"].max()))
    axes.set_xlabel("parameters")
    shares(axes.yaxis, "MRA")
    if several:
        labels = [(shortened(name), colours[name], False) for name in several]
        legend(figure, labels, loc="outside upper left", ncols=2)


def distribution(figure: Figure, shares_of: pd.DataFrame, order: Sequence[str]) -> None:
    """Draw how each model's items are spread over the eleven values of MRA: darker is more.

    Args:
        shares_of: rows of model, level, count, share, n. order: of the models, from above.
    """
    every = sorted(shares_of["level"].unique())
    figure.set_size_inches(6.2, max(1.7, 0.2 * len(order) + 0.8))
    axes = figure.subplots()
    for row in shares_of.to_dict("records"):
        x, y = every.index(row["level"]), order.index(str(row["model"]))
        _cell(axes, (x, y), row["share"])
        share = f"{row['share']:.3f} of {row['n']:,} questions"
        drawn = axes.barh(y, 0.94, height=0.9, left=x - 0.47, color=BLUE.hex, alpha=0.0)
        tip(drawn[0], f"{row['model']}, MRA {row['level']:g}: {share}")
    axes.set_xticks(range(len(every)), [f"{level:g}" for level in every])
    axes.set_yticks(range(len(order)), [shortened(name) for name in order], color=INK.hex)
    axes.set_xlabel("MRA of a question")
    axes.set_xlim(-0.55, len(every) - 0.45)
    axes.set_ylim(len(order) - 0.45, -0.55)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _cell(axes: Axes, place: tuple[int, int], share: float) -> None:
    darkness = min(share / 0.4, 1.0)
    axes.barh(place[1], 0.94, height=0.9, left=place[0] - 0.47, color=BLUE.hex, alpha=0.06 + 0.86 * darkness)
    colour = PAPER if darkness > 0.6 else INK
    axes.text(*place, f"{100 * share:.0f}", ha="center", va="center", color=colour.hex, fontsize=7.5)


def off_by(figure: Figure, table: pd.DataFrame, kinds: Iterable[tuple[str, Colour]]) -> None:
    """Draw by which factor each model's answers are off on average, for each quantity.

    Args:
        table: rows of quantity, model, log_ratio, low, high, factor.
    """
    chosen = list(kinds)
    models = list(dict.fromkeys(table["model"]))
    figure.set_size_inches(5.4, max(1.7, 0.26 * len(models) + 0.9))
    axes = figure.subplots()
    axes.axvline(1, color=MUTED.hex, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0)
    for k, (kind, colour) in enumerate(chosen):
        for row in table[table["quantity"] == kind].to_dict("records"):
            bounds = 10 ** row["low"], 10 ** row["high"]
            place = row["factor"], models.index(row["model"]) + 0.2 * (k - (len(chosen) - 1) / 2)
            text = estimate_text(f"{row['model']}, {kind}, answer / truth", row["factor"], *bounds)
            dot(axes, place, text, colour=colour, x=bounds, size=3.6)
    drawn = table[table["quantity"].isin([kind for kind, _ in chosen])]
    ends = 10 ** np.array([min(0, drawn["low"].min()), max(0, drawn["high"].max())])
    log_scale(axes.xaxis, ends[0], ends[1], "answer / true answer, geometric mean")
    named_rows(axes, [shortened(name) for name in models])
    axes.grid(True, axis="x")
    legend(axes, [(kind, colour, False) for kind, colour in chosen], ncols=3, **_ABOVE)
