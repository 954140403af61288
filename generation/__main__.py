"""Run as ``python -m generation``."""

import sys

from generation.cli import app
from physprobe.cli.runner import run

if __name__ == "__main__":
    sys.exit(run(app))
