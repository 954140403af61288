"""Find the option letters that a free-form answer mentions, and what it says about each.

An answer becomes a list of tokens; each letter is judged by a bounded window of tokens on both sides, so the
time is linear in the length of the answer whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple

from physprobe.conservation import answer_words as words

# How a letter or an option's text is put forward, strongest first.
Kind = Literal["final", "marked", "conclusion", "named", "decorated", "bare", "text"]

# A run of Latin letters (with inner apostrophes), a run of other letters, digits, a newline, or one sign.
_LATIN = "A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ"
_TOKEN = re.compile(rf"[{_LATIN}]+(?:'[{_LATIN}]+)*|[^\W\d_{_LATIN}]+|\d+|\n|[^\w\s]|_")

_OPENERS = frozenset("([{<\"*_`$'「『【《“‘")
_CLOSERS = frozenset(")]}>\"*_`$'」』】》”’")
_SKIPPED = _OPENERS | _CLOSERS | words.CONCLUDING_SIGNS | frozenset("\\:=-–—#|,;~&♦•\n")
_ENDERS = frozenset(".!?。,;:\n") | _CLOSERS
_SIGNS = frozenset(":()-–—")
_BREAKS = frozenset([*".!?,;:\n", "but"])
_GLUE = frozenset("-'@&")
_SUFFIXES = frozenset("+#")
_BACK = 14
_AHEAD = 7


class Token(NamedTuple):
    """One token: as written, case-folded, and whether white space precedes it."""

    text: str
    folded: str
    spaced: bool


@dataclass(frozen=True)
class Mention:
    """One place where the answer refers to an option.

    Attributes:
        letter: upper case; may be a letter that no option has when ``kind`` is "final" or "marked".
        kind: how it is put forward.
        start, end: its tokens; ``lead`` <= start is where the words begin that put it forward.
        negated: "not B", "B is wrong", "if the answer were B": spoken of but not chosen.
        joined: one of several offered at once, as in "A or B".
    """

    letter: str
    kind: Kind
    start: int
    end: int
    lead: int
    negated: bool = False
    joined: bool = False


def tokenize(answer: str) -> list[Token]:
    """Split an answer; white space other than newlines is dropped but remembered."""
    found = []
    last = -1
    for match in _TOKEN.finditer(answer):
        text = match.group()
        found.append(Token(text, text.casefold(), match.start() != last))
        last = match.end()
    return found


class Lead(NamedTuple):
    """What the words before a letter make of it: a kind or nothing, negation, and where they begin."""

    kind: Kind | None
    negated: bool
    start: int


def lead_of(tokens: Sequence[Token], position: int) -> Lead:
    """Read backwards from a letter or option text over words that link it to "answer", "choose", "so", ..."""
    walk = _Walk()
    for j in range(position - 1, max(position - 1 - _BACK, -1), -1):
        if not walk.step(tokens, j):
            break
    return Lead(walk.kind, walk.negated, min(walk.start, position))


class _Walk:
    """The state of one backward reading; ``step`` returns False when it ends."""

    def __init__(self) -> None:
        self.kind: Kind | None = None
        self.negated = False
        self.start = 1 << 60
        self._final = self._linked = self._apart = False
        self._newlines = 0

    def step(self, tokens: Sequence[Token], j: int) -> bool:
        word = tokens[j].folded
        if word in _SKIPPED:
            return self._sign(word)
        if self._negates(tokens, j):
            self.negated = True
            return False
        if self._claims(tokens, j):
            return False
        return self._links(tokens[j], j)

    def _sign(self, sign: str) -> bool:
        self._linked |= sign in words.LINK_SIGNS or sign == "\n"
        if sign in words.CONCLUDING_SIGNS:
            self.kind = self.kind or "conclusion"
        self._apart |= sign in ",;\n"
        self._newlines += sign == "\n"
        return self._newlines <= 2

    def _negates(self, tokens: Sequence[Token], j: int) -> bool:
        word = tokens[j].folded
        before = tokens[j - 1].folded if j else ""
        negation = word in words.NEGATIONS or word in words.BARE_NO or (word, before) in words.NEGATION_PAIRS
        return not self._apart and (negation or _any_in(words.RUN_NEGATIONS, word[-4:]))

    def _claims(self, tokens: Sequence[Token], j: int) -> bool:
        word = tokens[j].folded
        named = word in words.OPTION_NOUNS
        run = not word.isascii() and word.endswith(words.RUN_ANSWER_ENDS)
        if not (word in words.ANSWER_NOUNS or word in words.CHOICE_VERBS or run or (named and self._linked)):
            return False
        clause = _clause_before(tokens, j)
        final = self._final or words.FINAL.intersection(clause[-2:]) or _any_in(words.RUN_FINAL, word)
        self.kind = "final" if final else "marked"
        self.start = j
        self.negated = _denied(clause)
        return True

    def _links(self, token: Token, j: int) -> bool:
        word = token.folded
        if word in words.FINAL:
            self._final, self.kind, self.start = True, "final", j
        elif word in words.OPTION_NOUNS or word in words.RUN_OPTION_ENDS:
            self.kind, self.start = self.kind or "named", j
        elif word in words.CONCLUDING:
            self.kind, self.start = self.kind or "conclusion", j
            self._linked = True
        elif word in words.LINKS or token.text == "a":  # "é a C"; a capital A may be an option
            self._linked = True
        elif word not in words.LATEX:
            return False
        return True


def _any_in(parts: Sequence[str], word: str) -> bool:
    return not word.isascii() and any(part in word for part in parts)


def _clause_before(tokens: Sequence[Token], j: int) -> list[str]:
    """Return the words before a token, eight at most, back to the beginning of its clause."""
    clause: list[str] = []
    for token in reversed(tokens[max(j - 8, 0) : j]):
        if token.folded in _BREAKS:
            break
        clause.append(token.folded)
    return clause[::-1]


def _denied(clause: Sequence[str]) -> bool:
    """Tell whether the words before a claim deny it or make it a mere possibility."""
    negated = words.NEGATIONS.intersection(clause[-3:])
    doubted = words.NEGATIONS.intersection(clause) and words.OPINIONS.intersection(clause)
    return bool(negated or doubted or words.HYPOTHETICAL.intersection(clause))


def find_mentions(tokens: Sequence[Token], letters: str) -> list[Mention]:
    """Find every mention of a letter, in order.

    Args:
        tokens: of the answer. letters: the option letters in upper case, "ABC".

    Returns:
        Mentions; letters beyond ``letters`` only where the answer claims them ("the answer is E").
    """
    found = []
    for i, token in enumerate(tokens):
        if len(token.text) == 1 and "a" <= token.folded <= "z" and token.text.isascii():
            mention = _mention(tokens, i)
            if mention and (mention.letter in letters or mention.kind in ("final", "marked")):
                found.append(mention)
    return _mark_joined(tokens, found)


def _mention(tokens: Sequence[Token], i: int) -> Mention | None:
    start, end = _decoration(tokens, i)
    decorated = end - start > 1
    if not decorated and not _stands_alone(tokens, i):
        return None
    lead = lead_of(tokens, start)
    kind, negated = lead.kind, lead.negated
    verdict = _followed_by(tokens, end, linked=decorated)
    if verdict is not None:
        negated = negated or not verdict or _denied(_clause_before(tokens, start))
        kind = kind if kind == "final" else "marked"
    if kind is None and _labels_something(tokens, start):
        return None
    if kind == "conclusion" and not _clause_ends(tokens, end):
        kind = None
    if kind is None and _closes_answer(tokens, start, end):
        kind = "conclusion"
    kind = kind or ("decorated" if decorated else "bare")
    if kind == "bare" and tokens[i].text.islower():
        return None
    return Mention(tokens[i].text.upper(), kind, start, end, lead.start, negated or _asked(tokens, end))


def _decoration(tokens: Sequence[Token], i: int) -> tuple[int, int]:
    """Widen a letter by what encloses it: "(B)", "**B**", "B)" at the start of a line."""
    start, end = i, i + 1
    while start > 0 and end < len(tokens) and end - start < 9 and _encloses(tokens[start - 1], tokens[end]):
        start, end = start - 1, end + 1
    if end - start > 1:
        return start, end
    at_line_start = start == 0 or tokens[start - 1].folded == "\n"
    if at_line_start and end < len(tokens) and tokens[end].folded == ")" and not tokens[end].spaced:
        return start, end + 1
    return start, end


def _encloses(before: Token, after: Token) -> bool:
    return before.folded in _OPENERS and after.folded in _CLOSERS


def _stands_alone(tokens: Sequence[Token], i: int) -> bool:
    """Tell a letter from an article, an initial or a piece of something else: "A row", "e.g.", "C++"."""
    token = tokens[i]
    following = tokens[i + 1 : i + 3]
    if not token.spaced and _sticks(tokens[max(i - 2, 0) : i][::-1], before=True):
        return False
    if following and not following[0].spaced and _sticks(following, before=False):
        return False
    if not following or following[0].folded in _ENDERS:
        return True
    if token.text.islower():
        return False
    if token.text in "AI":
        word = following[0].folded
        return not _is_latin_word(word) or word in words.AFTER_LETTER or word in words.COPULAS
    return True


def _is_latin_word(word: str) -> bool:
    return word[0].isalpha() and (word[0] < "ɐ" or "Ḁ" <= word[0] <= "ỿ")


def _sticks(neighbours: Sequence[Token], *, before: bool) -> bool:
    """Tell whether the one or two tokens beside a letter, nearest first, make one thing with it."""
    if not neighbours:
        return False
    word = neighbours[0].folded
    if (word.isalnum() and word.isascii()) or (word in _SUFFIXES and not before):
        return True
    if len(neighbours) < 2 or neighbours[0 if before else 1].spaced:
        return False
    beyond = neighbours[1].folded
    return beyond.isalnum() and (word in _GLUE or (word == "." and len(beyond) == 1))


def _followed_by(tokens: Sequence[Token], end: int, *, linked: bool) -> bool | None:
    """Read "B is correct", "(B) Wrong.", "B can't be ...": True, False, or None when nothing is said.

    ``linked``: a sign already joins the letter to what follows. Without a verb a verdict must end its clause:
    "(A) right ..." may go on as "right glass".
    """
    link = "sign" if linked else ""
    verdict = True
    for k, token in enumerate(tokens[end : end + _AHEAD]):
        word = token.folded
        right = word in words.RIGHT or _starts(word, words.RUN_RIGHT_STARTS)
        if right or word in words.WRONG or _starts(word, words.RUN_WRONG_STARTS):
            said = link == "verb" or not word.isascii() or (link and _clause_ends(tokens, end + k + 1))
            supposed = _next_is(tokens, end + k + 1, words.HYPOTHETICAL)
            return (right == verdict and not supposed) if said else None
        if word in words.HYPOTHETICAL:
            return False
        if word in words.NEGATIONS or word in words.BARE_NO:
            if link == "verb" or (k == 0 and word in words.DIRECT_NEGATIONS):
                return False
            verdict = False
        elif word in words.COPULAS:
            link = "verb"
        elif word in _SIGNS:
            link = link or "sign"
        elif word not in words.FILLERS and word not in _CLOSERS:
            return None
    return None


def _next_is(tokens: Sequence[Token], k: int, wanted: frozenset[str]) -> bool:
    return k < len(tokens) and tokens[k].folded in wanted


def _starts(word: str, starts: tuple[str, ...]) -> bool:
    return not word.isascii() and word.startswith(starts)


def _labels_something(tokens: Sequence[Token], start: int) -> bool:
    return start > 0 and tokens[start - 1].folded in words.LABELLED


def _skip_closers(tokens: Sequence[Token], end: int) -> int:
    while end < len(tokens) and tokens[end].folded in _CLOSERS:
        end += 1
    return end


def _asked(tokens: Sequence[Token], end: int) -> bool:
    """Tell whether a question mark ends the clause, unless the answer is little more than that."""
    ender = next((token.folded for token in tokens[end : end + 2 * _AHEAD] if token.folded in ".!?\n"), "")
    return ender == "?" and len(tokens) > 6


def _clause_ends(tokens: Sequence[Token], end: int) -> bool:
    after = _skip_closers(tokens, end)
    return (
        after >= len(tokens) or tokens[after].folded in _ENDERS or tokens[after].folded in words.AFTER_LETTER
    )


def _closes_answer(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Tell whether a letter is the last thing said, set off by a sign: "..., B." """
    set_off = start > 0 and tokens[start - 1].folded in {",", ":", ";", ".", "-", "–", "—", "\n"}
    return set_off and len(tokens) - end <= 4 and all(token.folded in _ENDERS for token in tokens[end:])


def _mark_joined(tokens: Sequence[Token], mentions: list[Mention]) -> list[Mention]:
    """Mark neighbours of different letters with nothing but connectors between them ("A or B", "(A)/(B)")."""
    joined = set()
    for k, (left, right) in enumerate(pairwise(mentions)):
        linked = right.start - left.end <= 4 and all(map(_connects, tokens[left.end : right.start]))
        if linked and left.letter != right.letter and not left.negated and not right.negated:
            joined |= {k, k + 1}
    return [replace(mention, joined=k in joined) for k, mention in enumerate(mentions)]


def _connects(token: Token) -> bool:
    return (
        token.folded in words.CONNECTORS
        or token.folded in words.OPTION_NOUNS
        or (token.folded in _OPENERS | _CLOSERS)
    )
