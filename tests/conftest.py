"""What all tests need of the process they run in."""

import signal

from hypothesis import settings

# The machines are shared: how long an example takes says nothing.
settings.register_profile("shared", deadline=None)
settings.load_profile("shared")


def pytest_configure() -> None:
    """Let children be interrupted: a shell that starts the suite in the background has them ignore Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
