"""``python -m physprobe``: the same as the ``physprobe`` script."""

from physprobe.cli import main

if __name__ == "__main__":
    main()
