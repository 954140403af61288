"""Figures as files, and as part of the page with the page's colours and letters."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

from physprobe.report.colours import ALL, INK, MUTED, RULE
from physprobe.report.model import Figure

TIP = "tip:"

_STYLE: Any = {
    "font.size": 8.5,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 8.5,
    "axes.labelcolor": MUTED.hex,
    "axes.edgecolor": MUTED.hex,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK.hex,
    # A model's name may hold a dollar sign.
    "text.parse_math": False,
    "xtick.color": MUTED.hex,
    "ytick.color": MUTED.hex,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "grid.color": RULE.hex,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}
_DPI = 200
_WIDE = 600  # pixels, from which a figure is scrolled on a phone instead of shrunk

_FONT = re.compile(r"font-family: [^;\"]*;? ?")
_TIP = re.compile(rf'<g id="{TIP}([^"]*)">')
# Angle brackets in texts and attributes are escaped, so that these are the ends of a tag.
_IDENTIFIER = re.compile(r'(<\w+[^<>]*?) id="([^"<>]+)"')


def write_figure(figure: Figure, folder: Path) -> str:
    """Draw a figure once and write it as PNG and PDF.

    Args:
        folder: gets NAME.png and NAME.pdf.

    Returns:
        The figure as an SVG element whose colours are properties of the page's style sheet.
    """
    import matplotlib
    import matplotlib.figure

    with matplotlib.rc_context({**_STYLE, "svg.hashsalt": figure.name}):
        canvas = matplotlib.figure.Figure(figsize=(4.7, 3.4))
        figure.draw(canvas)
        canvas.savefig(folder / f"{figure.name}.png", dpi=_DPI, metadata={"Software": None})
        canvas.set_layout_engine("none")  # found once; it takes longer than drawing
        dates = {"CreationDate": None, "Producer": None, "Creator": None}
        canvas.savefig(folder / f"{figure.name}.pdf", metadata=dates)
        canvas.patch.set_visible(False)
        for axes in canvas.axes:
            axes.patch.set_visible(False)
        drawn = io.StringIO()
        canvas.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    return _themed(drawn.getvalue(), figure)


def tip(artist: Any, text: str) -> None:
    """Give something drawn a text that the page shows when it is pointed at."""
    artist.set_gid(TIP + text.replace('"', "”"))


def _themed(svg: str, figure: Figure) -> str:
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = _FONT.sub("", svg)
    for colour in ALL:
        svg = svg.replace(colour.hex, f"var({colour.variable})")
    svg = _TIP.sub(r'<g class="tip" tabindex="-1" data-tip="\1">', svg)
    svg = _without_unused_ids(svg)
    width, height = (float(re.search(rf'{name}="([\d.]+)pt"', svg)[1]) for name in ("width", "height"))  # type: ignore[index]
    shape = "plot wide" if width * 1.5 > _WIDE else "plot"
    box = f'aria-labelledby="t-{figure.name}" viewBox="0 0 {width:g} {height:g}"'
    opening = f'<svg class="{shape}" role="img" {box}'
    style = f' style="--w:{width * 1.5:.0f}px" xmlns:xlink="http://www.w3.org/1999/xlink">'
    return opening + style + svg[svg.index(">") + 1 :]


def _without_unused_ids(svg: str) -> str:
    """Drop ids that nothing refers to: those of matplotlib's groups occur in every figure."""
    used = set(re.findall(r"#([\w-]+)", svg))
    return _IDENTIFIER.sub(lambda found: found[0] if found[2] in used else found[1], svg)
