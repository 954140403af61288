"""Items that take no renderer: files written in several steps, so that a kill finds them half-done.

Run as ``python -m tests.support.fake_items OUT [--workers N] [--kill-at K]``; with ``--kill-at`` the process
kills itself with SIGKILL just before its K-th change of the file system.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path

from generation.core.raw import RawManifest, writing
from generation.core.run import Item, run_items
from generation.core.seeds import item_rng
from physprobe.errors import UserError

KEYS = tuple(f"item_{number}" for number in range(4))
MANIFEST = RawManifest(benchmark="fake", preset="tiny", seed=0)
CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.utime", "shutil.rmtree"}


def write(key: str, pause: float, folder: Path) -> None:
    rng = item_rng(MANIFEST.seed, key)
    for number in range(3):
        with (folder / f"part_{number}.bin").open("wb") as file:
            for _ in range(2):
                file.write(rng.bytes(1000))
                file.flush()
                time.sleep(pause)


def check(folder: Path) -> None:
    sizes = [file.stat().st_size for file in sorted(folder.iterdir())]
    if sizes != [2000, 2000, 2000]:
        raise ValueError(f"sizes {sizes}")


def fail(message: str, folder: Path) -> None:
    (folder / "half.bin").write_bytes(b"half")
    raise ValueError(message)


def refuse(folder: Path) -> None:
    raise UserError("no renderer works; install one")


def note_nothing(folder: Path) -> None:
    """Leave the folder empty."""


def break_setup() -> None:
    raise RuntimeError("no threads")


def die(folder: Path) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def leave(folder: Path) -> None:
    os._exit(7)


def note_process(folder: Path) -> None:
    """Write the worker's process id where the test finds it, then hang."""
    (folder / "pid").write_text(str(os.getpid()))
    time.sleep(60)


def items(pause: float = 0.0) -> list[Item]:
    return [Item(key, partial(write, key, pause), check) for key in KEYS]


def hanging_items() -> list[Item]:
    return [Item(key, note_process, check) for key in KEYS]


def tree(root: Path) -> dict[str, bytes | None]:
    """Return every path below ``root`` with its bytes; None for a folder."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
        for path in sorted(root.rglob("*"))
    }


def _kill_at(count: int) -> None:
    left = [count]

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        writes = (
            event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        )
        if event in CHANGES or (writes and "/dev" not in str(arguments[0])):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--pause", type=float, default=0.0)
    parser.add_argument("--kill-at", type=int)
    parser.add_argument("--hang", action="store_true")
    options = parser.parse_args()
    if options.kill_at is not None:
        _kill_at(options.kill_at)
    with writing(options.out, MANIFEST) as raw:
        run_items(raw, hanging_items() if options.hang else items(options.pause), options.workers)


if __name__ == "__main__":
    main()
