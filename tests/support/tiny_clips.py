"""A real run of conservationbench that is small enough for a test.

Run as ``python -m tests.support.tiny_clips OUT --workers N``.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from generation.conservation.clip import check_item, make_item
from generation.conservation.design import PRESETS, Cell, Preset
from generation.core.raw import RawManifest, writing
from generation.core.run import Item, run_items
from generation.rendering.variant import set_threads

TINY = Preset(
    name="tiny",
    width=64,
    height=48,
    fps=8,
    num_frames=12,
    pairs={"number": ("number_uniform_lower_near_3",), "length": ("length_uniform_lower_far_left_rotate",)},
)


def make(cell: Cell, folder: Path) -> None:
    PRESETS["tiny"] = TINY  # in the worker, which imported the module anew
    make_item(cell, "tiny", 0, folder)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--workers", type=int, required=True)
    options = parser.parse_args()
    cells = [cell for domain in TINY.pairs for cell in TINY.cells(domain)]
    work = [Item(cell.pair_id, partial(make, cell), check_item) for cell in cells]
    with writing(options.out, RawManifest(benchmark="conservationbench", preset="tiny", seed=0)) as raw:
        run_items(raw, work, options.workers, partial(set_threads, 2 // options.workers))


if __name__ == "__main__":
    main()
