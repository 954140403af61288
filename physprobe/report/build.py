"""From results to a report's folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os.path import relpath
from pathlib import Path

from tqdm import tqdm  # type: ignore[import-untyped]

from physprobe import __version__
from physprobe.analysis.answers import Answers, load_every
from physprobe.errors import unknown_name
from physprobe.files import whole_folder
from physprobe.report.cells import lay_out
from physprobe.report.drawing import write_figure
from physprobe.report.examples.writing import write_examples
from physprobe.report.export import table_name, write_table
from physprobe.report.head import common_root, head
from physprobe.report.model import ReportOptions, Section
from physprobe.report.page import Part, ShownFigure, ShownSection, ShownTable, render
from physprobe.report.parts import ABOUT, PARTS, examples_of, sections_of
from physprobe.report.people import people_section

# A folder with this file is a report of ours, which a new one may replace.
MARK = "report.json"


def write_report(
    places: Sequence[Path],
    out: Path,
    options: ReportOptions,
    *,
    unreadable: bool = False,
    limited: bool = False,
) -> None:
    """Write a report of all answers in some places.

    ``out`` gets index.html; tables/ with each table as CSV and JSON; figures/ with each figure as PNG and
    PDF; examples/ with what the page loads when items are browsed; report.json, which says what is where.

    Args:
        places: as for :func:`physprobe.analysis.answers.load_answers`. out: a new or empty folder, or an
            older report, which is replaced. unreadable, limited: see
            :func:`physprobe.analysis.comparability.comparable`.

    Raises:
        UserError: a place holds no answers, ``out`` is something else, a file given in ``options`` is bad.
    """
    with whole_folder(out, MARK) as folder:
        every = load_every(places, unreadable=unreadable, limited=limited, people=options.people)
        known = {name: every[name] for name in PARTS if name in every}
        root = common_root([answers.of_models() for answers in known.values()])
        for name in ("tables", "figures", "examples"):
            (folder / name).mkdir()
        chosen = _with_examples_of(options, known)
        parts = [_part(name, answers, root, chosen[name], folder) for name, answers in known.items()]
        shown = Path(relpath(root, out)).as_posix()
        (folder / "index.html").write_text(render(parts, options, shown), encoding="utf-8")
        (folder / MARK).write_text(_contents(parts, options), encoding="utf-8")


def _with_examples_of(options: ReportOptions, known: Mapping[str, Answers]) -> dict[str, ReportOptions]:
    """Ask each benchmark for the examples of those models that answered it.

    Raises:
        UserError: a model answered none.
    """
    there = {name: {source.model for source in answers.sources} for name, answers in known.items()}
    everyone = set[str]().union(*there.values())
    for model in options.example_models:
        if model not in everyone:
            raise unknown_name("model", model, everyone)
    return {
        name: replace(options, example_models=tuple(m for m in options.example_models if m in models))
        for name, models in there.items()
    }


def _part(name: str, answers: Answers, root: Path, options: ReportOptions, folder: Path) -> Part:
    progress = tqdm(_sections(name, answers, options), desc=f"Report: {PARTS[name]}", disable=None)
    made = list(progress)
    models = answers.of_models()
    make_examples = examples_of(name)
    count = (
        write_examples(name, make_examples(models, options), folder / "examples" / name)
        if make_examples
        else 0
    )
    return Part(
        name=name,
        title=PARTS[name],
        about=ABOUT.get(name, ""),
        head=head(models, root),
        sections=tuple(_shown(each, name, folder) for each in made if not each.missing),
        missing=tuple((each.title, each.missing) for each in made if each.missing),
        examples=count,
    )


def _sections(name: str, answers: Answers, options: ReportOptions) -> Iterator[Section]:
    yield from sections_of(name)(answers, options)
    if options.people and options.people.to(name):
        yield people_section(answers, name, options.people, options)


def _shown(section: Section, benchmark: str, folder: Path) -> ShownSection:
    named = [replace(each, name=f"{benchmark}-{each.name}") for each in section.figures]
    figures = tuple(ShownFigure(each, write_figure(each, folder / "figures")) for each in named)
    return ShownSection(section, tuple(_tables(section, benchmark, folder)), figures)


def _tables(section: Section, benchmark: str, folder: Path) -> Iterator[ShownTable]:
    for number, finding in enumerate(section.findings, start=1):
        stem = table_name(f"{benchmark}-{section.anchor}", number, finding)
        write_table(finding, folder / "tables" / stem)
        yield ShownTable(finding, lay_out(finding, section.strips if number == 1 else ()), stem)


def _contents(parts: Sequence[Part], options: ReportOptions) -> str:
    found = {
        "format_version": 1,
        "physprobe": __version__,
        "resamples": options.resamples,
        "seed": options.seed,
        "benchmarks": {
            part.name: {
                "tables": [table.stem for section in part.sections for table in section.tables],
                "figures": [each.figure.name for section in part.sections for each in section.figures],
                "missing": [{"section": title, "reason": reason} for title, reason in part.missing],
                "set_apart": [vars(each) for each in part.head.left],
                "examples": part.examples,
            }
            for part in parts
        },
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"
