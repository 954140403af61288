"""Whether the Hub answers: asked for seconds, where its clients ask again and again for minutes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from physprobe.harness.replacing import replaced

_SWITCH = "HF_HUB_OFFLINE"
_ATTEMPTS = 3
_TIMEOUT_S = 8.0
_PAUSE_S = 1.0  # after the first failure, then twice that

_answered: set[str] = set()  # repositories for which the Hub has answered this process
_away = ""  # why the Hub could not be reached when it was last asked


@contextmanager
def briefly_asked(repository: str) -> Iterator[str]:
    """Look into the caches of the Hub's clients only, in this block, if the Hub doesn't answer.

    Args:
        repository: a dataset, "ORG/NAME", that is about to be asked for.

    Yields:
        Why the Hub can't be reached; "" if it can, or if HF_HUB_OFFLINE says not to ask it.
    """
    global _away
    _away = _why_away(repository) or (_away if _offline() else "")
    if not _away:
        yield ""
        return
    constants, config = _switches()
    with replaced(constants, _SWITCH, True), replaced(config, _SWITCH, True):
        yield _away


def stay_off_line() -> str:
    """Let this process and those it starts use the caches from now on, if the Hub did not answer last time.

    Returns:
        Why it could not be reached; "" if it was, or was not asked.
    """
    if _away:
        os.environ[_SWITCH] = "1"
        for module in _switches():
            setattr(module, _SWITCH, True)
    return _away


def _why_away(repository: str) -> str:
    from huggingface_hub import constants
    from huggingface_hub.utils import get_session

    if repository in _answered or _offline():
        return ""
    reason = ""
    for attempt in range(_ATTEMPTS):
        try:  # any reply will do
            get_session().head(
                f"{constants.ENDPOINT}/datasets/{repository}/resolve/main/README.md", timeout=_TIMEOUT_S
            )
        except Exception as error:  # of the client's HTTP library, which depends on its version
            reason = " ".join(str(error).split()) or type(error).__name__
        else:
            _answered.add(repository)
            return ""
        if attempt + 1 < _ATTEMPTS:
            time.sleep(_PAUSE_S * 2**attempt)
    return reason


def _offline() -> bool:
    return any(getattr(module, _SWITCH) for module in _switches())


def _switches() -> tuple[Any, Any]:
    """Return the modules whose switch the clients look at."""
    from datasets import config
    from huggingface_hub import constants

    return constants, config
