"""A page of pictures of QuantiPhy's kinds of things, or of its places, to be looked at by a person.

python -m benchmarks.quantiphy_looks things --out things.png
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import typer
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from generation.core.seeds import item_rng
from generation.quantiphy.places import PLACES, Place
from generation.quantiphy.things import KINDS, Thing, describe
from generation.rendering.render import RenderSettings, render_clip
from generation.scene import Camera, Quantities, RigidObject, Scene
from physprobe.cli.runner import run
from physprobe.errors import UserError, unknown_name

app = typer.Typer(add_completion=False)

_LABEL_HEIGHT, _COLUMNS = 16, 4
# Of a thing's diagonal in the width of the image, and of a place's free space.
_THING_SHARE, _PLACE_SHARE = 0.62, 0.8
_FOV_DEG = 24.0


@app.command(epilog="Example: python -m benchmarks.quantiphy_looks places --only street --out street.png")
def looks(
    what: Annotated[str, typer.Argument(help="things or places")],
    out: Annotated[Path, typer.Option(help="PNG to write")],
    only: Annotated[list[str] | None, typer.Option(help="kind or place; may be given several times")] = None,
    width: Annotated[int, typer.Option(min=32, help="width of a picture in pixels")] = 240,
    seed: Annotated[int, typer.Option(min=0, help="seed of sizes, colours and places")] = 0,
    spp: Annotated[int, typer.Option(min=1, help="samples per pixel")] = 9,
) -> None:
    """Draw each kind of thing on plain paper, or each place with its free space in view."""
    known = {"things": list(KINDS), "places": list(PLACES)}
    if what not in known:
        raise unknown_name("collection", what, known)
    names = only or known[what]
    for name in names:
        if name not in known[what]:
            raise unknown_name(what.removesuffix("s"), name, known[what])
    if out.suffix != ".png":
        raise UserError(f"{out}: name a .png file")
    tiles = [_tile(what, name, width, seed, spp) for name in names]  # type: ignore[arg-type]
    _page(tiles, width).save(out)
    typer.echo(f"{out}: {len(tiles)} {what}")


Tile = tuple[str, NDArray[np.uint8]]


def _tile(what: Literal["things", "places"], name: str, width: int, seed: int, spp: int) -> Tile:
    rng = item_rng(seed, "looks", name)
    if what == "places":
        place = PLACES[name].build(PLACES[name].sample(rng))
        label = f"{name}, {PLACES[name].background}"
        return label, _picture(place, (), 2 * place.extent / _PLACE_SHARE, width, spp)
    kind = KINDS[name]
    params = kind.sample(rng, kind.colors[int(rng.integers(len(kind.colors)))])
    thing = kind.build(params)
    sizes = ", ".join(f"{word} {value:.3g} m" for word, value in thing.measures.items())
    paper = PLACES[f"plain_{kind.scale}"]
    place = paper.build(paper.sample(rng).model_copy(update={"choices": {"paper": "light gray"}}))
    points = np.concatenate([part.mesh.vertices for part in thing.parts])
    diagonal = 2 * float(np.linalg.norm(points, axis=1).max())
    return f"{describe(params)}, {sizes}", _picture(
        place, _bodies(thing), diagonal / _THING_SHARE, width, spp
    )


def _bodies(thing: Thing) -> tuple[RigidObject, ...]:
    """Stand a thing on the ground, turned a little towards the camera."""
    pose = np.eye(4)
    angle = np.radians(-25)
    pose[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    pose[2, 3] = -thing.ground_z
    return tuple(
        RigidObject(f"thing.{k}", "prop", part.material, part.mesh, pose[None])
        for k, part in enumerate(thing.parts)
    )


def _picture(
    place: Place, bodies: tuple[RigidObject, ...], field: float, width: int, spp: int
) -> NDArray[np.uint8]:
    """Render what is at the origin in a field of a width in m."""
    height = width * 3 // 4
    distance, middle = field / (2 * np.tan(np.radians(_FOV_DEG) / 2)), 0.27 * field
    camera = Camera((0.0, -distance, 1.35 * middle), (0.0, 0.0, middle), _FOV_DEG, width, height)
    still = np.zeros(1)
    scene = Scene(
        camera, place.lights, place.environment, bodies, place.backdrop, 24, 1, Quantities("", still, still)
    )
    (frame,) = render_clip(scene, RenderSettings(spp=spp, background_spp=spp, detail=1, max_depth=5))
    return frame


def _page(tiles: list[Tile], width: int) -> Image.Image:
    height = width * 3 // 4 + _LABEL_HEIGHT
    columns = min(_COLUMNS, len(tiles))
    page = Image.new("RGB", (columns * width, -(-len(tiles) // columns) * height), "white")
    for k, (label, frame) in enumerate(tiles):
        x, y = k % columns * width, k // columns * height
        page.paste(Image.fromarray(frame), (x, y + _LABEL_HEIGHT))
        ImageDraw.Draw(page).text((x + 2, y + 2), label[: width // 6], fill="black")
    return page


if __name__ == "__main__":
    raise SystemExit(run(app))
