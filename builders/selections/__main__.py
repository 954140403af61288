"""Run the selections commands: ``python -m builders.selections``."""

import sys

from builders.selections.cli import app
from physprobe.cli.runner import run

if __name__ == "__main__":
    sys.exit(run(app))
