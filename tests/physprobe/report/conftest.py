from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

from physprobe.analysis.simulation.study import Study
from physprobe.analysis.simulation.writing import simulate
from physprobe.cli import app
from physprobe.cli.runner import run
from physprobe.data import VARIABLE
from tests.support.saved_answers import both_twins, save_run

HOSTILE = "<script>alert('model')</script> & $x$ \"q\""
SPOKEN = "</script><script>alert('answer')</script><img src=x onerror=alert(1)>"
_VOID = {"meta", "link", "input", "img", "br"}


class Page(HTMLParser):
    """What a page holds, and whether its tags close in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append((tag, found))
        self.ids += [found["id"]] if "id" in found else []
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append((tag, found))
        self.ids += [found["id"]] if "id" in found else []

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if data.strip():
            self.texts.append((self.open[-1] if self.open else "", data.strip()))

    def of(self, tag: str, name: str) -> list[str | None]:
        """An attribute of all tags of a name."""
        return [found[name] for each, found in self.tags if each == tag and name in found]

    def said(self, tag: str) -> list[str]:
        return [text for each, text in self.texts if each == tag]


@dataclass(frozen=True)
class Made:
    folder: Path
    text: str
    page: Page


def _report(results: Path, out: Path, *options: str) -> Made:
    assert run(app, ["report", str(results), "--out", str(out), "--resamples", "100", *options]) == 0
    text = (out / "index.html").read_text(encoding="utf-8")
    return Made(out, text, Page(text))


@pytest.fixture(scope="session")
def study(tmp_path_factory) -> Made:
    """A report on four simulated models: every section can be made."""
    folder = tmp_path_factory.mktemp("study")
    simulate(Study(seed=7), 4, folder / "simulated")
    others = (folder / "simulated/models.csv").read_text().replace("parameters", "MMLU")
    (folder / "others.csv").write_text(others)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(VARIABLE, raising=False)
        options = ("--others", str(folder / "others.csv"), "--top", "3")
        return _report(folder / "simulated", folder / "report", *options)


@pytest.fixture(scope="session")
def lone(tmp_path_factory) -> Made:
    """A report on one run of the standard questions by one model, which means no good."""
    folder = tmp_path_factory.mktemp("lone")
    rows = both_twins()
    tasks = {f"conservation_{d}": [r for r in rows if r["domain"] == d] for d in ("number", "length")}
    save_run(folder / "results", HOSTILE, tasks, lambda row: "" if row["pair_id"] == "number_a_1" else SPOKEN)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(VARIABLE, raising=False)
        return _report(folder / "results", folder / "report")
