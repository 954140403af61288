"""Stage 1 of hybrid matching: read the chosen option out of a free-form answer, or leave it unread.

The paper (section 4.1, Appendix F) maps an answer to one option by deterministic templates first and asks
judge models about the rest. Here only what an answer says without ambiguity is read; anything else is None,
so that a later stage can look at it and nothing is guessed.

Rules in order of precedence; the first that decides wins, also when it decides that the answer is unreadable:

    empty              nothing left after <think> blocks are dropped                      -> unread
    json               the whole answer is JSON with a key such as "answer"               -> its value, read
    boxed, answer_tag  \\boxed{B}, <answer>B</answer>; different letters                  -> unread
    final_marker       "Final answer: B"; the last one
    marker             "the answer is B", "I choose B", "B is correct", also with an option's text; different
                       letters are unread unless the answer corrects itself in between ("wait", "actually")
    whole, last_line,  a line that holds only a letter, or a letter with that option's text; not in a list of
    first_line         options; first and last line at odds                               -> unread
    conclusion         "..., so B.", when no other letter is concluded or comes after it
    leading            "B. The lower row ..."; other letters put forward later            -> unread
    single_mention     "(B)" or "option B", when no other letter is put forward
    option_text        exactly one option's text, when no letter is put forward
    same_words         a short answer with exactly the words that carry one option's claim, or with these and
                       others after a yes or no that fits the option alone
    yes_no             nothing but a yes (or no), when exactly one option begins with it
    nothing            none of these                                                      -> unread

A letter beside the text of another option is unread ("text_conflict"), as are letters offered together, "A or
B" ("several_letters"), and options quoted side by side ("several_texts"). "A" as an article is no letter;
"not B" and "B is wrong" put nothing forward.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from physprobe.conservation import answer_words as words
from physprobe.conservation.answer_cleaning import clean, json_value
from physprobe.conservation.answer_letters import Mention, Token, find_mentions, tokenize
from physprobe.conservation.answer_text import Option, find_texts, parse_options, polarity_of, word_list

_BOXED = re.compile(r"\\boxed\s{0,3}\{([^\n}]{0,200}\}?)")
_ANSWER_TAG = re.compile(r"<answer>([^<]{0,1000})</answer>", re.IGNORECASE)
_DELIMITERS = frozenset(".,:;)]-–—(*\n")
_LINE_LEADS = words.OPTION_NOUNS | words.ANSWER_NOUNS | words.LATEX
_BEFORE_LETTER = words.LINKS | words.CONCLUDING
_DOUBTS = words.NEGATIONS | words.HYPOTHETICAL | words.TIME_HEDGES
_LEADING_OVER = _BEFORE_LETTER | frozenset(",;:-–—")
# Tokens up to which an answer is short enough to be nothing but a paraphrase of an option.
_SHORT = 40


class Match(NamedTuple):
    """What was read: the letter of an option or None (unread), and the name of the rule that decided."""

    letter: str | None
    rule: str


class _Decision(NamedTuple):
    letter: str | None
    rule: str
    mention: Mention | None = None


def match_option(answer: str, options: Sequence[str]) -> Match:
    """Read which option a free-form answer chooses.

    Args:
        answer: what the model wrote; any string. options: the option texts in shown order; the first is "A".

    Returns:
        A match; the module's docstring lists the rules. Never raises; linear in the length of the answer.
    """
    return _match(clean(answer), parse_options(options))


def _match(text: str, options: Sequence[Option]) -> Match:
    if not text:
        return Match(None, "empty")
    value = json_value(text)
    if value is not None:
        return Match(_match_prose(value, options).letter, "json")
    return _match_prose(text, options)


def _match_prose(text: str, options: Sequence[Option]) -> Match:
    for pattern, rule in ((_BOXED, "boxed"), (_ANSWER_TAG, "answer_tag")):
        inner = {_match_tokens(found, options).letter for found in pattern.findall(text)} - {None}
        if inner:
            return Match(inner.pop() if len(inner) == 1 else None, rule)
    return _match_tokens(text, options)


def _match_tokens(text: str, options: Sequence[Option]) -> Match:
    reading = _Reading(text, options)
    for rule in _RULES:
        decision = rule(reading)
        if decision:
            conflict = decision.letter and decision.mention and reading.contradicts(decision.mention)
            return Match(None, "text_conflict") if conflict else Match(decision.letter, decision.rule)
    return Match(None, "nothing")


class _Line(NamedTuple):
    """A line that holds a letter and nothing else, or besides only an option's text (of which letter)."""

    mention: Mention
    text_of: str | None


class _Reading:
    """An answer taken apart: tokens, and every letter and option text in it."""

    def __init__(self, text: str, options: Sequence[Option]) -> None:
        self.options = options
        self.letters = "".join(option.letter for option in options)
        self.tokens = tokenize(text)
        self.spoken = word_list(self.tokens)
        self.mentions = find_mentions(self.tokens, self.letters)
        self.texts = find_texts(self.tokens, options)

    def claims(self, *kinds: str) -> list[Mention]:
        """Return letters and texts put forward in one of these ways, in order."""
        both = sorted([*self.mentions, *self.texts], key=lambda mention: mention.start)
        return [mention for mention in both if mention.kind in kinds and not mention.negated]

    def asks(self) -> bool:
        """Tell whether the answer ends in a question."""
        return bool(self.tokens) and self.tokens[-1].folded == "?"

    def lines(self) -> list[_Line | None]:
        """Return each line that has words, as a letter line or None."""
        found, start = [], 0
        ends = [k for k, token in enumerate(self.tokens) if token.folded == "\n"]
        for end in [*ends, len(self.tokens)]:
            if word_list(self.tokens[start:end]):
                found.append(self._line(start, end))
            start = end + 1
        return found

    def _line(self, start: int, end: int) -> _Line | None:
        spoken = word_list(self.tokens[start:end])
        names = next((k for k, word in enumerate(spoken[:-1]) if word not in _LINE_LEADS), len(spoken) - 1)
        spoken = spoken[names:]
        letter, rest = spoken[0].upper(), spoken[1:]
        if letter not in list(self.letters):
            return None
        text_of = self._option_of(rest)
        if rest and text_of is None:
            return None
        at = next(k for k in range(start, end) if self.tokens[k].folded == spoken[0])
        return _Line(Mention(letter, "bare", at, at + 1, start), text_of)

    def _option_of(self, spoken: Sequence[str]) -> str | None:
        for option in self.options:
            for cut in (0, 1) if polarity_of(spoken) else (0,):
                if option.core and tuple(spoken[cut:]) == option.core:
                    return option.letter
        return None

    def contradicts(self, mention: Mention) -> bool:
        """Tell whether the words beside a chosen letter or text are those of another option."""
        own = next(option for option in self.options if option.letter == mention.letter)
        rest = self.tokens[mention.end : mention.end + 80]
        if mention.start != mention.end - 1 and mention in self.texts:
            near = (other for other in self.mentions if 0 <= other.start - mention.end < 5)
            return any(other.letter != mention.letter and not other.negated for other in near)
        before = word_list(self.tokens[: mention.lead])
        while before and before[-1] in _BEFORE_LETTER:
            before.pop()
        leads_over = any(text.letter != own.letter and self._leads_over(text, mention) for text in self.texts)
        return (
            leads_over
            or _other_follows(own, self.options, rest)
            or _other_precedes(own, self.options, before)
        )

    def _leads_over(self, text: Mention, mention: Mention) -> bool:
        """Tell whether a letter is drawn from a text in one sentence: "they are the same, so B"."""
        if text.negated or not 0 <= mention.lead - text.end <= 3:
            return False
        return all(token.folded in _LEADING_OVER for token in self.tokens[text.end : mention.lead])


def _other_follows(own: Option, options: Sequence[Option], rest: Sequence[Token]) -> bool:
    said = word_list(rest)
    places = [k for k, token in enumerate(rest) if word_list([token])][:1]
    if places and (places[0] + 1 == len(rest) or rest[places[0] + 1].folded in _DELIMITERS):
        polarity = polarity_of(said)
        if polarity and own.polarity and polarity != own.polarity:
            return True
    return _names_other(own, options, [said[offset:] for offset in range(3)])


def _names_other(own: Option, options: Sequence[Option], tails: Sequence[Sequence[str]]) -> bool:
    """Tell whether one of the word lists begins with another option's core and not with one's own."""
    begun = [option for tail in tails for option in options if option.core and _begins(tail, option.core)]
    longest = max(begun, key=lambda option: len(option.core), default=own)
    return longest.core != own.core


def _begins(tail: Sequence[str], core: Sequence[str]) -> bool:
    return tuple(tail[: len(core)]) == tuple(core)


def _other_precedes(own: Option, options: Sequence[Option], before: Sequence[str]) -> bool:
    """Tell whether what was said just before a letter is another option's text, or another yes or no."""
    polarity = polarity_of(before)
    if len(before) == 1 and polarity and own.polarity:
        return polarity != own.polarity
    for option in options:
        rest = before[: len(before) - len(option.core)]
        ends_with = option.core and tuple(before[len(rest) :]) == option.core
        if ends_with and (not rest or rest[-1] in words.YES | words.NO):
            return option.core != own.core
    return False


def _final_marker(reading: _Reading) -> _Decision | None:
    claims = reading.claims("final")
    return _last_claim(reading, claims, "final_marker") if claims else None


def _marker(reading: _Reading) -> _Decision | None:
    claims = reading.claims("marked")
    if not claims:
        return None
    others = [mention for mention in claims if mention.letter != claims[-1].letter and not mention.joined]
    if others:
        between = word_list(reading.tokens[others[-1].end : claims[-1].start])
        if not words.CORRECTING.intersection(between):
            return _Decision(None, "several_letters")
    return _last_claim(reading, claims, "marker")


def _last_claim(reading: _Reading, claims: Sequence[Mention], rule: str) -> _Decision:
    last = claims[-1]
    readable = last.letter in reading.letters and not last.joined
    return _Decision(last.letter, rule, last) if readable else _Decision(None, "several_letters")


def _letter_line(reading: _Reading) -> _Decision | None:
    lines = reading.lines()
    held = [line for line in lines if line]
    if any(line.text_of not in (None, line.mention.letter) for line in held):
        return _Decision(None, "text_conflict")
    listed = {line.mention.letter for line in held if line.text_of}
    ends = [(lines[-1], "last_line"), (lines[0], "first_line")] if lines else []
    usable = [(line, rule) for line, rule in ends if line and (len(listed) < 2 or not line.text_of)]
    if not usable:
        return None
    line, rule = usable[0]
    concluded = reading.claims("conclusion") if rule == "first_line" else []
    letters = {other.mention.letter for other, _ in usable} | {mention.letter for mention in concluded}
    if len(letters) > 1:
        return _Decision(None, "several_letters")
    return _Decision(line.mention.letter, "whole" if len(lines) == 1 else rule, line.mention)


def _conclusion(reading: _Reading) -> _Decision | None:
    claims = reading.claims("conclusion")
    if not claims:
        return None
    last = claims[-1]
    later = [mention for mention in reading.claims("named", "decorated") if mention.start > last.start]
    letters = {mention.letter for mention in [*claims, *later]}
    if len(letters) > 1 or last.joined:
        return _Decision(None, "several_letters")
    return _Decision(last.letter, "conclusion", last)


def _leading(reading: _Reading) -> _Decision | None:
    first = next(iter(reading.mentions), None)
    if first is None or first.negated or word_list(reading.tokens[: first.start]):
        return None
    following = reading.tokens[first.end].folded if first.end < len(reading.tokens) else "\n"
    set_off = first.kind != "bare" or following in _DELIMITERS or following in words.REASONS
    others = {mention.letter for mention in reading.claims("named", "decorated", "conclusion")}
    if not set_off:
        return None
    if first.joined or others - {first.letter}:
        return _Decision(None, "several_letters")
    return _Decision(first.letter, "leading", first)


def _single_mention(reading: _Reading) -> _Decision | None:
    claims = reading.claims("named", "decorated", "bare")
    claims = [mention for mention in claims if mention.kind != "bare" or mention.joined]
    if not claims:
        return None
    if len({mention.letter for mention in claims}) > 1 or claims[-1].joined:
        return _Decision(None, "several_letters")
    return _Decision(claims[-1].letter, "single_mention", claims[-1])


def _option_text(reading: _Reading) -> _Decision | None:
    claims = reading.claims("text")
    if not claims:
        return None
    if len({mention.letter for mention in claims}) > 1:
        return _Decision(None, "several_texts")
    option = next(option for option in reading.options if option.letter == claims[0].letter)
    polarity = polarity_of(reading.spoken)
    if polarity and option.polarity and polarity != option.polarity:
        return _Decision(None, "text_conflict")
    size = len(reading.tokens)
    full = any(mention.end - mention.start > len(option.core) + 1 for mention in claims)
    rivals = (mention for mention in reading.mentions if mention.kind == "bare" and not mention.negated)
    if any(mention.letter != option.letter for mention in rivals):
        return _Decision(None, "several_letters")
    outer = claims[0].start < _SHORT // 2 or claims[-1].end > size - _SHORT // 2
    return _Decision(option.letter, "option_text") if full or outer else None


def _same_words(reading: _Reading) -> _Decision | None:
    spoken = reading.spoken
    said = set(spoken[: spoken.index("than")] if "than" in spoken else spoken)
    signs = {token.folded for token in reading.tokens[:-1]}
    if len(reading.tokens) > _SHORT or said & _DOUBTS or signs & set(".!?\n") or reading.asks():
        return None
    polarity = polarity_of(reading.spoken)
    same = [option for option in reading.options if option.content and option.content == said - words.EMPTY]
    within = [option for option in reading.options if option.content and option.content <= said]
    found = same or (within if polarity or "both" in said else [])
    fits = len(found) == 1 and polarity in ("", found[0].polarity)
    return _Decision(found[0].letter, "same_words") if fits else None


def _yes_no(reading: _Reading) -> _Decision | None:
    said = [word for word in reading.spoken if word not in words.ANSWER_NOUNS | words.FINAL | words.LINKS]
    polarities = {polarity_of([word]) for word in said}
    if len(polarities) != 1 or "" in polarities or reading.asks():
        return None
    fitting = [option for option in reading.options if option.polarity in polarities]
    return _Decision(fitting[0].letter, "yes_no") if len(fitting) == 1 else None


_RULES = (
    _final_marker,
    _marker,
    _letter_line,
    _conclusion,
    _leading,
    _single_mention,
    _option_text,
    _same_words,
    _yes_no,
)
