"""Find the texts of the options in a free-form answer, quoted or nearly so.

Words are compared case-folded, without punctuation. The core of an option is its text without a leading "Yes"
or "No": "No, the lower row has more coins." has the core "the lower row has more coins".
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from string import ascii_uppercase

from physprobe.conservation import answer_words as words
from physprobe.conservation.answer_letters import Mention, Token, lead_of, tokenize

_SENTENCE_ENDS = frozenset(".!?。\n")
_TIME_WINDOW = 6


@dataclass(frozen=True)
class Option:
    """One shown option, taken apart.

    Attributes:
        letter: "A", "B", ... core: its words without a leading yes or no.
        polarity: "yes", "no" or "" by its first word. content: the words of the core that carry the claim.
    """

    letter: str
    core: tuple[str, ...]
    polarity: str
    content: frozenset[str]


def parse_options(options: Sequence[str]) -> list[Option]:
    """Take the shown options apart; those beyond the 26th have no letter and are left out."""
    parsed = []
    for letter, text in zip(ascii_uppercase, options, strict=False):
        spoken = word_list(tokenize(text))
        polarity = polarity_of(spoken)
        core = tuple(spoken[1:] if polarity else spoken)
        parsed.append(Option(letter, core, polarity, frozenset(core) - words.EMPTY))
    return parsed


def word_list(tokens: Sequence[Token]) -> list[str]:
    """Keep the words and numbers of a token list, case-folded."""
    return [token.folded for token in tokens if token.folded.isalnum() or "'" in token.folded[1:-1]]


def polarity_of(spoken: Sequence[str]) -> str:
    """Tell whether words begin with a yes or a no, in some common language."""
    if not spoken:
        return ""
    return "yes" if spoken[0] in words.YES else "no" if spoken[0] in words.NO else ""


def find_texts(tokens: Sequence[Token], options: Sequence[Option]) -> list[Mention]:
    """Find every occurrence of an option's core, in order.

    Returns:
        Mentions, of kind "final" or "marked" where the answer puts the text forward as its answer, else
        "text"; ``negated`` where it is denied, asked, supposed, said of another time, or contradicted by the
        yes or no before it. Where the cores of two options overlap the longer one counts.
    """
    places = [k for k, token in enumerate(tokens) if word_list([token])]
    spoken = [tokens[k].folded for k in places]
    found = [(begin, end, option) for option in options for begin, end in _occurrences(spoken, option.core)]
    sentences = _Sentences(tokens)
    return [
        _text_mention(tokens, sentences, places[begin], places[end - 1] + 1, option)
        for begin, end, option in _longest(found)
    ]


def _occurrences(spoken: Sequence[str], core: Sequence[str]) -> list[tuple[int, int]]:
    if not core:
        return []
    starts = list(accumulate((len(word) + 1 for word in spoken), initial=0))
    text, wanted = " ".join(["", *spoken, ""]), " ".join(["", *core, ""])
    found, at = [], text.find(wanted)
    while at >= 0:
        begin = bisect_right(starts, at) - 1
        found.append((begin, begin + len(core)))
        at = text.find(wanted, at + len(wanted) - 1)
    return found


def _longest(found: list[tuple[int, int, Option]]) -> list[tuple[int, int, Option]]:
    """Sort occurrences by place and drop each that lies inside a longer one."""
    kept: list[tuple[int, int, Option]] = []
    for begin, end, option in sorted(found, key=lambda item: (item[0], -item[1], item[2].letter)):
        inside = kept and end <= kept[-1][1] and end - begin < kept[-1][1] - kept[-1][0]
        if not inside:
            kept.append((begin, end, option))
    return kept


class _Sentences:
    """Where the sentence of each token begins and ends."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._ends = [k for k, token in enumerate(tokens) if token.folded in _SENTENCE_ENDS]
        self._length = len(tokens)

    def around(self, begin: int, end: int) -> tuple[int, int]:
        before = bisect_right(self._ends, begin - 1) - 1
        after = bisect_right(self._ends, end - 1)
        start = self._ends[before] + 1 if before >= 0 else 0
        return start, self._ends[after] if after < len(self._ends) else self._length


def _text_mention(
    tokens: Sequence[Token], sentences: _Sentences, begin: int, end: int, option: Option
) -> Mention:
    first, last = sentences.around(begin, end)
    spoken = word_list(tokens[max(first, begin - 30) : begin])
    polarity = polarity_of(spoken[-1:])
    start = begin
    while polarity and tokens[start].folded != spoken[-1]:
        start -= 1
    lead = lead_of(tokens, start)
    asked = last < len(tokens) and tokens[last].folded == "?"
    contradicted = bool(polarity and option.polarity and polarity != option.polarity)
    after = word_list(tokens[end : min(last, end + _TIME_WINDOW)])
    negated = asked or contradicted or _doubted(spoken, after) or (lead.negated and not polarity)
    kind = lead.kind if lead.kind in ("final", "marked") else "text"
    return Mention(option.letter, kind, start, end, lead.start, negated)


def _doubted(before: Sequence[str], after: Sequence[str]) -> bool:
    """Tell whether a sentence denies or supposes its claim, or speaks of a time other than the end."""
    doubts = words.NEGATIONS | words.HYPOTHETICAL | words.TIME_HEDGES
    reset = max((k for k, word in enumerate(before) if word in words.RESETS), default=0)
    numbered = any(word in words.SHOWN and number.isdigit() for word, number in pairwise(before))
    return numbered or bool(doubts.intersection(before[reset:]) or words.TIME_HEDGES.intersection(after))
