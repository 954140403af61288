"""Bring raw output into the form in which it is read: no thoughts, no template signs, no look-alikes."""

from __future__ import annotations

import json
import re
import unicodedata

_JSON_KEYS = (
    "final_answer",
    "answer",
    "choice",
    "option",
    "selected_option",
    "selection",
    "letter",
    "prediction",
)
_FENCE = re.compile(r"^```[a-zA-Z]*\s|\s?```$")
_THINK_OPEN = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_THINK_CLOSE = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
# Signs of a chat template that a decoder left in: </s>, <|im_end|>, <end_of_turn>.
_SPECIAL = re.compile(r"</?s>|<\|[^|<>\s]{1,40}\|>|<(?:end_of_turn|eos|pad)>")
_HTML = re.compile(r"</?(?:p|b|i|u|em|strong|span|div|code|br|ul|ol|li|h[1-6])\s?/?>", re.IGNORECASE)
_ARROWS = re.compile(r"[=-]{1,2}>")
_TYPOGRAPHY = str.maketrans("’‘ʼ。、", "'''.,")


def clean(answer: str) -> str:
    """Drop thoughts, template signs and HTML tags; unify full-width characters, quotes, stops and arrows."""
    text = drop_thoughts(unicodedata.normalize("NFKC", answer).translate(_TYPOGRAPHY))
    return _HTML.sub(" ", _SPECIAL.sub(" ", _ARROWS.sub("⇒", text))).strip()


def drop_thoughts(text: str) -> str:
    """Keep what lies outside <think> blocks; a block that is never closed holds no answer.

    A closing tag alone ends a block that the chat template opened.
    """
    before, *blocks = _THINK_OPEN.split(text)
    kept = [_THINK_CLOSE.split(before)[-1]]
    for block in blocks:
        pieces = _THINK_CLOSE.split(block)
        kept.append(pieces[-1] if len(pieces) > 1 else "")
    return "\n".join(kept)


def json_value(text: str) -> str | None:
    """Return the answer that JSON text holds, "" when it holds none, None when the text is no JSON."""
    body = _FENCE.sub("", text).strip()
    if not body.startswith(("{", "[", '"')):
        return None
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if isinstance(parsed, dict):
        named = {str(key).casefold().replace(" ", "_"): value for key, value in parsed.items()}
        values = [named[key] for key in _JSON_KEYS if key in named][:1] or list(named.values())
    else:
        values = parsed if isinstance(parsed, list) else [parsed]
    return values[0] if len(values) == 1 and isinstance(values[0], str) else ""
