"""Parts of figures that benchmarks share: shares on an axis, dots with intervals, rankings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from physprobe.report.colours import BLUE, INK, MUTED, PAPER, RULE, Colour
from physprobe.report.drawing import tip
from physprobe.report.model import Reference

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW = 0.165  # inches
_LONGEST_NAME = 34


def shares(axis: Any, label: str = "") -> None:
    """Scale an x or y axis from 0 to 1, with few ticks and a light grid."""
    from matplotlib.ticker import FixedLocator, PercentFormatter

    axis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
    axis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
    axis.set_label_text(label)
    axis.grid(True)
    limits = axis.axes.set_xlim if axis.axis_name == "x" else axis.axes.set_ylim
    limits(-0.02, 1.02)


def dot(
    axes: Axes,
    place: tuple[float, float],
    text: str,
    *,
    colour: Colour = BLUE,
    x: tuple[float, float] | None = None,
    y: tuple[float, float] | None = None,
    hollow: bool = False,
    size: float = 4.2,
) -> None:
    """Draw an estimate, with its interval along x or y where it has one, and a text for who points at it."""
    if any(math.isnan(value) for value in place):
        return
    for bounds, line in ((x, axes.hlines), (y, axes.vlines)):
        if bounds and not any(math.isnan(value) for value in bounds):
            line(place[1] if bounds is x else place[0], *bounds, color=colour.hex, linewidth=0.9, alpha=0.55)
    (drawn,) = axes.plot(
        *place,
        "o",
        color=colour.hex,
        markersize=size,
        markerfacecolor=PAPER.hex if hollow else colour.hex,
        markeredgewidth=1.0 if hollow else 0.4,
        markeredgecolor=colour.hex if hollow else PAPER.hex,
        clip_on=False,
        zorder=3,
    )
    tip(drawn, text)


def reference(axes: Axes, line: Reference, along: str = "x") -> None:
    """Draw a dashed line at a value with its name at the end."""
    draw = axes.axvline if along == "x" else axes.axhline
    draw(line.value, color=MUTED.hex, linewidth=0.8, linestyle=(0, (3, 2)), zorder=1)
    place = (line.value, 1.0) if along == "x" else (1.0, line.value)
    transform = axes.get_xaxis_transform() if along == "x" else axes.get_yaxis_transform()
    side = "center" if along == "x" else "right"
    axes.text(*place, line.label, transform=transform, color=MUTED.hex, fontsize=7.5, ha=side, va="bottom")


def legend(where: Axes | Figure, labels: Sequence[tuple[str, Colour, bool]], **options: Any) -> None:
    """Draw a legend of dots: (label, colour, hollow)."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D(
            *([], []),
            linestyle="none",
            marker="o",
            markersize=4.5,
            markerfacecolor=PAPER.hex if hollow else colour.hex,
            markeredgecolor=colour.hex,
            label=label,
        )
        for label, colour, hollow in labels
    ]
    chosen = {"handletextpad": 0.2, "borderaxespad": 0, "columnspacing": 1.2, **options}
    where.legend(handles=handles, **chosen)


def ranking(
    figure: Figure, table: pd.DataFrame, scores: Sequence[tuple[str, str, Sequence[Reference]]]
) -> None:
    """Draw models from the best down, a panel a score, dots with 95% intervals.

    Args:
        table: a row a model: model, and for each score its column with NAME_low and NAME_high.
        scores: column, title, lines to draw.
    """
    count = len(table)
    figure.set_size_inches(6.4, max(1.6, _ROW * count + 0.75))
    panels = figure.subplots(1, len(scores), sharey=True, squeeze=False)[0]
    for axes, (name, title, references) in zip(panels, scores, strict=True):
        for line in references:
            reference(axes, line)
        for row, values in enumerate(table.to_dict("records")):
            bounds = values[f"{name}_low"], values[f"{name}_high"]
            dot(
                axes,
                (values[name], row),
                estimate_text(str(values["model"]), values[name], *bounds),
                x=bounds,
            )
        shares(axes.xaxis)
        axes.set_title(title, pad=14 if references else 6)
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
    names = [shortened(str(name)) for name in table["model"]]
    panels[0].set_yticks(range(count), names, color=INK.hex)
    panels[0].set_ylim(count - 0.4, -0.6)
    for axes in panels:
        axes.hlines(range(count), -0.02, 1.02, color=RULE.hex, linewidth=0.5, zorder=0)


def named_rows(axes: Axes, names: Sequence[str]) -> None:
    """Write names down the y axis, the first at the top, without a line."""
    axes.set_yticks(range(len(names)), names, color=INK.hex)
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def log_scale(axis: Any, low: float, high: float, label: str = "") -> None:
    """Scale an x or y axis logarithmically from below ``low`` to above ``high``, with a few plain numbers."""
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

    steps = (1,) if high / low > 300 else (1, 2, 5) if high / low > 4 else (1, 1.2, 1.5, 2, 3, 5, 6, 7, 8, 9)
    every = [step * 10.0**power for power in range(-9, 10) for step in steps]
    inside = [value for value in every if low * 0.93 <= value <= high * 1.07]
    scale, limits = ("set_xscale", "set_xlim") if axis.axis_name == "x" else ("set_yscale", "set_ylim")
    getattr(axis.axes, scale)("log")
    axis.set_major_locator(FixedLocator(inside))
    axis.set_major_formatter(FixedFormatter([f"{value:g}" for value in inside]))
    axis.set_minor_locator(NullLocator())
    margin = max((high / low) ** 0.04, 1.05)
    getattr(axis.axes, limits)(low / margin, high * margin)
    axis.set_label_text(label)


def size_ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    """Choose ticks of billions of parameters between two sizes, with their labels."""
    every = [mantissa * 10.0**power for power in range(-2, 5) for mantissa in (1, 3)]
    inside = [size for size in every if low * 0.9 <= size <= high * 1.1] or [low]
    return inside, [f"{size:g}B" for size in inside]


def estimate_text(what: str, value: float, low: float = math.nan, high: float = math.nan) -> str:
    """Word an estimate, for who points at it."""
    known = not (math.isnan(low) or math.isnan(high))
    return f"{what}: {value:.3f}" + (f" [{low:.3f}, {high:.3f}]" if known else "")


def shortened(name: str, longest: int = _LONGEST_NAME) -> str:
    """Cut the middle out of a long name."""
    half = longest // 2
    return name if len(name) <= longest else f"{name[: half - 1]}…{name[-half:]}"
