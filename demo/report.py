"""The report on the demo's results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from demo.steps import Workspace, console, heading, run


def make_report(workspace: Workspace, folders: Sequence[Path]) -> None:
    """Write the report, with pictures from the demo's datasets, and say where it is."""
    out = workspace.root / "report"
    heading("7. Report")
    run(workspace, ["physprobe", "report", *map(str, folders), "--out", str(out)])
    console.print(f"  Open {out / 'index.html'} in a browser: no server and no network needed.")
