"""Pages of a raw folder's clips, first, middle and last frame each, to be looked at by a person.

python -m benchmarks.contact_sheet RAW --out sheet.png
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from PIL import Image

from builders.examples import page, strip
from physprobe.cli.runner import run
from physprobe.errors import UserError
from physprobe.files import write_whole
from physprobe.video import decode_frames, inspect_video

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: python -m benchmarks.contact_sheet RAW --out sheet.png --columns 2 --rows 8")
def sheet(
    raw: Annotated[Path, typer.Argument(help="raw folder, as python -m generation writes it")],
    out: Annotated[Path, typer.Option(help="PNG to write; further pages get -2, -3, ... in their names")],
    columns: Annotated[int, typer.Option(min=1, help="clips side by side")] = 2,
    rows: Annotated[int, typer.Option(min=1, help="clips below one another")] = 8,
    width: Annotated[int, typer.Option(min=16, help="width of a frame in pixels")] = 240,
) -> None:
    """Show the first, middle and last frame of every clip of a raw folder, some clips a page."""
    clips = sorted(raw.glob("items/*/*.mp4"))
    if not clips:
        raise UserError(f"no clips under {raw}/items: name a folder that python -m generation wrote")
    per_page = columns * rows
    for number, start in enumerate(range(0, len(clips), per_page)):
        strips = [_strip(clip, width) for clip in clips[start : start + per_page]]
        path = out if number == 0 else out.with_stem(f"{out.stem}-{number + 1}")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, page(strips, columns))
        typer.echo(f"{path}: {len(strips)} clips")


def _strip(clip: Path, width: int) -> Image.Image:
    """Return three frames of a clip in a row, under its name."""
    last = inspect_video(clip).num_frames - 1
    frames = [Image.fromarray(frame) for frame in decode_frames(clip, (0, last // 2, last))]
    return strip(f"{clip.parent.name}  {clip.stem}", frames, width)


if __name__ == "__main__":
    raise SystemExit(run(app))
