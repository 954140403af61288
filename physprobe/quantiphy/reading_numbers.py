"""Numbers as people and models write them, in plain text (see ``reading_cleaning``)."""

from __future__ import annotations

import re

from physprobe.quantiphy.units import match_unit

# Digits with thousands separators and a decimal point, or the other way round, or neither.
_GROUPED = "|".join(rf"[1-9]\d{{0,2}}(?:{sign}\d{{3}})+(?!\d)(?:\.\d+)?" for sign in ",' ")
_CONTINENTAL = r"[1-9]\d{0,2}(?:\.\d{3})+,\d+|\d+,\d+(?![\d,])"
_DIGITS = rf"(?:{_GROUPED}|{_CONTINENTAL}|\d+(?:\.\d+)?(?!\d)|\d+\.(?=\s|$)|\.\d+)"
_TEN = r"\s*[×xX*·]\s*10\s*(?:\^|\*\*)\s*\(?\s*(?P<ten>[+-]?\d+)\s*\)?"
_E = r"[eE](?P<e>[+-]?\d+)(?![\d.])"
_FRACTION = r"(?:(?P<whole>\d+)\s+)?(?P<over>\d+)\s?/\s?(?P<under>[1-9]\d*)(?![\d.,]*\d)(?!\s*[/^])"
# Not inside a word or a longer number, and not the exponent of something.
_START = r"(?<![\w^])(?<!\d[.,])(?<!\^[+-])(?<!\*\*)(?<!\^\()"
# A sign touches its number, or starts a value; elsewhere it is an operator.
_SIGN = r"(?P<sign>(?<![\w)\]%])[+-](?=[.\d])|(?:(?<=^)|(?<=[=(:≈~])|(?<=[=(:≈~]\s))[+-]\s(?=[.\d]))?"
NUMBER = re.compile(
    rf"{_START}{_SIGN}(?:{_FRACTION}|10\s?(?:\^|\*\*)\s?\(?(?P<power>[+-]?\d+)\)?|"
    rf"(?P<digits>{_DIGITS})(?:{_E}|{_TEN})?)(?!\w*\d|\.\d)"
)

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
)
_SMALL = {word: value for value, word in enumerate([*_ONES.split(), "seventeen", "eighteen", "nineteen"])}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL |= {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
_LARGE = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_SHARES = {"a half": 0.5, "half": 0.5, "a quarter": 0.25, "three quarters": 0.75, "one half": 0.5}
_SHARES |= {"a third": 1 / 3, "two thirds": 2 / 3, "one third": 1 / 3, "one quarter": 0.25}
_WORD = "|".join(sorted([*_SMALL, *_LARGE], key=len, reverse=True))
_SHARE = "|".join(sorted((s.replace(" ", r"[\s-]") for s in _SHARES), key=len, reverse=True))
_PHRASE = re.compile(
    rf"\b(?:(?P<share>{_SHARE})|(?P<whole>(?:{_WORD})(?:(?:[\s-]+|\s+and\s+)(?:{_WORD}))*)"
    rf"(?:\s+point(?P<decimals>(?:\s+(?:{_ONES.replace(' ', '|')}))+))?(?:\s+and\s+(?P<extra>{_SHARE}))?)"
    rf"(?:\s+of)?(?:\s+an?)?\b",
    re.IGNORECASE,
)
_ABOUT_ONE = re.compile(r"\b(about|around|roughly|approximately|nearly|almost)\s+an?\s+(?=\w)", re.IGNORECASE)


def value_of(match: re.Match[str]) -> float:
    """Return the value of a match of NUMBER; infinite where a float64 cannot hold it."""
    if match["under"]:
        value = int(match["over"]) / int(match["under"]) + int(match["whole"] or 0)
    elif match["power"]:
        value = _scaled("1", match["power"])
    else:
        value = _scaled(_point(match["digits"]), match["e"] or match["ten"] or "0")
    return -value if (match["sign"] or "").startswith("-") else value


def digits_for_words(text: str) -> str:
    """Replace number words that stand before a unit, or are all there is, by digits.

    'one' and 'half' mean many things; before a unit they mean numbers.
    """
    text = _ABOUT_ONE.sub(lambda m: f"{m[1]} 1 " if match_unit(text, m.end()) else m[0], text)
    return _PHRASE.sub(lambda m: _digits(m, text), text)


def _scaled(digits: str, exponent: str) -> float:
    try:
        return float(f"{digits}e{int(exponent)}")
    except (OverflowError, ValueError):  # an exponent of thousands of digits
        return float("inf")


def _point(digits: str) -> str:
    """Write digits with a decimal point and nothing else."""
    if re.fullmatch(_GROUPED, digits):
        return re.sub("[,' ]", "", digits)
    return digits.replace(".", "").replace(",", ".") if "," in digits else digits


def _digits(match: re.Match[str], text: str) -> str:
    after = re.compile(r"\s*-?\s*").match(text, match.end())
    follows = match_unit(text, after.end() if after else match.end())
    alone = not text[: match.start()].strip() and not text[match.end() :].strip(" .!")
    if not (alone or (follows and text[match.end() - 1 : match.end()] != "")):
        return match[0]
    if match["share"]:
        value = _SHARES[re.sub(r"[\s-]", " ", match["share"].lower())]
    else:
        value = _whole(match["whole"].lower())
        decimals = "".join(str(_SMALL[word]) for word in (match["decimals"] or "").lower().split())
        value += float(f"0.{decimals}") if decimals else 0.0
        value += _SHARES[re.sub(r"[\s-]", " ", match["extra"].lower())] if match["extra"] else 0.0
    return f"{value!r} " if follows else repr(value)


def _whole(words: str) -> float:
    total = current = 0
    for word in re.split(r"[\s-]+", words):
        if word in _SMALL:
            current += _SMALL[word]
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in _LARGE:
            total += max(current, 1) * _LARGE[word]
            current = 0
    return float(total + current)
