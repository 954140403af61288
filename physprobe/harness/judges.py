"""Panels of judges around an evaluation: checked before it, and asked with progress after it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm  # type: ignore[import-untyped]

from physprobe.harness.unreadable import threshold
from physprobe.judging.config import api_key, panel_from_environment
from physprobe.judging.ensemble import Progress


def check_reading() -> None:
    """Check how answers will be read and judged, before a model runs for days.

    Raises:
        UserError: PHYSPROBE_UNREADABLE or the judges' configuration is wrong, or a key is missing.
    """
    threshold()
    panel = panel_from_environment()
    for judge in panel.judges if panel is not None and not panel.offline else ():
        api_key(judge, os.environ)


@contextmanager
def judging_progress() -> Iterator[Progress]:
    """Show how many replies have come, once judges are asked."""
    with tqdm(desc="Judges", delay=1) as bar:

        def report(done: int, total: int) -> None:
            bar.total, bar.n = total, done
            bar.refresh()

        yield report
