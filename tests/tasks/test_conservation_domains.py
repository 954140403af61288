"""What a model is told in every domain and prompt style, pinned (``--snapshot-update``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from generation.conservation.design import PRESETS, design
from physprobe.conservation.vocabulary import DOMAINS, PROMPT_STYLES
from tests.support.evaluation import make_dataset
from tests.support.tasks import task_maker, told, told_text


@pytest.fixture(scope="module")
def whole_tasks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Tasks on one pair of each domain: those of volume and size, and the one that asks everything."""
    first = {domain: (design(domain)[0].pair_id,) for domain in DOMAINS}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PRESETS, "mini", PRESETS["mini"].model_copy(update={"pairs": first}))
        folder = make_dataset(tmp_path_factory.mktemp("whole"))
    with task_maker(folder, tmp_path_factory) as make:
        yield make(["conservation_volume", "conservation_size", "conservation_full"])


@pytest.mark.parametrize("name", ["conservation_volume", "conservation_size"])
def test_prompt_of_a_domain_that_mini_lacks(
    whole_tasks: dict[str, Any], name: str, snapshot: SnapshotAssertion
) -> None:
    assert told(whole_tasks[name]) == snapshot
    assert {row["domain"] for row in whole_tasks[name].test_docs()} == {name.removeprefix("conservation_")}


@pytest.mark.parametrize("style", PROMPT_STYLES)
@pytest.mark.parametrize("domain", DOMAINS)
def test_prompt_of_each_style(
    whole_tasks: dict[str, Any], domain: str, style: str, snapshot: SnapshotAssertion
) -> None:
    task = whole_tasks["conservation_full"]
    rows = [
        r
        for r in task.test_docs()
        if (r["domain"], r["prompt_style"], r["frame_count"]) == (domain, style, 3)
    ]
    assert len(rows) == 2 * 2  # twins, and two ways to pick frames
    assert {(row["condition"], row["extraction"]): told_text(task, row) for row in rows} == snapshot
