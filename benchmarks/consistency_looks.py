"""Scenes of physical-consistency with all violations by both mechanisms, to be looked at by a person.

python -m benchmarks.consistency_looks --family test_standard_003 --out looks.png
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from PIL import Image, ImageDraw

from builders.examples import page, strip
from generation.consistency.design import Preset, design
from generation.consistency.family import Finished, finish
from generation.consistency.limits import box_of
from generation.consistency.records import NAME
from generation.consistency.sampling import Rejections, sample_twins
from generation.core.seeds import item_rng
from physprobe.cli.runner import run
from physprobe.errors import UserError, unknown_name
from physprobe.files import write_whole

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: python -m benchmarks.consistency_looks --family train_003 --out looks.png")
def looks(
    family: Annotated[str, typer.Option(help="family of preset full; its scene is shown by both mechanisms")],
    out: Annotated[Path, typer.Option(help="PNG to write")],
    size: Annotated[int, typer.Option(min=100, help="pixels a side, as rendered and as shown")] = 250,
    spp: Annotated[int, typer.Option(min=1, help="samples per pixel")] = 36,
    columns: Annotated[int, typer.Option(min=1, help="categories side by side")] = 2,
    seed: Annotated[int, typer.Option(min=0, help="seed of the draws")] = 0,
    boxes: Annotated[bool, typer.Option("--boxes", help="draw each affected mask's box")] = False,
) -> None:
    """Show each category as strips of three: the clean scene, mechanism A, mechanism B."""
    known = {each.family_id: each for each in design()}
    if family not in known:
        raise unknown_name("family", family, known)
    if out.suffix != ".png":
        raise UserError(f"{out}: name a .png file")
    preset = Preset(name="looks", width=size, height=size, spp=spp, per_split=None)
    both = sample_twins(item_rng(seed, NAME, family, "0"), known[family], preset, Rejections())
    one, other = (finish(params) for params in both.values())
    strips = [
        strip(f"{case.intervention.category}: clean, A, B", _tiles(one, other, k, boxes), size)
        for k, case in enumerate(one.cases)
    ]
    write_whole(out, page(strips, columns))
    typer.echo(f"{out}: {len(strips)} categories of {family}")


def _tiles(one: Finished, other: Finished, index: int, boxes: bool) -> list[Image.Image]:
    tiles = [Image.fromarray(one.clean)]
    for done in (one, other):
        tile = Image.fromarray(done.violated[index])
        if boxes:
            left, top, right, bottom = box_of(done.masks[index].affected)
            width, height = tile.size
            edges = (left * width, top * height, right * width - 1, bottom * height - 1)
            ImageDraw.Draw(tile).rectangle(edges, outline=(255, 0, 255))
        tiles.append(tile)
    return tiles


if __name__ == "__main__":
    raise SystemExit(run(app))
