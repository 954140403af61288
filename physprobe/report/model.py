"""What a report is made of: sections with findings and figures, and examples to browse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from physprobe.errors import UserError

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas as pd

    from physprobe.analysis.finding import Finding
    from physprobe.analysis.people.table import People


class Bootstrap(TypedDict):
    """Arguments of analyses that draw resamples."""

    resamples: int
    seed: int


@dataclass(frozen=True)
class ReportOptions:
    """What a reader of results may choose.

    Attributes:
        resamples, seed: of every bootstrap. top: how many of the best models are also analysed alone.
        sizes: model -> parameters in billions, before what its name says. others: scores on other benchmarks,
            a column "model" and a column of numbers for each. people: their answers, which stand
            beside those of models.
        example_models: whose answers can be browsed; none: a few over the whole ranking.
    """

    resamples: int = 10_000
    seed: int = 0
    top: int = 15
    sizes: Mapping[str, float] | None = None
    others: pd.DataFrame | None = None
    people: People | None = None
    example_models: tuple[str, ...] = ()

    @property
    def bootstrap(self) -> Bootstrap:
        """How analyses draw."""
        return {"resamples": self.resamples, "seed": self.seed}


@dataclass(frozen=True)
class Figure:
    """A figure, drawn when it is written.

    Attributes:
        name: file stem, unique in the benchmark. title: one line. caption: what to see, what is drawn how.
        draw: draws onto an empty figure, whose size it may set; colours from :mod:`physprobe.report.colours`,
            so that the page can change them with its theme. shown: on the page; else only as files.
    """

    name: str
    title: str
    caption: str
    draw: Callable[[matplotlib.figure.Figure], None]
    shown: bool = True


@dataclass(frozen=True)
class Reference:
    """A line that scores are read against, such as chance or people's score.

    Attributes:
        label: one or two words. value: in the unit of the column.
    """

    label: str
    value: float


@dataclass(frozen=True)
class Strip:
    """A column whose estimates are also drawn, as dots with their intervals, in the rows of the table.

    Attributes:
        column: its name in the first finding, which must have "COLUMN_low" and "COLUMN_high".
        references: lines over all rows. low, high: of the scale; high None: just above all that is drawn.
    """

    column: str
    references: tuple[Reference, ...] = ()
    low: float = 0.0
    high: float | None = None


@dataclass(frozen=True)
class Section:
    """One subject of the report.

    Attributes:
        anchor: of links to it, unique in the report. title: one line. text: what to take from it, 1 to 3
            sentences. findings: its tables. figures: shown before them. strips: drawn in the first finding.
        missing: what must be run to get the section, where it can't be made; then there is nothing else.
    """

    anchor: str
    title: str
    text: str
    findings: tuple[Finding, ...] = ()
    figures: tuple[Figure, ...] = ()
    strips: tuple[Strip, ...] = ()
    missing: str = ""


Content = tuple[str, tuple["Finding", ...], tuple[Figure, ...]]


def section(anchor: str, title: str, make: Callable[[], Content], strips: tuple[Strip, ...] = ()) -> Section:
    """Make a section, or say what it lacks.

    Args:
        anchor, title, strips: of the section. make: returns its text, findings and figures.

    Returns:
        The section; where ``make`` raises a UserError, one with its message as ``missing``.
    """
    try:
        text, findings, figures = make()
    except UserError as error:
        return Section(anchor, title, "", missing=str(error))
    return Section(anchor, title, text, findings, figures, strips)


@dataclass(frozen=True)
class Box:
    """A box on a picture: bounds x_min, y_min, x_max, y_max as shares of its size; label: whose it is."""

    label: str
    bounds: tuple[float, float, float, float]
    true: bool = False


@dataclass(frozen=True)
class Picture:
    """A picture of an example; several examples may show the same one.

    Attributes:
        name: file stem, the same for the same picture. caption: such as "frame 12". boxes: drawn over it.
    """

    name: str
    caption: str = ""
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True)
class Answered:
    """One model's answer to an example.

    Attributes:
        model: its name. raw: what it said; None where results don't keep it. parsed: what was understood,
            "" if unread. right: whether that is the truth, or None where answers are not right or wrong.
        score: such as an MRA, to show beside; "" for none.
    """

    model: str
    raw: str | None
    parsed: str
    right: bool | None
    score: str = ""


@dataclass(frozen=True)
class Example:
    """One item to browse.

    Attributes:
        key: its question id. facets: what it can be filtered by, such as domain and condition.
        prompt: as asked; "" if unknown. truth: the right answer. pictures: in shown order. answers: by model.
    """

    key: str
    facets: Mapping[str, str]
    prompt: str
    truth: str
    pictures: tuple[Picture, ...]
    answers: tuple[Answered, ...]


@dataclass(frozen=True)
class Examples:
    """All items of a benchmark that can be browsed.

    Attributes:
        models: whose answers are shown, in order. items: one after the other, made when asked for.
        pictures: yields each needed picture once, as (name, JPEG bytes), given the names.
        notes: what is not shown, and why.
    """

    models: tuple[str, ...]
    items: Iterable[Example]
    pictures: Callable[[frozenset[str]], Iterator[tuple[str, bytes]]]
    notes: tuple[str, ...] = ()
