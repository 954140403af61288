"""How alike the two mechanisms of physical-consistency are: area and effect of each category, A against B.

Draws families by both mechanisms, renders them small and with few samples, and prints for each
category what the dataset's check wants under 0.25: the standardised mean difference of the share of the image
in the affected mask, and of the mean change there. Rows are kept in a file, so that a longer run continues.

    python -m benchmarks.consistency_matching --families 60 --out rows.jsonl
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from generation.consistency.appearance import DIRECTIONS
from generation.consistency.case import Case, View
from generation.consistency.catalog import VIOLATIONS
from generation.consistency.checks import effect, image_misfit
from generation.consistency.design import Family, Preset
from generation.consistency.family import finish
from generation.consistency.params import FamilyParams
from generation.consistency.sampling import Rejections, sample_twins
from generation.consistency.world import build
from generation.core.seeds import item_rng
from physprobe.cli.runner import run
from physprobe.consistency.vocabulary import CATEGORIES, MECHANISMS

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
console = Console(width=150, highlight=False)

_QUANTITIES = ("area", "effect")
Row = dict[str, Any]
Float = NDArray[np.float64]


@app.command()
def main(
    families: Annotated[int, typer.Option(min=2, help="families, each by both mechanisms")] = 60,
    out: Annotated[Path, typer.Option(help="JSON lines to keep rows in")] = Path("rows.jsonl"),
    seed: Annotated[int, typer.Option(help="of the draws")] = 0,
    size: Annotated[int, typer.Option(min=50, help="pixels a side")] = 125,
    spp: Annotated[int, typer.Option(min=1, help="samples per pixel")] = 4,
    geometry: Annotated[bool, typer.Option("--geometry", help="areas alone, nothing rendered")] = False,
) -> None:
    """Print area and effect of each category by both mechanisms, and what draws were thrown away for.

    Example: python -m benchmarks.consistency_matching --families 60 --out rows.jsonl
    """
    preset = Preset(name="scout", width=size, height=size, spp=spp, per_split=None)
    rows = [*_kept(out)]
    there = {row["index"] for row in rows}
    with out.open("a", encoding="utf-8") as file:
        for index in sorted({*range(families)} - there):
            rows.append(_measured(index, preset, seed, geometry))
            file.write(json.dumps(rows[-1]) + "\n")
            file.flush()
    chosen = [row for row in rows if row["index"] < families]
    console.print(_sizes(chosen))
    console.print(_draws(chosen))


def _kept(path: Path) -> Iterator[Row]:
    if path.exists():
        yield from (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def _measured(index: int, preset: Preset, seed: int, geometry: bool) -> Row:
    """Draw a scene with its violations by either mechanism, and measure them."""
    family = Family(f"train_{index:03d}", "train", index % DIRECTIONS)
    rejections, start = Rejections(), time.process_time()
    both = sample_twins(item_rng(seed, "matching", str(index)), family, preset, rejections)
    row: Row = {
        "index": index,
        "draw_s": time.process_time() - start,
        "rejections": {what: dict(reasons) for what, reasons in rejections.counts.items()},
    }
    row["images"] = {m: (_areas if geometry else _rendered)(params) for m, params in both.items()}
    return row | {"all_s": time.process_time() - start}


def _areas(params: FamilyParams) -> dict[str, Row]:
    view = View(build(params))
    cases = [Case(view, intervention) for intervention in params.interventions]
    return {
        case.intervention.category: {
            "area": float(VIOLATIONS[case.intervention.category].masks(case).affected.mean())
        }
        for case in cases
    }


def _rendered(params: FamilyParams) -> dict[str, Row]:
    done = finish(params)
    return {
        case.intervention.category: {
            "target": case.target,
            "area": float(masks.affected.mean()),
            "effect": effect(done.clean, image, masks.affected),
            "misfit": image_misfit(case.intervention.category, done.clean, image, masks),
        }
        for case, masks, image in zip(done.cases, done.masks, done.violated, strict=True)
    }


def _sizes(rows: Sequence[Row]) -> Table:
    sides = [f"{quantity} {m}" for quantity in _QUANTITIES for m in (*MECHANISMS, "SMD", "paired")]
    table = Table("category", *(side if side[-1] in "AB" else side.split()[-1] for side in sides), "misfits")
    for category in CATEGORIES:
        cells: list[str] = []
        for quantity in _QUANTITIES:
            one, other = (
                np.array([row["images"][m][category].get(quantity, np.nan) for row in rows])
                for m in MECHANISMS
            )
            cells += _compared(one, other)
        found = Counter(
            f"{m} {row['images'][m][category].get('misfit', '')}" for row in rows for m in MECHANISMS
        )
        told = ", ".join(f"{name} {count}" for name, count in sorted(found.items()) if len(name) > 2)
        table.add_row(category.replace("_", " "), *cells, told)
    return table


def _compared(one: Float, other: Float) -> list[str]:
    """Return means, their standardised difference, and the logarithm of the ratio in the same scene."""
    spread = np.sqrt((one.var(ddof=1) + other.var(ddof=1)) / 2)
    pairs = (other - one) / spread
    paired = f"{np.log(other / one).mean():+.2f} ± {np.log(other / one).std(ddof=1):.2f}"
    return [
        *(f"{values.mean():.3f} ± {values.std(ddof=1):.3f}" for values in (one, other)),
        f"{pairs.mean():+.2f} ± {pairs.std(ddof=1) / len(pairs) ** 0.5:.2f}",
        paired,
    ]


def _draws(rows: Sequence[Row]) -> Table:
    table = Table("what", "thrown away per family", "most frequent reasons")
    for what in ("scene", *CATEGORIES):
        reasons = Counter[str]()
        for row in rows:
            reasons.update(row["rejections"].get(what, {}))
        often = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common(7))
        table.add_row(what.replace("_", " "), f"{reasons.total() / len(rows):.1f}", often)
    draws = sorted((row["draw_s"], row["index"]) for row in rows)
    longest = ", ".join(f"{seconds:.1f} (family {index})" for seconds, index in draws[:-6:-1])
    table.add_row("CPU s a draw", f"{np.mean([s for s, _ in draws]):.2f}", f"longest: {longest}")
    table.add_row("CPU s in all", f"{sum(row['all_s'] for row in rows):.0f}", "")
    return table


if __name__ == "__main__":
    sys.exit(run(app))
