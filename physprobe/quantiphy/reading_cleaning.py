"""Free text made plain for reading numbers and units: one way to write each sign, no markup."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SIGNS = str.maketrans(
    {"−": "-", "﹣": "-", "‐": "-", "‑": "-", "‒": "–", "—": "–", "×": "×", "✕": "×", "✖": "×", "∗": "*"}
    | {"⋅": "·", "∙": "·", "•": "·", "≃": "≈", "≅": "≈", "∼": "~", "’": "'", "＇": "'", "“": '"', "”": '"'}
    | {"⁄": "/", "∕": "/", "。": ".", "\u200b": "", "\ufeff": "", "\u2061": ""}
)
_FRACTIONS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8", "⅕": "1/5", "⅖": "2/5"}
_NARROW_SPACES = "\u00a0\u2007\u2009\u202f"

# LaTeX to plain text, in order; what stands for nothing in a number is dropped.
_LATEX: tuple[tuple[str, str], ...] = (
    (r"\\[,;!:]|\\ |(?<=\d)~(?=[A-Za-z\\])", " "),
    (r"\\(?:quad|qquad|space|ensuremath|displaystyle|left|right)(?![a-z])", " "),
    (r"\{,\}", ","),
    (r"\^\s*\\circ", "°"),
    (r"\^\s*\{\s*([+-]?)\s*(\d+)\s*\}", r"^\1\2"),
    (r"\\(?:text|mathrm|mathbf|mathit|textbf|operatorname|mbox|unit|si)\s*\{([^{}]*)\}", r"\1"),
    (r"\\(?:d|t|c)?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"\1/\2"),
    (r"\\(?:rm|bf)(?![a-z])", ""),
    (r"\\times(?![a-z])", "×"),
    (r"\\cdotp?(?![a-z])", "·"),
    (r"\\(?:approx|sim|simeq|thickapprox)(?![a-z])", "≈"),
    (r"\\pm(?![a-z])", "±"),
    (r"\\(?:leq?|geq?)(?![a-z])", "≤"),
    (r"\\([%_$#&])", r"\1"),
    (r"\\[()\[\]]|\$+", " "),
)
# Markdown likewise; '**' between a base and an exponent is a power.
_MARKDOWN: tuple[tuple[str, str], ...] = (
    (r"(?<=[\w)])(\s?)\*\*\1(?=[+-]?\d)", "^"),
    (r"\*\*|(?<!\w)__|__(?!\w)|`+", ""),
    (r"(?m)^\s*(?:#+|>|[*-](?=\s))\s*", ""),
    (r"(?<![\w)*\s])\*(?=\w)|(?<!\S)\*(?=\w)|(?<=[\w.)])\*(?![\w(*\s]|\s*\d)", ""),
)
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
_ANSWER_TAG = re.compile(r"<answer>(.*?)(?:</answer>|$)", re.IGNORECASE | re.DOTALL)
_BOLD = re.compile(r"(?<![\w)])(\*\*|__)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
_THOUGHT = re.compile(r"^.*</think(?:ing)?>", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Cleaned:
    """An answer in plain text.

    Attributes:
        text: all of it, without thoughts. boxed: what stands in boxes or answer tags, in order. bold: what is
            bold, in order.
    """

    text: str
    boxed: tuple[str, ...]
    bold: tuple[str, ...]


def clean(answer: str) -> Cleaned:
    """Make an answer plain: signs, superscripts ('m/s²' to 'm/s^2'), LaTeX and Markdown."""
    text = _THOUGHT.sub("", answer)
    text = _plain_signs(text)
    boxed = [m.group(1) for m in _BOXED.finditer(text)] + [m.group(1) for m in _ANSWER_TAG.finditer(text)]
    text = _ANSWER_TAG.sub(r" \1 ", _BOXED.sub(r" \1 ", text))
    bold = [m.group(2) for m in _BOLD.finditer(text)]
    return Cleaned(_plain(text), tuple(map(_plain, boxed)), tuple(map(_plain, bold)))


def _plain_signs(text: str) -> str:
    text = text.translate(_FULL_WIDTH).translate(_SIGNS)
    text = re.sub(rf"(?<=\d)[{_NARROW_SPACES}](?=\d{{3}}(?!\d))", "", text)  # thousands
    text = re.sub(f"[{_NARROW_SPACES}\u2002-\u2008\u200a\u3000]", " ", text)
    text = re.sub("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda m: "^" + m.group().translate(_SUPERSCRIPTS), text)
    text = re.sub(r"(^\s*|[(=:≈~]\s*)–(?=[\d.])", r"\1-", text)
    text = re.sub(r"\b(?:minus|negative)\s+(?=[.\d])", "-", text, flags=re.IGNORECASE)
    for sign, plain in _FRACTIONS.items():
        text = re.sub(rf"(?<=\d)\s?{sign}", f" {plain}", text).replace(sign, plain)
    return text


def _plain(text: str) -> str:
    for pattern, plain in (*_LATEX, *_MARKDOWN):
        text = re.sub(pattern, plain, text)
    text = text.replace("{", "").replace("}", "")
    # 'ms^-2' and 'cms-1' are metres and centimetres per second; 'ms' alone is a millisecond.
    text = re.sub(r"\b([kcm]?m)s(\^-[12]|-[12]\b)", r"\1·s\2", text)
    return re.sub(r"[ \t]+", " ", text).strip()
