"""Which benchmarks a report has parts for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from physprobe.report.model import Examples, ReportOptions, Section

if TYPE_CHECKING:
    from physprobe.analysis.answers import Answers

Sections = Callable[["Answers", ReportOptions], Iterator[Section]]
MakeExamples = Callable[["Answers", ReportOptions], Examples]

# Benchmark -> its title, in the order of the page. Each has a module physprobe.report.NAME with sections();
# a module physprobe.report.examples.NAME with examples() is optional.
PARTS: dict[str, str] = {
    "conservation": "conservationbench",
    "quantiphy": "quantiphy",
    "consistency": "physical consistency",
    "picabench": "PICABench",
}

# What each asks, for readers who don't know it.
ABOUT: dict[str, str] = {
    "conservation": "Did a quantity (number, length, volume, size) stay the same through a filmed change? "
    "Every conserving clip has a twin in which it does not; a pair counts only if both are answered rightly.",
    "quantiphy": "How large, how fast, in metric units, given one known quantity of the scene? Answers earn "
    "mean relative accuracy (MRA).",
    "consistency": "Does this image break physics; which law; where; why?",
    "picabench": "Does an edited image keep to physics? Questions to answer by yes or no, and where to look.",
}


def sections_of(benchmark: str) -> Sections:
    """Return what makes a benchmark's sections."""
    return import_module(f"physprobe.report.{benchmark}").sections


def examples_of(benchmark: str) -> MakeExamples | None:
    """Return what makes a benchmark's examples; None if it has none."""
    name = f"physprobe.report.examples.{benchmark}"
    return import_module(name).examples if find_spec(name) else None
