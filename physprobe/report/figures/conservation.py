"""Figures of conservationbench."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from physprobe.report.colours import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, Colour
from physprobe.report.drawing import tip
from physprobe.report.figures.common import (
    dot,
    estimate_text,
    legend,
    named_rows,
    shares,
    shortened,
    size_ticks,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SCORES: dict[str, tuple[str, Colour]] = {
    "conserving": ("conserving", BLUE),
    "nonconserving": ("non-conserving", ORANGE),
    "strict_pair": ("strict pair", GREEN),
}
_NAMED = 12  # models that fit with their names

_FACTORS = {"prompt_style": "prompt", "frame_count": "frames shown", "extraction": "choice of frames"}
_CLAIMS = {
    "any": "all",
    "same": "same",
    "moved_more": "more",
    "moved_less": "less",
    "idk": "don’t know",
    "unread": "unread",
}


def bias(figure: Figure, points: pd.DataFrame) -> None:
    """Draw non-conserving over conserving accuracy, a dot a model."""
    figure.set_size_inches(5.3, 4.2)
    axes = figure.subplots()
    axes.set_aspect("equal")
    line = np.linspace(0, 1, 50)
    axes.plot(line, (1 - line) / 2, color=MUTED.hex, linewidth=0.8, linestyle=(0, (3, 2)))
    _corners(axes)
    rows = points.to_dict("records")
    for row in rows:
        place = row["conserving"], row["nonconserving"]
        text = f"{row['model']}: conserving {place[0]:.3f}, non-conserving {place[1]:.3f}"
        x, y = ((row[f"{name}_low"], row[f"{name}_high"]) for name in ("conserving", "nonconserving"))
        dot(axes, place, text, x=x if len(rows) <= 30 else None, y=y if len(rows) <= 30 else None)
    if len(rows) <= _NAMED:
        _names(axes, points)
    shares(axes.xaxis, "accuracy on conserving clips")
    shares(axes.yaxis, "accuracy on non-conserving clips")


def _names(axes: Axes, points: pd.DataFrame) -> None:
    """Write models' names beside their dots; those on one spot share a line."""
    together: dict[tuple[float, float], list[str]] = {}
    for row in points.dropna(subset=["conserving", "nonconserving"]).to_dict("records"):
        place = round(row["conserving"], 2), round(row["nonconserving"], 2)
        together.setdefault(place, []).append(shortened(str(row["model"]), 20))
    for place, names in together.items():
        left = place[0] > 0.55
        axes.annotate(
            ", ".join(names),
            place,
            xytext=(-5 if left else 5, 4),
            textcoords="offset points",
            ha="right" if left else "left",
            fontsize=7.5,
        )


def _corners(axes: Axes) -> None:
    """Say what it means to be in a corner, and along the line of guessing."""
    words: Any = {"color": MUTED.hex, "fontsize": 7.5}
    axes.text(1.04, 1, "right\non both", va="center", **words)
    axes.text(1.04, 0, "always\n“the same”", va="center", **words)
    axes.text(0, 1.04, "never “the same”, right on changes", va="bottom", **words)
    place: Any = {"rotation": -26.565, "rotation_mode": "anchor", "va": "bottom"}
    axes.text(0.02, 0.497, "guessing", **place, **words)


def domains(figure: Figure, means: pd.DataFrame) -> None:
    """Draw the mean of each score by domain."""
    figure.set_size_inches(4.7, 0.42 * len(means) + 0.85)
    axes = figure.subplots()
    for k, row in enumerate(means.to_dict("records")):
        for place, (name, (label, colour)) in enumerate(SCORES.items()):
            bounds = row[f"{name}_low"], row[f"{name}_high"]
            text = estimate_text(f"{row['domain']}, {label}", row[name], *bounds)
            dot(axes, (row[name], k + 0.2 * (place - 1)), text, colour=colour, x=bounds)
    named_rows(axes, [str(name) for name in means["domain"]])
    shares(axes.xaxis, "mean over models")
    legend(
        axes, [(*SCORES[name], False) for name in SCORES], loc="lower left", bbox_to_anchor=(0, 1.02), ncols=3
    )


def factors(figure: Figure, levels: pd.DataFrame) -> None:
    """Draw mean accuracy by level: a column a factor, a colour a kind of domains."""
    from matplotlib.ticker import PercentFormatter

    groups = list(dict.fromkeys(levels["domains"]))
    names = list(dict.fromkeys(levels["factor"]))
    figure.set_size_inches(2.15 * max(len(names), 2), 2.7)
    panels = figure.subplots(1, len(names), sharey=True, squeeze=False)[0]
    for axes, factor in zip(panels, names, strict=True):
        part = levels[levels["factor"] == factor]
        order = [str(level) for level in dict.fromkeys(part["level"])]
        for shift, (group, colour) in enumerate(zip(groups, (BLUE, ORANGE), strict=False)):
            rows = part[part["domains"] == group].to_dict("records")
            x = [order.index(str(row["level"])) + 0.16 * (shift - 0.5) for row in rows]
            axes.plot(x, [row["accuracy"] for row in rows], color=colour.hex, linewidth=0.8, alpha=0.5)
            for place, row in zip(x, rows, strict=True):
                bounds = row["low"], row["high"]
                text = estimate_text(f"{group}, {row['level']}", row["accuracy"], *bounds)
                dot(axes, (place, row["accuracy"]), text, colour=colour, y=bounds)
        axes.set_xticks(range(len(order)), order, rotation=30 if factor != "frame_count" else 0)
        axes.set_title(_FACTORS.get(factor, factor))
        axes.set_xlim(-0.5, len(order) - 0.5)
        axes.grid(True, axis="y")
    panels[0].yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=None))
    panels[0].set_ylabel("mean accuracy over models")
    chosen = [(group, colour, False) for group, colour in zip(groups, (BLUE, ORANGE), strict=False)]
    legend(figure, chosen, loc="outside upper left", ncols=2)


def transitions(figure: Figure, tables: Sequence[tuple[str, pd.DataFrame]]) -> None:
    """Draw, for each control and truth, what each standard answer turned into."""
    truths = list(dict.fromkeys(name for _, table in tables for name in table["truth"]))
    heights = [
        max(table[table["truth"] == truth]["standard"].nunique() for _, table in tables) for truth in truths
    ]
    figure.set_size_inches(2.5 * len(tables) + 0.9, 0.24 * sum(heights) + 0.55 * len(truths) + 0.6)
    panels = figure.subplots(len(truths), len(tables), squeeze=False, height_ratios=heights)
    for row, truth in enumerate(truths):
        for column, (title, table) in enumerate(tables):
            axes = panels[row][column]
            _heat(axes, table[table["truth"] == truth])
            name = _CLAIMS.get(truth, truth)
            axes.set_title(f"{title}, truth “{name}”")
            if row == len(truths) - 1:
                axes.set_xlabel("answer under the control")
        panels[row][0].set_ylabel("standard answer")


def _heat(axes: Axes, table: pd.DataFrame) -> None:
    wide = table.pivot(index="standard", columns="control", values="share")
    order = [name for name in _CLAIMS if name in wide.index or name in wide.columns]
    wide = wide.reindex(
        index=[n for n in order if n in wide.index], columns=[n for n in order if n in wide.columns]
    )
    counts = table.groupby("standard", observed=True)["n"].first()
    for y, standard in enumerate(wide.index):
        for x, control in enumerate(wide.columns):
            share = wide.loc[standard, control]
            drawn = axes.barh(y, 0.94, height=0.9, left=x - 0.47, color=BLUE.hex, alpha=0.05 + 0.9 * share)
            tip(drawn[0], f"{standard} to {control}: {share:.3f} of {counts[standard]:,} answers")
            colour = PAPER if share > 0.72 else INK
            axes.text(x, y, f"{100 * share:.0f}", ha="center", va="center", color=colour.hex, fontsize=7.5)
    axes.set_xticks(range(len(wide.columns)), [_CLAIMS.get(n, n) for n in wide.columns])
    axes.set_yticks(range(len(wide)), [f"{_CLAIMS.get(n, n)} ({counts[n]:,})" for n in wide.index])
    axes.set_xlim(-0.5, len(wide.columns) - 0.5)
    axes.set_ylim(len(wide) - 0.5, -0.5)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def abstaining(figure: Figure, means: pd.DataFrame, each: pd.DataFrame) -> None:
    """Draw how often models say "I don't know", by what they are shown."""
    order = [str(name) for name in means["shown"]]
    figure.set_size_inches(4.7, 0.42 * len(order) + 0.85)
    axes = figure.subplots()
    for row in each.to_dict("records"):
        text = estimate_text(f"{row['model']}, {row['shown']}", row["share_idk"])
        dot(
            axes,
            (row["share_idk"], order.index(str(row["shown"])) + 0.18),
            text,
            colour=MUTED,
            hollow=True,
            size=3,
        )
    for k, row in enumerate(means.to_dict("records")):
        bounds = row["share_idk_low"], row["share_idk_high"]
        dot(
            axes,
            (row["share_idk"], k - 0.12),
            estimate_text(f"mean, {row['shown']}", row["share_idk"], *bounds),
            x=bounds,
        )
    named_rows(axes, order)
    shares(axes.xaxis, "share of “I don’t know”")
    chosen = [("mean over models", BLUE, False), ("one model", MUTED, True)]
    legend(axes, chosen, loc="lower left", bbox_to_anchor=(0, 1.02), ncols=2)


def still_and_moving(figure: Figure, means: pd.DataFrame) -> None:
    """Draw mean scores on last frames and on whole clips."""
    figure.set_size_inches(4.7, 0.36 * len(means) + 0.85)
    axes = figure.subplots()
    for k, row in enumerate(means.to_dict("records")):
        axes.hlines(k, *sorted((row["static"], row["temporal"])), color=MUTED.hex, linewidth=0.9)
        score = str(row["score"]).replace("_", " ")
        for name, colour in (("static", GREEN), ("temporal", BLUE)):
            dot(axes, (row[name], k), estimate_text(f"{score}, {name}", row[name]), colour=colour)
    named_rows(axes, [str(name).replace("nonc", "non-c").replace("_", " ") for name in means["score"]])
    shares(axes.xaxis, "mean over models")
    chosen = [("last frame alone", GREEN, False), ("whole clip", BLUE, False)]
    legend(axes, chosen, loc="lower left", bbox_to_anchor=(0, 1.02), ncols=2)


def growth(figure: Figure, fits: pd.DataFrame, points: pd.DataFrame) -> None:
    """Draw scores over the number of parameters, with the fitted lines."""
    figure.set_size_inches(4.7, 3.5)
    axes = figure.subplots()
    known = points[points["parameters"].notna()]
    ends = np.array([known["parameters"].min(), known["parameters"].max()])
    labels = []
    for name, (label, colour) in SCORES.items():
        for row in known.to_dict("records"):
            text = f"{row['model']}, {label}: {row[name]:.3f} at {row['parameters']:g}B"
            dot(axes, (row["parameters"], row[name]), text, colour=colour, size=3.6)
        fit = fits.set_index("score").loc[name]
        axes.plot(ends, fit["intercept"] + fit["slope"] * np.log10(ends), color=colour.hex, linewidth=1.1)
        explained = "" if np.isnan(fit["r_squared"]) else f", R² = {fit['r_squared']:.2f}"
        labels.append((f"{label}{explained}", colour, False))
    axes.set_xscale("log")
    axes.minorticks_off()
    axes.set_xticks(*size_ticks(*ends))
    axes.set_xlabel("parameters")
    shares(axes.yaxis, "score")
    legend(axes, labels, loc="lower left", bbox_to_anchor=(0, 1.02), ncols=2)


def elsewhere(figure: Figure, table: pd.DataFrame) -> None:
    """Draw the correlation of strict pair accuracy with each other benchmark."""
    part = table[table["score"] == "strict_pair"].to_dict("records")
    figure.set_size_inches(4.7, 0.3 * len(part) + 0.85)
    axes = figure.subplots()
    axes.axvline(0, color=MUTED.hex, linewidth=0.8)
    for k, row in enumerate(part):
        bounds = row["low"], row["high"]
        dot(axes, (row["r"], k), estimate_text(f"{row['benchmark']}, r", row["r"], *bounds), x=bounds)
    named_rows(axes, [shortened(str(row["benchmark"])) for row in part])
    axes.set_xlim(-1.02, 1.02)
    axes.set_xlabel("Pearson’s r with strict pair accuracy")
    axes.grid(True, axis="x")
