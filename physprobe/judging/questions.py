"""What a judge is asked, and how its reply is read. Knows nothing of the subject of the question."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

# Characters that are shown from each end of a long text.
_HEAD = 2000
_TAIL = 2000

_THINK_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)


@dataclass(frozen=True)
class JudgeItem:
    """One question to a panel.

    Attributes:
        item_id: names the item in results; neither shown to judges nor part of the cache's key.
        prompt: the whole text a judge sees, as one user message.
        verdicts: the only replies that count, exactly as a judge must write them.
        version: names the wording of the prompt; raise it with every change ("match-1").
    """

    item_id: str
    prompt: str
    verdicts: tuple[str, ...]
    version: str

    @cached_property
    def text(self) -> str:
        """The prompt as it is sent: characters that UTF-8 can't express are replaced."""
        return self.prompt.encode("utf-8", "replace").decode("utf-8")

    @cached_property
    def prompt_sha256(self) -> str:
        """SHA-256 of the text that is sent, in hexadecimal."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()


def excerpt(text: str) -> str:
    """Return a text as judges are shown it, without the middle of a long one."""
    left_out = len(text) - _HEAD - _TAIL
    if left_out <= 0:
        return text
    return f"{text[:_HEAD]}\n[... {left_out} characters left out ...]\n{text[-_TAIL:]}"


def marker(text: str) -> str:
    """Return what marks a text's ends in a prompt: no text holds its own hash."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


def after_thoughts(text: str) -> str:
    """Return what follows the last <think> block, stripped; "" when a block is never closed.

    A closing tag alone ends a block that the chat template opened (DeepSeek-R1).
    """
    tags = list(_THINK_TAG.finditer(text))
    if not tags:
        return text.strip()
    return text[tags[-1].end() :].strip() if tags[-1][1] else ""


def parse_verdict(reply: str, verdicts: Sequence[str]) -> str | None:
    """Read a reply: it must be one of ``verdicts`` and nothing else, but for a <think> block before it.

    Returns:
        The verdict, or None for anything else. Nothing is searched for inside a longer reply.
    """
    said = after_thoughts(reply)
    return said if said in verdicts else None
