"""Run the builders: ``python -m builders``."""

import sys

from builders.cli import app
from physprobe.cli.runner import run

if __name__ == "__main__":
    sys.exit(run(app))
