"""Keeps the client's own lines off the terminal: we say what happens, once."""

from __future__ import annotations


def quiet_client() -> None:
    """Silence the progress bars and warnings of huggingface_hub in this process."""
    from huggingface_hub.utils import disable_progress_bars, logging

    disable_progress_bars()
    logging.set_verbosity_error()
