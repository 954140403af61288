"""The ``physprobe`` command, one file a subcommand."""
