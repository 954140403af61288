"""``physprobe analyse``: one analysis of saved answers in the terminal; one file a benchmark."""

from physprobe.cli.analyse import conservation, consistency, people, picabench, quantiphy
from physprobe.cli.analyse.commands import app

__all__ = ["app", "conservation", "consistency", "people", "picabench", "quantiphy"]
