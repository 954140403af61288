"""The page: everything in one HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from physprobe import __version__
from physprobe.analysis.finding import Finding
from physprobe.report.cells import Table
from physprobe.report.head import Head
from physprobe.report.model import Figure, ReportOptions, Section
from physprobe.text import quantity

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True)
class ShownTable:
    """A finding on the page: laid out, and the stem of its files."""

    finding: Finding
    layout: Table
    stem: str


@dataclass(frozen=True)
class ShownFigure:
    """A figure on the page: drawn."""

    figure: Figure
    svg: str


@dataclass(frozen=True)
class ShownSection:
    """A section on the page."""

    section: Section
    tables: tuple[ShownTable, ...]
    figures: tuple[ShownFigure, ...]


@dataclass(frozen=True)
class Part:
    """A benchmark's part of the page.

    Attributes:
        name, title, about: of the benchmark. head: what is said first. sections: those that could be made.
        missing: (title, what to run) of the others. examples: how many items can be browsed.
    """

    name: str
    title: str
    about: str
    head: Head
    sections: tuple[ShownSection, ...]
    missing: tuple[tuple[str, str], ...]
    examples: int


def render(parts: Sequence[Part], options: ReportOptions, root: str) -> str:
    """Render the page.

    Args:
        root: the folder that file names are relative to, itself relative to the page's.
    """
    data: Mapping[str, Any] = {part.name: {"files": part.head.files} for part in parts}
    page = _environment().get_template("index.html.j2")
    return page.render(parts=parts, options=options, root=root, version=__version__, data=data)


def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("physprobe.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["quantity"] = quantity
    return made
